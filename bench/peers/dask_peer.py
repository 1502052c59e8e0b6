"""How long Dask takes for an array of /bin/true, with the output of each in files of its own."""

import json
import subprocess
import sys
import time
from pathlib import Path

import distributed


def run(folder, number):
    with open(f"{folder}/{number}.out", "wb") as out, open(f"{folder}/{number}.err", "wb") as err:
        return subprocess.run(
            ["/bin/true"], stdin=subprocess.DEVNULL, stdout=out, stderr=err, check=False
        ).returncode


def array(client, folder, count):
    folder.mkdir()
    began = time.perf_counter()
    codes = client.gather(client.map(run, [str(folder)] * count, range(count), pure=False))
    seconds = time.perf_counter() - began
    if any(codes):
        sys.exit("a task failed")
    return seconds


def main():
    folder, count = Path(sys.argv[1]), int(sys.argv[2])
    cluster = distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address=None,
        local_directory=str(folder),
    )
    with cluster, distributed.Client(cluster) as client:
        array(client, folder / "warm", count // 4)
        seconds = array(client, folder / "measured", count)
    print(json.dumps({"version": distributed.__version__, "seconds": seconds}))


if __name__ == "__main__":
    main()
