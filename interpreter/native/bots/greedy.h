/* Best action of a seat up to the end of its own turn. `knowledge/turn_search.py` in
   the interpreter performs the same steps and explains them. */

enum { OUTCOMES = 36, NEXT_FEW = 12, ASKED_TRIES = 6, THROUGH = 24 };

#define SCALE 4096
#define MOST_WORTH ((num)1 << 30)
#define WON_GAME ((num)1 << 31)
#define LAST (-((num)1 << 60)) /* value of actions taken only as a last resort */

/* A function that chooses an action in an attempt. */
typedef int Chooses(Game *g, Room *r, Thinking *t);

static int settled(const Game *g, const Thinking *t) {
  return g->s[STATUS] != RUNNING || g->s[TURN] != t->turn || g->depth <= t->floor || g->who < 0;
}

static num value_of(Game *g, Room *r, Thinking *t, num seat) {
  g->out = &t->out;
  num has = points(g, seat) + worth(g, r, seat);
  has = larger(-MOST_WORTH, smaller(MOST_WORTH, has));
  if (g->s[STATUS] == ENDED) {
    int first = 0;
    for (int i = 0; i < g->ranked; i++) first += g->ranks[i] == 1;
    if (first && first < PLAYERS)
      has += seat < g->ranked && g->ranks[seat] == 1 ? WON_GAME : -WON_GAME;
  }
  return has * SCALE;
}

/* Apply a legal action; fail if the interpreter must do it. */
static void does(Game *g, Thinking *t, int index) {
  if (rb_apply(g, index) == FAILED) longjmp(t->out, NO);
}

static int any_of(Thinking *t, int size) {
  return size > 1 ? (int)stream_below(&t->numbers, size) : 0;
}

static int at_any(Game *g, Room *r, Thinking *t) {
  (void)r;
  return g->legal[any_of(t, g->legals)];
}

/* Return a random one of the actions with the greatest value. */
static int one_of_best(Thinking *t, const num *value, int size) {
  num best = value[0];
  int among = 0, which;
  for (int i = 1; i < size; i++) best = larger(best, value[i]);
  for (int i = 0; i < size; i++) among += value[i] == best;
  which = any_of(t, among);
  for (int i = 0; i < size; i++)
    if (value[i] == best && !which--) return i;
  return 0;
}

static int few(int size) { return size < NEXT_FEW ? size : NEXT_FEW; }

/* Return the action of the deciding seat with the best immediate value. */
static int at_once(Game *g, Room *r, Thinking *t) {
  num value[NEXT_FEW];
  int size = few(g->legals);
  if (g->legals == 1) return g->legal[0];
  for (int i = 0; i < size; i++) {
    copy_game(&r->at_once, g);
    does(&r->at_once, t, g->legal[i * g->legals / size]);
    value[i] = value_of(&r->at_once, r, t, g->who);
  }
  return g->legal[one_of_best(t, value, size) * g->legals / size];
}

/* Play until the action is over; its seat takes the best immediate actions. */
static num played_on(Game *g, Room *r, Thinking *t, num seat) {
  for (int i = 0; i < STEPS && !settled(g, t) && g->legals; i++)
    does(g, t, g->who == t->owner ? at_once(g, r, t) : at_any(g, r, t));
  return value_of(g, r, t, seat);
}

/* Return the best answer of another seat, measured when the action is over. */
static int answer_of(Game *g, Room *r, Thinking *t) {
  num value[NEXT_FEW];
  int size = few(g->legals);
  if (g->legals == 1) return g->legal[0];
  for (int i = 0; i < size; i++) {
    copy_game(&r->asked, g);
    does(&r->asked, t, g->legal[i * g->legals / size]);
    value[i] = played_on(&r->asked, r, t, g->who);
  }
  return g->legal[one_of_best(t, value, size) * g->legals / size];
}

/* Return the value of an action if the others give their best answers. */
static num answered(Game *g, Room *r, Thinking *t, int index, const Picks *p) {
  num asked = NOBODY;
  does(g, t, index);
  for (int i = 0; i < p->size; i++) {
    int there = 0;
    if (settled(g, t) || g->who != t->seat) break;
    for (int j = 0; j < g->legals; j++) there |= g->legal[j] == p->index[i];
    if (!there) break;
    does(g, t, p->index[i]);
  }
  for (int i = 0; i < STEPS && !settled(g, t) && g->legals; i++) {
    if (g->who == t->seat) {
      index = asked == NOBODY ? at_any(g, r, t) : at_once(g, r, t);
    } else if (g->who == asked) {
      index = at_any(g, r, t);
    } else {
      asked = g->who;
      index = answer_of(g, r, t);
    }
    does(g, t, index);
  }
  return value_of(g, r, t, t->seat);
}

/* Try a continuation of an action; return its value, whether others were asked, and
   the first decisions. */
static num tried(Game *g, Room *r, Thinking *t, Chooses *choose, int *asked, Picks *p) {
  int fell = 0;
  *asked = p->size = 0;
  for (int i = 0; i < STEPS && !settled(g, t) && g->legals; i++) {
    int mine = g->who == t->seat, index;
    if (*asked && mine) {
      index = at_once(g, r, t);
    } else {
      *asked = *asked || !mine;
      index = mine ? choose(g, r, t) : at_any(g, r, t);
    }
    if (!*asked && !fell) p->index[p->size++] = index;
    does(g, t, index);
    fell = fell || chance_was(g);
  }
  return value_of(g, r, t, t->seat);
}

/* Return the value of an action that asks for more decisions, by trying them. */
static num gone_on(Room *r, Thinking *t, int index, num seen, num total, Picks *then) {
  num best, now = 0, more = 0;
  int asked, any = 0;
  Picks p;
  copy_game(&r->tried, &r->after);
  copy_legal(&r->tried, &r->after);
  num value = tried(&r->tried, r, t, at_once, &asked, &p);
  if (!asked) return total + SAMPLES * (value - seen);
  best = value_of(&r->world[0], r, t, t->seat);
  for (int i = 0; i < (t->asks ? ASKED_TRIES : 0); i++) {
    copy_game(&r->tried, &r->after);
    copy_legal(&r->tried, &r->after);
    value = tried(&r->tried, r, t, at_any, &asked, &p);
    if (value > best) best = value, *then = p, any = 1;
  }
  if (!any) return total + LAST;
  for (int n = 0; n < SAMPLES; n++) {
    Game *world = world_of(r, t, n);
    copy_game(&r->tried, world);
    more += answered(&r->tried, r, t, index, then);
    now += value_of(world, r, t, t->seat);
  }
  if (more > now) return more;
  then->size = 0;
  return total + LAST;
}

/* Return whether the seat decides again in the same turn. */
static int goes_on_with(const Game *g, const Thinking *t) {
  return g->s[STATUS] == RUNNING && g->s[TURN] == t->turn && g->who == t->seat;
}

/* Remove the members of another list; both ascend. Return the number left. */
static int without(int32_t *list, int size, const int32_t *other, int others) {
  int left = 0, there = 0;
  for (int i = 0; i < size; i++) {
    while (there < others && other[there] < list[i]) there++;
    if (there == others || other[there] != list[i]) list[left++] = list[i];
  }
  return left;
}

/* Return the best value of some actions in a game, at least `least`. */
static num best_of(Game *g, Room *r, Thinking *t, const int32_t *list, int size, num least) {
  for (int i = 0, of = few(size); i < of; i++) {
    copy_game(&r->at_once, g);
    does(&r->at_once, t, list[i * size / of]);
    least = larger(least, value_of(&r->at_once, r, t, t->seat));
  }
  return least;
}

/* Store the actions that an action makes possible, unless too many actions do so. */
static void is_opener(Room *r, int index, const int32_t *list, int size) {
  int place = r->openers;
  while (place > 0 && r->opener[place - 1].size < size) place--;
  if (place == OPENERS) return;
  if (r->openers < OPENERS) r->openers++;
  memmove(&r->opener[place + 1], &r->opener[place],
          sizeof *r->opener * (size_t)(r->openers - 1 - place));
  r->opener[place].action = index;
  r->opener[place].size = size;
  memcpy(r->opener[place].opened, list, sizeof *list * (size_t)size);
}

/* Return the gain from actions that were impossible before this one; NO: not
   evaluated. */
static num gain_next(Room *r, Thinking *t, const Game *now, int index, num seen) {
  Game *g = &r->after;
  if (!goes_on_with(g, t)) return NO;
  int size = without(g->legal, g->legals, now->legal, now->legals);
  if (size) is_opener(r, index, g->legal, size);
  return best_of(g, r, t, g->legal, size, seen) - seen;
}

/* Return the gain from this action followed by one that enables more. */
static num gain_through(Room *r, Thinking *t, const Game *now, int index) {
  Game *g = &r->after, *beyond = &r->tried;
  num best = 0, has;
  copy_game(g, world_of(r, t, 0));
  does(g, t, index);
  has = value_of(g, r, t, t->seat);
  for (int i = 0; i < r->openers; i++) {
    const Opener *opener = &r->opener[i];
    int there = 0, size;
    for (int j = 0; j < g->legals; j++) there |= g->legal[j] == opener->action;
    if (!there || opener->action == index) continue;
    copy_game(beyond, g);
    does(beyond, t, opener->action);
    if (chance_was(beyond) || !goes_on_with(beyond, t)) continue;
    size = without(beyond->legal, beyond->legals, now->legal, now->legals);
    size = without(beyond->legal, size, opener->opened, opener->size);
    size = without(beyond->legal, size, g->legal, g->legals);
    best = larger(best, best_of(beyond, r, t, beyond->legal, size, has) - has);
  }
  return best;
}

/* Return the expected value of a game over its next chance outcomes in this turn. */
static num expected(Game *g, Room *r, Thinking *t, num ways, int fork) {
  while (g->s[STATUS] == RUNNING && g->who == NOBODY && g->s[TURN] == t->turn) {
    int size = g->legals;
    ways *= size;
    g->why = g->executed = g->answering = 0;
    g->ran = 1;
    if (ways > OUTCOMES) {
      g->given = DRAWN;
    } else if (size == 1) {
      g->given = CHOSEN, g->chosen = 0;
    } else {
      num total = 0, weights = 0;
      for (int i = 0; i < size; i++) {
        Game *after = &r->fork[fork];
        copy_game(after, g);
        after->given = CHOSEN, after->chosen = i, after->weight = 1;
        if (run(after) == FAILED) longjmp(t->out, NO);
        num weight = after->weight;
        total += weight * expected(after, r, t, ways, fork + 1);
        weights += weight;
      }
      return divided(total, weights);
    }
    if (run(g) == FAILED) longjmp(t->out, NO);
  }
  return value_of(g, r, t, t->seat);
}

/* Apply an action, and continue to the next decision, or to chance in this turn. */
static APART int looks_ahead(Game *g, num seat, int index) {
  jmp_buf out;
  int came;
  g->watch = g->split ? 0 : (int32_t)seat + 1;
  if (index) notes(g, UNIT_OF[NAME_OF[index]], seat);
  if (g->split) {
    if (g->answers >= ANSWERS) return FAILED;
    Event *a = &g->answer[g->answers++];
    memset(a, 0, sizeof *a);
    a->what = -1, a->seat = g->who, a->value[0] = index, a->size = 1;
  }
  g->given = g->split ? DRAWN : WANTED;
  g->why = 0, g->ran = 1, g->executed = 0, g->answering = 1, g->chosen = index;
  g->out = &out;
  if ((came = setjmp(out))) return came == WAITS ? WAITS : FAILED;
  while (g->depth > 0) {
    num *f = g->frame[g->depth - 1];
    notes(g, f[0], f[2]);
    if (unit(g, f) == WAIT) break;
  }
  return WAITS;
}

/* Evaluate an action. `certain`: the result is the same in every game that agrees
   with what the seat knows. `fell`: it depends on chance; otherwise `trial` contains
   the game afterwards. */
static num look(Room *r, Thinking *t, const Game *world, int index, int *certain, int *fell) {
  Game *g = &r->trial;
  copy_game(g, world);
  if (looks_ahead(g, t->seat, index) == FAILED) longjmp(t->out, NO);
  *certain = 0, *fell = 1;
  if (g->s[STATUS] == RUNNING && g->who == NOBODY && g->s[TURN] == t->turn)
    return expected(g, r, t, 1, 0);
  num active = larger(g->s[ACTIVE], 0);
  int told = WOKEN_GRADE == BY_OTHERS || (WOKEN_GRADE == BY_OWNER && active != t->seat);
  *fell = chance_was(g);
  *certain = g->watch && !told && VALUE_GRADE != BY_OTHERS && !*fell;
  g->given = DRAWN;
  return value_of(g, r, t, t->seat);
}

/* Return the total value of an action over all samples. */
static num worth_of(Room *r, Thinking *t, const Game *now, int index, Picks *then, num *gain) {
  num total = 0, first = 0;
  int after = 0, split = 0;
  then->size = 0;
  *gain = NO;
  for (int n = 0; n < SAMPLES; n++) {
    int certain, fell;
    num value = look(r, t, world_of(r, t, n), index, &certain, &fell);
    int others = t->owner != t->seat && !fell && !settled(&r->trial, t);
    if (!n && !fell && t->owner == t->seat) {
      after = 1, first = value, split = r->trial.split;
      copy_game(&r->after, &r->trial);
      copy_legal(&r->after, &r->trial);
    }
    if (others) {
      total += played_on(&r->trial, r, t, t->seat);
    } else if (certain) {
      total = value * SAMPLES;
      break;
    } else {
      total += value;
    }
  }
  if (!after || split) return total;
  if (!settled(&r->after, t)) return gone_on(r, t, index, first, total, then);
  if (!t->at_menu) return total;
  *gain = gain_next(r, t, now, index, first);
  return total + SAMPLES * at_least_0(*gain);
}

static void begin_thinking(Game *world, Thinking *t, num seat) {
  t->seat = t->owner = seat;
  t->turn = world->s[TURN];
  t->floor = world->depth;
  t->at_menu = 1;
  t->numbers = (Stream){t->seed[0], {THOUGHTS_0, THOUGHTS_1}, 0, {0}, 0};
  for (int i = 0; i < world->depth && t->at_menu; i++)
    if (IS_ACTION[world->frame[i][0]]) {
      t->at_menu = 0;
      t->floor = i;
      t->owner = world->frame[i][2];
    }
  t->asks = stream_below(&t->numbers, 2) || !t->at_menu;
}

/* Add the gain from second actions that enable more. */
static void through_openers(Game *g, Room *r, Thinking *t) {
  int size = 0, at = 0, of;
  for (int i = 0; i < g->legals; i++) size += r->gain[i] != NO;
  of = size < THROUGH ? size : THROUGH;
  for (int i = 0, place = 0; i < g->legals && place < of; i++) {
    if (r->gain[i] == NO || at++ != place * size / of) continue;
    place++;
    r->sum[i] += SAMPLES * at_least_0(gain_through(r, t, g, g->legal[i]) - r->gain[i]);
  }
}

/* Compute the value of each legal action; 0: the interpreter must do it. */
static APART int thought_over(Game *g, Room *r, Thinking *t) {
  if (setjmp(t->out)) return 0;
  begin_thinking(world_of(r, t, 0), t, g->who);
  r->plans = r->openers = 0;
  for (int i = 0; i < g->legals; i++) {
    Picks *then = &r->plan[r->plans];
    r->sum[i] = worth_of(r, t, g, g->legal[i], then, &r->gain[i]);
    then->action = g->legal[i];
    if (then->size && r->plans < PLANS - 1) r->plans++;
  }
  if (r->openers) through_openers(g, r, t);
  return 1;
}

/* Return the next planned decision if it is legal, else NO. */
static int next_meant(Game *g, Table *t) {
  int64_t *meant = t->meant[g->who];
  int64_t *left = &t->means[g->who];
  if (!*left) return NO;
  int64_t index = meant[0];
  memmove(meant, meant + 1, sizeof *meant * (size_t)--*left);
  for (int i = 0; i < g->legals; i++)
    if (g->legal[i] == index) return (int)index;
  *left = 0;
  return NO;
}

/* Plan the decisions that should follow an action. */
static void sets_mind(const Game *g, Room *r, int action) {
  for (int i = 0; i < r->plans; i++) {
    const Picks *p = &r->plan[i];
    if (p->action != action) continue;
    r->table.means[g->who] = p->size;
    for (int j = 0; j < p->size; j++) r->table.meant[g->who][j] = p->index[j];
  }
}

/* Return the index of greedy's action; NO: the interpreter must decide, and nothing
   was drawn. */
static int greedily(Game *g, Room *r, Stream *numbers) {
  int index = next_meant(g, &r->table);
  if (index != NO) return index;
  if (g->legals == 1) return g->legal[0];
  Thinking t = {.made = 0, .now = g};
  Stream drawn_from = *numbers;
  num best, among = 0;
  for (int i = 0; i < SAMPLES; i++) {
    uint64_t high = stream_word(&drawn_from) >> 5, low = stream_word(&drawn_from) >> 6;
    double number = (double)(high << 26 | low) / 9007199254740992.0;
    t.seed[i] = (uint64_t)(number * 4294967296.0);
  }
  if (!VALUED) {
    *numbers = drawn_from;
    return at_random(g, numbers);
  }
  if (!thought_over(g, r, &t)) return NO;
  best = r->sum[0];
  for (int i = 1; i < g->legals; i++) best = larger(best, r->sum[i]);
  for (int i = 0; i < g->legals; i++) among += r->sum[i] == best;
  uint64_t high = stream_word(&drawn_from) >> 5, low = stream_word(&drawn_from) >> 6;
  num which = (num)((double)(high << 26 | low) / 9007199254740992.0 * (double)among);
  *numbers = drawn_from;
  for (int i = 0; i < g->legals; i++)
    if (r->sum[i] == best && !which--) {
      sets_mind(g, r, g->legal[i]);
      return g->legal[i];
    }
  return NO;
}
