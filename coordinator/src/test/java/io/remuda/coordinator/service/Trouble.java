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
    /** SIGTERM, and SIGKILL if that was not enough. */
    TERM,
    /** SIGSTOP, then SIGCONT. */
    PAUSE,
    /** SIGSTOP, then SIGKILL. */
    FREEZE,
    /** Packets vanish. */
    CUT,
    /** Packets vanish, and the other side gets an error. */
    UNPLUG;

    boolean isCut() {
      return this == CUT || this == UNPLUG;
    }

    /** Whether the process does not come back. */
    boolean isFatal() {
      return this == KILL || this == FREEZE || this == TERM;
    }
  }

  /** What it hits. */
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

  private static final List<List<Target>> TOGETHER =
      List.of(
          List.of(Target.COORDINATOR),
          List.of(Target.AGENT),
          List.of(Target.KEEPER),
          List.of(Target.COORDINATOR, Target.AGENT),
          List.of(Target.COORDINATOR, Target.KEEPER),
          List.of(Target.AGENT, Target.KEEPER),
          List.of(Target.COORDINATOR, Target.AGENT, Target.KEEPER));

  private static final int PAUSE_BETWEEN = 3000;
  private static final int AT_ONCE_WITHIN = 300;

  /** Troubles of all kinds for this long, single and combined, one after the other. */
  static List<Trouble> storm(SplittableRandom random, long millis) {
    List<Trouble> troubles = new ArrayList<>();
    for (long at = 0; at < millis; at += random.nextInt(PAUSE_BETWEEN)) {
      List<Target> targets = TOGETHER.get(random.nextInt(TOGETHER.size()));
      Side side = random.nextBoolean() ? Side.HERE : Side.FAR;
      for (Target target : targets) {
        Kind kind =
            List.of(Kind.KILL, Kind.KILL, Kind.PAUSE, Kind.FREEZE, Kind.TERM)
                .get(random.nextInt(5));
        Side where = target == Target.COORDINATOR ? Side.HERE : side;
        long begin = at + random.nextInt(AT_ONCE_WITHIN);
        troubles.add(new Trouble(kind, target, where, begin, length(random)));
      }
    }
    return troubles;
  }

  /** Half of the lengths are too short to be noticed. */
  private static long length(SplittableRandom random) {
    return random.nextBoolean() ? 100 + random.nextInt(SHORT) : NOTICED + random.nextInt(LONG);
  }

  /** The trouble and its target, for a table. */
  String words() {
    return kind.name().toLowerCase(Locale.ROOT) + " " + target.name().toLowerCase(Locale.ROOT);
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
