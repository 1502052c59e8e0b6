package io.remuda.agent.keeper.task;

import java.util.HashMap;
import java.util.Map;

/**
 * The spawns that are under way. A process may end and be reaped before its spawner has registered
 * it: what is reaped meanwhile and belongs to no known task is kept as a stray until no spawn is
 * under way. Guarded by {@link KeeperTasks}.
 */
final class SpawnsUnderWay {

  private final Map<Integer, ReapedProcess> strays = new HashMap<>();
  private int underWay;
  private long begun;

  void begin() {
    underWay++;
    begun++;
  }

  void end() {
    if (--underWay == 0) {
      strays.clear();
    }
  }

  /** Returns whether no spawn is under way. */
  boolean areNone() {
    return underWay == 0;
  }

  /** Returns the number of spawns so far. */
  long begun() {
    return begun;
  }

  /** Keeps a reaped process that a spawner may be about to register. */
  void keepStray(ReapedProcess reaped) {
    if (underWay > 0) {
      strays.put(reaped.stat().pid(), reaped);
    }
  }

  /** Removes and returns a process that was reaped before it was registered, or null. */
  ReapedProcess takeStray(int pid) {
    return strays.remove(pid);
  }
}
