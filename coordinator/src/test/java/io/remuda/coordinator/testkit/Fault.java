package io.remuda.coordinator.testkit;

import io.remuda.coordinator.testkit.Member.Role;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * What is done to one process of a run.
 *
 * @param role of the process
 * @param kill SIGKILL, else SIGSTOP
 * @param momentMillis when, since the start of the run
 * @param resumeMillis how long after a SIGSTOP it goes on; 0 for never
 * @param choice which one of the role's processes, modulo their number
 */
public record Fault(Role role, boolean kill, long momentMillis, long resumeMillis, int choice) {

  private static final List<Role> ROLES =
      List.of(Role.WORKER, Role.AGENT, Role.KEEPER, Role.COORDINATOR);

  private static final int EARLIEST = 300;
  private static final int SHORTEST_PAUSE = 1000;
  private static final int LONGEST_PAUSE = 12_000;

  /** A fault somewhere in a run that takes so long; neighbouring seeds have nothing in common. */
  public static Fault random(long seed, long runMillis) {
    SplittableRandom random = new SplittableRandom(seed);
    Role role = ROLES.get(random.nextInt(ROLES.size()));
    boolean kill = random.nextBoolean();
    long moment = EARLIEST + random.nextInt((int) runMillis - EARLIEST);
    boolean resumed = random.nextBoolean();
    long pause = SHORTEST_PAUSE + random.nextInt(LONGEST_PAUSE - SHORTEST_PAUSE);
    return new Fault(role, kill, moment, kill || !resumed ? 0 : pause, random.nextInt(1000));
  }

  /** Whether it is stopped and never goes on. */
  public boolean isForGood() {
    return !kill && resumeMillis == 0;
  }

  @Override
  public String toString() {
    String what = (kill ? "SIGKILL " : "SIGSTOP ") + role.name().toLowerCase(Locale.ROOT);
    String pause = kill ? "" : isForGood() ? " for good" : " for " + resumeMillis + " ms";
    return what + " at " + momentMillis + " ms" + pause;
  }
}
