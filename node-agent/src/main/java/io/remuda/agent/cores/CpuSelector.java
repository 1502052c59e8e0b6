package io.remuda.agent.cores;

import io.remuda.agent.keeper.proc.CpuSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Chooses CPUs for a task: next to its device if there are enough, else on one NUMA node, else
 * anywhere; whole cores first, so that tasks do not share one.
 *
 * @param cores each with its hardware threads that may be used at all
 * @param memoryNodes CPUs of each NUMA node
 */
record CpuSelector(List<CpuSet> cores, List<CpuSet> memoryNodes) {

  /**
   * Returns CPUs.
   *
   * @param count how many
   * @param free those that no other task has
   * @param near those next to its device; none if it has none
   * @return empty if there are too few
   */
  Optional<CpuSet> choose(int count, CpuSet free, CpuSet near) {
    if (free.size() < count) {
      return Optional.empty();
    }
    CpuSet close = free.and(near);
    if (close.size() >= count) {
      return Optional.of(within(count, onOneNode(count, close), free));
    }
    if (!close.isEmpty()) {
      CpuSet rest = within(count - close.size(), free.without(close), free);
      return Optional.of(close.or(rest));
    }
    return Optional.of(within(count, onOneNode(count, free), free));
  }

  /** Returns the free CPUs of the fullest NUMA node that has enough; all if none has. */
  private CpuSet onOneNode(int count, CpuSet free) {
    return memoryNodes.stream()
        .map(free::and)
        .filter(node -> node.size() >= count)
        .min(Comparator.comparingInt(CpuSet::size))
        .orElse(free);
  }

  /**
   * Returns so many of the candidates: whole free cores, then threads of cores that are in use,
   * then of others.
   */
  private CpuSet within(int count, CpuSet candidates, CpuSet free) {
    TreeSet<Integer> chosen = new TreeSet<>();
    List<CpuSet> whole = cores.stream().filter(core -> core.without(candidates).isEmpty()).toList();
    for (CpuSet core : whole) {
      if (chosen.size() + core.size() <= count) {
        chosen.addAll(core.numbers());
      }
    }
    cores.stream()
        .sorted(Comparator.comparing(core -> core.without(free).isEmpty())) // those in use first
        .flatMap(core -> core.and(candidates).numbers().stream())
        .filter(cpu -> !chosen.contains(cpu))
        .limit(count - chosen.size())
        .toList()
        .forEach(chosen::add);
    return new CpuSet(chosen);
  }
}
