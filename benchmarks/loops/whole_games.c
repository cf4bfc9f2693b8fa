/* Loop appended to the C code of a game. It plays whole games of random bots, including
   set-up, for some processor seconds, and then measures the time to copy a game. */
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* `results` receives games, decisions, seconds, and seconds per copy. */
CALLED int whole_games(double seconds, uint64_t seed, int64_t most, double *results) {
  enum { COPIES = 2000 };
  Game *g = calloc(1, sizeof *g), *other = calloc(1, sizeof *g);
  double begun = now(), games = 0, decisions = 0;
  uint64_t keys[PLAYERS];
  int good = g && other;
  for (; good && now() - begun < seconds; games++) {
    rb_start(g, ++seed, INT64_C(1) << 40);
    for (int i = 0; i < PLAYERS; i++) keys[i] = seed * 100 + (uint64_t)i;
    good = rb_run(g) != FAILED;
    int64_t done = good ? rb_random(g, keys, most, 0) : FAILED;
    good = done != FAILED;
    decisions += (double)done;
  }
  results[0] = games, results[1] = decisions, results[2] = now() - begun;
  begun = now();
  for (int i = 0; good && i < COPIES; i++) {
    memcpy(i % 2 ? g : other, i % 2 ? other : g, offsetof(Game, legal));
    __asm__ volatile("" ::: "memory");
  }
  results[3] = (now() - begun) / COPIES;
  free(g), free(other);
  return good;
}
