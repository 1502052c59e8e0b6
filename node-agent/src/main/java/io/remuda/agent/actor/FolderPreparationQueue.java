package io.remuda.agent.actor;

import io.remuda.agent.actor.NodeAgentCommand.FoldersPrepared.Prepared;
import io.remuda.agent.attempt.FileWork;
import io.remuda.agent.attempt.TaskFolderPreparation;
import io.remuda.agent.container.NodeContainers;
import io.remuda.agent.freeze.FrozenFilesTaskOrder;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.worker.job.CommandWorkload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Orders whose folders are to be prepared. They are prepared in their order, some at a time after
 * one look at the room of the disk. Other work with files goes in between: an end is not read later
 * because many orders have come, and a slow disk is not taken for one that stands still. Orders
 * that may take long are prepared alone. Any thread; the functions are called on that of {@link
 * FileWork}.
 */
final class FolderPreparationQueue {

  /** How many folders are prepared after one look, at most. */
  static final int MOST = 16;

  /** No further folder is prepared with others when they have taken this long. */
  static final long MOST_NANOS = 20_000_000;

  private final FileWork work;
  private final LongSupplier nanoClock;
  private final Supplier<Optional<String>> shortage;
  private final BiFunction<TaskStartOrder, Optional<String>, TaskFolderPreparation> preparation;
  private final Consumer<List<Prepared>> prepared;
  private final Queue<TaskStartOrder> waiting = new ConcurrentLinkedQueue<>();

  /**
   * @param shortage returns why no folder can be made; empty if there is room
   * @param preparation prepares a folder, given what {@code shortage} has returned
   * @param prepared gets the results in the order of the orders
   */
  FolderPreparationQueue(
      FileWork work,
      LongSupplier nanoClock,
      Supplier<Optional<String>> shortage,
      BiFunction<TaskStartOrder, Optional<String>, TaskFolderPreparation> preparation,
      Consumer<List<Prepared>> prepared) {
    this.work = work;
    this.nanoClock = nanoClock;
    this.shortage = shortage;
    this.preparation = preparation;
    this.prepared = prepared;
  }

  /** Adds orders; never blocks. */
  void add(List<TaskStartOrder> orders) {
    waiting.addAll(orders);
    addWork();
  }

  private void addWork() {
    List<Prepared> some = new ArrayList<>(MOST);
    work.<List<Prepared>>add(
        () -> prepareSome(some),
        fault -> {
          if (!waiting.isEmpty()) {
            done(some, TaskFolderPreparation.notBegun(fault));
          }
          return some;
        },
        this::end);
  }

  private List<Prepared> prepareSome(List<Prepared> some) {
    if (waiting.isEmpty()) { // they were prepared with others
      return some;
    }
    Optional<String> full = shortage.get();
    long begun = nanoClock.getAsLong();
    boolean last = false;
    while (!last) {
      TaskStartOrder order = waiting.peek();
      done(some, preparedOrNot(order, full));
      last =
          some.size() == MOST
              || waiting.isEmpty()
              || mayTakeLong(order)
              || mayTakeLong(waiting.peek())
              || nanoClock.getAsLong() - begun >= MOST_NANOS;
    }
    return some;
  }

  private void done(List<Prepared> some, TaskFolderPreparation folder) {
    some.add(new Prepared(waiting.peek(), folder));
    waiting.remove();
  }

  private void end(List<Prepared> some) {
    try {
      if (!some.isEmpty()) {
        prepared.accept(some);
      }
    } finally {
      if (!waiting.isEmpty()) {
        addWork();
      }
    }
  }

  private TaskFolderPreparation preparedOrNot(TaskStartOrder order, Optional<String> full) {
    try {
      return preparation.apply(order, full);
    } catch (RuntimeException | Error fault) { // the others are still prepared
      return TaskFolderPreparation.notBegun(fault);
    }
  }

  /** Returns whether an order waits for a name, opens files of the user, or is copied. */
  private static boolean mayTakeLong(TaskStartOrder order) {
    return order.job().start() != null
        || FrozenFilesTaskOrder.isFor(order)
        || NodeContainers.isIn(order)
        || (order.workload() instanceof CommandWorkload command && command.streams() != null);
  }
}
