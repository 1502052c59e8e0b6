package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.EndingSignal;
import io.remuda.agent.keeper.ReachedProcesses;
import io.remuda.agent.keeper.ending.ProcessTraits;
import io.remuda.agent.keeper.ending.SignalTargets;
import io.remuda.agent.keeper.ending.SignalTargets.Choice;
import io.remuda.agent.keeper.ending.WayOut;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.Signaller;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * How one task is asked to end, from the request to the last process. It decides; a {@link Step}
 * sends. Any thread.
 *
 * <ol>
 *   <li>Shells that are passed over are stopped, so that they do not start their next command.
 *   <li>Who is to be asked gets the signal.
 *   <li>A stopped shell gets SIGTERM and goes on, which ends it, when none of what was asked below
 *       it is left and the rest below it has had a moment.
 *   <li>When the first process has ended, what has no parent in the task any more gets SIGTERM.
 * </ol>
 */
final class TaskAsking {

  private static final int SIGSTOP = 19;

  /** Linux reports start times in hundredths of a second. */
  private static final long TICK_MILLIS = 10;

  /** So many looks may find a shell that was stopped still running, as one in a system call. */
  private static final int MOST_STOP_LOOKS = 25;

  /** What stands below a shell when those asked are gone, such as {@code tee}, has so long. */
  private static final long MOMENT_MILLIS = WayOut.FIRST_ENDED.grace().mostMillis();

  /** For so long the processes are looked at often. */
  private static final long EAGER_MILLIS = 1000;

  /**
   * What is to be done now.
   *
   * @param signal number of the signal for {@code ask}
   * @param ask get the signal, and go on if they were stopped
   * @param stop get SIGSTOP
   * @param resume were stopped and are not to be asked; they go on
   * @param release shells that were stopped; they get SIGTERM and go on
   * @param soon whether the next look must follow within some milliseconds
   */
  record Step(
      int signal,
      List<ProcStat> ask,
      List<ProcStat> stop,
      List<ProcStat> resume,
      List<ProcStat> release,
      boolean soon) {

    static final Step NONE = new Step(0, List.of(), List.of(), List.of(), List.of(), false);

    /** Sends the signals, those that end a process as this function replaces them. */
    void send(BiFunction<ProcStat, Integer, Integer> signalFor) {
      stop.forEach(shell -> Signaller.send(shell, SIGSTOP));
      resume.forEach(shell -> Signaller.send(shell, Posix.SIGCONT));
      ask.forEach(one -> sendAndResume(one, signalFor.apply(one, signal)));
      release.forEach(one -> sendAndResume(one, signalFor.apply(one, Posix.SIGTERM)));
    }
  }

  /** Sends a signal to a process, which goes on if it was stopped: else it would never see it. */
  static void sendAndResume(ProcStat process, int signal) {
    Signaller.send(process, signal);
    Signaller.send(process, Posix.SIGCONT);
  }

  /** Returns whether somebody is to be asked. */
  synchronized boolean hasBegun() {
    return signal != null;
  }

  /** A shell that was stopped. */
  private static final class HeldShell {
    private ProcStat shell;
    private long releaseAtMillis;

    private HeldShell(ProcStat shell) {
      this.shell = shell;
    }
  }

  /** The signal; null while nobody is asked. */
  private EndingSignal signal;

  /** When it was asked for; processes that are younger are spared after the first look. */
  private long sinceMillis;

  /** Whether its processes were asked since then. */
  private boolean asked;

  private int stopLooks;

  /** Start ticks of those that got the signal, by pid. */
  private final Map<Integer, Long> told = new HashMap<>();

  private final Map<Integer, HeldShell> held = new HashMap<>();

  /** Asks by a signal. A job's own signal is followed by SIGTERM, and some by every process. */
  synchronized void begin(EndingSignal how, long now) {
    boolean first = signal == null;
    boolean stronger = !first && how.isTerm() && !signal.isTerm();
    boolean wider =
        !first && how.reach() == ReachedProcesses.EVERY && signal.reach() != ReachedProcesses.EVERY;
    if (first || stronger || wider) {
      if (!first && how.number() != signal.number()) {
        told.clear();
      }
      signal = how;
      sinceMillis = now;
      asked = false;
      stopLooks = 0;
    }
  }

  /** Its first process has ended: what is left is asked by SIGTERM. */
  synchronized void firstEnded(long now) {
    if (signal == null) {
      begin(WayOut.FIRST_ENDED.signal(ReachedProcesses.FIRST), now);
    } else {
      begin(EndingSignal.term(ReachedProcesses.FIRST), now);
    }
  }

  /** Drops what is known of processes once none is left. */
  synchronized void over() {
    told.clear();
    held.clear();
  }

  /**
   * Returns what is to be done, which counts as done.
   *
   * @param members its live processes that may be asked
   * @param first of them: those that count as its first process; none if that has ended
   */
  synchronized Step next(
      List<ProcStat> members, List<ProcStat> first, long now, ProcessTraits traits) {
    if (signal == null || members.isEmpty()) {
      return Step.NONE;
    }
    keepHeld(members);
    List<ProcStat> release = asked ? released(members, first.isEmpty(), now) : List.of();
    if (isWaiting(members, first)) {
      return new Step(
          0, List.of(), List.of(), List.of(), release, now - sinceMillis < EAGER_MILLIS);
    }
    Choice choice = choice(members, first, traits);
    if (!asked && stopLooks++ < MOST_STOP_LOOKS) {
      List<ProcStat> running =
          choice.hold().stream().filter(shell -> shell.state() != 'T').toList();
      if (!running.isEmpty()) {
        hold(running);
        return new Step(0, List.of(), running, List.of(), List.of(), true);
      }
    }
    return ask(choice, release, now);
  }

  private Step ask(Choice choice, List<ProcStat> release, long now) {
    boolean all = !asked;
    asked = true;
    List<ProcStat> due = new ArrayList<>();
    for (ProcStat process : choice.ask()) {
      boolean older = (process.startTicks() + 1) * TICK_MILLIS <= sinceMillis;
      if (!isTold(process) && (all || older)) {
        told.put(process.pid(), process.startTicks());
        due.add(process);
      }
    }
    List<ProcStat> resume = all ? unneeded(choice) : List.of();
    List<ProcStat> stop = choice.hold().stream().filter(one -> !isHeld(one)).toList();
    hold(stop);
    return new Step(signal.number(), due, stop, resume, release, now - sinceMillis < EAGER_MILLIS);
  }

  private Choice choice(List<ProcStat> members, List<ProcStat> first, ProcessTraits traits) {
    if (signal.reach() == ReachedProcesses.EVERY) {
      return new Choice(members, List.of());
    }
    if (first.isEmpty()) {
      Set<Integer> spared = new HashSet<>(held.keySet());
      members.stream().filter(this::isTold).forEach(process -> spared.add(process.pid()));
      return SignalTargets.ofRest(signal.number(), members, spared, traits);
    }
    return SignalTargets.ofEnd(signal.number(), signal.reach(), members, first, traits);
  }

  /** Returns whether nobody else is asked before some of those who were are gone. */
  private boolean isWaiting(List<ProcStat> members, List<ProcStat> first) {
    boolean every = signal.reach() == ReachedProcesses.EVERY;
    return asked
        && !every
        && !first.isEmpty()
        // a launcher that does not know the signal ends by itself with what was asked
        && (!held.isEmpty() || !signal.isTerm() || members.stream().anyMatch(this::isTold));
  }

  private boolean isTold(ProcStat process) {
    Long ticks = told.get(process.pid());
    return ticks != null && ticks == process.startTicks();
  }

  private void hold(Collection<ProcStat> shells) {
    shells.forEach(shell -> held.put(shell.pid(), new HeldShell(shell)));
  }

  private boolean isHeld(ProcStat process) {
    HeldShell known = held.get(process.pid());
    return known != null && known.shell.same(process);
  }

  private void keepHeld(List<ProcStat> members) {
    Map<Integer, ProcStat> now = new HashMap<>();
    members.forEach(member -> now.put(member.pid(), member));
    held.values().removeIf(one -> !one.shell.same(now.getOrDefault(one.shell.pid(), GONE)));
    held.values().forEach(one -> one.shell = now.get(one.shell.pid()));
  }

  private static final ProcStat GONE = new ProcStat(0, 'X', 0, 0, 0);

  /** Returns those that were stopped and are no shells, or have a handler, by now. */
  private List<ProcStat> unneeded(Choice choice) {
    List<ProcStat> resume = new ArrayList<>();
    for (HeldShell one : List.copyOf(held.values())) {
      if (choice.hold().stream().noneMatch(one.shell::same)) {
        held.remove(one.shell.pid());
        if (choice.ask().stream().noneMatch(one.shell::same)) {
          resume.add(one.shell);
        }
      }
    }
    return resume;
  }

  /** Returns the stopped shells that have nothing to wait for; they are stopped no longer. */
  private List<ProcStat> released(List<ProcStat> members, boolean atOnce, long now) {
    List<ProcStat> release = new ArrayList<>();
    for (HeldShell one : List.copyOf(held.values())) {
      List<ProcStat> below = below(one.shell, members);
      if (below.stream().anyMatch(this::isTold)) {
        continue;
      }
      one.releaseAtMillis = one.releaseAtMillis == 0 ? now + MOMENT_MILLIS : one.releaseAtMillis;
      if (atOnce || below.stream().allMatch(this::isHeld) || now >= one.releaseAtMillis) {
        release.add(one.shell);
      }
    }
    for (ProcStat shell : release) {
      held.remove(shell.pid());
      told.put(shell.pid(), shell.startTicks());
    }
    return release;
  }

  /** Returns what a process has started, and what that has. */
  private static List<ProcStat> below(ProcStat top, List<ProcStat> members) {
    List<ProcStat> below = new ArrayList<>(List.of(top));
    for (int i = 0; i < below.size(); i++) {
      int parent = below.get(i).pid();
      members.stream()
          .filter(member -> member.parent() == parent && !below.contains(member))
          .forEach(below::add);
    }
    return below.subList(1, below.size());
  }
}
