package io.remuda.coordinator.cluster;

/**
 * A coordinator of the cluster, as one of them sees it.
 *
 * @param name in the cluster's file
 * @param rest {@code HOST:PORT} of its HTTP interface
 * @param state {@code up}, {@code joining}, {@code leaving}, {@code unreachable}, {@code absent} or
 *     {@link #OUTDATED}
 * @param leads whether it leads
 */
public record ClusterMemberStatus(String name, String rest, String state, boolean leads) {

  /** The state of a member that takes part. */
  static final String UP = "up";

  /** The state of a member that stays out, since its build cannot read the state of the cluster. */
  static final String OUTDATED = "outdated";
}
