"""The variables of a process that say where it is, and that a job must not get.

Its allocation of a batch system, its place among the processes of an MPI program or a distributed
training, its make, its own task of Remuda: a job is none of these, and libraries would believe that
it is. What only configures stays. ``docs/job-service.md`` has the table, and ``remuda submit`` has
the same rules.
"""

import re
from typing import Callable, Dict, FrozenSet, Mapping, Tuple

from remuda._gangs import NAMES

SETTING = "REMUDA_SUBMIT_ENVIRONMENT"


def _names(*expressions: str) -> Callable[[str], bool]:
    pattern = re.compile("|".join(expressions))
    return lambda name: pattern.fullmatch(name) is not None


_NEVER = _names(
    r"SLURM_.*|SLURMD_.*",
    r"PMI2?_.*|PMIX_.*",
    r"OMPI_(COMM_WORLD_.*|WORLD_.*|UNIVERSE_SIZE|APP_CTX_NUM_PROCS|FIRST_RANKS|NUM_APP_CTX|COMMAND"
    r"|ARGV|FILE_LOCATION)",
    r"OMPI_MCA_(orte_.*|ess|ess_.*|pmix|initial_wdir|shmem_RUNTIME_QUERY_hint)",
    r"PRTE_LAUNCHED|MPI_LOCALNRANKS|MPI_LOCALRANKID|HYDI_CONTROL_FD"
    r"|MPIR_CVAR_CH3_INTERFACE_HOSTNAME",
    r"(MV2|MVP)_COMM_WORLD_.*|ALPS_APP_.*|JSM_.*",
    r"PALS_(RANKID|NODEID|APID|APINFO|LOCAL_.*|SPOOL_DIR|STARTUP_.*)",
    r"FLUX_(JOB_.*|TASK_.*|KVS_NAMESPACE|PMI_.*|URI|PROXY_REMOTE|TERMINUS_SESSION|INSTANCE_.*)",
    r"PBS_.*|LSB_.*|LS_JOBPID|LS_SUBCWD|LSFUSER",
    r"_CONDOR_(JOB_AD|MACHINE_AD|SCRATCH_DIR|SLOT|SLOT_NAME|JOB_IWD|JOB_PIDS|CHIRP_CONFIG"
    r"|WRAPPER_ERROR_FILE|CREDS|PROCNO|NPROCS|REMOTE_SPOOL_DIR|BIN)",
    r"TORCHELASTIC_(RUN_ID|RESTART_COUNT|MAX_RESTARTS|USE_AGENT_STORE|ERROR_FILE)",
    r"HOROVOD_(RANK|SIZE|LOCAL_RANK|LOCAL_SIZE|CROSS_RANK|CROSS_SIZE|HOSTNAME|GLOO_RENDEZVOUS_.*)",
)
_CONFIGURES = _names(
    r"SLURM_(CONF|CONF_SERVER|CLUSTERS|JWT|TIME_FORMAT|BITSTR_LEN|DEBUG_FLAGS|MPI_TYPE|ROOT|HOME"
    r"|PREFIX)",
    r"PMI_(DEBUG|MMAP_SYNC_WAIT_TIME)|PMIX_(MCA_.*|DEBUG|HOME|ROOT|DIR|PREFIX)",
    r"PBS_(CONF_FILE|SERVER|DEFAULT|EXEC|HOME|DPREFIX)|LSB_DEFAULT.*",
)
_TASK = _names(
    r"REMUDA_(LEASE|ARRAY_INDEX|LINE|ENTRY|PARAM_.*|SLURM_NAMES|SBATCH.*|LIMITS|SUBMIT_DIR)",
    r"REMUDA_(JOB|JOB_UUID|JOB_NAME|TASK|TASK_INDEX|TASK_COUNT|TASK_KEY|ATTEMPT|NODE|USER|CPUS)",
    r"REMUDA_(MEM_MIB|GPU_MEM_MIB|DEVICES|SCRATCH|METRICS|KEEPER|CONTAINER|CPU_SET)",
    r"CUDA_VISIBLE_DEVICES|CUDA_DEVICE_ORDER|ROCR_VISIBLE_DEVICES|HIP_VISIBLE_DEVICES",
    r"GPU_DEVICE_ORDINAL",
)

# where one of the variables is set, the others are not the user's own
_TOGETHER: Tuple[Tuple[FrozenSet[str], Callable[[str], bool]], ...] = (
    (
        frozenset(
            "TORCHELASTIC_RUN_ID SLURM_PROCID PMI_RANK PMIX_RANK OMPI_COMM_WORLD_RANK"
            " MV2_COMM_WORLD_RANK PALS_RANKID JSM_NAMESPACE_RANK FLUX_TASK_RANK"
            " HOROVOD_RANK".split()
        ),
        _names(
            r"RANK|WORLD_SIZE|LOCAL_RANK|LOCAL_WORLD_SIZE|LOCAL_SIZE|NODE_RANK|CROSS_RANK"
            r"|CROSS_SIZE",
            r"GROUP_RANK|GROUP_WORLD_SIZE|ROLE_RANK|ROLE_WORLD_SIZE|ROLE_NAME",
            r"MASTER_ADDR|MASTER_PORT",
        ),
    ),
    (
        frozenset(["SGE_TASK_ID"]),
        _names(
            r"SGE_(TASK_.*|O_.*|JOB_.*|STD(IN|OUT|ERR)_PATH|CWD_PATH|BINDING|ACCOUNT)",
            r"PE|PE_HOSTFILE|NSLOTS|NHOSTS|NQUEUES|JOB_ID|JOB_NAME|JOB_SCRIPT|QUEUE|REQUEST"
            r"|RESTARTED|ARC|ENVIRONMENT",
        ),
    ),
    (frozenset(["MAKELEVEL"]), _names(r"MAKELEVEL|MAKEFLAGS|MFLAGS|MAKE_TERMOUT|MAKE_TERMERR")),
    (frozenset(["REMUDA_TASK", "REMUDA_LEASE"]), _TASK),
    (
        frozenset(["REMUDA_TRAINING_HOST"]),
        _names(
            r"REMUDA_TRAINING_HOST|JOB_UUID|JOB_RESTARTED|EPOCHS_TO_BE_DONE|EPOCHS_DONE|BATCH_SIZE",
            r"TRAINING_SET_SIZE|HEARTBEAT_FREQ|NUM_GPUS|NUM_NODES|WORLD_SIZE|NODE_RANK|NODELIST",
            r"LOCAL_RANK|MASTER_ADDR|MASTER_PORT|TF_CONFIG|PL_TORCH_DISTRIBUTED_BACKEND",
            r"RESERVED_MEM|REMUDA_(SNAPSHOTS|CUSTOM|DATA)",
        ),
    ),
)
_JOB_SERVER = _names(r"MAKEFLAGS|MFLAGS|CARGO_MAKEFLAGS")


def without(shell: Mapping[str, str]) -> Dict[str, str]:
    """Returns the variables that a job may have; all of them if ``SETTING`` is ``all``.

    Raises ValueError if it is neither ``own`` nor ``all``.
    """
    setting = shell.get(SETTING, "")
    if setting not in ("", "own", "all"):
        raise ValueError(f"{SETTING} must be own or all, got {setting!r}")
    if setting == "all":
        return dict(shell)
    gone = [names for signs, names in _TOGETHER if signs & shell.keys()]
    return {
        name: value
        for name, value in shell.items()
        if not (_NEVER(name) and not _CONFIGURES(name))
        and not any(names(name) for names in gone)
        and not (_JOB_SERVER(name) and "--jobserver" in value)
    }


def refusal(name: str, gang: bool) -> str:
    """Returns why nobody may choose a variable for a job, and what to do; "" if they may.

    ``gang`` is whether the job is one.
    """
    if gang and name in NAMES:
        return (
            f"Remuda sets {name} for the members of a gang: take another name, or set it in the"
            f" command, as ['env', '{name}=VALUE', ...]"
        )
    if not _TASK(name) or re.fullmatch(
        r"REMUDA_(LEASE|ARRAY_INDEX|LINE|ENTRY|PARAM_.*|SLURM_NAMES|SBATCH.*|LIMITS|SUBMIT_DIR)", name
    ):
        return ""
    if name.startswith("REMUDA_"):
        return f"Remuda sets {name} for each task: take another name"
    return (
        f"Remuda sets {name} to the GPUs that it lends: ask for them with gpus=N (gpu_model, node),"
        f" or set it in the command, as ['env', '{name}=VALUE', ...]"
    )
