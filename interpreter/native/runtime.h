/* Parts of a game that do not depend on its rules: chance, stacks of cards, the
   control stack, longest trails, and whole steps. Written by hand. Sizes in
   capitals, and functions that are only declared here, are generated from the rules. */

/* GCC's warnings about array bounds in loops that it has unrolled are often wrong;
   tests run with sanitizers instead. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Warray-bounds"
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Waggressive-loop-optimizations"
#endif

/* Conditions in rules may always be true or false. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wtautological-compare"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wbool-compare"
#endif

typedef int64_t num;
typedef uint64_t seats;

#define VAR __attribute__((unused)) num
#define UNUSED __attribute__((unused))
/* Never inlined: for functions that set a jump, and for what runs after it. */
#define APART __attribute__((noinline))
#define CALLED __attribute__((visibility("default"))) /* exported */
#define UNSET INT64_MIN
#define ENDLESS 1000000000

enum { ACTIVE, STARTER, TURN, WINNER, RANKS, STATUS, REASON };
enum { ROUND = 7, NEXT, PLACE, BACKWARDS, MISSING, HAD };
enum { RUNNING, ENDED, UNFINISHED };
enum { WAIT = -1, SWITCH = -2 };
enum { ABSENT = -3, ILLEGAL, FAILED, OVER, WAITS };
enum { MISTAKE = 1, BEYOND = 2 }; /* reasons of a failure: mistake in the rules; too large for C */
enum { DRAWN, WANTED, CHOSEN };   /* outcomes are drawn; one is due; one is given */
enum { NOBODY = -1 };

/* Cards from the top: -1 is an unknown card, which is counted in the pool. */
typedef struct {
  int32_t size;
  int16_t card[STACK_CARDS];
  seats known[STACK_CARDS];
  int32_t pool[STACK_KINDS];
} Stack;

/* A chance event or an announcement (`what` from 0 on), or an action in a
   simultaneous block (`what` -1). */
typedef struct {
  int32_t what, size, seat, pad;
  num value[OUTCOME];
  seats told;
} Event;

typedef struct {
  int32_t size, count;
  Event event[];
} Log;

enum { TRAIL_LINKS = 64 };

/* Inputs of a longest trail, and its cached length. */
typedef struct {
  int64_t links, longest;
  uint64_t asked[TRAIL_LINKS];
} Kept;

struct Trace;

typedef struct {
  cell s[CELLS];
  Stack stack[STACKS];
  num frame[DEPTH][FRAME];
  num ranks[PLAYERS];
  uint32_t counts[EVENTS];
  uint64_t triggers, seed;
  num executed, ran, turns, why;
  num weight; /* of the outcome given last */
  int32_t depth, ranked, reason, split, answers, who, legals, answering, chosen, given;
  int32_t watch; /* lookahead: the seat (from 1 on) that knows everything read so far */
  uint64_t valid[VALID], places[KEPT_PLACES]; /* kept values; a bit for each valid entry */
  int16_t number[KEPT_NUMBERS];
  uint64_t held[HELD]; /* places by content */
  int16_t held_count[HELD_COUNTS];
  cell split_s[SPLIT_CELLS];
  Stack split_stack[SPLIT_STACKS];
  Event answer[ANSWERS];
  Kept kept[TRAILS];
  jmp_buf *out;
  Log *log;
  struct Trace *trace;
  int32_t legal[ACTIONS];
} Game;

enum { BY_CHANCE = -1, BEGINNING = -2 };

#ifdef TRACED
static void trace_event(Game *g, int32_t index, num seat, int32_t legals);
static void trace_turn(Game *g);
#else
#define trace_event(g, index, seat, legals) ((void)0)
#define trace_turn(g) ((void)0)
#endif

static int unit(Game *g, num *f);
static UNUSED int settle(Game *g, num *f, num step);
static UNUSED int close_game(Game *g, num status);

/* ---------------------------------------------------------------- mistakes, budgets */

static UNUSED __attribute__((noreturn)) void fail(Game *g, num why) {
  g->why = why;
  longjmp(*g->out, FAILED);
}

static UNUSED void goes_on(Game *g) {
  if (g->executed > STATEMENTS || g->ran > FIRINGS) fail(g, MISTAKE);
}

static UNUSED void begins(Game *g) {
  g->ran++;
  goes_on(g);
}

/* A checked program compares all kept values at each wait with new ones, and stops at
   the first difference, with the last write before it. */
#ifdef CHECKED
static int last_write;
#define written() (last_write = __LINE__)
static void check_kept(Game *g);
static UNUSED void differs(const char *name) {
  fprintf(stderr, "%s differs after the write at line %d\n", name, last_write);
  abort();
}
#else
#define written() ((void)0)
#define check_kept(g) ((void)0)
#endif

static UNUSED int halt(Game *g, num *f, num step) {
  f[1] = step;
  check_kept(g);
  if (g->executed > STATEMENTS) goes_on(g);
  g->ran = 0;
  g->executed = 0;
  return WAIT;
}

/* Note that the following steps depend on a secret of a seat. */
static UNUSED void looks_at(Game *g, num seat) {
  if (g->watch != seat + 1) g->watch = 0;
}

static void hold_rows(Game *g);

/* Forget all kept values. */
static UNUSED void forget(Game *g) { memset(g->valid, 0, sizeof g->valid); }

/* The same, and compute the places by content, after cells were written in another
   way than by the rules. */
static UNUSED void renew(Game *g) {
  forget(g);
  hold_rows(g);
}

/* ---------------------------------------------------------------- numbers */

static UNUSED num larger(num a, num b) { return a > b ? a : b; }
static UNUSED num smaller(num a, num b) { return a < b ? a : b; }
static UNUSED num at_least_0(num a) { return a < 0 ? 0 : a; }

/* The next selection of at most `high` items in `size` counts; 0 after the last. */
static UNUSED int next_selection(const num *counts, num *selected, int size, num high,
                                 num *total) {
  for (int i = 0; i < size; i++) {
    if (selected[i] < counts[i] && *total < high) {
      selected[i]++;
      ++*total;
      return 1;
    }
    *total -= selected[i];
    selected[i] = 0;
  }
  return 0;
}

/* The number of ways to select items that are all different. */
static UNUSED num ways_to_select(const num *counts, const num *selected, int size) {
  num ways = 1;
  for (int i = 0; i < size; i++)
    for (num n = 1, some = 1; n <= selected[i]; n++) {
      some = some * (counts[i] - n + 1) / n;
      if (n == selected[i]) ways *= some;
    }
  return ways;
}

static UNUSED num divided(num a, num b) { /* rounded down */
  num q = a / b;
  return q - (a % b != 0 && (a < 0) != (b < 0));
}

static UNUSED num left_over(num a, num b) { return a - divided(a, b) * b; }
static UNUSED seats bit(num seat) { return seat < 0 ? 0 : (seats)1 << seat; }

/* Return the number of cells that contain a value. The sum has the type of a cell,
   so that the compiler can compare many cells at once. */
static UNUSED num holding(const cell *s, int size, num value) {
  num total = 0;
  for (int from = 0; from < size; from += 64) {
    int end = size < from + 64 ? size : from + 64;
    cell here = 0;
    for (int i = from; i < end; i++) here = (cell)(here + (s[i] == (cell)value));
    total += here;
  }
  return total;
}

/* Set the bits of the places at which cells contain a value. */
static UNUSED void places_of(uint64_t *bits, const cell *s, int size, num value) {
  for (int from = 0; from < size; from += 64, bits++) {
    int end = size < from + 64 ? size - from : 64;
    uint8_t here[64] = {0};
    for (int i = 0; i < end; i++) here[i] = s[from + i] == (cell)value;
    *bits = 0;
    for (int i = 0; i < end; i += 8) {
      uint64_t eight = 0;
      for (int j = 0; j < 8; j++) eight |= (uint64_t)here[i + j] << 8 * j;
      *bits |= (eight * 0x0102040810204080u) >> 56 << i;
    }
  }
}

static UNUSED num bits_in(uint64_t x) {
  x -= x >> 1 & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return (num)(x * 0x0101010101010101u >> 56);
}

static const UNUSED uint64_t NO_PLACES[4];

/* Move a place from the set of its old content to that of its new content. */
static UNUSED void hold(uint64_t *held, int16_t *count, int size, int width, int values,
                        num place, num old, num now) {
  if (place < 0 || place >= size) return;
  uint64_t bit_ = (uint64_t)1 << place % 64;
  if (old >= -1 && old < values) held[(old + 1) * width + place / 64] &= ~bit_, count[old + 1]--;
  if (now >= -1 && now < values) held[(now + 1) * width + place / 64] |= bit_, count[now + 1]++;
}

static UNUSED void hold_row(uint64_t *held, int16_t *count, const cell *s, int size, int width,
                            int values) {
  memset(held, 0, sizeof *held * (size_t)(width * (values + 1)));
  memset(count, 0, sizeof *count * (size_t)(values + 1));
  for (int i = 0; i < size; i++) hold(held, count, size, width, values, i, -2, s[i]);
}

/* Return the lowest place in a set of bits and remove it; -1 if the set is empty. */
static UNUSED num next_place(uint64_t *bits, int words) {
  for (int i = 0; i < words; i++)
    if (bits[i]) {
      int place = __builtin_ctzll(bits[i]);
      bits[i] &= bits[i] - 1;
      return 64 * i + place;
    }
  return -1;
}

static UNUSED int compared(const num *a, const num *b, int size) {
  for (int i = 0; i < size; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

static UNUSED int lists(const num *set, num member) { /* set[0] is its size */
  for (num i = 1; i <= set[0]; i++)
    if (set[i] == member) return 1;
  return 0;
}

static UNUSED void sort_by(num *set, num *key, int falling) { /* stable */
  for (num i = 2; i <= set[0]; i++) {
    num member = set[i], k = key[i], j = i;
    for (; j > 1 && (falling ? key[j - 1] < k : key[j - 1] > k); j--) {
      set[j] = set[j - 1];
      key[j] = key[j - 1];
    }
    set[j] = member;
    key[j] = k;
  }
}

/* ---------------------------------------------------------------- chance */

static void philox(const uint32_t counter[4], uint64_t key, uint32_t word[4]) {
  uint32_t a = counter[0], b = counter[1], c = counter[2], d = counter[3];
  uint32_t k = (uint32_t)key, m = (uint32_t)(key >> 32);
  for (int i = 0; i < 10; i++) {
    uint64_t x = (uint64_t)0xD2511F53u * a, y = (uint64_t)0xCD9E8D57u * c;
    a = (uint32_t)(y >> 32) ^ b ^ k;
    b = (uint32_t)y;
    c = (uint32_t)(x >> 32) ^ d ^ m;
    d = (uint32_t)x;
    k += 0x9E3779B9u;
    m += 0xBB67AE85u;
  }
  word[0] = a, word[1] = b, word[2] = c, word[3] = d;
}

/* Four blocks in a row, whose counters start with `first` and the next three numbers. */
#if defined(__SSE2__)
static UNUSED void philox_four(const uint32_t first[4], uint64_t key, uint32_t word[16]) {
  const __m128i low = _mm_set_epi32(0, -1, 0, -1);
  const __m128i p = _mm_set1_epi32((int)0xD2511F53u), q = _mm_set1_epi32((int)0xCD9E8D57u);
  __m128i a = _mm_add_epi32(_mm_set1_epi32((int)first[0]), _mm_set_epi32(3, 2, 1, 0));
  __m128i b = _mm_set1_epi32((int)first[1]), c = _mm_set1_epi32((int)first[2]);
  __m128i d = _mm_set1_epi32((int)first[3]);
  uint32_t k = (uint32_t)key, m = (uint32_t)(key >> 32);
  for (int i = 0; i < 10; i++) {
    __m128i x = _mm_mul_epu32(a, p), v = _mm_mul_epu32(_mm_srli_epi64(a, 32), p);
    __m128i y = _mm_mul_epu32(c, q), w = _mm_mul_epu32(_mm_srli_epi64(c, 32), q);
    __m128i x_low = _mm_or_si128(_mm_and_si128(x, low), _mm_slli_epi64(v, 32));
    __m128i y_low = _mm_or_si128(_mm_and_si128(y, low), _mm_slli_epi64(w, 32));
    __m128i x_high = _mm_or_si128(_mm_srli_epi64(x, 32), _mm_andnot_si128(low, v));
    __m128i y_high = _mm_or_si128(_mm_srli_epi64(y, 32), _mm_andnot_si128(low, w));
    a = _mm_xor_si128(_mm_xor_si128(y_high, b), _mm_set1_epi32((int)k));
    b = y_low;
    c = _mm_xor_si128(_mm_xor_si128(x_high, d), _mm_set1_epi32((int)m));
    d = x_low;
    k += 0x9E3779B9u;
    m += 0xBB67AE85u;
  }
  __m128i s = _mm_unpacklo_epi32(a, b), t = _mm_unpacklo_epi32(c, d);
  __m128i u = _mm_unpackhi_epi32(a, b), v = _mm_unpackhi_epi32(c, d);
  _mm_storeu_si128((__m128i *)word, _mm_unpacklo_epi64(s, t));
  _mm_storeu_si128((__m128i *)word + 1, _mm_unpackhi_epi64(s, t));
  _mm_storeu_si128((__m128i *)word + 2, _mm_unpacklo_epi64(u, v));
  _mm_storeu_si128((__m128i *)word + 3, _mm_unpackhi_epi64(u, v));
}
#else
static UNUSED void philox_four(const uint32_t first[4], uint64_t key, uint32_t word[16]) {
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t counter[4] = {first[0] + i, first[1], first[2], first[3]};
    philox(counter, key, word + 4 * i);
  }
}
#endif

/* Return the outcome given by the caller, or wait for it. */
static num given(Game *g, num size) {
  if (g->given == CHOSEN) {
    g->given = WANTED;
    return g->chosen;
  }
  if (g->executed > STATEMENTS) goes_on(g);
  g->ran = g->executed = 0;
  g->who = NOBODY;
  g->legals = (int32_t)size;
  longjmp(*g->out, WAITS);
}

static UNUSED num below(Game *g, int event, num limit) {
  if (g->given) return given(g, limit);
  uint32_t number = g->counts[event]++, most = (uint32_t)limit;
  uint32_t threshold = (uint32_t)(-most) % most;
  for (uint32_t block = 0;; block++) {
    uint32_t counter[4] = {number, block, EVENT[event][0], EVENT[event][1]}, word[4];
    philox(counter, g->seed, word);
    for (int i = 0; i < 4; i++) {
      uint64_t product = (uint64_t)word[i] * most;
      if ((uint32_t)product >= threshold) return (num)(product >> 32);
    }
  }
}

/* Random numbers that are not events of the game. */
enum { WORDS = 16 };
typedef struct {
  uint64_t key;
  uint32_t name[2], number, word[WORDS];
  int left;
} Stream;

/* The first block comes alone, for short games. */
static APART UNUSED void stream_fill(Stream *t) {
  uint32_t counter[4] = {t->number + 1, 0, t->name[0], t->name[1]};
  t->left = t->number ? WORDS : 4;
  if (t->number) philox_four(counter, t->key, t->word);
  else philox(counter, t->key, t->word + WORDS - 4);
  t->number += (uint32_t)t->left / 4;
}

static inline UNUSED uint32_t stream_word(Stream *t) {
  if (!t->left) stream_fill(t);
  return t->word[WORDS - t->left--];
}

static UNUSED num stream_below(Stream *t, num limit) {
  uint32_t most = (uint32_t)limit, threshold = (uint32_t)(-most) % most;
  for (;;) {
    uint64_t product = (uint64_t)stream_word(t) * most;
    if ((uint32_t)product >= threshold) return (num)(product >> 32);
  }
}

/* Draw an outcome by weight; return -1 if there is none. */
static UNUSED num drawn(Game *g, int event, const num *weight, num size) {
  num total = 0;
  for (num i = 0; i < size; i++) total += weight[i];
  if (!total) return -1;
  if (g->given) {
    num possible = 0;
    for (num i = 0; i < size; i++) possible += weight[i] != 0;
    num rest = given(g, possible), i = 0;
    while (!weight[i] || rest--) i++;
    g->weight = weight[i];
    return i;
  }
  num rest = below(g, event, total);
  for (num i = 0; i < size; i++) {
    if (rest < weight[i]) return i;
    rest -= weight[i];
  }
  return -1;
}

static num part_of(Game *g);

static UNUSED void logs(Game *g, int event, int size, const num *value, seats told) {
  if (g->log->count < g->log->size) {
    Event *e = &g->log->event[g->log->count];
    e->what = event, e->size = size, e->told = told;
    for (int i = 0; i < OUTCOME; i++) e->value[i] = i < size ? value[i] : 0;
  }
  g->log->count++;
}

static UNUSED void happens(Game *g, int event, int size, const num *value, seats told) {
  if (g->split) {
    if (g->answers >= ANSWERS) fail(g, BEYOND);
    Event *a = &g->answer[g->answers++];
    a->what = event, a->size = size, a->seat = (int32_t)part_of(g), a->told = told;
    a->pad = 0;
    for (int i = 0; i < OUTCOME; i++) a->value[i] = i < size ? value[i] : 0;
  }
  trace_event(g, BY_CHANCE, g->s[ACTIVE], 0);
  if (g->log) logs(g, event, size, value, told);
}

/* Log a value that the offer fixes, after the index, because it is part of the
   action's text. */
static UNUSED void tells(Game *g, int number, num value) {
  if (!g->log || !g->log->count || g->log->count > g->log->size) return;
  Event *e = &g->log->event[g->log->count - 1];
  if (e->what >= 0) return;
  e->value[number] = value;
  e->size = number + 1;
}

/* ---------------------------------------------------------------- stacks of cards */

static UNUSED num stack_held(const Stack *t, num card) {
  if (card < 0) return 0;
  num held = t->pool[card];
  for (int i = 0; i < t->size; i++) held += t->card[i] == card;
  return held;
}

static UNUSED num stack_entry(const Stack *t, num place) {
  return place >= 0 && place < t->size ? t->card[place] : -1;
}

static UNUSED void stack_put(Game *g, Stack *t, num card, num number, int on_top, seats told) {
  if (number <= 0) return;
  if (t->size + number > STACK_CARDS) fail(g, BEYOND);
  int first = on_top ? 0 : t->size, more = (int)number;
  if (on_top) {
    memmove(t->card + more, t->card, sizeof *t->card * (size_t)t->size);
    memmove(t->known + more, t->known, sizeof *t->known * (size_t)t->size);
  }
  for (int i = first; i < first + more; i++) {
    t->card[i] = (int16_t)card;
    t->known[i] = told;
  }
  t->size += more;
}

static UNUSED void stack_drop(Stack *t, int place) {
  size_t rest = (size_t)(t->size - place - 1);
  memmove(t->card + place, t->card + place + 1, sizeof *t->card * rest);
  memmove(t->known + place, t->known + place + 1, sizeof *t->known * rest);
  t->size--;
}

/* Compute the first and last place from which, to a seat's knowledge, a card may
   have been taken. */
static UNUSED void taken_from(const Stack *t, num card, int seat, seats told, int *low, int *high) {
  int informed = told >> seat & 1, place = -1;
  *low = t->size, *high = -1;
  for (int i = 0; i < t->size; i++) {
    int own = t->known[i] >> seat & 1 ? t->card[i] : -1, counts = own == -1;
    if (own != -1 && !informed) {
      counts = 1;
      for (int j = 0; j < i; j++)
        if ((t->known[j] >> seat & 1) && t->card[j] == own) counts = 0;
    }
    if (own != -1 && informed && own == card && place < 0) {
      place = i;
      if (i < *low) *low = i;
      *high = i;
      return;
    }
    if (counts) {
      if (i < *low) *low = i;
      *high = i;
    }
  }
}

/* Remove the uppermost known copy of a card, or else an unknown card. */
static UNUSED void stack_take(Game *g, Stack *t, num card, seats told) {
  int place = -1;
  for (int i = 0; i < t->size && place < 0; i++)
    if (t->card[i] == card) place = i;
  for (int i = 0; i < t->size && place < 0; i++)
    if (t->card[i] < 0) place = i;
  if (place < 0) fail(g, BEYOND);
  if (t->card[place] < 0) t->pool[card]--;
  seats knowing = 0;
  for (int i = 0; i < t->size; i++) knowing |= t->known[i];
  Stack before = *t;
  stack_drop(t, place);
  for (int seat = 0; knowing >> seat; seat++) {
    int low, high;
    taken_from(&before, card, seat, told, &low, &high);
    for (int i = low; i < high; i++)
      if (before.card[i] != before.card[i + 1] ||
          !((before.known[i] & before.known[i + 1]) >> seat & 1))
        t->known[i] &= ~((seats)1 << seat);
    if (seat == 63) break;
  }
}

static UNUSED void stack_take_top(Stack *t, num card) {
  if (t->card[0] < 0) t->pool[card]--;
  stack_drop(t, 0);
}

static UNUSED void stack_learn(Stack *t, num card, seats told) {
  int place = 0;
  while (place < t->size && t->card[place] >= 0) place++;
  t->card[place] = (int16_t)card;
  t->known[place] = told;
  t->pool[card]--;
}

static UNUSED void stack_show(Stack *t, seats told) {
  for (int i = 0; i < t->size; i++)
    if (t->card[i] >= 0) t->known[i] |= told;
}

/* At the start, all cards of a stack are in the pool, and nobody knows their order. */
static UNUSED void stack_begins(Stack *t, int kinds) {
  for (int i = 0; i < kinds; i++)
    for (int n = 0; n < t->pool[i]; n++) t->card[t->size++] = -1;
}

static UNUSED void stack_shuffle(Stack *t) {
  for (int i = 0; i < t->size; i++) {
    if (t->card[i] >= 0) t->pool[t->card[i]]++;
    t->card[i] = -1;
    t->known[i] = 0;
  }
}

/* ---------------------------------------------------------------- longest trails */

enum { TRAIL_STEPS = 2000000, TRAIL_SORT = 16 /* the first bit of sorts */ };
#define CLOSED (uint64_t)1
#define JOINT (uint64_t)4 /* of a link's first end; the next bit is for its other end */

typedef struct {
  int links, joined, left;
  uint64_t asked[TRAIL_LINKS]; /* link, sorts (bits), flags: all inputs of the search */
  num weight[TRAIL_LINKS];
  int end[2 * TRAIL_LINKS], sorts[TRAIL_LINKS];
  uint8_t number[TRAIL_SPACES]; /* from 1 on, in the order in which corners are found */
  int corners, closed[2 * TRAIL_LINKS], joint[2 * TRAIL_LINKS], come_to[2 * TRAIL_LINKS];
  int ways, way[2 * TRAIL_LINKS]; /* the first step from a corner, from 1 on; 0: none */
  struct { int link, to, next; } step[2 * TRAIL_LINKS + 1];
} Trail;

static UNUSED int trail_corner(Trail *t, int link, int other) {
  int corner = t->end[2 * link + other], i = t->number[corner] - 1;
  if (i < 0) {
    i = t->corners;
    t->number[corner] = (uint8_t)(i + 1);
    t->way[i] = t->come_to[i] = 0;
    t->closed[i] = (t->asked[link] & CLOSED << other) != 0;
    t->joint[i] = (t->asked[link] & JOINT << other) != 0;
    t->corners++;
  }
  return i;
}

static UNUSED void trail_way(Trail *t, int from, int link, int to) {
  int n = ++t->ways;
  t->step[n].link = link, t->step[n].to = to, t->step[n].next = t->way[from];
  t->way[from] = n;
}

/* Add a link of a sort (a bit); if links may have several sorts, `place` finds the
   link. */
static UNUSED void trail_link(Game *g, Trail *t, int *place, num link, int sort) {
  if (place && place[link]) {
    t->asked[place[link] - 1] |= (uint64_t)sort * TRAIL_SORT;
    return;
  }
  if (t->links == TRAIL_LINKS) fail(g, BEYOND);
  if (place) place[link] = t->links + 1;
  t->asked[t->links] = (uint64_t)link << 32 | (uint64_t)sort * TRAIL_SORT;
  t->weight[t->links++] = 1;
}

static num trail_from(Game *g, Trail *t, int corner, uint64_t used, int sorts) {
  num best = 0;
  if (!--t->left) fail(g, BEYOND);
  t->come_to[corner] = 1;
  if (used && t->closed[corner]) return 0;
  int fixed = used && t->joined && !t->joint[corner];
  for (int i = t->way[corner]; i; i = t->step[i].next) {
    int link = t->step[i].link;
    if (used >> link & 1) continue;
    int fits = fixed ? t->sorts[link] & sorts : t->sorts[link];
    for (int sort = fits; sort; sort &= sort - 1) {
      int of = t->joined ? sort & -sort : sort;
      num more = t->weight[link] +
                 trail_from(g, t, t->step[i].to, used | (uint64_t)1 << link, of);
      if (more > best) best = more;
      if (!t->joined) break;
    }
  }
  return best;
}

/* Return whether a longest trail may have to start at a corner. Corners with exactly
   two links need no start: a trail continues through them, or they are on a cycle,
   where any corner is a valid start. */
static UNUSED int trail_goes_on(const Trail *t, int corner) {
  int second = t->step[t->way[corner]].next;
  return !t->closed[corner] && second && !t->step[second].next;
}

/* Return the longest trail from a corner away from the link that led to it, using
   each link once. `best` becomes the longest trail that turns here or further on.
   Return -1 if there is a cycle, which this search cannot handle. */
static num trail_away(Trail *t, int corner, int by, num *best) {
  num first = 0, second = 0;
  if (t->come_to[corner]) return -1;
  t->come_to[corner] = 1;
  for (int i = t->way[corner]; i; i = t->step[i].next) {
    if (t->step[i].link == by) continue;
    num more = trail_away(t, t->step[i].to, t->step[i].link, best);
    if (more < 0) return -1;
    if (++more > first) second = first, first = more;
    else if (more > second) second = more;
  }
  *best = larger(*best, t->closed[corner] ? first : first + second);
  return t->closed[corner] ? 0 : first;
}

/* Return the longest trail if only links and their ends count and there is no cycle;
   -1 if there is a cycle. */
static num trail_in_trees(Trail *t) {
  num best = 0;
  for (int i = 0; i < t->corners; i++)
    if (!t->come_to[i] && trail_away(t, i, -1, &best) < 0) return -1;
  return best;
}

/* Return an upper bound on the states of trails: the sum over connected parts with
   rings of corners squared, doubled for each ring. */
static UNUSED num trail_states(const Trail *t) {
  enum { MOST_RINGS = 40 }; /* beyond any limit */
  uint8_t seen[2 * TRAIL_LINKS] = {0};
  int queue[2 * TRAIL_LINKS];
  num states = 0;
  for (int from = 0; from < t->corners; from++) {
    if (seen[from]) continue;
    int corners = 0, ends = 0;
    queue[corners++] = from;
    seen[from] = 1;
    for (int i = 0; i < corners; i++)
      for (int way = t->way[queue[i]]; way; way = t->step[way].next) {
        int to = t->step[way].to;
        ends++;
        if (!seen[to]) queue[corners++] = to;
        seen[to] = 1;
      }
    int rings = ends / 2 - corners + 1;
    if (rings > 0)
      states += (num)corners * corners << (rings < MOST_RINGS ? rings : MOST_RINGS);
  }
  return states;
}

static UNUSED num trail_searched(Game *g, Trail *t, int plain, num limit) {
  num best = 0;
  t->left = TRAIL_STEPS;
  t->corners = t->ways = 0;
  memset(t->number, 0, sizeof t->number);
  for (int i = 0; i < t->links; i++) {
    t->sorts[i] = (int)((t->asked[i] & 0xffffffffu) / TRAIL_SORT);
    int from = trail_corner(t, i, 0), to = trail_corner(t, i, 1);
    trail_way(t, from, i, to);
    trail_way(t, to, i, from);
  }
  if (plain && (best = trail_in_trees(t)) >= 0) return best;
  if (trail_states(t) > limit) fail(g, MISTAKE);
  memset(t->come_to, 0, sizeof t->come_to);
  best = 0;
  for (int i = 0; i < t->corners; i++)
    if (!plain || !trail_goes_on(t, i)) best = larger(best, trail_from(g, t, i, 0, 0));
  for (int i = 0; i < t->corners; i++)
    if (!t->come_to[i]) best = larger(best, trail_from(g, t, i, 0, 0));
  return best;
}

/* Return the longest trail, cached until another trail replaces it; fail if it may
   have more than `limit` states. */
static UNUSED num trail_longest(Game *g, Trail *t, Kept *kept, num limit) {
  size_t size = (size_t)t->links * sizeof t->asked[0];
  int is_same = kept && kept->links == t->links && !memcmp(kept->asked, t->asked, size);
#ifdef VERIFY
  if (is_same && kept->longest != trail_searched(g, t, 0, limit)) __builtin_trap();
#endif
  if (is_same) return kept->longest;
  num longest = trail_searched(g, t, kept && !t->joined, limit);
#ifdef VERIFY
  if (longest != trail_searched(g, t, 0, limit)) __builtin_trap();
#endif
  if (kept) {
    kept->links = t->links;
    memcpy(kept->asked, t->asked, size);
    kept->longest = longest;
  }
  return longest;
}

/* ---------------------------------------------------------------- deals */
#if DEALS

/* Deals under a condition: a shuffled arrangement is tried; then cards are placed
   one by one, always at the place where the fewest cards fit; then cards of an
   arrangement are exchanged; finally all arrangements are searched. The order of trials
   and the count of steps are the same as in the interpreter. */

typedef int (*Broken)(Game *g, num *f, const int32_t *member);

/* Fixed data of a deal. Each test has a function that returns whether its forbidden
   condition is true, and the members that it tests. The tests that depend on a member's
   card are in `reader` from `from[member]` on. `kind` maps each card to the first card
   that no test distinguishes from it. */
typedef struct {
  int kinds, tests, width;
  const int32_t *kind, *function, *member, *from, *reader;
  const Broken *broken;
} Deal;

enum { EXCHANGES = 400, GLANCE = 300, BEGINNINGS = 6, NEVER = 0, SURELY = 1, LONG = -1 };

/* Places are the cells that get a card. For each test, `unknown` is the number of
   its places without a card, and `sum` adds up these places; if one is left, `sum`
   is that place. */
typedef struct {
  const Deal *deal;
  Stream chance;
  num steps, least, *f, value[DEAL_KINDS];
  int cells, deck_size, spare, failing, laid, bars;
  int left[DEAL_KINDS], room[DEAL_KINDS], deck[DEAL_CARDS + 1];
  int at[DEAL_CELLS + 1], member[DEAL_CELLS + 1], unknown[DEAL_TESTS], sum[DEAL_TESTS];
  int where[DEAL_CELLS + 1], next[DEAL_CELLS + 1], card[DEAL_CELLS + 1];
  int barred_before[DEAL_CELLS + 1], bar[DEAL_CELLS * DEAL_KINDS + 1];
  uint8_t fails[DEAL_TESTS], is_dealt[DEAL_CELLS + 1], barred[DEAL_CELLS + 1][DEAL_KINDS];
  cell before[DEAL_CELLS + 1];
} Dealing;

static UNUSED int deal_fails(Game *g, Dealing *t, int test) {
  const Deal *d = t->deal;
  return d->broken[d->function[test]](g, t->f, d->member + test * d->width) != 0;
}

static UNUSED void deal_put(Game *g, Dealing *t, int place, int card) {
  g->s[t->at[place]] = (cell)t->value[card];
  forget(g);
}

static UNUSED int deal_arranged(Game *g, Dealing *t) {
  if (--t->steps < t->least) return 0;
  for (int i = 0; i < t->cells; i++) deal_put(g, t, i, t->deck[i]);
  return 1;
}

static UNUSED int deal_holds(Game *g, Dealing *t) {
  if (!deal_arranged(g, t)) return LONG;
  for (int i = 0; i < t->deal->tests; i++)
    if (deal_fails(g, t, i)) return NEVER;
  return SURELY;
}

static UNUSED void deal_exchange(Game *g, Dealing *t, int a, int b) {
  int card = t->deck[a], places[] = {a, b};
  t->deck[a] = t->deck[b], t->deck[b] = card;
  for (int i = 0; i < 2; i++)
    if (places[i] < t->cells) deal_put(g, t, places[i], t->deck[places[i]]);
  for (int i = 0; i < 2; i++) {
    if (places[i] >= t->cells) continue;
    int member = t->member[places[i]];
    for (int j = t->deal->from[member]; j < t->deal->from[member + 1]; j++) {
      int test = t->deal->reader[j];
      t->failing -= t->fails[test];
      t->fails[test] = (uint8_t)deal_fails(g, t, test);
      t->failing += t->fails[test];
    }
  }
}

static UNUSED int deal_improved(Game *g, Dealing *t) {
  if (!deal_arranged(g, t)) return LONG;
  t->failing = 0;
  for (int i = 0; i < t->deal->tests; i++)
    t->failing += t->fails[i] = (uint8_t)deal_fails(g, t, i);
  for (int i = 0; i < EXCHANGES && t->failing && t->deck_size >= 3; i++) {
    int a = 1 + (int)stream_below(&t->chance, t->deck_size - 1);
    int b = 1 + (int)stream_below(&t->chance, t->deck_size - 1), before = t->failing;
    if (t->deck[a] == t->deck[b]) continue;
    if (--t->steps < t->least) return LONG;
    deal_exchange(g, t, a, b);
    if (t->failing > before) deal_exchange(g, t, a, b);
  }
  return t->failing ? NEVER : SURELY;
}

/* Forbid the cards that violate a test at its last place without a card. */
static UNUSED void deal_narrow(Game *g, Dealing *t, int test) {
  int place = t->sum[test];
  for (int card = 0; card < t->deal->kinds; card++) {
    if (!t->left[card] || t->barred[place][card]) continue;
    deal_put(g, t, place, card);
    if (!deal_fails(g, t, test)) continue;
    t->barred[place][card] = 1;
    t->room[card]--;
    t->bar[t->bars++] = place * t->deal->kinds + card;
  }
}

/* Update tests after a card is placed (1) or removed (-1). */
static UNUSED void deal_mark(Dealing *t, int place, int card, int dealt) {
  t->is_dealt[place] = dealt > 0;
  t->left[card] -= dealt;
  for (int i = 0; i < t->deal->kinds; i++) t->room[i] -= t->barred[place][i] ? 0 : dealt;
  int member = t->member[place];
  for (int i = t->deal->from[member]; i < t->deal->from[member + 1]; i++) {
    t->unknown[t->deal->reader[i]] -= dealt;
    t->sum[t->deal->reader[i]] -= dealt * place;
  }
}

/* Place a card; return whether the deal can still be completed. */
static UNUSED int deal_lay(Game *g, Dealing *t, int place, int card) {
  deal_put(g, t, place, card);
  t->where[t->laid] = place, t->card[t->laid] = card;
  t->barred_before[t->laid++] = t->bars;
  deal_mark(t, place, card, 1);
  int member = t->member[place];
  for (int i = t->deal->from[member]; i < t->deal->from[member + 1]; i++) {
    int test = t->deal->reader[i];
    if (t->unknown[test] == 1) deal_narrow(g, t, test);
    if (!t->unknown[test] && deal_fails(g, t, test)) return 0;
  }
  for (int i = 0; i < t->deal->kinds; i++)
    if (t->left[i] && t->left[i] - t->spare > t->room[i]) return 0;
  return 1;
}

static UNUSED void deal_take_back(Dealing *t) {
  int laid = --t->laid;
  while (t->bars > t->barred_before[laid]) {
    int bar = t->bar[--t->bars], card = bar % t->deal->kinds;
    t->barred[bar / t->deal->kinds][card] = 0;
    t->room[card]++;
  }
  deal_mark(t, t->where[laid], t->card[laid], -1);
}

/* Return the place where the fewest cards fit. */
static UNUSED int deal_narrowest(const Dealing *t) {
  int best = 0, fewest = t->deal->kinds + 1;
  for (int place = 0; place < t->cells && fewest > 1; place++) {
    if (t->is_dealt[place]) continue;
    int ways = 0;
    for (int i = 0; i < t->deal->kinds; i++) ways += t->left[i] && !t->barred[place][i];
    if (ways < fewest) fewest = ways, best = place;
  }
  return best;
}

/* Return the next card to try, the one in the deck first; -1 if there is none. */
static UNUSED int deal_choice(Dealing *t, int level) {
  int place = t->where[level], kinds = t->deal->kinds;
  while (t->next[level] <= (level ? kinds : 0)) {
    int n = t->next[level]++, card = n ? n - 1 : t->deck[place];
    if (n && card == t->deck[place]) continue;
    if (t->left[card] && !t->barred[place][card]) return card;
  }
  return -1;
}

/* Put the placed cards into the deck in order. */
static UNUSED void deal_keep(Dealing *t) {
  int next = t->cells;
  for (int card = 0; card < t->deal->kinds; card++)
    for (int i = 0; i < t->left[card]; i++) t->deck[next++] = card;
  for (int i = 0; i < t->laid; i++) t->deck[t->where[i]] = t->card[i];
}

static UNUSED int deal_complete(Game *g, Dealing *t) {
  int levels = 1, answer = NEVER;
  t->where[0] = t->next[0] = 0;
  while (levels && answer == NEVER) {
    if (t->laid == levels) deal_take_back(t);
    int card = deal_choice(t, levels - 1);
    if (card < 0) {
      levels--;
    } else if (--t->steps < t->least) {
      answer = LONG;
    } else if (deal_lay(g, t, t->where[levels - 1], card)) {
      if (t->laid == t->cells) {
        deal_keep(t);
        answer = SURELY;
      } else {
        t->where[levels] = deal_narrowest(t);
        t->next[levels++] = 0;
      }
    }
  }
  while (t->laid) deal_take_back(t);
  return answer;
}

static UNUSED void deal_shuffle(Dealing *t, int first) {
  for (int last = t->deck_size - 1; last > first; last--) {
    int other = first + (int)stream_below(&t->chance, last - first + 1);
    int card = t->deck[last];
    t->deck[last] = t->deck[other], t->deck[other] = card;
  }
}

static UNUSED int deal_leads_on(Game *g, Dealing *t) {
  int answer = deal_holds(g, t);
  if (answer != NEVER) return answer;
  t->least = larger(0, t->steps - GLANCE);
  answer = deal_complete(g, t);
  t->least = 0;
  if (answer != LONG) return answer;
  for (int i = 0; i < BEGINNINGS; i++) {
    if (i) deal_shuffle(t, 1);
    answer = deal_improved(g, t);
    if (answer != NEVER) return answer;
  }
  return deal_complete(g, t);
}

/* Find the cards that can come next: 1 for each card after which the deal can be
   completed. */
static UNUSED int deal_searched(Game *g, Dealing *t, int *good) {
  for (int i = 0; i < t->deal->tests; i++) {
    if (t->unknown[i] == 1) deal_narrow(g, t, i);
    if (!t->unknown[i] && deal_fails(g, t, i)) return NEVER;
  }
  t->bars = 0;
  deal_shuffle(t, 0);
  for (int card = 0; card < t->deal->kinds; card++) {
    if (!t->left[card]) continue;
    int place = 0;
    while (t->deck[place] != card) place++;
    t->deck[place] = t->deck[0], t->deck[0] = card;
    good[card] = t->barred[0][card] ? NEVER : deal_leads_on(g, t);
    if (good[card] == LONG) return LONG;
  }
  return SURELY;
}

/* Remove the weights of cards after which the deal cannot be completed. */
static UNUSED void deal_possible(Game *g, Dealing *t, const Deal *d, int base,
                                 const num *rest, num members, num *weight) {
  t->deal = d, t->chance = (Stream){0, {SPREAD_0, SPREAD_1}, 0, {0}, 0};
  t->steps = SEARCHES, t->least = 0;
  t->deck_size = t->laid = t->bars = 0;
  for (int i = 0; i < d->kinds; i++) t->left[i] = 0;
  for (int i = 0; i < d->kinds; i++) t->left[d->kind[i]] += (int)weight[i];
  for (int i = 0; i < d->kinds; i++)
    for (int n = 0; n < t->left[i]; n++) {
      if (t->deck_size == DEAL_CARDS) fail(g, BEYOND);
      t->deck[t->deck_size++] = i;
    }
  t->cells = members < t->deck_size ? (int)members : t->deck_size;
  t->spare = t->deck_size - t->cells;
  for (int i = 0; i < d->kinds; i++) t->room[i] = t->cells;
  for (int i = 0; i < d->tests; i++) t->unknown[i] = t->sum[i] = 0;
  for (int i = 0; i < t->cells; i++) {
    t->member[i] = (int)rest[i], t->at[i] = base + (int)rest[i];
    t->before[i] = g->s[t->at[i]];
    t->is_dealt[i] = 0;
    memset(t->barred[i], 0, sizeof t->barred[i]);
    for (int j = d->from[rest[i]]; j < d->from[rest[i] + 1]; j++)
      t->unknown[d->reader[j]]++, t->sum[d->reader[j]] += i;
  }
  int good[DEAL_KINDS] = {0};
  int answer = deal_searched(g, t, good);
  for (int i = 0; i < t->cells; i++) g->s[t->at[i]] = t->before[i];
  forget(g);
  if (answer == LONG) fail(g, MISTAKE);
  for (int i = 0; i < d->kinds; i++)
    if (!good[d->kind[i]]) weight[i] = 0;
}

#endif

/* ---------------------------------------------------------------- end of the game */

/* End the game with the ranks of all seats; members of a team have its best rank. */
static UNUSED int finish(Game *g, const num *ranks, int ranked, int reason) {
  num best[PLAYERS];
  for (int i = 0; i < ranked; i++) {
    best[i] = ranks[i];
    for (int j = 0; j < ranked; j++)
      if (TEAM[i] >= 0 && TEAM[i] == TEAM[j]) best[i] = smaller(best[i], ranks[j]);
  }
  int winners = 0;
  g->s[WINNER] = -1;
  for (int i = 0; i < ranked; i++) {
    g->ranks[i] = 1;
    for (int j = 0; j < ranked; j++) g->ranks[i] += best[j] < best[i];
    winners += g->ranks[i] == 1;
    if (g->ranks[i] == 1) g->s[WINNER] = (cell)i;
  }
  if (winners != 1) g->s[WINNER] = -1;
  g->ranked = ranked;
  g->reason = reason;
  return close_game(g, ENDED);
}

/* The marked seats share rank 1 and all others are last; return 0 if none is marked. */
static UNUSED int sharing(num *ranks, const int *wins) {
  int first = 0;
  for (int i = 0; i < PLAYERS; i++) first += wins[i];
  for (int i = 0; i < PLAYERS; i++) ranks[i] = wins[i] ? 1 : first + 1;
  return first ? PLAYERS : 0;
}

/* Rank by keys of several numbers, largest first; seats that are not members come
   last. */
static UNUSED int by_rank(num *ranks, const int *member, const num *key, int size) {
  int members = 0;
  for (int i = 0; i < PLAYERS; i++) members += member[i];
  for (int i = 0; i < PLAYERS; i++) {
    ranks[i] = member[i] ? 1 : members + 1;
    for (int j = 0; j < PLAYERS && member[i]; j++)
      ranks[i] += member[j] && compared(key + j * size, key + i * size, size) > 0;
  }
  return members ? PLAYERS : 0;
}

/* ---------------------------------------------------------------- the control stack */

static UNUSED num *push(Game *g, int number) {
  if (g->depth == DEPTH) fail(g, BEYOND);
  num *f = g->frame[g->depth++];
  f[0] = number;
  f[1] = 0;
  for (int i = 2; i < UNIT_SIZE[number]; i++) f[i] = UNSET;
  return f;
}

static UNUSED int leave(Game *g) {
  g->depth--;
  return SWITCH;
}

static UNUSED int close_game(Game *g, num status) {
  g->s[STATUS] = (cell)status;
  g->depth = 0;
  g->triggers = 0;
  g->split = 0;
  g->answers = 0;
  return WAIT;
}

static UNUSED int same_unit_runs(const Game *g, int number) {
  for (int i = 0; i < g->depth; i++)
    if (g->frame[i][0] == number) return 1;
  return 0;
}

/* Start a simultaneous block: store the cells as the answering seats see them. */
static UNUSED void begin_split(Game *g) {
  g->split = 1;
  g->answers = 0;
  memcpy(g->split_s, g->s, sizeof g->split_s);
  memcpy(g->split_stack, g->stack, sizeof g->split_stack);
}

static UNUSED void end_split(Game *g) {
  g->split = 0;
  g->answers = 0;
}

static UNUSED int game_ends(Game *g) {
  g->depth = 1;
  g->frame[0][1] = CLOSING;
  end_split(g);
  return SWITCH;
}

/* Sort legal actions listed by several offers, and remove duplicates. */
static UNUSED void in_order(Game *g) {
  int kept = 0;
  for (int i = 1; i < g->legals; i++) {
    int32_t index = g->legal[i];
    int j = i;
    for (; j > 0 && g->legal[j - 1] > index; j--) g->legal[j] = g->legal[j - 1];
    g->legal[j] = index;
  }
  for (int i = 0; i < g->legals; i++)
    if (!i || g->legal[i] != g->legal[i - 1]) g->legal[kept++] = g->legal[i];
  g->legals = kept;
}

/* ---- code generated from the rules ---- */

/* ---------------------------------------------------------------- exported steps */

/* Continue up to the next decision; failures jump to where the caller has set. */
static int go_on(Game *g) {
  while (g->depth > 0)
    if (unit(g, g->frame[g->depth - 1]) == WAIT) break;
  return g->s[STATUS] == RUNNING ? WAITS : OVER;
}

static APART int run(Game *g) {
  jmp_buf out;
  g->out = &out;
  switch (setjmp(out)) {
    case 0: break;
    case WAITS: return WAITS;
    default: return FAILED;
  }
  return go_on(g);
}

CALLED size_t rb_size(void) { return sizeof(Game); }
CALLED size_t rb_state(void) { return offsetof(Game, legal); }

/* Continue up to the next decision. */
CALLED int rb_run(Game *g) {
  g->why = g->ran = g->executed = g->answering = g->legals = 0;
  renew(g);
  return run(g);
}

/* Prepare to apply a legal action; return 0 if there is no room for it. */
static int takes(Game *g, int index) {
  if (g->split) {
    if (g->answers >= ANSWERS) {
      g->why = BEYOND;
      return 0;
    }
    Event *a = &g->answer[g->answers++];
    memset(a, 0, sizeof *a);
    a->what = -1, a->seat = g->who, a->value[0] = index, a->size = 1;
  }
  g->why = 0;
  g->ran = 1;
  g->executed = 0;
  g->answering = 1;
  g->chosen = index;
  return 1;
}

/* Apply a legal action of the seat to act, by its index. */
CALLED int rb_apply(Game *g, int index) { return takes(g, index) ? run(g) : FAILED; }

/* Apply a legal choice: the index of an action, or -1 - n for the outcome n of a
   given chance event. Return the number of next choices, or 0 if the game is over. */
CALLED int rb_step(Game *g, int index, Log *log) {
  if (!g) return ABSENT;
  int n = 0, left;
  if (g->s[STATUS] != RUNNING) return ILLEGAL;
  if (log) log->count = 0;
  g->log = log;
  if (g->who == NOBODY) {
    n = -1 - index;
    if (n < 0 || n >= g->legals) return ILLEGAL;
    g->chosen = n;
    g->given = CHOSEN;
    g->why = g->executed = g->answering = 0;
    g->ran = 1;
    left = run(g);
  } else {
    while (n < g->legals && g->legal[n] != index) n++;
    if (n == g->legals) return ILLEGAL;
    left = rb_apply(g, index);
  }
  g->log = NULL;
  return left == WAITS ? g->legals : left;
}

/* Copy a game, without the parts that are currently unused. */
CALLED void rb_copy(Game *to, const Game *from) {
  memcpy(to, from, offsetof(Game, frame));
  memcpy(to->frame, from->frame, sizeof *from->frame * (size_t)from->depth);
  memcpy(to->ranks, from->ranks, offsetof(Game, split_s) - offsetof(Game, ranks));
  if (from->split) {
    memcpy(to->split_s, from->split_s, sizeof to->split_s);
    memcpy(to->split_stack, from->split_stack, sizeof to->split_stack);
    memcpy(to->answer, from->answer, sizeof *to->answer * (size_t)from->answers);
  }
  if (from->who != NOBODY)
    memcpy(to->legal, from->legal, sizeof *to->legal * (size_t)from->legals);
  to->out = NULL;
  to->log = NULL;
  to->trace = NULL;
}

/* Return the number of sequences of *depth* choices. `room` holds a game for each
   choice but the last. FAILED: C cannot make all of these choices. */
CALLED int64_t rb_leaves(const Game *g, int depth, Game *room) {
  if (g->s[STATUS] != RUNNING) return 0;
  if (depth == 1) return g->legals;
  int64_t total = 0;
  for (int i = 0; i < g->legals; i++) {
    rb_copy(room, g);
    if (rb_step(room, g->who == NOBODY ? -1 - i : g->legal[i], NULL) == FAILED) return FAILED;
    int64_t more = rb_leaves(room, depth - 1, room + 1);
    if (more == FAILED) return FAILED;
    total += more;
  }
  return total;
}

/* Initialise a game before set-up. */
CALLED void rb_start(Game *g, uint64_t seed, int64_t turns) {
  memset(g, 0, offsetof(Game, legal));
  memcpy(g->s, START, sizeof START);
  start_stacks(g);
  g->seed = seed;
  g->turns = turns;
  g->reason = -1;
  g->triggers = TRIGGERS;
  push(g, 0)[2] = 0;
}

/* Play random actions, with the numbers of each seat; failures jump to the caller. */
static APART int64_t random_steps(Game *g, Stream *seat, int64_t most, int32_t *times) {
  int64_t decisions = 0;
  while (g->s[STATUS] == RUNNING && g->legals && decisions < most) {
    Stream *t = &seat[g->who];
    uint64_t high = stream_word(t) >> 5, low = stream_word(t) >> 6;
    double number = (double)(high << 26 | low) / 9007199254740992.0;
    int index = g->legal[(int)(number * g->legals)];
    if (!takes(g, index)) return FAILED;
    go_on(g);
    if (times) times[index]++;
    decisions++;
  }
  return decisions;
}

/* Let each seat choose at random with its own random numbers, as the bots do; return
   the number of decisions. `times`, if any, counts how often each action index is
   applied. */
CALLED APART int64_t rb_random(Game *g, const uint64_t *keys, int64_t most, int32_t *times) {
  Stream seat[PLAYERS];
  jmp_buf out;
  for (int i = 0; i < PLAYERS; i++)
    seat[i] = (Stream){keys[i], {NUMBERS_0, NUMBERS_1}, 0, {0}, 0};
  g->out = &out;
  if (setjmp(out)) return FAILED;
  return random_steps(g, seat, most, times);
}
