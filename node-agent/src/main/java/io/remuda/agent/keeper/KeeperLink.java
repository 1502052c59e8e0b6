package io.remuda.agent.keeper;

import java.io.Closeable;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * An agent's connection to its keeper. No method blocks. All but {@link #close} throw {@link
 * UnansweredKeeperCallException} once the connection has ended. The keeper's answers and events
 * arrive in its order.
 */
public interface KeeperLink extends Closeable {

  /** Handles events of the keeper; called on the connection's thread. */
  interface Listener {
    /**
     * Called repeatedly while a running keeper owes answers and sends none, with the duration in
     * ms; called with 0 when it answers again.
     */
    default void silent(long millis) {}

    /**
     * Called when the task's tree is gone and its exit record is written. Only the newest client is
     * notified. {@link KeeperLink#list} may report the task again.
     */
    void exited(TaskView task);

    /** Called once, as the last call; also after {@link KeeperLink#close}. */
    void disconnected(Throwable cause);
  }

  /**
   * Starts a task. A key that is known already starts nothing. If the slot is taken, the task
   * starts when the slot is free.
   *
   * @param told called with the answer, mostly on the connection's thread; must not block. Not
   *     called if the connection ends after the request was sent
   * @throws KeeperGoneException if the connection has ended
   */
  void spawn(SpawnRequest request, Consumer<SpawnAnswer> told);

  /**
   * Makes several requests, which reach the keeper at once.
   *
   * @param requests calls methods of this link; must not block
   */
  default void together(Runnable requests) {
    requests.run();
  }

  /**
   * Withdraws a start that waits for its slot; it is refused then. Has no effect on a task that has
   * begun or on an unknown key.
   */
  void withdraw(String key);

  /**
   * Watches a running program. A key that is known already changes nothing.
   *
   * @param told as for {@link #spawn}
   */
  void adopt(DeviceHoldRequest request, Consumer<SpawnAnswer> told);

  /** Frees the devices of an adopted program. Ignores an unknown key. */
  void release(String key);

  /**
   * Asks a task to end by SIGTERM, those of its processes that its request names; SIGKILL goes to
   * its tree after the grace. Ignores an unknown key.
   */
  void kill(String key, long graceMillis);

  /**
   * Asks a task to end by this signal; SIGKILL goes to its tree after the grace. Ignores an unknown
   * key. A keeper of an earlier build sends SIGTERM to all processes at once, and other signals to
   * the first process.
   */
  void end(String key, EndingSignal how, long graceMillis);

  /**
   * Requests all tasks that live or have ended and are not forgotten, in the order of their start.
   *
   * @param told as for {@link #spawn}
   */
  void list(Consumer<List<TaskView>> told);

  /** Sets contact deadlines to this long from now; 0 removes them. Ignores unknown keys. */
  void renew(Collection<String> keys, long contactMillis);

  /** Drops ended tasks whose exits the agent has learned; live ones stay. */
  void forget(Collection<String> keys);

  /** Tells the keeper to end all tasks and then itself. */
  void shutdown(long graceMillis);

  /** Closes the connection; the tasks continue. */
  @Override
  void close();
}
