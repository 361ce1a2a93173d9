"""Tasks on a Ray cluster, in a process of their own: Ray changes the process that uses it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from probative import InputError
from probative.runners.choice import parse_runner

SCRIPT = """
import socket
import sys
from pathlib import Path

import ray
from ray.cluster_utils import Cluster
from runner_jobs import SquareJob

from probative import InputError, WorkerError
from probative.runners.choice import parse_runner

folder = Path(sys.argv[1])
# Two machines: the script is on the first, which has no CPU for workers.
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
cluster.add_node(num_cpus=2)
ray.init(address=cluster.address, log_to_driver=False)


def results(tasks, runner="ray", threads=None, **changes):
    with parse_runner(runner, threads).open(SquareJob(folder / "diary", **changes)) as pool:
        return dict(pool.run(tasks))


def error(tasks, **changes):
    try:
        results(tasks, **changes)
    except (InputError, WorkerError) as error:
        return f"{type(error).__name__}: {error.what}"


assert results(list(range(20))) == {n: n * n for n in range(20)}
assert results(list(range(30, 50)), width=6) == {n - 30: n * n for n in range(30, 50)}
found = results([*range(100, 103), ("die once", 200), "die", 103])
died = found.pop(4)
assert found == {0: 10000, 1: 10201, 2: 10404, 3: 200, 5: 10609}, found
assert isinstance(died, WorkerError) and "3 times in a row" in died.what, died
assert error([900], opening="raise") == "InputError: no model"
assert error([900, "raise"]) == "InputError: a bad task"
assert error(["refuse"]) == "InputError: refused"
assert "while it opened its models" in error([900], opening="die")
assert "no machine of the cluster has more than 2" in error([900], threads=3)
nodes = results(["node", "desk node"])
assert nodes[0] != nodes[1] == ray.get_runtime_context().get_node_id(), nodes
ray.shutdown()
cluster.shutdown()
with socket.socket() as unused:  # bound, but nobody listens
    unused.bind(("127.0.0.1", 0))
    address = f"127.0.0.1:{unused.getsockname()[1]}"
    assert f"there is no Ray cluster at {address}" in error([900], runner=f"ray:{address}")
print("all as it should be")
"""


@pytest.mark.slow
def test_tasks_on_a_cluster_have_the_results_of_tasks_in_this_process(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    paths = [str(Path(__file__).parents[1] / "helpers"), *filter(None, [os.environ.get("PYTHONPATH")])]
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, str(tmp_path / "script.py"), str(tmp_path)],
        # Ray writes a token into the home folder.
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert "all as it should be" in done.stdout, done.stderr[-3000:]
    counts = Counter((tmp_path / "diary").read_text(encoding="utf-8").splitlines())
    assert all(counts[f"task {n}"] == 1 for n in [*range(20), *range(30, 50)])


def test_an_address_of_a_client_and_an_empty_one_are_refused() -> None:
    with pytest.raises(InputError, match="a Ray client address cannot be used"):
        parse_runner("ray:ray://host:10001")
    with pytest.raises(InputError, match="there is no runner 'ray:'"):
        parse_runner("ray:")
    assert parse_runner("ray:10.0.0.1:6379", 4).address == "10.0.0.1:6379"  # type: ignore[attr-defined]
