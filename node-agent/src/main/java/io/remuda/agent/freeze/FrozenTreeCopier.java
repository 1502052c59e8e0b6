package io.remuda.agent.freeze;

import io.remuda.agent.attempt.FileWork;
import io.remuda.agent.protocol.TaskStartOrder;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Makes the copies of frozen trees, in order and on a thread of its own, since a tree may be large
 * and other files need not wait for it. No method blocks; what follows is run on that thread. Any
 * thread.
 */
public final class FrozenTreeCopier {

  private final LongSupplier nanoClock;

  /** Null until it is needed: most nodes run no frozen trees. */
  private FileWork thread;

  public FrozenTreeCopier(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  private synchronized FileWork thread() {
    if (thread == null) {
      thread = FileWork.onThread(nanoClock);
    }
    return thread;
  }

  /**
   * Makes the copy for an order.
   *
   * @param scratch folder of its attempt
   */
  public void add(TaskStartOrder order, Path scratch, Consumer<FrozenFilesTaskOrder> then) {
    thread()
        .add(
            () -> FrozenFilesTaskOrder.of(order, scratch),
            fault -> FrozenFilesTaskOrder.failed(order, fault),
            then);
  }

  /** Drops all work that has not begun. */
  public synchronized void close() {
    if (thread != null) {
      thread.close();
    }
  }
}
