package io.remuda.agent.keeper.ending;

import io.remuda.agent.keeper.proc.ProcStat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The processes of a task as a test draws them: a name for each, its parent, and what it is. The
 * keeper has pid 1.
 */
public final class ProcessPicture implements ProcessTraits {
  private final Map<String, ProcStat> byName = new HashMap<>();
  private final List<String> order = new ArrayList<>();
  private final Map<Integer, Kind> kinds = new HashMap<>();
  private final Map<Integer, Set<Integer>> handled = new HashMap<>();
  private final Set<Integer> background = new HashSet<>();
  private final Set<Integer> deaf = new HashSet<>();
  private final Set<Integer> stepLaunchers = new HashSet<>();

  /** Adds a program; its parent is another one, or the keeper for null. */
  public ProcessPicture program(String name, String parent, int... handles) {
    return add(Kind.PROGRAM, name, parent, handles);
  }

  public ProcessPicture shell(String name, String parent, int... handles) {
    return add(Kind.SHELL, name, parent, handles);
  }

  public ProcessPicture launcher(String name, String parent, int... handles) {
    return add(Kind.LAUNCHER, name, parent, handles);
  }

  /** Adds the program that stands in for srun: a shell. */
  public ProcessPicture srun(String name, String parent, int... handles) {
    shell(name, parent, handles);
    stepLaunchers.add(byName.get(name).pid());
    return this;
  }

  private ProcessPicture add(Kind kind, String name, String parent, int... handles) {
    int pid = 100 + order.size();
    int above = parent == null ? 1 : byName.get(parent).pid();
    byName.put(name, new ProcStat(pid, 'S', above, 100, 10));
    order.add(name);
    kinds.put(pid, kind);
    Set<Integer> signals = new HashSet<>();
    for (int signal : handles) {
      signals.add(signal);
    }
    handled.put(pid, signals);
    return this;
  }

  /** Makes it one that a shell has started with {@code &}. */
  public ProcessPicture inBackground(String name) {
    background.add(byName.get(name).pid());
    return this;
  }

  /** Makes it the first process of a container. */
  public ProcessPicture deaf(String name) {
    deaf.add(byName.get(name).pid());
    return this;
  }

  /** Lets it start at this tick, rather than at 10. */
  public ProcessPicture since(String name, long ticks) {
    ProcStat old = byName.get(name);
    byName.put(name, new ProcStat(old.pid(), old.state(), old.parent(), old.session(), ticks));
    return this;
  }

  /** Stops it, or lets it go on by {@code 'S'}. */
  public ProcessPicture state(String name, char state) {
    ProcStat old = byName.get(name);
    byName.put(name, new ProcStat(old.pid(), state, old.parent(), old.session(), old.startTicks()));
    return this;
  }

  /** Ends it; the keeper becomes the parent of what it has started. */
  public ProcessPicture ends(String name) {
    int pid = byName.remove(name).pid();
    order.remove(name);
    byName.replaceAll(
        (child, stat) ->
            stat.parent() == pid
                ? new ProcStat(stat.pid(), stat.state(), 1, stat.session(), stat.startTicks())
                : stat);
    return this;
  }

  public List<ProcStat> members() {
    return order.stream().map(byName::get).toList();
  }

  /** Returns a process in a list of its own; an empty one if it has ended. */
  public List<ProcStat> one(String name) {
    return byName.containsKey(name) ? List.of(byName.get(name)) : List.of();
  }

  /** Returns the names of these processes, with blanks between them. */
  public String names(List<ProcStat> some) {
    return order.stream()
        .filter(name -> some.contains(byName.get(name)))
        .collect(Collectors.joining(" "));
  }

  @Override
  public Kind kind(ProcStat process) {
    return kinds.get(process.pid());
  }

  @Override
  public boolean handles(ProcStat process, int signal) {
    return handled.get(process.pid()).contains(signal);
  }

  @Override
  public boolean isDeaf(ProcStat process) {
    return deaf.contains(process.pid());
  }

  @Override
  public boolean isInForeground(ProcStat process) {
    return !background.contains(process.pid());
  }

  @Override
  public boolean isStepLauncher(ProcStat process) {
    return stepLaunchers.contains(process.pid());
  }
}
