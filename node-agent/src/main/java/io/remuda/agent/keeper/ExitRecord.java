package io.remuda.agent.keeper;

/**
 * The end of a task, as kept in the file {@code exit} of its folder.
 *
 * @param wallMillis from the start to the end of the first process, suspension included
 * @param userCpuMillis of the first process and all it waited for, plus orphans of its session
 * @param peakRssBytes the most resident memory that its processes were seen to hold together, or
 *     that one of them held; 0 if that is not known, as of a task that lasted less than a second
 *     and held less than the keeper
 * @param contactLost the keeper ended it because nobody renewed its lease
 * @param killed it was ended by a request or by the keeper's own end
 * @param leftovers processes that outlived the first one and were ended by the keeper
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
