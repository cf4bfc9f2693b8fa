/* ---------------------------------------------------------------- bots */

/* Whole games: each seat has its own random numbers and chooses at random, or like
   `greedy`, which tries actions in a few samples that agree with what the seat knows.
   The numbers and the order in which they are drawn are as in the interpreter. The
   interpreter makes decisions that C cannot make; no number has been drawn for them. */

enum { RANDOM_BOT, GREEDY_BOT, SEARCH_BOT };
enum { PLAYED, ASKS, FULL, BROKEN, PAUSED }; /* status of play */
enum { MARGIN = 1024 };              /* maximum events of a step */
enum { STEPS = 40 };                 /* decisions of an attempt, of a plan */

/* The bots' random streams and planned decisions, and statistics of the games.
   Python uses the same structure. */
typedef struct {
  int64_t decisions, most, asked, bots[PLAYERS];
  Stream stream[PLAYERS];
  int64_t times[NAMES], means[PLAYERS], meant[PLAYERS][STEPS];
} Table;

/* Result of a game. Python uses the same structure. */
typedef struct {
  int64_t status, turn, reason, ranked, decisions, ranks[PLAYERS], points[PLAYERS];
  int64_t times[NAMES];
} Row;

static int at_random(Game *g, Stream *t) {
  uint64_t high = stream_word(t) >> 5, low = stream_word(t) >> 6;
  double number = (double)(high << 26 | low) / 9007199254740992.0;
  return g->legal[(int)(number * g->legals)];
}

#if GREEDY

enum { SAMPLES = 3, DEALT_TRIES = 24, ANSWERS_TRIED = 12, DUES = 32 };
enum { FORKS = 6, PLANS = 32, OPENERS = 2 };
enum { NOTHING, BY_OWNER, BY_OTHERS };
enum { A_BAG, A_STACK, A_CARD };
enum { NO = -1 };

/* A field that may be hidden: the seat that sees it as its owner, and the cell that
   marks others. */
typedef struct {
  int32_t sort, row, owner, seen;
} Holder;

typedef struct {
  int32_t row, owner, seen, low, size;
} HiddenValue;

/* Cells, or a stack, that a seat owns. */
typedef struct {
  int32_t is_stack, row, size, owner;
} OwnPart;

/* A local variable of a unit: one value, this many counts, or a set (-1). */
typedef struct {
  int32_t place, size;
} Slot;

/* Cards in a local variable that will be moved out of a bag. */
typedef struct {
  num *f, count;
  int place, grade, row, size, is_bag, known, redrawn;
} Due;

/* The simultaneous block in progress: places in its frame. */
typedef struct {
  int height, began, rest, everybody, member, again, parts;
  const int16_t *part;
} Block;

/* Cells that a line of the hints reads. */
typedef struct {
  int32_t first, size;
} Range;

static int dues(Game *g, Due *due);
static void fill_again(Game *g, num seat, const Due *due, int held);
static UNUSED int is_hidden_wait(const Game *g);
static UNUSED int block_of(Game *g, Block *b);

/* ---- code generated from the rules ---- */

/* A replayed state of a block, and the number of the answer that is due. */
typedef struct {
  Game state;
  int number;
} Branch;

enum { KEPT = 128 }; /* cached values of a line; a power of two */

/* Cached value of a line of the hints for a player (from 1 on), by the cells it
   reads. */
typedef struct {
  num player, value;
  uint64_t hash;
  cell read[LINE_CELLS];
} Memo;

/* Planned decisions after an action. */
typedef struct {
  int action, size, index[STEPS];
} Picks;

/* An action, and the actions that it makes legal. */
typedef struct {
  int action, size;
  int32_t opened[ACTIONS];
} Opener;

/* Evaluation of one decision: see `greedy.h`. */
typedef struct {
  uint64_t seed[SAMPLES];
  num seat, owner, turn;
  int floor, at_menu, asks, made;
  Game *now;
  Stream numbers;
  jmp_buf out;
} Thinking;

typedef struct {
  Table table;
  num sum[ACTIONS], gain[ACTIONS];
  Opener opener[OPENERS];
  int openers, plans;
  Game world[SAMPLES], trial, after, tried, asked, at_once, fork[FORKS];
  Picks plan[PLANS];
  Branch branch[SPLIT ? ANSWERS + 1 : 1];
  num looks; /* whether a game was evaluated, with hashes of its parts */
  cell last[CELLS];
  uint64_t hash[PARTS + 1];
  Memo kept[LINES + 1][KEPT];
#ifdef SEARCHED
  struct Search *search;
  struct Thought *thought;
#endif
} Room;

/* Copy a game for playing, without its list of legal actions. */
static void copy_game(Game *to, const Game *from) {
  memcpy(to->s, from->s, sizeof to->s);
  if (HAS_STACKS) memcpy(to->stack, from->stack, sizeof to->stack);
  for (int i = 0; i < from->depth; i++)
    memcpy(to->frame[i], from->frame[i], sizeof(num) * (size_t)UNIT_SIZE[from->frame[i][0]]);
  size_t begin = offsetof(Game, ranks), end = offsetof(Game, split_s);
  memcpy((char *)to + begin, (const char *)from + begin, end - begin);
  if (SPLIT && from->split) {
    memcpy(to->split_s, from->split_s, sizeof to->split_s);
    memcpy(to->split_stack, from->split_stack, sizeof to->split_stack);
    memcpy(to->answer, from->answer, sizeof *to->answer * (size_t)from->answers);
  }
  to->out = NULL;
  to->log = NULL;
  to->trace = NULL;
}

/* Copy the list of legal actions, for a game that continues from there. */
static void copy_legal(Game *to, const Game *from) {
  if (from->who != NOBODY)
    memcpy(to->legal, from->legal, sizeof *to->legal * (size_t)from->legals);
}

static int chance_was(const Game *g) {
  for (int i = 0; i < EVENTS; i++)
    if (g->counts[i]) return 1;
  return 0;
}

/* ---------------------------------------------------------------- redrawn cards */

static int unseen(const Game *g, int owner, int seen, num seat) {
  if (owner == seat) return 0;
  return seen < 0 || !((seats)g->s[seen] >> seat & 1);
}

static void stream_draw(Stream *t, num *deck, num number, num *taken, int kinds) {
  num left = 0;
  for (int i = 0; i < kinds; i++) taken[i] = 0;
  for (int i = 0; i < kinds; i++) left += deck[i];
  for (; number > 0; number--) {
    num rest = stream_below(t, left--);
    int card = 0;
    while (rest >= deck[card]) rest -= deck[card++];
    deck[card]--;
    taken[card]++;
  }
}

static int due_add(Game *g, Due *due, int held, int first, Due more) {
  for (int i = first; i < held; i++)
    if (due[i].place == more.place) return held;
  for (int i = 0; i < more.size; i++) {
    num number = more.is_bag ? more.f[more.place + i] : more.count * (more.f[more.place] == i);
    if (number > g->s[more.row + i]) return held;
  }
  if (held == DUES) fail(g, BEYOND);
  due[held] = more;
  return held + 1;
}

static int is_due(const Due *due, int held, const num *f, int place) {
  for (int i = 0; i < held; i++)
    if (due[i].f == f && due[i].place == place) return 1;
  return 0;
}

static void due_put(Game *g, const Due *d, num times) {
  for (int i = 0; i < d->size; i++) {
    num number = d->is_bag ? d->f[d->place + i] : d->count * (d->f[d->place] == i);
    g->s[d->row + i] = (cell)(g->s[d->row + i] + times * number);
  }
}

static void due_choose(Game *g, const Due *d, Stream *chance) {
  num held[KINDS], taken[KINDS], number = 0, enough = 0;
  for (int i = 0; i < d->size; i++) held[i] = g->s[d->row + i];
  if (d->is_bag) {
    for (int i = 0; i < d->size; i++) number += d->f[d->place + i];
    stream_draw(chance, held, number, taken, d->size);
    memcpy(d->f + d->place, taken, sizeof(num) * (size_t)d->size);
    return;
  }
  for (int i = 0; i < d->size; i++) {
    if (held[i] < d->count) held[i] = 0; else enough = 1;
  }
  if (!enough) fail(g, BEYOND); /* the interpreter tries other deals */
  stream_draw(chance, held, 1, taken, d->size);
  for (int i = 0; i < d->size; i++)
    if (taken[i]) d->f[d->place] = i;
}

/* Cards that are redrawn together: a bag, the unknown part of a stack, or one card
   (`place`). */
typedef struct {
  int holder, place;
  num size;
} Heap;

static UNUSED int gathered(Game *g, int domain, num seat, num *deck, Heap *heap) {
  int heaps = 0, kinds = KINDS_OF[domain];
  for (int i = DOMAIN_FROM[domain]; i < DOMAIN_FROM[domain + 1]; i++) {
    const Holder *h = &HOLDER[i];
    if (!unseen(g, h->owner, h->seen, seat)) continue;
    if (h->sort == A_CARD) {
      if (g->s[h->row] < 0) continue;
      deck[g->s[h->row]]++;
      heap[heaps++] = (Heap){i, 0, 1};
      continue;
    }
    Heap rest = {i, -1, 0};
    if (h->sort == A_STACK) {
      const Stack *t = &g->stack[h->row];
      for (int j = 0; j < t->size; j++)
        if (t->card[j] >= 0 && !(t->known[j] >> seat & 1)) {
          deck[t->card[j]]++;
          heap[heaps++] = (Heap){i, j, 1};
        }
    }
    for (int j = 0; j < kinds; j++) {
      num number = h->sort == A_BAG ? (num)g->s[h->row + j] : (num)g->stack[h->row].pool[j];
      deck[j] += number;
      rest.size += number;
    }
    heap[heaps++] = rest;
  }
  return heaps;
}

static UNUSED void lay(Game *g, const Heap *heap, const num *cards, int kinds) {
  const Holder *h = &HOLDER[heap->holder];
  int card = 0;
  if (heap->place >= 0) {
    while (card < kinds - 1 && cards[card] != 1) card++;
    if (h->sort == A_CARD) g->s[h->row] = (cell)card;
    else g->stack[h->row].card[heap->place] = (int16_t)card;
    return;
  }
  for (int j = 0; j < kinds; j++) {
    if (h->sort == A_BAG) g->s[h->row + j] = (cell)cards[j];
    else g->stack[h->row].pool[j] = (int32_t)cards[j];
  }
}

/* Deal the deck to the heaps, the smallest first; the largest gets the remaining
   cards. */
static UNUSED void deal_again(Game *g, int domain, num seat, Stream *chance) {
  Heap heap[HEAPS];
  num deck[KINDS] = {0}, taken[KINDS];
  int kinds = KINDS_OF[domain], heaps = gathered(g, domain, seat, deck, heap), filled = 0;
  for (int i = 0; i < heaps; i++) filled += heap[i].size != 0;
  if (filled <= 1) return;
  for (int i = 1; i < heaps; i++) { /* stable: equal sizes keep their order */
    Heap moved = heap[i];
    int j = i;
    for (; j > 0 && heap[j - 1].size > moved.size; j--) heap[j] = heap[j - 1];
    heap[j] = moved;
  }
  for (int i = 0; i < heaps - 1; i++) {
    stream_draw(chance, deck, heap[i].size, taken, kinds);
    lay(g, &heap[i], taken, kinds);
  }
  lay(g, &heap[heaps - 1], deck, kinds);
}

static int is_redrawn(const Game *g, int row, num seat) {
  for (int i = 0; i < HOLDERS; i++)
    if (HOLDER[i].sort != A_STACK && HOLDER[i].row == row)
      return unseen(g, HOLDER[i].owner, HOLDER[i].seen, seat);
  return 0;
}

static void redraw(Game *g, num seat, Stream *chance) {
  Due due[DUES];
  renew(g);
  int held = dues(g, due);
  for (int i = 0; i < held; i++) {
    due[i].redrawn = is_redrawn(g, due[i].row, seat);
    due[i].known = due[i].grade == NOTHING || (due[i].grade == BY_OWNER && due[i].f[2] == seat);
    if (due[i].redrawn && due[i].known) due_put(g, &due[i], -1);
  }
  for (int i = 0; i < DOMAINS; i++) deal_again(g, i, seat, chance);
  for (int i = 0; i < VALUES; i++) {
    const HiddenValue *v = &VALUE[i];
    if (unseen(g, v->owner, v->seen, seat))
      g->s[v->row] = (cell)(v->low + stream_below(chance, v->size));
  }
  for (int i = 0; i < held; i++) {
    if (!due[i].redrawn || due[i].known) continue;
    due_choose(g, &due[i], chance);
    due_put(g, &due[i], -1);
  }
  for (int i = 0; i < held; i++)
    if (due[i].redrawn) due_put(g, &due[i], 1);
  renew(g);
  if (breaks_invariant(g)) fail(g, BEYOND); /* the interpreter searches */
  fill_again(g, seat, due, held);
  renew(g);
}

/* ---------------------------------------------------------------- replayed blocks */
#if SPLIT

/* The answers of a simultaneous block are replayed: a seat knows its own answers,
   and how many the others gave. The search uses a stack of branches. Each stores the
   answers left to try in place of the list of legal actions. */

static int same_values(const num *a, const num *b) {
  for (int i = SLOT_FROM[a[0]]; i < SLOT_FROM[a[0] + 1]; i++) {
    const num *x = a + SLOT[i].place, *y = b + SLOT[i].place;
    if (*x != *y) return 0;
    if (*x == UNSET) continue;
    num more = SLOT[i].size < 0 ? *x : SLOT[i].size - 1;
    for (num j = 1; j <= more; j++)
      if (x[j] != y[j]) return 0;
  }
  return 1;
}

static int same_stacks(const Stack *a, const Stack *b) {
  if (a->size != b->size || memcmp(a->pool, b->pool, sizeof a->pool)) return 0;
  size_t size = (size_t)a->size;
  return !memcmp(a->card, b->card, sizeof *a->card * size) &&
         !memcmp(a->known, b->known, sizeof *a->known * size);
}

static int agrees(const Game *g, const Game *now, num seat) {
  if (now->who != seat || now->depth != g->depth) return 0;
  for (int i = 0; i < OWNS; i++) {
    const OwnPart *own = &OWN_ROW[i];
    if (own->owner != seat) continue;
    size_t size = sizeof(cell) * (size_t)own->size;
    if (own->is_stack ? !same_stacks(&g->stack[own->row], &now->stack[own->row])
                      : memcmp(g->s + own->row, now->s + own->row, size) != 0)
      return 0;
  }
  for (int i = 0; i < g->depth; i++) {
    const num *a = g->frame[i], *b = now->frame[i];
    if (a[0] != b[0] || a[1] != b[1] || a[2] != b[2]) return 0;
    if (a[2] == seat && !same_values(a, b)) return 0;
  }
  return g->legals == now->legals &&
         !memcmp(g->legal, now->legal, sizeof *g->legal * (size_t)g->legals);
}

static void begun_again(const Game *g, Game *now, const Block *b, num seat, Stream *chance) {
  copy_game(now, g);
  now->out = g->out;
  memcpy(now->s, g->split_s, sizeof now->s);
  memcpy(now->stack, g->split_stack, sizeof now->stack);
  num *f = now->frame[b->height];
  now->depth = b->height + 1;
  memcpy(f + b->rest, f + b->everybody, sizeof(num) * (size_t)(f[b->everybody] + 1));
  f[1] = b->again;
  for (int i = 0; i < b->parts; i++) f[b->part[i]] = UNSET;
  redraw(now, seat, chance);
  memcpy(now->split_s, now->s, sizeof now->s);
  memcpy(now->split_stack, now->stack, sizeof now->stack);
  now->answers = 0;
  now->triggers = TRIGGERS; /* those of the real game would reveal answers */
  memset(now->counts, 0, sizeof now->counts);
}

/* Leave out the other seats' parts, which have no effect yet. */
static void put_off(const Game *g, Game *now, const Block *b, num seat) {
  const num *f = g->frame[b->height];
  num *rest = now->frame[b->height] + b->rest;
  num left = f[b->rest], there = f[b->member] == seat;
  for (num i = 1; i <= left; i++) there |= f[b->rest + i] == seat;
  num more = !there && lists(f + b->everybody, seat), first = 0;
  if (more) rest[++first] = seat;
  rest[++first] = f[b->member];
  memmove(rest + first + 1, f + b->rest + 1, sizeof(num) * (size_t)left);
  rest[0] = first + left;
}

/* List the possible answers; the last one is tried first. */
static void answers_left(Game *now, const Event *given, num seat, Stream *chance) {
  if (now->who != given->seat) {
    now->legals = 0;
  } else if (given->seat == seat) {
    int there = 0;
    for (int i = 0; i < now->legals; i++) there |= now->legal[i] == given->value[0];
    now->legals = there;
    now->legal[0] = (int32_t)given->value[0];
  } else {
    for (int last = now->legals - 1; last > 0; last--) {
      num other = stream_below(chance, last + 1);
      int32_t index = now->legal[last];
      now->legal[last] = now->legal[other], now->legal[other] = index;
    }
  }
}

/* Return whether the block reached its current point; NO: the interpreter must
   decide. */
static int played_again(const Game *g, Room *r, Game *now, num seat, int own, Stream *chance) {
  const Event *script[ANSWERS];
  int size = 0, branches = 0, number = 0;
  for (int i = 0; i < g->answers; i++)
    if (!own || g->answer[i].seat == seat) script[size++] = &g->answer[i];
  if (rb_run(now) == FAILED || chance_was(now)) return NO;
  for (int i = 0; i < ANSWERS_TRIED * (size + 1); i++) {
    if (now->split && now->s[STATUS] == RUNNING) {
      if (number == size) {
        if (agrees(g, now, seat)) return 1;
      } else {
        Branch *branch = &r->branch[branches++];
        copy_game(&branch->state, now);
        memcpy(branch->state.legal, now->legal, sizeof *now->legal * (size_t)now->legals);
        branch->number = number;
        answers_left(&branch->state, script[number], seat, chance);
      }
    }
    while (branches && !r->branch[branches - 1].state.legals) branches--;
    if (!branches) return 0;
    Branch *last = &r->branch[branches - 1];
    int index = last->state.legal[--last->state.legals];
    number = last->number + 1;
    copy_game(now, &last->state);
    if (rb_apply(now, index) == FAILED || chance_was(now)) return NO;
  }
  return 0;
}

static int block_again(Game *g, Room *r, Game *now, num seat, Stream *chance) {
  Block b;
  if (!block_of(g, &b)) return NO;
  for (int i = 0; i < g->answers; i++)
    if (g->answer[i].what >= 0) return NO;
  for (int way = 0; way < 2; way++)
    for (int i = 0; i < DEALT_TRIES; i++) {
      begun_again(g, now, &b, seat, chance);
      if (way) put_off(g, now, &b, seat);
      int done = played_again(g, r, now, seat, way, chance);
      if (done) return done;
    }
  return NO;
}

#endif

/* ---------------------------------------------------------------- value of a position */

static uint64_t mixed(uint64_t hash, const cell *cells, int size) {
  const char *at = (const char *)cells;
  size_t left = sizeof *cells * (size_t)size;
  for (; left; at += 8) {
    uint64_t word = 0;
    size_t here = left < 8 ? left : 8;
    memcpy(&word, at, here);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
    left -= here;
  }
  return hash;
}

/* Most cells are the same as in the game evaluated last. */
static uint64_t part_hash(const Game *g, const Room *r, int part) {
  const cell *here = g->s + PART[part].first;
  size_t size = sizeof *here * (size_t)PART[part].size;
  if (!memcmp(here, r->last + PART[part].first, size)) return r->hash[part];
  return mixed((uint64_t)part, here, PART[part].size);
}

static void looked_at(const Game *g, Room *r) {
  for (int i = 0; i < PARTS; i++) {
    const cell *here = g->s + PART[i].first;
    r->hash[i] = r->looks ? part_hash(g, r, i) : mixed((uint64_t)i, here, PART[i].size);
  }
  memcpy(r->last, g->s, sizeof r->last);
  r->looks = 1;
}

static num kept_value(Game *g, Room *r, int line, num player, const uint64_t *part) {
  uint64_t hash = (uint64_t)player;
  int first = READ_FROM[line], end = READ_FROM[line + 1], same;
  for (int i = first; i < end; i++)
    hash = (hash ^ part[READ[i]]) * 0x9E3779B97F4A7C15u + (hash >> 29);
  Memo *kept = &r->kept[line][(hash ^ hash >> 32) & (KEPT - 1)];
  cell *read = kept->read;
  same = kept->player == player + 1 && kept->hash == hash;
  for (int i = first; same && i < end; read += PART[READ[i++]].size)
    same = !memcmp(read, g->s + PART[READ[i]].first, sizeof *read * (size_t)PART[READ[i]].size);
  if (same) return kept->value;
  kept->player = 0;
  kept->value = LINE[line](g, player);
  kept->player = player + 1;
  kept->hash = hash;
  read = kept->read;
  for (int i = first; i < end; read += PART[READ[i++]].size)
    memcpy(read, g->s + PART[READ[i]].first, sizeof *read * (size_t)PART[READ[i]].size);
  return kept->value;
}

static num worth(Game *g, Room *r, num player) {
  uint64_t part[PARTS + 1];
  num value = quick_worth(g, player);
  for (int i = 0; i < PARTS; i++) part[i] = part_hash(g, r, i);
  for (int i = 0; i < LINES; i++) value += kept_value(g, r, i, player, part);
  return value;
}

/* ---------------------------------------------------------------- greedy */

/* Draw a game that agrees with what a seat knows; 0: the interpreter must draw it. */
static APART int sample(Game *g, Room *r, Game *world, num seat, uint64_t seed) {
  Stream chance = {seed, {SAMPLE_0, SAMPLE_1}, 0, {0}, 0};
  jmp_buf out;
#if SPLIT
  if (g->split) {
    g->out = &out;
    if (setjmp(out)) return 0;
    if (block_again(g, r, world, seat, &chance) == NO) return 0;
  } else
#endif
  {
    copy_game(world, g);
    world->out = &out;
    if (setjmp(out)) return 0;
    redraw(world, seat, &chance);
    if (is_hidden_wait(world)) return 0;
  }
  world->seed = seed;
  memset(world->counts, 0, sizeof world->counts);
  looked_at(world, r);
  return 1;
}

/* Record that code run for a player may depend on information hidden from the
   viewer. */
static void notes(Game *g, num unit_, num you) {
  int grade = GRADE[unit_];
  if (grade == BY_OTHERS || (grade == BY_OWNER && you + 1 != g->watch)) g->watch = 0;
}

/* Return a sample in which the seat tries its actions, drawn when needed. */
static Game *world_of(Room *r, Thinking *t, int number) {
  Game *g = t->now;
  for (; t->made <= number; t->made++)
    if (!sample(g, r, &r->world[t->made], g->who, t->seed[t->made])) longjmp(t->out, FAILED);
  return &r->world[number];
}

/* ---- code of greedy.h ---- */

#else

typedef struct {
  Table table;
} Room;

static APART int sample(Game *g, Room *r, Game *world, num seat, uint64_t seed) {
  (void)g, (void)r, (void)world, (void)seat, (void)seed;
  return 0;
}

static int greedily(Game *g, Room *r, Stream *t) {
  (void)g, (void)r, (void)t;
  return -1;
}

#endif

enum { UNDECIDED = -2 }; /* the search continues after a check for interruptions */

#if defined(SEARCHED) && GREEDY
static int searched(Game *g, Room *r, Stream *numbers);
static void forget_search(Room *r);
#else
static int searched(Game *g, Room *r, Stream *t) {
  (void)g, (void)r, (void)t;
  return -1;
}

static void forget_search(Room *r) { (void)r; }
#endif

/* ---------------------------------------------------------------- whole games */

static int decided(Game *g, Table *t, int index) {
  trace_event(g, index, g->who, g->legals);
  if (g->log && g->log->count < g->log->size) {
    Event *e = &g->log->event[g->log->count++];
    e->what = -1, e->size = 1, e->seat = g->who, e->value[0] = index;
  }
  if (rb_apply(g, index) == FAILED) return FAILED;
  t->times[NAME_OF[index]]++;
  t->decisions++;
  return 0;
}

static int overran(const Game *g) {
  return trace_overran(g) || (g->log && g->log->count > g->log->size);
}

CALLED size_t rb_room(void) { return sizeof(Room); }
CALLED size_t rb_table(void) { return sizeof(Table); }

/* Draw a sample for the seat to act; 0: the interpreter must draw it. */
CALLED int rb_sample(Game *g, Room *r, uint64_t seed, Game *world) {
  return sample(g, r, world, g->who, seed);
}

/* Apply a decision of the interpreter; `rb_play` then continues. */
CALLED int rb_decided(Game *g, Room *r, int index) {
  r->table.asked++;
  return decided(g, &r->table, index);
}

/* Play until the game is over, the limit of decisions is reached, the interpreter
   must decide, the log is nearly full, or a search needs a check for interruptions. */
CALLED int rb_play(Game *g, Room *r) {
  Table *t = &r->table;
  while (g->s[STATUS] == RUNNING && t->decisions < t->most) {
    if (trace_is_full(g) || (g->log && g->log->count > g->log->size - MARGIN)) return FULL;
    if (!g->legals) return BROKEN;
    Stream *numbers = &t->stream[g->who];
    int64_t bot = t->bots[g->who];
    int index = bot == RANDOM_BOT   ? at_random(g, numbers)
                : bot == GREEDY_BOT ? greedily(g, r, numbers)
                                    : searched(g, r, numbers);
    if (index == UNDECIDED) return PAUSED;
    if (index < 0) return ASKS;
    if (decided(g, t, index) == FAILED || overran(g)) return BROKEN;
  }
  return PLAYED;
}

/* Write the result of a game. */
CALLED int rb_row(Game *g, Room *r, Row *row) {
  jmp_buf out;
  g->out = &out;
  if (setjmp(out)) return BROKEN;
  row->status = g->s[STATUS], row->turn = g->s[TURN], row->reason = g->reason;
  row->ranked = g->ranked, row->decisions = r->table.decisions;
  for (int i = 0; i < PLAYERS; i++) {
    row->ranks[i] = i < g->ranked ? g->ranks[i] : 1;
    row->points[i] = points(g, i);
  }
  memcpy(row->times, r->table.times, sizeof row->times);
  trace_ends(g);
  return overran(g) ? BROKEN : PLAYED;
}

/* Start a game, from `laid` before set-up if given; each seat has a key for its
   random numbers. */
CALLED int rb_begin(Game *g, Room *r, const Game *laid, uint64_t seed, int64_t turns,
                    const uint64_t *keys) {
  Table *t = &r->table;
  forget_search(r);
  t->decisions = 0;
  memset(t->times, 0, sizeof t->times);
  memset(t->means, 0, sizeof t->means);
  for (int i = 0; i < PLAYERS; i++)
    t->stream[i] = (Stream){keys[i], {NUMBERS_0, NUMBERS_1}, 0, {0}, 0};
  Log *log = g->log;
  struct Trace *trace = g->trace;
  rb_start(g, seed, turns);
  if (laid) {
    rb_copy(g, laid);
    g->seed = seed;
    g->turns = turns;
  }
  g->log = log;
  g->trace = trace;
  trace_begins(g);
  return rb_run(g) == FAILED || overran(g) ? BROKEN : PLAYED;
}

/* Play games one after another until one needs the interpreter; return the number of
   games played. `came` is the status of the next game if it was started. */
CALLED int64_t rb_games(Game *g, Room *r, const Game *laid, const uint64_t *seed,
                        int64_t turns, const uint64_t *keys, int64_t number, Row *row,
                        int32_t *came) {
  for (int64_t i = 0; i < number; i++) {
    *came = rb_begin(g, r, laid, seed[i], turns, keys + i * PLAYERS);
    if (*came == PLAYED) *came = rb_play(g, r);
    if (*came == PLAYED) *came = rb_row(g, r, &row[i]);
    if (*came != PLAYED) return i;
  }
  return number;
}
