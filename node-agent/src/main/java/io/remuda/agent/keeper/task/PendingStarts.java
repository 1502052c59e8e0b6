package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.ExitFile;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.proc.BootClock;
import io.remuda.agent.keeper.proc.KeeperLog;
import io.remuda.agent.keeper.proc.SpawnFailureException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The starts that wait for their slot or are under way. A start holds its slot until its task is
 * gone, and the next one follows. Any thread.
 */
final class PendingStarts {

  static final String WITHDRAWN = "withdrawn";

  private final BootClock clock;
  private final KeeperTasks table;
  private final TaskStartPool starter;
  private final TaskSpawn taskSpawn;
  private final Consumer<TaskView> listener;

  /** Guards what follows, and the state of each start. */
  private final Object spawning;

  private final SlotQueue queue = new SlotQueue();

  /** Starts under way, by key. */
  private final Map<String, PendingStart> starts = new LinkedHashMap<>();

  private long newestClient;

  /**
   * @param spawning guards the state of each start, also in {@code taskSpawn}
   * @param listener is notified of a listed start that was refused
   */
  PendingStarts(
      BootClock clock,
      KeeperTasks table,
      TaskStartPool starter,
      TaskSpawn taskSpawn,
      Object spawning,
      Consumer<TaskView> listener) {
    this.clock = clock;
    this.table = table;
    this.starter = starter;
    this.taskSpawn = taskSpawn;
    this.spawning = spawning;
    this.listener = listener;
  }

  /**
   * Starts a task, unless its key is known here or its folder holds its exit. If another task holds
   * its slot, it starts when that task is gone. Never waits for a disk.
   *
   * @param expiresAtMillis of {@link BootClock}; the task does not start after that
   * @param client number of the client. Requests of a replaced client are refused: a request that
   *     an old agent left in its socket must not start what the new agent has not asked for
   */
  void spawn(SpawnRequest request, long expiresAtMillis, long client, Keeper.Asker asker) {
    SlotQueue.Waiting turn = new SlotQueue.Waiting(request, expiresAtMillis, client, asker);
    synchronized (spawning) {
      TaskView known = known(request.key());
      if (client < newestClient) {
        asker.answered(
            new SpawnAnswer.Refused(RefusalCode.EXPIRED, "another client has taken over"));
      } else if (known != null) {
        asker.answered(new SpawnAnswer.Known(known));
      } else if (isTaken(request.slot())) {
        queue.add(turn);
        asker.queued();
      } else {
        begin(new PendingStart(turn, RefusalCode.EXPIRED, clock.millis()));
      }
    }
  }

  /** Returns the task or the start under way with this key; null if there is none. */
  private TaskView known(String key) {
    TaskView view = table.find(key);
    PendingStart start = starts.get(key);
    return view == null && start != null && !start.isUnwanted() ? start.view() : view;
  }

  private boolean isTaken(long slot) {
    return slot != 0 && (!queue.isEmpty(slot) || isBusy(slot));
  }

  /** Returns whether a task or a start under way holds the slot. */
  private boolean isBusy(long slot) {
    return table.isTaken(slot)
        || starts.values().stream().anyMatch(start -> start.request().slot() == slot);
  }

  private void begin(PendingStart start) {
    starts.put(start.key(), start);
    starter.add(() -> carryOut(start));
  }

  /** Runs on a thread of the starter, which may wait for a disk. */
  private void carryOut(PendingStart start) {
    SpawnAnswer answer = guardedAnswer(start);
    boolean wasListed;
    synchronized (spawning) {
      starts.remove(start.key(), start); // a new start may have its key if this one was withdrawn
      wasListed = start.isListed();
      if (start.killGraceMillis() >= 0) {
        table.kill(start.key(), start.killGraceMillis());
      }
    }
    try {
      start.turn().asker().answered(answer);
      if (wasListed && answer instanceof SpawnAnswer.Refused) {
        listener.accept(start.ended());
      }
    } catch (RuntimeException | OutOfMemoryError fault) { // the next start must still run
      KeeperLog.line("keeper: " + start.key() + " cannot be answered: " + fault);
    }
    startNext(start.request().slot());
  }

  /** Starts the next request that waits for the slot, if the slot is free. */
  void startNext(long slot) {
    synchronized (spawning) {
      if (slot != 0 && !isBusy(slot) && !queue.isEmpty(slot)) {
        begin(new PendingStart(queue.poll(slot), RefusalCode.NOT_BEGUN, clock.millis()));
      }
    }
  }

  /** Turns a fault, such as no memory, into an answer, so that the slot is passed on. */
  private SpawnAnswer guardedAnswer(PendingStart start) {
    try {
      return answer(start);
    } catch (RuntimeException | OutOfMemoryError fault) {
      KeeperLog.line("keeper: the start of " + start.key() + " failed: " + fault);
      TaskView begun = table.find(start.key());
      if (begun != null) {
        return new SpawnAnswer.Known(begun);
      }
      boolean mayPass = fault instanceof OutOfMemoryError;
      return new SpawnAnswer.Refused(
          mayPass ? RefusalCode.NOT_BEGUN : RefusalCode.LIMIT, "the keeper failed: " + fault);
    }
  }

  private SpawnAnswer answer(PendingStart start) {
    try {
      TaskView over = ended(start.request());
      return over == null ? taskSpawn.start(start) : new SpawnAnswer.Known(over);
    } catch (SpawnFailureException refused) {
      return new SpawnAnswer.Refused(refused.code(), refused.getMessage());
    }
  }

  /** Returns the task of that folder that has ended and was forgotten; null if there is none. */
  private static TaskView ended(SpawnRequest request) {
    try {
      Optional<ExitRecord> exit = ExitFile.read(request.taskFolder());
      if (exit.isPresent() && exit.get().key().equals(request.key())) {
        ExitRecord record = exit.get();
        return new TaskView(
            record.key(), record.pid(), record.startTicks(), TaskView.State.EXITED, record);
      }
    } catch (IOException unreadable) {
      KeeperLog.line("keeper: " + unreadable.getMessage());
    }
    return null;
  }

  /** Refuses requests with this key that have not begun to spawn. */
  void withdraw(String key) {
    synchronized (spawning) {
      for (SlotQueue.Waiting gone : queue.remove(one -> one.request().key().equals(key))) {
        gone.asker().answered(new SpawnAnswer.Refused(RefusalCode.NOT_BEGUN, WITHDRAWN));
      }
      PendingStart start = starts.get(key);
      if (start != null) {
        start.withdraw(); // its thread answers the request
      }
    }
  }

  /** Has a start under way end its task, if it has a process by then. */
  void kill(String key, long graceMillis) {
    synchronized (spawning) {
      PendingStart start = starts.get(key);
      if (start != null) {
        start.kill(graceMillis);
      }
    }
  }

  /** Returns the starts whose process may already exist and is not in the table. */
  List<TaskView> views() {
    synchronized (spawning) {
      return starts.values().stream()
          .filter(start -> start.isSpawning() && table.find(start.key()) == null)
          .map(PendingStart::view)
          .toList();
    }
  }

  /** Numbers a new client; requests of earlier ones without a process yet are dropped. */
  long clientGreeted() {
    synchronized (spawning) {
      newestClient++;
      queue.remove(any -> true);
      starts.values().forEach(PendingStart::withdraw);
      return newestClient;
    }
  }

  /** Returns whether no client has come after this one. */
  boolean isNewest(long client) {
    synchronized (spawning) {
      return client == newestClient;
    }
  }

  /** Drops the waiting requests of a client. */
  void clientLeft(long number) {
    synchronized (spawning) {
      queue.remove(waiting -> waiting.client() == number);
    }
  }

  /** Tells the requesters of starts that take long. */
  void saySlow(long now) {
    synchronized (spawning) {
      starts.values().forEach(start -> start.sayIfSlow(now));
    }
  }
}
