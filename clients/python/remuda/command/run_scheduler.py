"""``run-scheduler``: submits a training, with the options of the Kubernetes scheduler."""

import argparse
import getpass
import os
import re
import sys
import time
from typing import Any, Dict, List, Optional

from remuda._client import Client
from remuda.command.kubernetes import USAGE, BadUsage, with_client
from remuda.command.lines import say

CUSTOM = "/custom/"
NODE_SECONDS = 10.0
UNKNOWN_GPUS = 8
MOST_HOURS = 87600
TRUTHS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def main(arguments: Optional[List[str]] = None) -> int:
    """Returns the exit code; prints the number and the UUID of the job."""
    options = parser().parse_args(arguments)
    try:
        fields = fields_of(options)
    except BadUsage as fault:
        say(str(fault))
        return USAGE
    return with_client(lambda client: submit(client, options, fields))


def parser() -> argparse.ArgumentParser:
    words = argparse.ArgumentParser(
        prog="run-scheduler",
        allow_abbrev=False,
        description="Submits a training that runs python SCRIPT_PATH on a GPU or more.",
    )
    words.add_argument("--image_name", help="an image that the node has, to run in")
    words.add_argument("--script_path", help="the script; /custom/X is X in --custom_dir")
    words.add_argument("--custom_dir", help="folder that the job finds at /custom")
    words.add_argument("--snapshots_dir", help="folder that the job finds at /snapshots")
    words.add_argument("--batch_size", type=natural, help="BATCH_SIZE, of one GPU")
    words.add_argument("--training_set_size", type=natural, help="TRAINING_SET_SIZE, in samples")
    words.add_argument("--max_epochs", type=natural, default=1, help="EPOCHS_TO_BE_DONE (1)")
    words.add_argument("--is_single_gpu", type=truth, default=False, help="never more than one GPU")
    words.add_argument("--disable_gpu_sharing", type=truth, default=False, help="alone on its GPUs")
    words.add_argument("--estimated_memory", type=natural, help="MiB of GPU memory (measured)")
    words.add_argument("--port_mapping", help='"n1:c1,n2:c2"; each port has to map to itself')
    words.add_argument("--est_nhours", type=float, help="estimated hours, above 1")
    words.add_argument("job_name", help="the name of the experiment")
    return words


def natural(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a whole number above 0, got {text!r}")
    return int(text)


def truth(text: str) -> bool:
    if text.lower() not in TRUTHS:
        raise argparse.ArgumentTypeError(f"true or false, got {text!r}")
    return TRUTHS[text.lower()]


def fields_of(options: argparse.Namespace) -> Dict[str, Any]:
    """Returns what a submission needs besides GPUs. Raises BadUsage."""
    if options.image_name == "":
        raise BadUsage("--image_name is empty: is a variable of your shell unset?")
    if options.script_path is None:
        raise BadUsage("--script_path is missing: which script?")
    if options.est_nhours is not None and not 1 < options.est_nhours <= MOST_HOURS:
        bounds = f"above 1 and at most {MOST_HOURS}"
        raise BadUsage(f"--est_nhours must be {bounds}, got {options.est_nhours:g}")
    check_ports(options.port_mapping)
    for name in ("custom_dir", "snapshots_dir"):
        folder = getattr(options, name)
        if folder == "":
            raise BadUsage(f"--{name} is empty: is a variable of your shell unset?")
        if folder is not None and os.path.exists(folder) and not os.path.isdir(folder):
            raise BadUsage(f"--{name}: {folder} is not a folder")
    if options.custom_dir is not None and not os.path.isdir(options.custom_dir):
        raise BadUsage(f"--custom_dir: there is no folder {options.custom_dir}")
    datasets = f"/home/{getpass.getuser()}/datasets"
    script = script_of(options.script_path, options.custom_dir)
    image = options.image_name
    return {
        "argv": ["python3", script],
        "container": image,
        "mounts": None if image is None else [os.path.dirname(script)],
        "name": options.job_name,
        "epochs": options.max_epochs,
        "snapshots": options.snapshots_dir,
        "custom": options.custom_dir,
        "data": datasets if os.path.isdir(datasets) else None,
        "batch_size": options.batch_size,
        "training_set_size": options.training_set_size,
        "est_hours": options.est_nhours,
    }


def script_of(path: str, custom: Optional[str]) -> str:
    """Returns the script's path on this machine. Raises BadUsage if there is none."""
    inside = path.startswith(CUSTOM) and custom is not None
    script = os.path.join(custom or "", path[len(CUSTOM) :]) if inside else path
    if not os.path.isfile(script):
        seen = f"{path}, which is {script}" if inside else path
        hint = "; /custom is --custom_dir, which is missing" if path.startswith(CUSTOM) else ""
        raise BadUsage(f"--script_path: there is no file {seen}{'' if inside else hint}")
    return os.path.abspath(script)


def check_ports(mapping: Optional[str]) -> None:
    for pair in [] if mapping is None else mapping.split(","):
        ports = pair.strip().split(":")
        if len(ports) != 2 or not all(port.isdigit() and 0 < int(port) < 65536 for port in ports):
            raise BadUsage(f"--port_mapping is NODEPORT:PORT,…, got {pair!r}")
        if ports[0] != ports[1]:
            raise BadUsage(
                f"--port_mapping: a training's ports are the node's, got {pair!r}:"
                " let the script listen on the port that you want"
            )


def most_gpus(client: Client) -> int:
    """Returns the number of GPUs of the largest node; waits a little for the first node."""
    until = time.monotonic() + NODE_SECONDS
    nodes = client.nodes()
    while not nodes and time.monotonic() < until:
        time.sleep(0.1)
        nodes = client.nodes()
    if not nodes:
        say(f"no node has joined yet: the job waits for one with a GPU, and gets up to {UNKNOWN_GPUS}")
    return max((len(node.devices) for node in nodes), default=UNKNOWN_GPUS)


def submit(client: Client, options: argparse.Namespace, fields: Dict[str, Any]) -> int:
    most = most_gpus(client)
    if most == 0:
        say("no node has a GPU: the job runs without one")
    else:
        fields["max_gpus"] = 1 if options.is_single_gpu else most
        if options.disable_gpu_sharing:
            fields["exclusive"] = True
        memory = options.estimated_memory
        fields["gpu_mem"] = "auto" if memory is None else f"{memory}MiB"
    job = client.submit(**fields)
    print(f"{job.id} {job.uuid}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
