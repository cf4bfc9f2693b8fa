/* The runtime without any rules: what these would say is as small as can be, and every
   part can be called from outside. `guarded` returns what a part does, or minus what
   `fail` was told, less 1000. Read by tests/native/test_runtime.py, which puts the
   runtime in the place of the two marks. */

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define CELLS 16
#define STACKS 1
#define STACK_CARDS 12
#define STACK_KINDS 4
#define SPLIT_CELLS CELLS
#define SPLIT_STACKS 1
#define ANSWERS 3
#define DEPTH 4
#define FRAME 5
#define PLAYERS 5
#define EVENTS 2
#define OUTCOME 2
#define ACTIONS 8
#define TRAILS 1
#define TRAIL_SPACES 128
#define CLOSING 7
#define TRIGGERS 3u
#define STATEMENTS 10
#define FIRINGS 4
#define SEARCHES searches
#define DEALS 1
#define DEAL_KINDS 4
#define DEAL_CARDS 10
#define DEAL_CELLS 8
#define DEAL_TESTS 6
#define VALID 1
#define KEPT_PLACES 1
#define KEPT_NUMBERS 1
#define HELD 1
#define HELD_COUNTS 1
typedef int16_t cell;
static const uint32_t EVENT[EVENTS][2] = {{NAME_0, NAME_1}, {1u, 2u}};
static const int UNIT_SIZE[] = {3, 5};
static int TEAM[PLAYERS];
static int64_t searches;

/* ---- head ---- */

static void hold_rows(Game *g) { (void)g; }
static void start_stacks(Game *g) { g->stack[0].size = 0; }
static const cell START[CELLS] = {1, 2, 3};
static num part_of(Game *g) { return g->s[0]; }
static int settle(Game *g, num *f, num step) { return (void)g, (void)f, (void)step, 0; }
static int unit(Game *g, num *f) { /* three statements each time, and asks at last */
  g->executed += f[2];
  begins(g);
  if (g->frame[0][1] >= 2) return close_game(g, ENDED);
  return halt(g, f, f[1] + 1);
}

/* ---- steps ---- */

static Game game;
static Stack *stack = game.stack;

#define guarded(does)                          \
  jmp_buf out;                                 \
  game.out = &out;                             \
  if (setjmp(out)) return -1000 - game.why;    \
  does

CALLED Game *the_game(void) { return &game; }
CALLED size_t size_of_stack(void) { return sizeof(Stack); }
CALLED void begin(uint64_t seed) { rb_start(&game, seed, 5); }

/* ---- numbers */

CALLED num call_divided(num a, num b) { return divided(a, b); }
CALLED num call_left_over(num a, num b) { return left_over(a, b); }
CALLED num call_larger(num a, num b) { return larger(a, b); }
CALLED num call_smaller(num a, num b) { return smaller(a, b); }
CALLED num call_at_least_0(num a) { return at_least_0(a); }
CALLED seats call_bit(num seat) { return bit(seat); }
CALLED int call_compared(const num *a, const num *b, int n) { return compared(a, b, n); }
CALLED int call_lists(const num *set, num member) { return lists(set, member); }
CALLED void call_sort_by(num *set, num *key, int falling) { sort_by(set, key, falling); }

/* ---- chance */

CALLED void call_philox(const uint32_t *counter, uint64_t key, uint32_t *word) {
  philox(counter, key, word);
}
CALLED num call_below(int event, num limit) { return below(&game, event, limit); }
CALLED uint32_t count(int event) { return game.counts[event]; }
CALLED num call_drawn(int event, const num *weight, num size) {
  return drawn(&game, event, weight, size);
}
static Stream stream;
CALLED void stream_begins(uint64_t key) {
  stream = (Stream){key, {NAME_0, NAME_1}, 0, {0}, 0};
}
CALLED uint32_t call_stream_word(void) { return stream_word(&stream); }
CALLED num call_stream_below(num limit) { return stream_below(&stream, limit); }
static struct { int32_t size, count; Event event[3]; } told; /* the last is beyond */
CALLED num call_happens(int event, int size, const num *value, seats seen, int split) {
  game.split = split;
  told.size = 2;
  game.log = (Log *)&told;
  guarded(happens(&game, event, size, value, seen));
  return told.count;
}
CALLED const Event *log_event(int n) { return &told.event[n]; }
CALLED int answers(void) { return game.answers; }
CALLED const Event *answer(int n) { return &game.answer[n]; }

/* ---- stacks */

CALLED Stack *the_stack(void) { return stack; }
CALLED num call_held(num card) { return stack_held(stack, card); }
CALLED num call_entry(num place) { return stack_entry(stack, place); }
CALLED num call_put(num card, num number, int on_top, seats seen) {
  guarded(stack_put(&game, stack, card, number, on_top, seen));
  return 0;
}
CALLED num call_take(num card, seats seen) {
  guarded(stack_take(&game, stack, card, seen));
  return 0;
}
CALLED void call_take_top(num card) { stack_take_top(stack, card); }
CALLED void call_learn(num card, seats seen) { stack_learn(stack, card, seen); }
CALLED void call_show(seats seen) { stack_show(stack, seen); }
CALLED void call_shuffle(void) { stack_shuffle(stack); }

/* ---- trails */

static Trail trail;
static int place[2 * TRAIL_LINKS], weighed;
CALLED void trail_begins(int joined) {
  memset(place, 0, sizeof place);
  memset(game.kept, 0, sizeof game.kept);
  trail.links = weighed = 0;
  trail.joined = joined;
}
CALLED num call_trail_link(num link, num a, num b, int sort) {
  guarded(trail_link(&game, &trail, place, link, sort));
  trail.end[2 * (place[link] - 1)] = (int)a, trail.end[2 * place[link] - 1] = (int)b;
  return trail.links;
}
CALLED void trail_weighs(num link, num weight) {
  trail.weight[place[link] - 1] = weight;
  weighed = 1;
}
CALLED void trail_corner_is(num corner, int closed, int joint) {
  for (int i = 0; i < 2 * trail.links; i++)
    if (trail.end[i] == corner)
      trail.asked[i / 2] |= (closed ? CLOSED : 0) << i % 2 | (joint ? JOINT : 0) << i % 2;
}
CALLED num call_trail_longest(num limit) {
  /* twice: it is found, and then it is kept */
  guarded(trail_longest(&game, &trail, weighed ? 0 : game.kept, limit));
  return trail_longest(&game, &trail, weighed ? 0 : game.kept, limit);
}

/* ---- deals: two cells hold no more than a limit together, or all are told by a sum */

static Dealing deal;
static num pair[DEAL_TESTS][3], rest[DEAL_CELLS];
static int32_t kind_of[DEAL_KINDS], function[DEAL_TESTS], member[DEAL_TESTS];
static int32_t from[CELLS + 1], reader[CELLS * DEAL_TESTS];
static int too_much(Game *g, num *f, const int32_t *test) {
  (void)f;
  return g->s[pair[*test][0]] + g->s[pair[*test][1]] > pair[*test][2];
}
static int uneven(Game *g, num *f, const int32_t *test) {
  (void)f;
  num sum = 0;
  for (int i = 0; i < CELLS; i++) sum += i * g->s[i];
  return sum % pair[*test][2] != 0;
}
static const Broken broken[] = {too_much, uneven};
static Deal fixed = {0, 0, 1, kind_of, function, member, from, reader, broken};
CALLED void deal_begins(int kinds, const num *value, int cells, const int *at, int64_t most) {
  searches = most;
  fixed.tests = 0, fixed.kinds = kinds, deal.cells = cells;
  memcpy(deal.value, value, sizeof *value * (size_t)kinds);
  for (int i = 0; i < cells; i++) rest[i] = at[i];
}
CALLED num deal_test_is(num a, num b, num most) {
  pair[fixed.tests][0] = a, pair[fixed.tests][1] = b, pair[fixed.tests][2] = most;
  member[fixed.tests] = fixed.tests;
  function[fixed.tests] = 0;
  return ++fixed.tests;
}
CALLED num deal_sum_is(num whole) {
  num tests = deal_test_is(0, 0, whole);
  function[tests - 1] = 1;
  return tests;
}
CALLED num call_deal_possible(num *weight, const int16_t *kind) {
  for (int i = 0; i < fixed.kinds; i++) kind_of[i] = kind[i];
  for (int i = 0; i < CELLS; i++) {
    from[i + 1] = from[i];
    for (int test = 0; test < fixed.tests; test++)
      if (function[test] || pair[test][0] == i || pair[test][1] == i) reader[from[i + 1]++] = test;
  }
  guarded(deal_possible(&game, &deal, &fixed, 0, rest, deal.cells, weight));
  return 0;
}
CALLED num deal_left(void) { return deal.steps; }
CALLED void cell_is(int at, num value) { game.s[at] = (cell)value; }
CALLED num cell_of(int at) { return game.s[at]; }

/* ---- the end of a game */

CALLED void team_is(int seat, int team) { TEAM[seat] = team; }
CALLED int call_finish(const num *ranks, int ranked) { return finish(&game, ranks, ranked, 4); }
CALLED num rank(int seat) { return game.ranks[seat]; }
CALLED num ended(int what) {
  const num all[] = {game.s[WINNER], game.s[STATUS], game.ranked, game.reason,
                     game.depth, (num)game.triggers, game.split, game.answers};
  return all[what];
}
CALLED int call_sharing(num *ranks, const int *wins) { return sharing(ranks, wins); }
CALLED int call_by_rank(num *ranks, const int *member, const num *key, int size) {
  return by_rank(ranks, member, key, size);
}

/* ---- the control stack */

CALLED num call_push(int number) {
  guarded(push(&game, number));
  return game.depth;
}
CALLED num in_frame(int height, int at) { return game.frame[height][at]; }
CALLED int call_leave(void) { return leave(&game); }
CALLED int call_same_unit_runs(int number) { return same_unit_runs(&game, number); }
CALLED void call_begin_split(void) { begin_split(&game); }
CALLED num split_cell(int at) { return game.split_s[at]; }
CALLED int split_size(void) { return game.split_stack[0].size; }
CALLED void split_is(int split, int number) { game.split = split, game.answers = number; }
CALLED int call_game_ends(void) { return game_ends(&game); }
CALLED int call_in_order(int32_t *list, int size) {
  memcpy(game.legal, list, sizeof *list * (size_t)size);
  game.legals = size;
  in_order(&game);
  memcpy(list, game.legal, sizeof *list * (size_t)game.legals);
  return game.legals;
}
CALLED void statements_are(num number) { game.frame[0][2] = number; }
CALLED num why(void) { return game.why; }
CALLED num used(int what) { return what ? game.ran : game.executed; }
CALLED void used_are(num executed, num ran) { game.executed = executed, game.ran = ran; }
CALLED num call_goes_on(void) {
  guarded(goes_on(&game));
  return 0;
}
CALLED num call_begins(void) {
  guarded(begins(&game));
  return game.ran;
}
