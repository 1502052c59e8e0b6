package io.remuda.coordinator.cluster;

import io.remuda.coordinator.access.MemberKeyFingerprints;
import java.util.List;
import java.util.Optional;

/** What this process knows of the members of its cluster, and can do about them. Thread-safe. */
public interface MembershipPort {

  /** Returns the name of this member. */
  String self();

  /** Returns all members that the cluster's file names; this one alone if there is no such file. */
  List<ClusterMemberStatus> members();

  /** Returns why this member cannot serve at present; empty if it can. */
  Optional<NotReadyReason> notReady();

  /** Returns whether this member reached the state by a read within the last seconds. */
  boolean reachesState();

  /** Returns the keys of this member; empty if it is in no cluster. */
  Optional<MemberKeyFingerprints> keys();

  /**
   * Has this member leave and join again, so that another leads.
   *
   * @return why it does not, if so
   */
  Optional<String> handOver();
}
