"""Records do not depend on PYTHONHASHSEED: no code iterates over a set."""

import hashlib
import os
import sys
from pathlib import Path

from tests.support.processes import run_process

PLAYED = 2
ROOT = Path(__file__).parents[2]


def digest_of_records(hash_seed: int, folder: Path) -> str:
    records = folder / str(hash_seed)
    command = f"simulate germany --json --games {PLAYED} --seed 3 --records"
    done = run_process(
        [sys.executable, "-m", "workbench", *command.split(), str(records)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
    )
    assert done.returncode == 0, done.stderr
    texts = [path.read_bytes() for path in sorted(records.iterdir())]
    assert len(texts) == PLAYED
    return hashlib.sha256(b"".join(texts)).hexdigest()


def test_records_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    digests = {
        digest_of_records(seed, tmp_path) for seed in (0, 1, 2, 12345, 4294967295)
    }

    assert len(digests) == 1
