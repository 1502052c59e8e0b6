package io.remuda.coordinator.cluster;

/**
 * What the leader says of itself.
 *
 * @param member its name
 * @param agents {@code HOST:PORT} that agents dial
 * @param epoch of its leadership
 * @param since when it began to lead, in milliseconds since 1970
 * @param build its version
 * @param trouble why its state cannot be written at present, or null
 */
public record LeaderNotice(
    String member, String agents, long epoch, long since, String build, String trouble)
    implements ClusterMessage {}
