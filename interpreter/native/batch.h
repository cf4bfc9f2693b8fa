/* ---------------------------------------------------------------- observations */

typedef struct {
  int32_t what, size, place, cells, owner, seen;
} Sight;

typedef struct {
  int32_t seat, place, cells;
} Own;

enum { SEES_SEAT, SEES_ASKS, SEES_CELLS, SEES_TOTAL, SEES_SIZE, SEES_KNOWN, SEES_TOP };
enum { SEES_POINTS = 7, SEES_FILLED = 9, BY_EVERYBODY = -2 };

static const Sight SIGHT[] = {SIGHTS};
static const UNUSED Own OWN_CELL[] = {OWN_CELLS}, OWN_STACK[] = {OWN_STACKS};
enum { SIGHT_COUNT = sizeof SIGHT / sizeof *SIGHT };

static int sees_it(const Game *g, const Sight *t, int seat) {
  if (t->owner == BY_EVERYBODY || t->owner == seat) return 1;
  return t->seen >= 0 && (g->s[t->seen] >> seat & 1);
}

static void sees_stack(const Stack *t, const Sight *sight, int seat, int32_t *out) {
  if (sight->what == SEES_TOP) {
    int knows = t->size && (t->known[0] >> seat & 1);
    *out = knows ? t->card[0] : t->size ? HIDDEN : -1;
  }
  if (sight->what == SEES_KNOWN) {
    for (int i = 0; i < sight->size; i++) out[i] = 0;
    for (int i = 0; i < t->size; i++)
      if (t->card[i] >= 0 && (t->known[i] >> seat & 1)) out[t->card[i]]++;
  }
}

/* Inside a simultaneous block, restore the cells of other seats as they were before
   the block. */
static void sees_before(Game *g, int seat) {
#if SPLIT_CELLS > 1
  for (size_t i = 0; i < sizeof OWN_CELL / sizeof *OWN_CELL; i++)
    if (OWN_CELL[i].seat == seat)
      for (int k = OWN_CELL[i].place; k < OWN_CELL[i].place + OWN_CELL[i].cells; k++)
        g->split_s[k] = g->s[k];
  memcpy(g->s, g->split_s, sizeof g->s);
  for (size_t i = 0; i < sizeof OWN_STACK / sizeof *OWN_STACK; i++)
    if (OWN_STACK[i].seat == seat)
      g->split_stack[OWN_STACK[i].place] = g->stack[OWN_STACK[i].place];
  memcpy(g->stack, g->split_stack, sizeof g->stack);
#endif
  (void)g, (void)seat;
}

static APART void sees_all(Game *g, int seat, int32_t *out) {
  for (int n = 0; n < SIGHT_COUNT; n++) {
    const Sight *t = &SIGHT[n];
    if (t->what == SEES_CELLS) {
      const cell *from = g->s + t->place;
      int shown = sees_it(g, t, seat);
      if (shown)
        for (int i = 0; i < t->size; i++) out[i] = (int32_t)from[i];
      else
        for (int i = 0; i < t->size; i++) out[i] = HIDDEN;
    } else if (t->what == SEES_TOTAL) {
      num total = 0;
      for (int i = 0; i < t->cells; i++) total += g->s[t->place + i];
      *out = (int32_t)total;
    } else if (t->what == SEES_POINTS) {
      for (int i = 0; i < t->size; i++) {
        num most = INT32_MAX, points = visible_points(g, i);
        out[i] = (int32_t)(points > most ? most : points < -most ? -most : points);
      }
    } else if (t->what == SEES_SEAT) {
      *out = seat;
    } else if (t->what == SEES_ASKS) {
      int asked = g->who == seat && g->s[STATUS] == RUNNING;
      *out = asked ? (int32_t)g->frame[g->depth - 1][0] : HIDDEN;
    } else if (t->what == SEES_FILLED) {
      *out = g->s[t->place] >= 0;
    } else if (t->what == SEES_SIZE) {
      *out = g->stack[t->place].size;
    } else {
      sees_stack(&g->stack[t->place], t, seat, out);
    }
    out += t->size;
  }
}

/* Write the observation of a seat; return 0 if it cannot be computed. `kept` is
   scratch space for a game, because inside a simultaneous block a seat observes
   another state. */
static APART int observe(Game *g, Game *kept, int seat, int32_t *out) {
  jmp_buf back;
  if (g->split) memcpy(kept, g, offsetof(Game, legal));
  kept->split = g->split;
  g->out = &back;
  if (setjmp(back)) {
    kept->why = BEYOND;
  } else {
    kept->why = 0;
    if (kept->split) sees_before(g, seat);
    sees_all(g, seat, out);
  }
  int done = kept->why == 0;
  kept->why = 0;
  if (kept->split) memcpy(g, kept, offsetof(Game, legal));
  return done;
}

/* The same, called from Python. */
CALLED int rb_observe(Game *g, Game *kept, int seat, int32_t *out) {
  return observe(g, kept, seat, out);
}

/* ---------------------------------------------------------------- batches */

enum { TRIES = 1000 };

/* Games that are stepped together; each array has one row for each game. */
typedef struct {
  char *games;
  int64_t stride, number, turns, most;
  uint64_t *seed, *played;
  int64_t *decisions, *length;
  int32_t *who, *count, *legal, *observed;
  double *reward;
  uint8_t *mask, *ended, *truncated, *failed, *stuck;
} Batch;

static Game *batch_game(const Batch *b, int64_t i) {
  return (Game *)(void *)(b->games + i * b->stride);
}

/* Write the legal actions and the observation of a game; return 0 if no decision is
   due, or if they cannot be computed. */
static int batch_shows(Batch *b, Game *kept, int64_t i) {
  Game *g = batch_game(b, i);
  if (!g->legals || !observe(g, kept, g->who, b->observed + i * OBSERVED)) return 0;
  b->who[i] = g->who;
  b->count[i] = g->legals;
  memcpy(b->legal + i * ACTIONS, g->legal, sizeof *g->legal * (size_t)g->legals);
  if (b->mask)
    for (int k = 0; k < g->legals; k++) b->mask[i * INDICES + g->legal[k]] = 1;
  return 1;
}

/* Start the game of a seed, or of the next seed whose game has a decision. */
static void batch_begins(Batch *b, Game *kept, int64_t i) {
  Game *g = batch_game(b, i);
  for (int tries = 0; tries < TRIES; tries++) {
    rb_start(g, b->seed[i], b->turns);
    b->decisions[i] = 0;
    if (rb_run(g) == WAITS && batch_shows(b, kept, i)) return;
    b->seed[i] += (uint64_t)b->number;
  }
  g->legals = 0;
  b->count[i] = 0;
  b->stuck[i] = 1;
}

/* Winners share a reward of 1; in a draw, all seats share it. */
static void batch_rewards(const Game *g, double *reward) {
  int winners = 0;
  for (int n = 0; n < g->ranked; n++) winners += g->ranks[n] == 1;
  for (int n = 0; n < PLAYERS; n++) {
    int wins = winners ? n < g->ranked && g->ranks[n] == 1 : 1;
    reward[n] = wins ? 1.0 / (winners ? winners : PLAYERS) : 0.0;
  }
}

/* Both functions return the number of games that could not be replaced by a game
   with a decision. */
CALLED int64_t rb_batch_begin(Batch *b, int64_t from, int64_t to) {
  Game kept;
  int64_t stuck = 0;
  for (int64_t i = from; i < to; i++) {
    batch_begins(b, &kept, i);
    stuck += b->stuck[i];
  }
  return stuck;
}

/* Return the first game whose action is illegal, or -1. */
CALLED int64_t rb_batch_wrong(Batch *b, const int64_t *action, int64_t from, int64_t to) {
  for (int64_t i = from; i < to; i++) {
    const Game *g = batch_game(b, i);
    int k = 0;
    while (k < g->legals && g->legal[k] != action[i]) k++;
    if (k == g->legals) return i;
  }
  return -1;
}

CALLED int64_t rb_batch_step(Batch *b, const int64_t *action, int64_t from, int64_t to) {
  Game kept;
  int64_t stuck = 0;
  for (int64_t i = from; i < to; i++) {
    Game *g = batch_game(b, i);
    b->ended[i] = b->truncated[i] = b->failed[i] = 0;
    for (int n = 0; n < PLAYERS; n++) b->reward[i * PLAYERS + n] = 0;
    if (b->mask)
      for (int k = 0; k < g->legals; k++) b->mask[i * INDICES + g->legal[k]] = 0;
    b->played[i] = b->seed[i];
    int done = rb_apply(g, (int)action[i]);
    b->length[i] = ++b->decisions[i];
    if (done == FAILED)
      b->failed[i] = 1;
    else if (done == OVER && g->s[STATUS] == ENDED)
      b->ended[i] = 1;
    else if (done == OVER || (b->most && b->decisions[i] >= b->most))
      b->truncated[i] = 1;
    else if (!batch_shows(b, &kept, i))
      b->failed[i] = 1;
    else
      continue;
    if (b->ended[i]) batch_rewards(g, b->reward + i * PLAYERS);
    b->seed[i] += (uint64_t)b->number;
    batch_begins(b, &kept, i);
    stuck += b->stuck[i];
  }
  return stuck;
}
