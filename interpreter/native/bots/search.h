/* ---------------------------------------------------------------- tree search */
#if defined(SEARCHED) && GREEDY

/* Monte Carlo tree search: each playout plays another sample that agrees with what
   the seat knows. The tree distinguishes what seats can distinguish: a node is
   everything that its acting seat has learnt since the root. All arithmetic is exact or
   rounded as in IEEE 754, so that the same numbers give the same choices on every
   machine. */

enum { PATH = 128, TOLD_OF = 64, AT_ONCE = 64, EACH = 4 };

/* A node: the number of its visits, and the first of its actions. */
typedef struct {
  uint64_t key;
  int64_t visits;
  int32_t first, actions;
} Node;

/* An action tried at a node: the sum of its results for the acting seat, the number
   of its visits, and how often it was legal. */
typedef struct {
  double sum;
  int64_t visits, legal;
  int32_t index, next;
} Tried;

/* Budget and progress of a search; Python uses the same structure. The limits are
   numbers of playouts and of decisions in them. A playout lasts some turns and at
   least some decisions, but at most some decisions beyond the tree. `values_positions`: the
   rules value positions, so that greedy ranks the actions first, and playouts take
   the best immediate actions. `room` is the maximum number of nodes, `slots` the
   size of their hash table, a power of two. */
typedef struct Search {
  int64_t playouts, most, turns, min_decisions, max_decisions, values_positions, room, slots;
  double width, exploration, required_margin;
  int64_t done, decisions, nodes, tried;
  Node *node;
  Tried *child;
} Search;

typedef struct {
  int32_t child, seat;
} Walked;

/* The games of one search, and statistics of its leaves. */
typedef struct Thought {
  Game now;
  num root[PLAYERS];
  double margins, leaves;
  int going, ranked, is_new;
  int32_t order[ACTIONS];
  Tried *chosen;
  Thinking mind;
  int32_t mark[ACTIONS], left[ACTIONS], stamp;
  Walked path[PATH];
  uint64_t told[PLAYERS];
  num seat;
  Stream numbers;
  struct {
    int32_t size, count;
    Event event[TOLD_OF];
  } log;
} Thought;

static uint64_t mixed_in(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

/* The hash of what a seat has learnt when a search begins: nothing. */
static uint64_t nothing(num seat) { return mixed_in(~(uint64_t)0, (uint64_t)seat); }

static double root_of(double square) { return __builtin_sqrt(square); }

/* Logarithm to base 2, interpolated linearly between powers of 2. */
static double log_2(int64_t number) {
  int whole = 63 - __builtin_clzll((uint64_t)number);
  return whole + (double)(number - ((int64_t)1 << whole)) / (double)((int64_t)1 << whole);
}

/* Return the node of what a seat has learnt, created if there is room, else NULL. */
static Node *node_of(Search *s, uint64_t key) {
  key |= !key;
  for (uint64_t i = key;; i++) {
    Node *node = &s->node[i & (uint64_t)(s->slots - 1)];
    if (node->key == key) return node;
    if (node->key) continue;
    if (s->nodes >= s->room) return NULL;
    s->nodes++;
    *node = (Node){key, 0, -1, 0};
    return node;
  }
}

static Tried *tried_first(Search *s, Node *node, int index) {
  Tried *t = &s->child[s->tried];
  *t = (Tried){0, 0, 0, index, node->first};
  node->first = (int32_t)s->tried++;
  node->actions++;
  return t;
}

/* Return a random action from a sorted list: first a random name, then random
   arguments. */
static int by_name(const int32_t *legal, int legals, Stream *t) {
  int names = 0, first[NAMES + 1];
  for (int i = 0; i < legals; i++)
    if (!i || NAME_OF[legal[i]] != NAME_OF[legal[i - 1]]) first[names++] = i;
  first[names] = legals;
  int name = (int)stream_below(t, names), from = first[name], size = first[name + 1] - from;
  return legal[from + (size > 1 ? (int)stream_below(t, size) : 0)];
}

/* List several actions of each name. */
static int some_of_each(const Game *g, Stream *t, int32_t *some) {
  int size = 0;
  for (int i = 0, end; i < g->legals; i = end) {
    for (end = i + 1; end < g->legals && NAME_OF[g->legal[end]] == NAME_OF[g->legal[i]];) end++;
    int of = end - i, number = of < EACH ? of : EACH;
    int from = of > EACH ? (int)stream_below(t, of) : 0;
    for (int j = 0; j < number; j++) some[size++] = g->legal[i + (from + j * of / number) % of];
  }
  return size;
}

/* Return the number by which a seat compares actions in a playout: its value, or its
   lead if there are two players. */
static num goes_by(Game *g, Room *r, Thinking *t, num seat) {
  num has = value_of(g, r, t, seat);
  return PLAYERS == 2 ? has - value_of(g, r, t, 1 - seat) : has;
}

/* Return the best immediate action among several of each name; ties go to one that
   ends the turn. */
static int aptly(Game *g, Room *r, Thinking *t) {
  int32_t some[EACH * NAMES];
  num value[EACH * NAMES];
  if (g->legals == 1) return g->legal[0];
  int size = some_of_each(g, &t->numbers, some);
  for (int i = 0; i < size; i++) {
    Game *after = &r->at_once;
    copy_game(after, g);
    does(after, t, some[i]);
    int ends = after->s[TURN] != g->s[TURN] || after->s[STATUS] != RUNNING;
    value[i] = 2 * goes_by(after, r, t, g->who) + ends;
  }
  return some[one_of_best(t, value, size)];
}

/* Return an action not yet tried at a node: at the root the next in greedy's order;
   elsewhere the best immediate action if none has been tried, otherwise a random
   one. */
static int untried(const Search *s, Thought *h, Room *r, int at_root, int any) {
  Game *g = &h->now;
  int left = 0, stamp = h->stamp;
  if (s->values_positions && at_root) {
    while (h->mark[h->order[left]] != stamp) left++;
    return h->order[left];
  }
  if (s->values_positions && !any) return aptly(g, r, &h->mind);
  for (int i = 0; i < g->legals; i++)
    if (h->mark[g->legal[i]] == stamp) h->left[left++] = g->legal[i];
  return by_name(h->left, left, s->values_positions ? &h->mind.numbers : &h->numbers);
}

/* Select the action to take at a node. `is_new`: the action is new at this node.
   NULL: no action has been tried, and the tree is full. The more often a node is
   visited, the more of its actions are tried. */
static Tried *selected(Search *s, Thought *h, Room *r, Node *node, int at_root) {
  Game *g = &h->now;
  Tried *best = NULL;
  double most = -1;
  int stamp = ++h->stamp, there = 0, all = s->values_positions && at_root ? h->ranked : g->legals;
  for (int i = 0; i < g->legals; i++) h->mark[g->legal[i]] = stamp;
  for (int32_t i = node->first; i >= 0; i = s->child[i].next) {
    Tried *a = &s->child[i];
    if (h->mark[a->index] != stamp) continue;
    h->mark[a->index] = 0;
    there++;
    a->legal++;
    double visits = (double)a->visits;
    double worth = a->sum / visits + s->exploration * root_of(log_2(a->legal) / visits);
    if (worth > most) most = worth, best = a;
  }
  double wide = s->width * root_of((double)node->visits);
  h->is_new = there < all && s->tried < s->room && (double)there <= wide;
  if (!h->is_new) return best;
  best = tried_first(s, node, untried(s, h, r, at_root, there));
  best->legal = 1;
  return best;
}

/* Apply an action, and record what each seat learns of it. */
static int goes(Thought *h, int index) {
  Game *g = &h->now;
  num who = g->who;
  int hidden = g->split || SECRET[NAME_OF[index]];
  h->log.count = 0;
  if (rb_apply(g, index) == FAILED) return FAILED;
  int count = smaller(h->log.count, TOLD_OF);
  for (int seat = 0; seat < PLAYERS; seat++) {
    uint64_t *told = &h->told[seat];
    int known = seat == who || !hidden;
    *told = mixed_in(*told, known ? (uint64_t)index + 2 : 1);
    for (int i = 0; i < count; i++) {
      const Event *e = &h->log.event[i];
      if (e->what < 0 || !(e->told >> seat & 1)) continue;
      *told = mixed_in(*told, (uint64_t)e->what);
      for (int j = 0; j < e->size; j++) *told = mixed_in(*told, (uint64_t)e->value[j]);
    }
  }
  return 0;
}

/* Compute the lead of each seat over the best other seat; FAILED: C cannot compute
   it. */
static APART int ahead_by(Game *g, Room *r, num *margin) {
  num has[PLAYERS];
  jmp_buf out;
  g->out = &out;
  if (setjmp(out)) return FAILED;
  for (int i = 0; i < PLAYERS; i++) has[i] = points(g, i) + worth(g, r, i);
  for (int i = 0; i < PLAYERS; i++) {
    num best = INT64_MIN;
    for (int j = 0; j < PLAYERS; j++)
      if (j != i) best = larger(best, has[j]);
    margin[i] = PLAYERS > 1 ? has[i] - best : has[i];
  }
  return 0;
}

/* Compute the result of a game for each seat, from 0 to 1: whether it has won, or
   else how its lead has changed. */
static int rewards(Thought *h, Room *r, double *reward) {
  Game *g = &h->now;
  if (g->s[STATUS] == ENDED) {
    int first = 0;
    for (int i = 0; i < g->ranked; i++) first += g->ranks[i] == 1;
    for (int i = 0; i < PLAYERS; i++) {
      int wins = i < g->ranked && g->ranks[i] == 1;
      reward[i] = !first || first == PLAYERS ? 0.5 : wins;
    }
    return 0;
  }
  num margin[PLAYERS];
  if (ahead_by(g, r, margin) == FAILED) return FAILED;
  double scale = h->leaves > 0 ? h->margins / h->leaves : 0;
  for (int i = 0; i < PLAYERS; i++) {
    double more = (double)(margin[i] - h->root[i]), size = more < 0 ? -more : more;
    h->margins += size, h->leaves += 1;
    reward[i] = size > 0 ? 0.5 + 0.4 * more / (size + scale) : 0.5;
  }
  return 0;
}

/* Return whether a playout continues: an action is legal, and the required turn or
   number of decisions has not been reached. */
static int may_go_on(const Game *g, const Search *s, num end, int64_t enough) {
  if (g->s[STATUS] != RUNNING || !g->legals) return 0;
  return g->s[TURN] < end || s->decisions < enough;
}

/* Play a game through the tree; return the number of nodes, or FAILED. */
static int down(Search *s, Thought *h, Room *r, num end, int64_t enough) {
  Game *g = &h->now;
  int length = 0;
  for (int i = 0; i < PLAYERS; i++) h->told[i] = nothing(i);
  h->is_new = h->is_new && h->chosen;
  while (may_go_on(g, s, end, enough) && length < PATH) {
    int index = g->legal[0], is_new = 0;
    if (g->legals > 1) {
      Node *node = node_of(s, h->told[g->who]);
      if (!node) break;
      Tried *a = h->chosen ? h->chosen : selected(s, h, r, node, !length);
      if (!a) break;
      h->chosen = NULL;
      is_new = h->is_new;
      node->visits++;
      h->path[length++] = (Walked){(int32_t)(a - s->child), g->who};
      index = a->index;
    }
    s->decisions++;
    if (goes(h, index) == FAILED) return FAILED;
    if (is_new) break;
  }
  return length;
}

/* Play one playout of a game that agrees with what the seat knows. */
static APART int walked(Search *s, Thought *h, Room *r) {
  Game *g = &h->now;
  num end = s->turns ? g->s[TURN] + s->turns : INT64_MAX;
  int64_t enough = s->decisions + s->min_decisions;
  if (setjmp(h->mind.out)) return FAILED;
  int length = down(s, h, r, end, enough);
  if (length == FAILED) return FAILED;
  g->log = NULL;
  for (int64_t i = 0; may_go_on(g, s, end, enough) && i < s->max_decisions; i++) {
    s->decisions++;
    int index = s->values_positions ? aptly(g, r, &h->mind)
                                    : by_name(g->legal, g->legals, &h->numbers);
    if (rb_apply(g, index) == FAILED) return FAILED;
  }
  double reward[PLAYERS];
  if (rewards(h, r, reward) == FAILED) return FAILED;
  for (int i = 0; i < length; i++) {
    Tried *a = &s->child[h->path[i].child];
    a->visits++;
    a->sum += reward[h->path[i].seat];
  }
  return 0;
}

/* Rank the actions of the root as greedy does, without those that are only a last
   resort; 0: the interpreter must do it. */
static int ranks(Game *g, Room *r, Thought *h) {
  Thinking t = {.made = 0, .now = g};
  for (int i = 0; i < SAMPLES; i++) t.seed[i] = stream_word(&h->numbers);
  if (!thought_over(g, r, &t)) return 0;
  int from = (int)stream_below(&h->numbers, g->legals);
  h->ranked = 0;
  for (int i = 0; i < g->legals; i++) {
    int place = (from + i) % g->legals, j = i;
    num *sum = r->sum;
    for (; j > 0 && sum[h->order[j - 1]] < sum[place]; j--) h->order[j] = h->order[j - 1];
    h->order[j] = place;
  }
  for (int i = 0; i < g->legals; i++) {
    if (!i || r->sum[h->order[i]] > LAST / 2) h->ranked++;
    h->order[i] = g->legal[h->order[i]];
  }
  return 1;
}

/* Select an action of the root before the game is drawn. All actions of the root are
   tried in the same games, one after another, so that luck does not distort the
   comparison. */
static uint64_t paired(Game *g, Room *r, Search *s, Thought *h) {
  h->now.legals = g->legals;
  memcpy(h->now.legal, g->legal, sizeof *g->legal * (size_t)g->legals);
  h->chosen = selected(s, h, r, node_of(s, nothing(h->seat)), 1);
  Stream t = {h->numbers.key, {PAIRS_0, PAIRS_1}, (uint32_t)h->chosen->visits, {0}, 0};
  uint64_t seed = stream_word(&t);
  h->mind.numbers = (Stream){seed, {SEARCH_0, SEARCH_1}, 0, {0}, 0};
  return seed;
}

static void search_begins(Game *g, Search *s, Thought *h, uint64_t key) {
  h->seat = g->who;
  h->numbers = (Stream){key, {SEARCH_0, SEARCH_1}, 0, {0}, 0};
  h->margins = h->leaves = 0;
  s->nodes = s->tried = s->done = s->decisions = 0;
  memset(s->node, 0, sizeof *s->node * (size_t)s->slots);
}

/* Return whether the budget allows another playout, and more than one action is
   worth trying. */
static int lasts(const Search *s, const Thought *h) {
  if (s->values_positions && s->done && h->ranked == 1) return 0;
  return s->done < s->playouts && s->decisions < s->most;
}

/* Run further playouts, within the budget; 0: one cannot be played in C. */
static int search_goes_on(Game *g, Room *r, Search *s, Thought *h, int64_t more) {
  for (; more > 0 && lasts(s, h); more--, s->done++) {
    if (s->values_positions && !s->done && !ranks(g, r, h)) return 0;
    h->chosen = NULL;
    uint64_t seed = s->values_positions ? paired(g, r, s, h) : stream_word(&h->numbers);
    if (!sample(g, r, &h->now, h->seat, seed)) return 0;
    h->now.given = 0;
    h->now.legals = g->legals;
    memcpy(h->now.legal, g->legal, sizeof *g->legal * (size_t)g->legals);
    if (!s->done && ahead_by(&h->now, r, h->root) == FAILED) return 0;
    h->log.size = TOLD_OF;
    h->now.log = (Log *)&h->log;
    if (walked(s, h, r) == FAILED) return 0;
  }
  return 1;
}

/* Return the most visited action of the root. If greedy was asked, return its first
   choice, unless another action is better by a margin that shrinks with its visits. */
static int chosen(Search *s, const Thought *h) {
  Tried *best = NULL;
  if (s->values_positions) {
    double most = -1;
    for (int32_t i = node_of(s, nothing(h->seat))->first; i >= 0; i = s->child[i].next) {
      Tried *a = &s->child[i];
      double visits = (double)a->visits, low = a->sum / visits;
      if (a->next >= 0) low -= s->required_margin / root_of(visits);
      if (!best || low > most || (low == most && a->next < 0)) most = low, best = a;
    }
    return best->index;
  }
  for (int32_t i = node_of(s, nothing(h->seat))->first; i >= 0; i = s->child[i].next) {
    Tried *a = &s->child[i];
    if (!best || a->visits > best->visits || (a->visits == best->visits && a->sum > best->sum))
      best = a;
  }
  return best->index;
}

static void forget_search(Room *r) {
  if (r->thought) r->thought->going = 0;
}

/* Return the index of a seat's action; NO: the interpreter must decide; UNDECIDED:
   call again. Random numbers count as drawn only when the action is known. */
static int searched(Game *g, Room *r, Stream *numbers) {
  if (g->legals == 1) return g->legal[0];
  Search *s = &r->search[g->who];
  Thought *h = r->thought;
  if (!s->node) return NO;
  Stream t = *numbers;
  uint64_t high = stream_word(&t) >> 5, low = stream_word(&t) >> 6;
  if (!h->going) search_begins(g, s, h, high << 26 | low);
  h->going = search_goes_on(g, r, s, h, AT_ONCE);
  if (!h->going) return NO;
  if (lasts(s, h)) return UNDECIDED;
  h->going = 0;
  *numbers = t;
  return chosen(s, h);
}

CALLED size_t rb_thought(void) { return sizeof(Thought); }

/* Provide memory for searches, with a budget for each seat. */
CALLED void rb_searches(Room *r, Search *s, Thought *h) {
  r->search = s;
  r->thought = h;
}

/* Start a search for the seat to act, and run playouts. */
CALLED void rb_search_begins(Game *g, Room *r, uint64_t key) {
  search_begins(g, &r->search[g->who], r->thought, key);
}

/* Copy the actions tried at the root, newest first; return their number. */
CALLED int64_t rb_search_root(Room *r, Tried *to) {
  Search *s = &r->search[r->thought->seat];
  int64_t count = 0;
  Node *root = node_of(s, nothing(r->thought->seat));
  for (int32_t i = root->first; i >= 0; i = s->child[i].next) to[count++] = s->child[i];
  return count;
}

CALLED int rb_search_goes_on(Game *g, Room *r, int64_t more) {
  return search_goes_on(g, r, &r->search[g->who], r->thought, more);
}

#endif
