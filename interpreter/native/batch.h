/* ---------------------------------------------------------------- observations */

/* Numbers of an observation: how many they are, their first cell, their first
   seat or their stack, and their place in the row. `also` is the cell that marks who
   sees them, the number of cells of a total, or the first kind of cards. */
typedef struct {
  int32_t size, place, out, also;
} Sight;

/* What the seats see: the rows of a seat, in the order of their sorts. Those of a sort
   start at `from[seat * SORTS + sort]`. */
typedef struct {
  const Sight *row;
  const int32_t *from;
} Sights;

typedef struct {
  int32_t seat, place, cells;
} Own;

enum { SEES_CELLS, SEES_NOTHING, SEES_MARKED, SEES_TOTAL, SEES_SEAT, SEES_ASKS };
enum { SEES_POINTS = 6, SEES_SIZE, SEES_TOP, SEES_KNOWN, SEES_FILLED, SORTS };

static const Sight SIGHT[] = {SIGHTS};
static const int32_t SIGHT_FROM[] = {SIGHT_STARTS};
static const UNUSED Own OWN_CELL[] = {OWN_CELLS}, OWN_STACK[] = {OWN_STACKS};

enum { MANY_CELLS = 8 }; /* from this number on, a loop is faster */

/* Rows differ in size, and jumps to places that vary are slow; so each size is a sum
   of a few steps. */
static inline void sees_cells(const cell *from, int size, int32_t *out) {
  if (size >= MANY_CELLS) {
    for (int i = 0; i < size; i++) out[i] = (int32_t)from[i];
    return;
  }
  if (size & 4) {
    out[0] = (int32_t)from[0], out[1] = (int32_t)from[1];
    out[2] = (int32_t)from[2], out[3] = (int32_t)from[3];
    from += 4, out += 4;
  }
  if (size & 2) {
    out[0] = (int32_t)from[0], out[1] = (int32_t)from[1];
    from += 2, out += 2;
  }
  if (size & 1) out[0] = (int32_t)from[0];
}

static void sees_nothing(int size, int32_t *out) {
  for (int i = 0; i < size; i++) out[i] = HIDDEN;
}

static inline int32_t sees_total(const cell *from, int cells) {
  num total = 0;
  if (cells >= MANY_CELLS) {
    for (int i = 0; i < cells; i++) total += from[i];
    return (int32_t)total;
  }
  if (cells & 4) {
    total = ((num)from[0] + from[1]) + ((num)from[2] + from[3]);
    from += 4;
  }
  if (cells & 2) {
    total += (num)from[0] + from[1];
    from += 2;
  }
  return (int32_t)(cells & 1 ? total + from[0] : total);
}

static void sees_known(const Stack *stack, const Sight *t, int seat, int32_t *out) {
  memset(out, 0, sizeof *out * (size_t)t->size);
  for (int i = 0; i < stack->size; i++) {
    unsigned kind = (unsigned)(stack->card[i] - t->also); /* large if unknown */
    if ((stack->known[i] >> seat & 1) && kind < (unsigned)t->size) out[kind]++;
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
  renew(g);
#endif
  (void)g, (void)seat;
}

/* Do this for each row of a sort. */
#define EACH_ROW(sort) \
  for (const Sight *t = sights->row + from[sort]; t < sights->row + from[(sort) + 1]; t++)

static APART void sees_all(Game *g, const Sights *sights, int seat, int32_t *out) {
  const int32_t *from = sights->from + seat * SORTS;
  EACH_ROW(SEES_CELLS) sees_cells(g->s + t->place, t->size, out + t->out);
  EACH_ROW(SEES_NOTHING) sees_nothing(t->size, out + t->out);
  EACH_ROW(SEES_MARKED) {
    if (g->s[t->also] >> seat & 1) sees_cells(g->s + t->place, t->size, out + t->out);
    else sees_nothing(t->size, out + t->out);
  }
  EACH_ROW(SEES_TOTAL) out[t->out] = sees_total(g->s + t->place, t->also);
  EACH_ROW(SEES_SEAT) out[t->out] = seat;
  EACH_ROW(SEES_ASKS) {
    int asked = g->who == seat && g->s[STATUS] == RUNNING;
    out[t->out] = asked ? (int32_t)g->frame[g->depth - 1][0] : HIDDEN;
  }
  EACH_ROW(SEES_POINTS)
    for (int i = 0; i < t->size; i++) {
      num most = INT32_MAX, points = visible_points(g, t->place + i);
      out[t->out + i] = (int32_t)(points > most ? most : points < -most ? -most : points);
    }
  EACH_ROW(SEES_SIZE) out[t->out] = g->stack[t->place].size;
  EACH_ROW(SEES_TOP) {
    const Stack *stack = &g->stack[t->place];
    int knows = stack->size && (stack->known[0] >> seat & 1);
    out[t->out] = knows ? stack->card[0] : stack->size ? HIDDEN : -1;
  }
  EACH_ROW(SEES_KNOWN) sees_known(&g->stack[t->place], t, seat, out + t->out);
  EACH_ROW(SEES_FILLED) out[t->out] = g->s[t->place] >= 0;
}

/* Write the observation of a seat; return 0 if it cannot be computed. `kept` is
   scratch space for a game, because inside a simultaneous block a seat observes
   another state. */
static APART int observe(Game *g, Game *kept, const Sights *sights, int seat,
                         int32_t *out) {
  jmp_buf back;
  if (g->split) memcpy(kept, g, offsetof(Game, legal));
  kept->split = g->split;
  g->out = &back;
  if (setjmp(back)) {
    kept->why = BEYOND;
  } else {
    kept->why = 0;
    if (kept->split) sees_before(g, seat);
    sees_all(g, sights, seat, out);
  }
  int done = kept->why == 0;
  kept->why = 0;
  if (kept->split) memcpy(g, kept, offsetof(Game, legal));
  return done;
}

/* Write all numbers that a seat sees; called from Python. */
CALLED int rb_observe(Game *g, Game *kept, int seat, int32_t *out) {
  static const Sights all = {SIGHT, SIGHT_FROM};
  return observe(g, kept, &all, seat, out);
}

/* ---------------------------------------------------------------- batches */

enum { TRIES = 1000 };
enum { MASK_BYTES = (INDICES + 7) / 8, CACHE_LINE = 64 };

/* A thread of a batch, and the games from `from` to `to` that it plays. `begun` is the
   number of the task that it does or has done last; for the first thread, which is the
   caller's, the number of the batch's task. `wrong` is the first game whose action is
   illegal, or -1; `stuck` is the number of games that could not be replaced by a game
   with a decision. Exactly one cache line. */
typedef struct {
  int64_t begun, checked, ended, asleep, from, to, wrong, stuck;
} Worker;

enum { STARTS, APPLIES, CHOOSES, STOPS }; /* tasks */

/* Games that are stepped together. The arrays have one row for each game; those from
   `applied` on are results, and may be missing. If `marked` is 1, the mask of a game
   has no marks but those of its legal actions. Python uses the same structure. */
typedef struct {
  char *games;
  int64_t stride, number, turns, most, width;
  Sights sights;
  Worker *worker;
  int64_t workers, task, steps, marked;
  Stream *choice;
  int64_t *action;
  uint64_t *seed;
  int64_t *decisions;
  int64_t *applied;
  uint64_t *played;
  int64_t *length;
  int32_t *who, *count, *legal, *observed, *finished;
  double *reward;
  uint8_t *mask, *bits, *ended, *truncated, *failed;
} Batch;

static Game *batch_game(const Batch *b, int64_t i) {
  return (Game *)(void *)(b->games + i * b->stride);
}

/* Write the legal actions and the observation of a game; return 0 if no decision is
   due, or if they cannot be computed. */
static int batch_shows(const Batch *b, Game *kept, int64_t i) {
  Game *g = batch_game(b, i);
  if (!g->legals) return 0;
  if (b->observed &&
      !observe(g, kept, &b->sights, g->who, b->observed + i * b->width))
    return 0;
  if (b->who) b->who[i] = g->who;
  if (b->count) b->count[i] = g->legals;
  if (b->legal)
    memcpy(b->legal + i * ACTIONS, g->legal, sizeof *g->legal * (size_t)g->legals);
  if (b->mask) {
    uint8_t *row = b->mask + i * INDICES;
    if (!b->marked) memset(row, 0, INDICES);
    for (int k = 0; k < g->legals; k++) row[g->legal[k]] = 1;
  }
  if (b->bits) {
    uint8_t *row = b->bits + i * MASK_BYTES;
    memset(row, 0, MASK_BYTES);
    for (int k = 0; k < g->legals; k++)
      row[g->legal[k] >> 3] |= (uint8_t)(1 << (g->legal[k] & 7));
  }
  return 1;
}

/* Start the game of a seed, or of the next seed whose game has a decision; return 0 if
   there is none. */
static int batch_begins(const Batch *b, Game *kept, int64_t i) {
  Game *g = batch_game(b, i);
  for (int tries = 0; tries < TRIES; tries++) {
    rb_start(g, b->seed[i], b->turns);
    b->choice[i] = (Stream){b->seed[i], {NUMBERS_0, NUMBERS_1}, 0, {0}, 0};
    b->decisions[i] = 0;
    if (rb_run(g) == WAITS && batch_shows(b, kept, i)) return 1;
    b->seed[i] += (uint64_t)b->number;
  }
  g->legals = 0;
  if (b->count) b->count[i] = 0;
  return 0;
}

/* Winners share a reward of 1; in a draw, all seats share it. */
static void batch_rewards(const Game *g, double *reward) {
  int winners = 0;
  for (int n = 0; n < g->ranked; n++) winners += g->ranks[n] == 1;
  for (int n = 0; n < PLAYERS; n++) {
    int wins = winners ? n < g->ranked && g->ranks[n] == 1 : 1;
    if (wins) reward[n] += 1.0 / (winners ? winners : PLAYERS);
  }
}

/* Apply an action, which may be the last one of a step, and replace a game that is over
   by the next one. Return 0 if there is none. */
static int batch_applies(const Batch *b, Game *kept, int64_t i, int index, int is_last) {
  Game *g = batch_game(b, i);
  if (b->mask && b->marked)
    for (int k = 0; k < g->legals; k++) b->mask[i * INDICES + g->legal[k]] = 0;
  if (b->applied) b->applied[i] = index;
  if (b->played) b->played[i] = b->seed[i];
  int done = rb_apply(g, index);
  int64_t length = ++b->decisions[i];
  if (b->length) b->length[i] = length;
  uint8_t ended = 0, truncated = 0, failed = 0;
  if (done == FAILED) failed = 1;
  else if (done == OVER && g->s[STATUS] == ENDED) ended = 1;
  else if (done == OVER || (b->most && length >= b->most)) truncated = 1;
  else if (is_last ? batch_shows(b, kept, i) : g->legals > 0) return 1;
  else failed = 1;
  if (b->ended) b->ended[i] |= ended;
  if (b->truncated) b->truncated[i] |= truncated;
  if (b->failed) b->failed[i] |= failed;
  if (b->finished) b->finished[i]++;
  if (ended && b->reward) batch_rewards(g, b->reward + i * PLAYERS);
  b->seed[i] += (uint64_t)b->number;
  return batch_begins(b, kept, i);
}

static void batch_clears(const Batch *b, int64_t i) {
  if (b->ended) b->ended[i] = 0;
  if (b->truncated) b->truncated[i] = 0;
  if (b->failed) b->failed[i] = 0;
  if (b->finished) b->finished[i] = 0;
  if (b->reward) memset(b->reward + i * PLAYERS, 0, PLAYERS * sizeof *b->reward);
}

/* Let the processor read what every step of a game needs. */
static void batch_prefetches(const Game *g) {
  const char *cells = (const char *)g->s, *legal = (const char *)g->legal;
  for (size_t at = 0; at < sizeof g->s; at += CACHE_LINE) __builtin_prefetch(cells + at);
  for (int at = 0; at < 2 * CACHE_LINE; at += CACHE_LINE) __builtin_prefetch(legal + at);
  for (int i = 0; i < 3; i++) __builtin_prefetch(g->frame[i]);
  __builtin_prefetch(&g->counts);
  __builtin_prefetch(&g->depth);
}

static void batch_slice(const Batch *b, Worker *w) {
  Game kept;
  for (int64_t i = w->from; i < w->to; i++) {
    Game *g = batch_game(b, i);
    int goes_on = 1;
    if (i + 1 < w->to) batch_prefetches(batch_game(b, i + 1));
    if (b->task == STARTS) {
      goes_on = batch_begins(b, &kept, i);
    } else if (b->task == APPLIES) {
      batch_clears(b, i);
      goes_on = batch_applies(b, &kept, i, (int)b->action[i], 1);
    } else {
      batch_clears(b, i);
      goes_on = g->legals > 0; /* unless the game could not be replaced before */
      for (int64_t n = 1; goes_on && n <= b->steps; n++) {
        int index = g->legal[stream_below(&b->choice[i], g->legals)];
        goes_on = batch_applies(b, &kept, i, index, n == b->steps);
      }
    }
    w->stuck += !goes_on;
  }
}

/* Return the first game of a slice whose action is illegal, or -1. */
static int64_t batch_wrong(const Batch *b, const Worker *w) {
  for (int64_t i = w->from; i < w->to; i++) {
    const Game *g = batch_game(b, i);
    int k = 0;
    while (k < g->legals && g->legal[k] != b->action[i]) k++;
    if (k == g->legals) return i;
  }
  return -1;
}

/* ---------------------------------------------------------------- threads of a batch */

/* Threads wait for a task for this many turns of a loop; then Python lets them sleep. */
enum { TURNS_AWAKE = 2000 };

#ifdef _WIN32
#define YIELDS() ((void)0)
#else
int sched_yield(void);
#define YIELDS() ((void)sched_yield())
#endif

static int64_t shared(const int64_t *place) {
  return __atomic_load_n(place, __ATOMIC_SEQ_CST);
}

static void share(int64_t *place, int64_t value) {
  __atomic_store_n(place, value, __ATOMIC_SEQ_CST);
}

/* Return whether a thread was asleep, and mark it as awake. */
static int wakes(Worker *w) { return __atomic_exchange_n(&w->asleep, 0, __ATOMIC_SEQ_CST) == 1; }

static void awaits(int64_t turns) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
  if (turns >= TURNS_AWAKE) YIELDS();
}

/* Do the task for the games of a thread. No game changes before all threads have
   checked their actions. */
static void batch_task(Batch *b, Worker *w, int64_t task) {
  w->stuck = 0;
  w->wrong = b->task == APPLIES ? batch_wrong(b, w) : -1;
  int is_wrong = w->wrong >= 0;
  if (b->task == APPLIES) {
    share(&w->checked, task);
    for (int64_t i = 0; i < b->workers; i++) {
      for (int64_t n = 0; shared(&b->worker[i].checked) < task; n++) awaits(n);
      is_wrong |= b->worker[i].wrong >= 0;
    }
  }
  if (!is_wrong) batch_slice(b, w);
  share(&w->ended, task);
}

/* Publish a task. Return the number of threads that Python has to wake up, which are
   listed in `asleep`. */
CALLED int64_t rb_batch_post(Batch *b, int64_t *asleep) {
  int64_t count = 0;
  share(&b->worker[0].begun, b->worker[0].begun + 1);
  for (int64_t i = 1; i < b->workers; i++)
    if (wakes(&b->worker[i])) asleep[count++] = i;
  return count;
}

/* Do the caller's part of the published task, and wait for the other threads. */
CALLED void rb_batch_do(Batch *b) {
  int64_t task = b->worker[0].begun;
  if (b->worker[0].ended == task) return; /* an interrupt came before the task */
  batch_task(b, b->worker, task);
  for (int64_t i = 1; i < b->workers; i++)
    for (int64_t n = 0; shared(&b->worker[i].ended) < task; n++) awaits(n);
}

/* Do the tasks of a thread. Return 0 if the batch is closed, or 1 if the thread should
   sleep until Python wakes it up. */
CALLED int rb_batch_work(Batch *b, int64_t number) {
  Worker *w = &b->worker[number];
  for (;;) {
    int64_t turns = 0, task;
    while ((task = shared(&b->worker[0].begun)) == w->begun) {
      awaits(0);
      if (++turns < TURNS_AWAKE) continue;
      share(&w->asleep, 1);
      /* A task that was published meanwhile may have woken the thread up. */
      if (shared(&b->worker[0].begun) == w->begun || !wakes(w)) return 1;
    }
    w->begun = task;
    if (b->task == STOPS) return 0;
    batch_task(b, w, task);
  }
}
