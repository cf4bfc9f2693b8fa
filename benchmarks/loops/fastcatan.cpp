// Whole games of fastcatan in a C++ loop, with uniform choices from its action mask.
//   loop SECONDS SEED: prints games, decisions, choices and processor seconds
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "mask.hpp"
#include "rules.hpp"
#include "state.hpp"

static double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(int, char **given) {
  double seconds = std::atof(given[1]), begun = now();
  uint64_t seed = std::strtoull(given[2], nullptr, 10);
  long games = 0, decisions = 0, choices = 0;
  catan::Xoshiro128 numbers;
  catan::xoshiro_seed(numbers, seed + 1);
  static catan::GameState state;
  static catan::BoardLayout board;
  while (now() - begun < seconds) {
    catan::reset_one(state, board, seed++);
    while (state.phase != catan::Phase::ENDED) {
      uint64_t mask[catan::MASK_WORDS];
      for (int i = 0; i < catan::MASK_WORDS; i++) mask[i] = state.action_mask[i];
      mask[4] &= (1u << (catan::action::TRADE_ADD_GIVE_BASE - 256)) - 1;  // no trade between players
      uint32_t legal = 0;
      for (uint64_t word : mask) legal += __builtin_popcountll(word);
      if (!legal) break;
      choices += legal;
      uint32_t place = numbers.bounded(legal), first = 0;
      int i = 0;
      for (;; i++) {
        uint32_t here = __builtin_popcountll(mask[i]);
        if (place < first + here) break;
        first += here;
      }
      uint64_t word = mask[i];
      for (place -= first; place; place--) word &= word - 1;
      catan::step_one(state, board, uint32_t(64 * i + __builtin_ctzll(word)));
      decisions++;
    }
    games++;
  }
  std::printf("[%ld, %ld, %ld, %.6f]\n", games, decisions, choices, now() - begun);
}
