package io.remuda.coordinator.rest.request;

import java.util.List;
import java.util.Map;

/**
 * One role of a gang in a {@link JobRequest}; null stands for what the job states.
 *
 * @param count number of members; 1 by default
 * @param completions number of tasks of each member, of roles that do not start together
 * @param parallelism how many of these run at once at most
 * @param argv program and arguments; excludes {@code shell}
 * @param shell a line for {@code /bin/sh -c}; excludes {@code argv}
 * @param env variables besides the job's
 * @param cpus cores of each task
 * @param mem memory of each task
 * @param gpus devices of each task
 * @param gpuMem memory of each of its devices, which other tasks may then share
 * @param gpuModel part of the model's name
 * @param labels labels that the node must have
 * @param shmSize size of {@code /dev/shm} of its container, if the job has one
 * @param cpuLimit cores that its container uses at most
 */
public record GangRoleRequest(
    Integer count,
    Integer completions,
    Integer parallelism,
    List<String> argv,
    String shell,
    Map<String, String> env,
    Double cpus,
    String mem,
    Integer gpus,
    String gpuMem,
    String gpuModel,
    Map<String, String> labels,
    String shmSize,
    Double cpuLimit) {}
