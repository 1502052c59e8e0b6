package io.remuda.coordinator.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * What is done to one part of a cluster.
 *
 * @param atMillis when, since the round began
 * @param forMillis how long until it is undone: the process goes on, is started again, or the host
 *     is on the network again
 * @param choice which one, where there are several
 */
record ClusterTrouble(Kind kind, Target target, long atMillis, long forMillis, int choice) {

  /** What is done. */
  enum Kind {
    /** SIGKILL; of the store, all of its processes. */
    KILL,
    /** SIGTERM. */
    TERM,
    /** SIGSTOP, then SIGCONT. */
    PAUSE,
    /** {@code remuda cluster hand-over}. */
    HAND_OVER,
    /** Packets vanish. */
    CUT,
    /** Packets vanish, and the host gets an error. */
    UNPLUG,
    /** The host reaches all others but the store. */
    BLIND;

    boolean isCut() {
      return this == CUT || this == UNPLUG || this == BLIND;
    }
  }

  /** What it hits. */
  enum Target {
    LEADER,
    FOLLOWER,
    /** The host of an agent without a coordinator. */
    AGENT_HOST,
    /** PostgreSQL, or its host. */
    STORE
  }

  private static final int LATEST = 2000;
  private static final int SECOND_WITHIN = 14_000;

  /** One, and in every third round another, while the cluster may still be busy with the first. */
  static List<ClusterTrouble> random(SplittableRandom random) {
    List<ClusterTrouble> troubles = new ArrayList<>();
    ClusterTrouble first = one(random, random.nextInt(LATEST));
    troubles.add(first);
    if (random.nextInt(3) == 0) {
      ClusterTrouble second = one(random, first.atMillis() + random.nextInt(SECOND_WITHIN));
      if (second.target() != first.target()) {
        troubles.add(second);
      }
    }
    return troubles;
  }

  private static ClusterTrouble one(SplittableRandom random, long at) {
    int of = random.nextInt(100);
    final int choice = random.nextInt(1000);
    final Kind cut = random.nextBoolean() ? Kind.CUT : Kind.UNPLUG;
    final long cutFor = 2000 + random.nextInt(20_000);
    final long soon = random.nextInt(2) * random.nextInt(8000);
    final long pause = 5000 + random.nextInt(20_000);
    if (of < 18) {
      return new ClusterTrouble(Kind.KILL, Target.LEADER, at, soon, choice);
    } else if (of < 26) {
      return new ClusterTrouble(Kind.KILL, Target.FOLLOWER, at, soon, choice);
    } else if (of < 42) {
      return new ClusterTrouble(Kind.PAUSE, Target.LEADER, at, pause, choice);
    } else if (of < 50) {
      return new ClusterTrouble(Kind.TERM, Target.LEADER, at, soon, choice);
    } else if (of < 58) {
      return new ClusterTrouble(Kind.HAND_OVER, Target.LEADER, at, 0, choice);
    } else if (of < 63) {
      return new ClusterTrouble(Kind.BLIND, Target.LEADER, at, 2 * cutFor, choice);
    } else if (of < 71) {
      return new ClusterTrouble(cut, Target.LEADER, at, cutFor, choice);
    } else if (of < 78) {
      return new ClusterTrouble(cut, Target.FOLLOWER, at, cutFor, choice);
    } else if (of < 84) {
      return new ClusterTrouble(cut, Target.AGENT_HOST, at, cutFor, choice);
    } else if (of < 92) {
      return new ClusterTrouble(cut, Target.STORE, at, cutFor, choice);
    }
    return new ClusterTrouble(Kind.KILL, Target.STORE, at, soon, choice);
  }

  /** The trouble and its target, for a table. */
  String words() {
    return kind.name().toLowerCase(Locale.ROOT) + " " + target.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return words() + " at " + atMillis + " for " + forMillis + " ms";
  }
}
