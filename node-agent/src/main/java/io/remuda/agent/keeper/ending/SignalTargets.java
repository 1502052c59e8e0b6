package io.remuda.agent.keeper.ending;

import io.remuda.agent.keeper.ReachedProcesses;
import io.remuda.agent.keeper.proc.ProcStat;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Chooses the processes of a task that get a signal. docs/ending.md has the rules for users.
 *
 * <p>A plain shell without a handler is passed over in favour of what it has started, and so is a
 * launcher. Of what was found in their place only those that handle the signal get it, if there are
 * any: {@code tee} behind a training must live until that has saved. What a stand-in for {@code
 * srun} has started gets from it the signals that it handles, as a step of Slurm does.
 *
 * <p>One thread; of one look at the processes.
 */
public final class SignalTargets {

  /**
   * The choice.
   *
   * @param ask the processes that get the signal
   * @param hold shells that were passed over. They must not start their next command while what is
   *     asked ends; none for a signal that ends nothing
   */
  public record Choice(List<ProcStat> ask, List<ProcStat> hold) {}

  /** SIGUSR1 and SIGUSR2: a shell that does not expect them must not die of them. */
  private static final Set<Integer> HINTS = Set.of(10, 12);

  private final int signal;
  private final boolean ending;
  private final ProcessTraits traits;
  private final Collection<ProcStat> members;
  private final Map<Integer, List<ProcStat>> children = new HashMap<>();
  private final Set<ProcStat> ask = new LinkedHashSet<>();
  private final Set<ProcStat> hold = new LinkedHashSet<>();
  private final Set<Integer> seen = new HashSet<>();

  /** Those to which another process of the task passes the signal on. */
  private final Set<ProcStat> served = new HashSet<>();

  private SignalTargets(
      int signal, boolean ending, Collection<ProcStat> members, ProcessTraits traits) {
    this.signal = signal;
    this.ending = ending;
    this.members = members;
    this.traits = traits;
    for (ProcStat member : members) {
      children.computeIfAbsent(member.parent(), parent -> new ArrayList<>()).add(member);
    }
    for (ProcStat member : members) {
      if (traits.isStepLauncher(member) && traits.handles(member, signal)) {
        serve(member);
      }
    }
  }

  private void serve(ProcStat launcher) {
    for (ProcStat child : children.getOrDefault(launcher.pid(), List.of())) {
      if (served.add(child)) {
        serve(child);
      }
    }
  }

  /**
   * Chooses who is asked to end while the first process lives.
   *
   * @param members the live processes of the task
   * @param first of them: its first process, or those of its container
   */
  public static Choice ofEnd(
      int signal,
      ReachedProcesses reach,
      Collection<ProcStat> members,
      List<ProcStat> first,
      ProcessTraits traits) {
    SignalTargets targets = new SignalTargets(signal, true, members, traits);
    targets.add(first);
    List<ProcStat> chosen = targets.beyond(reach, first);
    return chosen.isEmpty()
        ? targets.choice()
        : new Choice(chosen, targets.hold.stream().filter(one -> !chosen.contains(one)).toList());
  }

  /**
   * Chooses who is asked to end once the first process has ended: what has no parent in the task.
   *
   * @param spared pids; neither they nor what they have started is chosen
   */
  public static Choice ofRest(
      int signal, Collection<ProcStat> members, Set<Integer> spared, ProcessTraits traits) {
    SignalTargets targets = new SignalTargets(signal, true, members, traits);
    Set<Integer> pids = new HashSet<>();
    members.forEach(member -> pids.add(member.pid()));
    for (ProcStat member : members) {
      if (!pids.contains(member.parent()) && !spared.contains(member.pid())) {
        targets.add(List.of(member));
      }
    }
    return targets.choice();
  }

  /**
   * Chooses who gets a signal that ends nothing by itself; may be nobody.
   *
   * @param way {@link WayOut#WARNING} or {@link WayOut#USER_SIGNAL}
   */
  public static List<ProcStat> ofSignal(
      WayOut way,
      int signal,
      ReachedProcesses reach,
      Collection<ProcStat> members,
      List<ProcStat> first,
      ProcessTraits traits) {
    SignalTargets targets = new SignalTargets(signal, false, members, traits);
    if (reach == ReachedProcesses.CHILDREN
        && (way == WayOut.WARNING || HINTS.contains(signal))
        && members.stream().noneMatch(one -> !first.contains(one) && traits.handles(one, signal))) {
      return List.of(); // it would only end what does not expect it
    }
    if (reach != ReachedProcesses.FIRST) {
      return targets.beyond(reach, first);
    }
    targets.add(first);
    return targets.choice().ask();
  }

  private Choice choice() {
    return new Choice(List.copyOf(ask), List.copyOf(hold));
  }

  /** Returns those of a reach that goes beyond the first process; none for the usual one. */
  private List<ProcStat> beyond(ReachedProcesses reach, List<ProcStat> first) {
    return switch (reach) {
      case FIRST -> List.of();
      case CHILDREN ->
          handling(members.stream().filter(member -> !first.contains(member)).toList());
      case ALL -> handling(members);
      case EVERY -> List.copyOf(members);
    };
  }

  /** Returns those that handle the signal; all if none does; never those that get it anyway. */
  private List<ProcStat> handling(Collection<ProcStat> some) {
    List<ProcStat> own = some.stream().filter(process -> !served.contains(process)).toList();
    List<ProcStat> handling =
        own.stream().filter(process -> traits.handles(process, signal)).toList();
    return handling.isEmpty() ? own : handling;
  }

  private void add(List<ProcStat> roots) {
    List<ProcStat> found = new ArrayList<>();
    roots.forEach(root -> expand(root, found));
    ask.addAll(found.size() == 1 ? found : handling(found));
  }

  private void expand(ProcStat process, List<ProcStat> found) {
    if (served.contains(process) || !seen.add(process.pid())) {
      return;
    }
    List<ProcStat> below = children.getOrDefault(process.pid(), List.of());
    ProcessTraits.Kind kind = traits.kind(process);
    boolean handles = kind != ProcessTraits.Kind.LAUNCHER && traits.handles(process, signal);
    boolean shell = kind == ProcessTraits.Kind.SHELL;
    if (handles) {
      found.add(process);
      if (shell && ending) { // its trap has to wait for what is in the foreground
        add(below.stream().filter(traits::isInForeground).toList());
      }
    } else if (below.isEmpty()) {
      if (ending || !shell || !HINTS.contains(signal)) {
        found.add(process);
      }
    } else if (kind != ProcessTraits.Kind.PROGRAM || traits.isDeaf(process)) {
      if (shell && ending) {
        hold.add(process);
      }
      below.forEach(child -> expand(child, found));
    } else {
      found.add(process);
    }
  }
}
