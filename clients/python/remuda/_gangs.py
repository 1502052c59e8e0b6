"""The variables by which the members of a gang find each other: those of ``GangVariables`` of the
agent. ``docs/gangs.md`` has the table."""

from typing import Any, Dict, FrozenSet, Mapping, Union

# the variable that only members of gangs have
START = "REMUDA_GANG_START"

# what the tasks of a job with roles have, whether they start together or not
OF_ROLE: FrozenSet[str] = frozenset(
    "REMUDA_ROLE REMUDA_ROLE_INDEX JOB_COMPLETION_INDEX JOB_INDEX JOB_GLOBAL_INDEX GLOBAL_REPLICAS"
    " REPLICATED_JOB_NAME REPLICATED_JOB_REPLICAS".split()
)

NAMES: FrozenSet[str] = OF_ROLE | frozenset(
    (
        START + " REMUDA_GANG_FILE REMUDA_GANG_HOSTS REMUDA_GANG_PORT RANK WORLD_SIZE LOCAL_RANK"
        " LOCAL_WORLD_SIZE NODE_RANK MASTER_ADDR MASTER_PORT PET_NNODES PET_NODE_RANK"
        " PET_NPROC_PER_NODE PET_MASTER_ADDR PET_MASTER_PORT JAXOPERATOR_COORDINATOR_ADDRESS"
        " JAXOPERATOR_NUM_PROCESSES JAXOPERATOR_PROCESS_ID WORKER_PORT WORKER_ADDRS TF_CONFIG"
    ).split()
)

# the network interface of a member's node, unless the user has named one
INTERFACES: FrozenSet[str] = frozenset(["GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME"])


def without_gang(shell: Mapping[str, str]) -> Dict[str, str]:
    """Returns variables without those of the gang that this process is a member of, if it is: a job
    that a member submits is none."""
    if START not in shell:
        of_role = OF_ROLE if all(name in shell for name in OF_ROLE) else frozenset()
        return {name: value for name, value in shell.items() if name not in of_role}
    return {
        name: value
        for name, value in shell.items()
        if name not in NAMES and name not in INTERFACES
    }


def is_gang(gang: Union[bool, Mapping[str, Any], None]) -> bool:
    """Returns whether the field ``gang`` of a job says that its tasks start together."""
    return gang.get("together") is not False if isinstance(gang, Mapping) else bool(gang)


def roles_of(gang: Union[bool, Mapping[str, Any], None]) -> Mapping[str, Any]:
    """Returns the roles of the field ``gang`` of a job by their names."""
    return gang.get("roles") or {} if isinstance(gang, Mapping) else {}
