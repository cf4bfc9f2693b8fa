/* ---------------------------------------------------------------- traces */

/* Events of games as rows, in libraries compiled with tracing and games with a
   trace. Changes belong to the last event. */

#ifdef TRACED

enum { EVENT_ROWS, CHANGE_ROWS, TURN_ROWS, TRACE_KINDS };
enum { EVENT_ROW = 4, CHANGE_ROW = 4, TURN_ROW = 4 + PLAYERS + MEASURES };

/* `kept` is the number of rows of finished games, whose ends are in `marks` and
   whose final cells are in `ends`. Python uses the same structure. */
struct Trace {
  int64_t size[TRACE_KINDS], count[TRACE_KINDS], kept[TRACE_KINDS], games;
  int32_t *event, *change;
  int64_t *turn, *marks, *ends;
  cell last[CELLS];
};

static void trace_looks(Game *g) {
  struct Trace *t = g->trace;
  enum { BLOCK = 16 };
  for (int range = 0; range < WATCHES; range++)
    for (int i = WATCH[range].first; i < WATCH[range].end; i += BLOCK) {
      int end = i + BLOCK < WATCH[range].end ? i + BLOCK : WATCH[range].end;
      if (end == i + BLOCK && !memcmp(g->s + i, t->last + i, BLOCK * sizeof(cell))) continue;
      for (int j = i; j < end; j++) {
        if (g->s[j] == t->last[j]) continue;
        int64_t number = t->count[CHANGE_ROWS]++;
        if (number < t->size[CHANGE_ROWS]) {
          int32_t *row = t->change + number * CHANGE_ROW;
          row[0] = (int32_t)t->count[EVENT_ROWS] - 1, row[1] = j;
          row[2] = t->last[j], row[3] = g->s[j];
        }
        t->last[j] = g->s[j];
      }
    }
}

static void trace_event(Game *g, int32_t index, num seat, int32_t legals) {
  struct Trace *t = g->trace;
  if (!t) return;
  trace_looks(g);
  int64_t number = t->count[EVENT_ROWS]++;
  if (number >= t->size[EVENT_ROWS]) return;
  int32_t *row = t->event + number * EVENT_ROW;
  row[0] = index, row[1] = (int32_t)seat, row[2] = legals, row[3] = g->s[TURN];
}

/* Record the state at the end of a turn, and of the game. */
static void trace_turn(Game *g) {
  struct Trace *t = g->trace;
  if (!t) return;
  int64_t number = t->count[TURN_ROWS]++;
  if (number >= t->size[TURN_ROWS]) return;
  int64_t *row = t->turn + number * TURN_ROW;
  row[0] = t->count[EVENT_ROWS], row[1] = g->s[TURN], row[2] = g->s[ROUND], row[3] = g->s[ACTIVE];
  for (int i = 0; i < PLAYERS; i++) row[4 + i] = points(g, i);
  measure(g, row + 4 + PLAYERS);
}

/* Start a game; overwrite the rows of an unfinished one. */
static void trace_begins(Game *g) {
  struct Trace *t = g->trace;
  if (!t) return;
  memcpy(t->count, t->kept, sizeof t->count);
  memcpy(t->last, g->s, sizeof t->last);
  trace_event(g, BEGINNING, NOBODY, 0);
}

static int trace_overran(const Game *g) {
  const struct Trace *t = g->trace;
  for (int i = 0; t && i < TRACE_KINDS; i++)
    if (t->count[i] > t->size[i]) return 1;
  return 0;
}

static void trace_ends(Game *g) {
  struct Trace *t = g->trace;
  if (!t) return;
  trace_looks(g);
  trace_turn(g);
  if (trace_overran(g)) return;
  memcpy(t->kept, t->count, sizeof t->kept);
  memcpy(t->marks + t->games * TRACE_KINDS, t->count, sizeof t->count);
  int64_t *end = t->ends + t->games++ * ENDS;
  *end++ = g->s[ROUND], *end++ = g->s[TURN], *end++ = g->s[STARTER], *end++ = g->s[STATUS];
  for (int range = 0; range < WATCHES; range++)
    for (int i = WATCH[range].first; i < WATCH[range].end; i++) *end++ = g->s[i];
}

/* Return whether the next step may need more rows than are left: a quarter is
   reserved. */
static int trace_is_full(const Game *g) {
  const struct Trace *t = g->trace;
  for (int i = 0; t && i < TRACE_KINDS; i++)
    if (t->count[i] > t->size[i] - t->size[i] / 4) return 1;
  return 0;
}

CALLED size_t rb_trace(void) { return sizeof(struct Trace); }

#else

#define trace_begins(g) ((void)0)
#define trace_ends(g) ((void)0)
#define trace_is_full(g) 0
#define trace_overran(g) 0

#endif
