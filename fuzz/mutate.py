"""A mutation loop over the built program, for machines without nightly Rust: no coverage, but the real process.

    RESPIRO_SEEDS=fuzz/corpus/picture cargo test --lib seeds
    python3 fuzz/mutate.py target/release/respiro fuzz/corpus/picture SECONDS [SEED]

Each file goes to `respiro process-picture`. A refusal or a picture is an answer; a process that ends otherwise or takes
more than 10 s is a finding, kept in fuzz/artifacts.
"""

import collections
import pathlib
import random
import subprocess
import sys
import time

program, corpus, seconds = sys.argv[1:4]
chance = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
seeds = [path.read_bytes() for path in sorted(pathlib.Path(corpus).iterdir())]
artifacts = pathlib.Path(__file__).parent / "artifacts"
EDGES = [b"\0", b"\xff", b"\x7f", b"\x80", b"\0\0", b"\xff\xff", b"\0\0\0\0", b"\xff" * 4, b"\x7f\xff\xff\xff", b"\0\1"]


def mutated(data: bytearray) -> bytearray:
    for _ in range(chance.choice([1, 1, 2, 3, 5, 9])):
        at = chance.randrange(len(data)) if data else 0
        match chance.randrange(7):
            case 0 if data:
                data[at] ^= 1 << chance.randrange(8)
            case 1 if data:
                data[at] = chance.randrange(256)
            case 2:
                edge = chance.choice(EDGES)
                data[at : at + len(edge)] = edge
            case 3:
                del data[at : at + chance.choice([1, 2, 4, 16, 64])]
            case 4:
                data[at:at] = data[at : at + chance.choice([1, 4, 16, 64])]
            case 5:
                other = chance.choice(seeds)
                start = chance.randrange(len(other))
                part = other[start : start + chance.choice([4, 16, 64, 256])]
                data[at : at + len(part)] = part
            case _:
                data[at : at + 4] = chance.randbytes(4)
    return data


outcomes: collections.Counter[str] = collections.Counter()
slowest = 0.0
end = time.monotonic() + float(seconds)
while time.monotonic() < end:
    data = bytes(mutated(bytearray(chance.choice(seeds))))
    began = time.monotonic()
    try:
        done = subprocess.run([program, "process-picture"], input=data, capture_output=True, timeout=10)
        refused = len(done.stdout) == 2 and done.stdout[:1] == b"\1"
        outcome = "refused" if refused else "processed"
        if done.returncode != 0 or not done.stdout:
            outcome = f"ended with {done.returncode}"
    except subprocess.TimeoutExpired:
        outcome = "took over 10 s"
    slowest = max(slowest, time.monotonic() - began)
    if outcome not in ("refused", "processed"):
        artifacts.mkdir(exist_ok=True)
        (artifacts / f"{outcome.replace(' ', '-')}-{outcomes[outcome]}").write_bytes(data)
    outcomes[outcome] += 1
print(f"{sum(outcomes.values())} executions, slowest {slowest:.2f} s: {dict(outcomes)}")
