package io.remuda.agent.keeper;

/**
 * The outcome of a task, as stored in the file {@code exit} of its folder.
 *
 * @param wallMillis from the start to the end of the first process, suspension included
 * @param userCpuMillis of the first process and all it waited for, plus orphans of its session
 * @param peakRssBytes the most resident memory that its processes were seen to hold together, with
 *     what they share counted once, or that one of them held; 0 if that is not known, as of a task
 *     that lasted less than a second and held less than the keeper
 * @param contactLost whether the keeper ended it because its contact deadline passed
 * @param killed whether a request or the end of the keeper ended it: whether a signal for that
 *     reached it before its first process ended
 * @param leftovers number of processes that outlived the first one and that the keeper ended
 */
public record ExitRecord(
    String key,
    long pid,
    long startTicks,
    ExitStatus status,
    long wallMillis,
    long userCpuMillis,
    long systemCpuMillis,
    long peakRssBytes,
    boolean contactLost,
    boolean killed,
    int leftovers) {}
