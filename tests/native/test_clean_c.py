"""The C code of a game compiles without a warning and has no undefined behaviour. A few
games of a few files, and with `--deep` more than 10,000 games of all shipped files.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from interpreter.native.c_program import translate
from interpreter.planning import plan_for
from rulebook import loads
from tests.native.compilers import CC, NEEDS_C
from tests.support.processes import run_process
from workbench import load

ROOT = Path(__file__).parents[2]
STRICT = ("-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror")
SANITIZERS = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
SEARCHED = "-DSEARCHED"
VERIFY = "-DVERIFY"
"""Compiler flag that recomputes cached values each time, and stops at a difference."""

SHIPPED = ("classic", "germany", "base", "cardgame")
EXAMPLES = sorted((ROOT / "examples").rglob("*.rules"))
GAMES = (*SHIPPED, *(str(path.relative_to(ROOT)) for path in EXAMPLES))
QUICK = {*SHIPPED, "examples/tiny/hex.rules", "examples/games/trains.rules"}
FEW, MANY = 5, 10_000 // len(GAMES) + 1
MAIN = """
#include <stdio.h>
#include <stdlib.h>
enum { MANY = 3 };
static Game many[MANY];
static Room room;
static Row row;
static int32_t legal[MANY * ACTIONS], observed[MANY * OBSERVED];
static uint8_t mask[MANY * INDICES], bits[MANY * MASK_BYTES];
#if defined(SEARCHED) && GREEDY
enum { NODES = 16, SLOTS = 64 };
static Node node[SLOTS];
static Tried child[NODES];
static Thought thought;
static Search search[PLAYERS];
static int thinker(uint64_t number) {
  if (!search[0].node) rb_searches(&room, search, &thought);
  for (int i = 0; i < PLAYERS; i++)
    search[i] = (Search){
      .playouts = 70, .most = 2000, .turns = 2, .min_decisions = 8, .max_decisions = 40,
      .room = NODES, .slots = SLOTS, .width = 2, .exploration = 0.7, .node = node,
      .child = child};
  return number % 7 ? GREEDY_BOT : SEARCH_BOT;
}
#else
static int thinker(uint64_t number) { return (void)number, GREEDY_BOT; }
#endif
static int together(int64_t steps) {
  uint64_t seed[MANY] = {1, 2, 3};
  int64_t decisions[MANY], length[MANY], action[MANY], asleep[1];
  int32_t who[MANY], number[MANY], finished[MANY];
  double reward[MANY * PLAYERS];
  uint8_t ended[MANY], cut[MANY], failed[MANY];
  Stream choice[MANY];
  Worker worker = {.to = MANY};
  Batch b = {
    .games = (char *)many, .stride = sizeof(Game), .number = MANY, .turns = 50,
    .width = OBSERVED, .sights = {SIGHT, SIGHT_FROM}, .worker = &worker, .workers = 1,
    .task = STARTS, .steps = 3, .choice = choice, .action = action, .seed = seed,
    .decisions = decisions, .length = length, .who = who, .count = number,
    .legal = legal, .observed = observed, .finished = finished, .reward = reward,
    .mask = mask, .bits = bits, .ended = ended, .truncated = cut, .failed = failed};
  for (int64_t step = 0; step < steps; step++) {
    if (rb_batch_post(&b, asleep)) return 10;
    rb_batch_do(&b);
    if (worker.wrong != -1) return 7;
    if (worker.stuck) return 5;
    for (int i = 0; i < MANY; i++) {
      action[i] = legal[i * ACTIONS + (step * 7919 + i) % number[i]];
      if (!mask[i * INDICES + action[i]]) return 6;
      if (!(bits[i * MASK_BYTES + action[i] / 8] >> action[i] % 8 & 1)) return 6;
    }
    b.task = step % 4 ? APPLIES : CHOOSES;
    b.marked = 1;
  }
  return 0;
}
int main(int count, char **given) {
  static Game g;
  (void)count;
  for (uint64_t seed = 1; seed <= strtoull(given[1], 0, 10); seed++) {
    uint64_t keys[PLAYERS];
    for (int i = 0; i < PLAYERS; i++) keys[i] = seed * 100 + i;
    rb_start(&g, seed, 300);
    if (rb_run(&g) == FAILED || rb_random(&g, keys, 20000, 0) < 0) return 3;
    if (g.s[STATUS] == RUNNING && g.legals <= 0) return 4;
    for (uint64_t i = 0; i < PLAYERS; i++)
      room.table.bots[i] = (i + seed) % 3 ? thinker(i + 2 * seed) : RANDOM_BOT;
    room.table.most = 300;
    if (rb_begin(&g, &room, NULL, seed, 1000, keys) != PLAYED) return 8;
    int came;
    do came = rb_play(&g, &room); while (came == PAUSED);
    if (came > ASKS || rb_row(&g, &room, &row) != PLAYED) return 9;
  }
  return together(strtoll(given[1], 0, 10) * 400);
}
"""

CLEARING = """rules language 1
rulebook clearing "A loop moves its cards and waits for a die"
  players 2
  turns 6
kind plant: fern, moss, reed
dice coin: 1 to 2
game has
  market: bag of plant, starts with 2 of each
  used: bag of plant
action clear
  each plant in market:
    move 1 plant from market to used
    roll coin
turn
  phase only
    you do clear
points of player
  used: number of cards in used
"""

pytestmark = NEEDS_C


def compiled(folder: Path, name: str, *flags: str) -> Path:
    book = load(name)
    text = translate(plan_for(book, book.players[1], {})).listing
    source, program = folder / "engine.c", folder / "engine"
    source.write_text(text + MAIN, encoding="utf-8")
    command = [str(CC), *STRICT, *flags, "-o", str(program), str(source), "-lm"]
    done = run_process(command)
    assert done.returncode == 0, done.stderr
    return program


@pytest.mark.parametrize("name", GAMES)
def test_whole_games_pass_the_sanitizers(name: str, deep: bool, tmp_path: Path) -> None:
    if not deep and name not in QUICK:
        pytest.skip("many minutes: run with --deep")
    program = compiled(tmp_path, name, *SANITIZERS, VERIFY, SEARCHED)
    games = str(MANY if deep else FEW)
    done = run_process([str(program), games])
    assert done.returncode == 0, done.stderr[:2000]


def test_cards_moved_by_a_loop_that_waits_compile(tmp_path: Path) -> None:
    """A bot searches no variable for the loop's cards, which the loop itself finds."""
    book = loads(CLEARING)
    source = tmp_path / "engine.c"
    source.write_text(translate(plan_for(book, 2, {})).listing, encoding="utf-8")
    done = run_process([str(CC), *STRICT, "-fsyntax-only", str(source)])
    assert done.returncode == 0, done.stderr


def test_detects_a_stale_cached_trail(tmp_path: Path) -> None:
    text = translate(plan_for(load("classic"), 4, {})).listing
    same = "kept->links == t->links && !memcmp(kept->asked, t->asked, size)"
    assert text.count(same) == 1
    source, program = tmp_path / "wrong.c", tmp_path / "wrong"
    source.write_text(
        text.replace(same, "kept->links && size") + MAIN, encoding="utf-8"
    )
    command = [str(CC), *STRICT, VERIFY, "-o", str(program), str(source)]
    subprocess.run(command, check=True)
    done = subprocess.run([str(program), "5"], capture_output=True, check=False)
    assert done.returncode < 0  # it traps


def test_detects_a_write_outside_an_array(tmp_path: Path) -> None:
    source = tmp_path / "wrong.c"
    source.write_text(
        "int main(int n, char **v) { (void)v; int a[2]; return a[n + 1]; }"
    )
    program = tmp_path / "wrong"
    command = [str(CC), *SANITIZERS, "-w", "-o", str(program), str(source)]
    subprocess.run(command, check=True)
    done = subprocess.run([str(program)], capture_output=True, check=False)
    assert done.returncode != 0
