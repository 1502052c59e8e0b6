package io.remuda.coordinator.testkit.scripted;

import io.remuda.agent.keeper.DeviceHoldRequest;
import io.remuda.agent.keeper.EndingSignal;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.KeeperLink;
import io.remuda.agent.keeper.LiveUse;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskUsageFile;
import io.remuda.agent.keeper.TaskView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The keeper of one node that starts no process. It obeys at once: a task runs from its order until
 * the test ends it, or until the agent ends it, of which the task then dies unless the test has
 * said otherwise. It writes the files of a keeper: output, what tasks use, exit records. A task is
 * named {@code 12.0}, which means its newest attempt, or by an attempt, {@code 12.0.2}.
 */
public final class ScriptedKeeper {

  private static final long LONGEST_SECONDS = 90;
  private static final int TERM = 15;

  private record Waiting(SpawnRequest request, Consumer<SpawnAnswer> told) {}

  private final String node;
  private final KeeperTime time;
  private final Map<String, ScriptedTask> tasks = new LinkedHashMap<>();
  private final Set<String> forgotten = new HashSet<>();
  private final List<String> orders = new ArrayList<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private final TaskScript script = new TaskScript();
  private final Map<String, LiveUse> uses = new LinkedHashMap<>();
  private boolean lives;
  private boolean ending;
  private Path folder;
  private ScriptedLink link;

  ScriptedKeeper(String node, KeeperTime time) {
    this.node = node;
    this.time = time;
  }

  /** Waits until a task runs, or until an attempt was started; returns it. */
  public synchronized ScriptedTask await(String task) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
    while (true) {
      ScriptedTask found =
          tasks.values().stream()
              .filter(one -> one.is(task))
              .reduce((one, two) -> two)
              .orElse(null);
      if (found != null && (found.isRunning() || !ScriptedTask.isTask(task))) {
        return found;
      }
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        throw new AssertionError("no start of " + task + ", but " + orders);
      }
      try {
        wait(left);
      } catch (InterruptedException stop) {
        throw new AssertionError(stop);
      }
    }
  }

  /** Waits until an attempt or a job's task runs; returns it. */
  public ScriptedTask await(long job) {
    return await(job + ".0");
  }

  /** Waits until a task runs and has it exit with this code. */
  public void end(String task, int code) {
    end(await(task), new ExitStatus.Code(code), false);
  }

  /** Waits until the only task of a job runs and has it exit with this code. */
  public void end(long job, int code) {
    end(job + ".0", code);
  }

  /** Has all tasks that run now exit with this code; what follows in their slots goes on. */
  public void endAll(int code) {
    running().forEach(task -> end(task, new ExitStatus.Code(code), false));
  }

  /** Waits until a task runs and has it die by a signal that nobody of the service has sent. */
  public void dies(String task, int signal) {
    end(await(task), new ExitStatus.Signal(signal, false), false);
  }

  /** Waits until a task runs and appends to its stdout. */
  public void prints(String task, String text) {
    await(task).prints(text);
  }

  /** Says that a task, which may not have been started yet, goes on after these signals. */
  public synchronized void ignores(String task, int... signals) {
    script.ignores(task, signals);
  }

  /** Says that a task, which may not have been started yet, ends only by SIGKILL. */
  public void ignoresTerm(String task) {
    ignores(task, TERM);
  }

  /** Says that a task, which may not have been started yet, exits with this code when told to. */
  public synchronized void exitsWhenTold(String task, int code) {
    script.exitsWhenTold(task, code);
  }

  /** Says that the next start of a task is refused. */
  public synchronized void refuses(String task, RefusalCode code, String message) {
    script.refuses(task, new SpawnAnswer.Refused(code, message));
  }

  /** Says what a running task has used; the agent reads it with its next tick. */
  public synchronized void uses(String task, LiveUse use) {
    uses.put(await(task).key(), use);
    try {
      TaskUsageFile.write(folder, uses);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Dies as by SIGKILL, and its tasks with it, without exit records; the agent notices. */
  public void dies() {
    ScriptedLink last;
    synchronized (this) {
      lives = false;
      tasks.clear();
      waiting.clear();
      last = link;
      link = null;
    }
    if (last != null) {
      last.end(new IOException("it was killed"));
    }
  }

  /** Returns all that were started, in order; those of a keeper that has died are gone. */
  public synchronized List<ScriptedTask> started() {
    return List.copyOf(tasks.values());
  }

  /** Returns those that run now, in the order of their start. */
  public synchronized List<ScriptedTask> running() {
    return tasks.values().stream().filter(ScriptedTask::isRunning).toList();
  }

  /** Returns what was ordered, in order, such as "spawn 12.0.1", "kill 12.0.1 1000". */
  public synchronized List<String> orders() {
    return List.copyOf(orders);
  }

  @Override
  public String toString() {
    return "scripted keeper of " + node;
  }

  synchronized boolean isAlive() {
    return lives;
  }

  /** Starts it, if it does not run, for the agent of this folder. */
  synchronized void ensureRunning(Path nodeFolder) {
    folder = nodeFolder;
    ending &= lives;
    lives = true;
  }

  /** Connects the agent; an earlier one's connection ends. */
  KeeperLink connect(KeeperLink.Listener listener) throws IOException {
    ScriptedLink before;
    ScriptedLink now = new ScriptedLink(this, listener);
    synchronized (this) {
      if (!lives) {
        throw new IOException(this + " does not run");
      }
      before = link;
      link = now;
      waiting.clear();
    }
    if (before != null) {
      before.end(new IOException("another client has taken over"));
    }
    return now;
  }

  private void order(String what, String key, Object... more) {
    orders.add(TaskScript.order(what, key, more));
  }

  synchronized void spawn(SpawnRequest request, Consumer<SpawnAnswer> told) {
    order("spawn", request.key());
    ScriptedTask known = tasks.get(request.key());
    if (known != null) {
      told.accept(new SpawnAnswer.Known(known.view()));
    } else if (ending) {
      told.accept(new SpawnAnswer.Refused(RefusalCode.SHUTTING_DOWN, "the keeper is ending"));
    } else if (isTaken(request.slot())) {
      waiting.add(new Waiting(request, told));
    } else {
      begin(request, told);
    }
  }

  private boolean isTaken(long slot) {
    return slot != 0
        && (!isFree(slot) || waiting.stream().anyMatch(one -> one.request().slot() == slot));
  }

  private boolean isFree(long slot) {
    return running().stream().noneMatch(task -> task.slot() == slot);
  }

  private void begin(SpawnRequest request, Consumer<SpawnAnswer> told) {
    Optional<SpawnAnswer.Refused> refused = script.takeRefusal(request.key());
    if (refused.isPresent()) {
      told.accept(refused.get());
      return;
    }
    try {
      ScriptedTask task = ScriptedTask.of(request, time.nanoTime());
      started(task, told);
      watchContact(task);
      if (request.signal() != 0) {
        time.after(
            Duration.ofMillis(request.signalAfterMillis()), () -> signal(task, request.signal()));
      }
    } catch (IOException fault) {
      told.accept(new SpawnAnswer.Refused(RefusalCode.OUTPUT_FILE, fault.toString()));
    }
  }

  private void started(ScriptedTask task, Consumer<SpawnAnswer> told) {
    tasks.put(task.key(), task);
    told.accept(new SpawnAnswer.Started(task.pid(), task.startTicks()));
    notifyAll();
  }

  synchronized void adopt(DeviceHoldRequest request, Consumer<SpawnAnswer> told) {
    order("adopt", request.key());
    if (tasks.containsKey(request.key())) {
      told.accept(new SpawnAnswer.Known(tasks.get(request.key()).view()));
    } else {
      started(ScriptedTask.of(request, time.nanoTime()), told);
    }
  }

  synchronized void withdraw(String key) {
    order("withdraw", key);
    for (Waiting one : List.copyOf(waiting)) {
      if (one.request().key().equals(key)) {
        waiting.remove(one);
        one.told().accept(new SpawnAnswer.Refused(RefusalCode.NOT_BEGUN, "withdrawn"));
      }
    }
  }

  private void tell(String key, int signal, long graceMillis) {
    ScriptedTask task;
    synchronized (this) {
      task = tasks.get(key);
    }
    if (task == null || !task.isRunning()) {
      return;
    }
    task.toEnd();
    long grace = task.graceMillis(graceMillis);
    signal(task, grace == 0 ? TaskScript.KILL : signal);
    if (task.isRunning()) {
      time.after(Duration.ofMillis(grace), () -> signal(task, TaskScript.KILL));
    }
  }

  /** Delivers a signal, of which the task ends unless it ignores it. */
  private synchronized void signal(ScriptedTask task, int signal) {
    if (task.isRunning() && tasks.containsValue(task)) {
      task.gets(signal);
      script.effect(task.key(), signal).ifPresent(status -> end(task, status, false));
    }
  }

  private synchronized void watchContact(ScriptedTask task) {
    Duration left = task.contactLeft(time.nanoTime());
    if (left == null) {
      return;
    }
    if (left.isZero() || left.isNegative()) {
      task.gets(TERM);
      end(task, new ExitStatus.Signal(TERM, false), true);
    } else {
      time.after(left, () -> watchContact(task));
    }
  }

  private synchronized void end(ScriptedTask task, ExitStatus status, boolean contactLost) {
    if (!task.isRunning() || !tasks.containsValue(task)) {
      return;
    }
    task.ended(status, contactLost, time.nanoTime());
    uses.remove(task.key());
    if (link != null) {
      link.exited(task.view());
    }
    for (Waiting next : List.copyOf(waiting)) {
      if (next.request().slot() == task.slot() && isFree(task.slot())) {
        waiting.remove(next);
        begin(next.request(), next.told());
      }
    }
    notifyAll();
    endIfOrdered();
  }

  private void endIfOrdered() {
    ScriptedLink last = link;
    if (ending && running().isEmpty()) {
      lives = false;
      link = null;
      if (last != null) {
        last.end(new IOException("it has ended"));
      }
    }
  }

  synchronized void shutdown(long graceMillis) {
    orders.add("shutdown " + graceMillis);
    ending = true;
    running().forEach(task -> tell(task.key(), TERM, graceMillis));
    endIfOrdered();
  }

  synchronized List<TaskView> views() {
    return tasks.values().stream()
        .filter(task -> !forgotten.contains(task.key()))
        .map(ScriptedTask::view)
        .toList();
  }

  synchronized void release(String key) {
    order("release", key);
    ScriptedTask task = tasks.get(key);
    if (task != null) {
      end(task, new ExitStatus.Code(0), false);
    }
  }

  synchronized void renew(Collection<String> keys, long contactMillis) {
    for (String key : keys) {
      ScriptedTask task = tasks.get(key);
      if (task != null) {
        boolean watched = !task.contact().isZero();
        task.renew(contactMillis, time.nanoTime());
        if (!watched) {
          watchContact(task);
        }
      }
    }
  }

  synchronized void kill(String key, long graceMillis) {
    order("kill", key, graceMillis);
    tell(key, TERM, graceMillis);
  }

  synchronized void end(String key, EndingSignal how, long graceMillis) {
    order("leave", key, how.number(), graceMillis);
    tell(key, how.number(), graceMillis);
  }

  synchronized void forget(Collection<String> keys) {
    forgotten.addAll(keys);
  }

  synchronized void left(ScriptedLink former) {
    link = link == former ? null : link;
  }
}
