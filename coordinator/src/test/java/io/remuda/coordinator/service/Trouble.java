package io.remuda.coordinator.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * What is done to one part of a service.
 *
 * @param atMillis when, since the round began
 * @param forMillis how long until it is undone: the process goes on, is started again, or the link
 *     is there again
 */
record Trouble(Kind kind, Target target, Side side, long atMillis, long forMillis) {

  /** What is done. */
  enum Kind {
    /** SIGKILL. */
    KILL,
    /** SIGSTOP, then SIGCONT. */
    PAUSE,
    /** SIGSTOP, then SIGKILL. */
    FREEZE,
    /** Packets vanish. */
    CUT,
    /** The same, and the other side is told. */
    UNPLUG;

    boolean isCut() {
      return this == CUT || this == UNPLUG;
    }

    /** Whether the process does not come back. */
    boolean isFatal() {
      return this == KILL || this == FREEZE;
    }
  }

  /** Whom it hits. */
  enum Target {
    COORDINATOR,
    AGENT,
    KEEPER,
    /** Agent and keeper together. */
    NODE,
    TASK,
    LINK
  }

  /** Where that is: on the server's machine, or on the one that can be cut off. */
  enum Side {
    HERE,
    FAR
  }

  private static final int LATEST = 1200;
  private static final int SECOND_WITHIN = 1500;

  /** Agents and sessions give a connection up after 3 s of silence, an agent its keeper, too. */
  private static final int SHORT = 2500;

  private static final int NOTICED = 3200;
  private static final int LONG = 1500;

  /** One, and in every other round another soon after it. */
  static List<Trouble> random(SplittableRandom random) {
    List<Trouble> troubles = new ArrayList<>();
    Trouble first = one(random, random.nextInt(LATEST));
    troubles.add(first);
    if (random.nextBoolean()) {
      Trouble second = one(random, first.atMillis() + random.nextInt(SECOND_WITHIN));
      if (second.target() != first.target() || second.side() != first.side()) {
        troubles.add(second);
      }
    }
    return troubles;
  }

  private static Trouble one(SplittableRandom random, long at) {
    int of = random.nextInt(100);
    Side side = random.nextBoolean() ? Side.HERE : Side.FAR;
    if (of < 30) {
      Kind cut = random.nextBoolean() ? Kind.CUT : Kind.UNPLUG;
      return new Trouble(cut, Target.LINK, Side.FAR, at, length(random));
    }
    Target target = target(of);
    int how = random.nextInt(10);
    boolean kills = how < 5 || target == Target.NODE;
    Kind kind = kills ? Kind.KILL : how < 8 ? Kind.PAUSE : Kind.FREEZE;
    long lasts = kind == Kind.KILL ? random.nextInt(2) * random.nextInt(SHORT) : length(random);
    return new Trouble(kind, target, target == Target.COORDINATOR ? Side.HERE : side, at, lasts);
  }

  private static Target target(int of) {
    if (of < 45) {
      return Target.COORDINATOR;
    } else if (of < 58) {
      return Target.AGENT;
    } else if (of < 71) {
      return Target.KEEPER;
    }
    return of < 84 ? Target.NODE : Target.TASK;
  }

  /** As often too short to be noticed as long enough. */
  private static long length(SplittableRandom random) {
    return random.nextBoolean() ? 100 + random.nextInt(SHORT) : NOTICED + random.nextInt(LONG);
  }

  @Override
  public String toString() {
    String what = kind.name().toLowerCase(Locale.ROOT);
    String whom = target.name().toLowerCase(Locale.ROOT);
    String where =
        target == Target.COORDINATOR || target == Target.LINK
            ? ""
            : side == Side.FAR ? " far" : " here";
    return what + " " + whom + where + " at " + atMillis + " for " + forMillis + " ms";
  }
}
