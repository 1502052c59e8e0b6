package io.remuda.agent.cores;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.keeper.proc.CpuSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which CPUs a task gets on a machine of two NUMA nodes with two cores of two threads each. */
class CpuSelectorTest {
  private static final CpuSelector MACHINE =
      new CpuSelector(sets("0,4", "1,5", "2,6", "3,7"), sets("0-1,4-5", "2-3,6-7"));

  private static List<CpuSet> sets(String... lists) {
    return List.of(lists).stream().map(CpuSet::parse).toList();
  }

  @ParameterizedTest(name = "{0} of {1} near {2}: {3}")
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "2|0-7|''|0,4", // both threads of one core
        "4|0-7|''|0-1,4-5", // one NUMA node
        "2|0-7|2-3,6-7|2,6", // next to the device
        "4|0-7|2-3,6-7|2-3,6-7",
        "6|0-7|2-3,6-7|0,2-4,6-7", // all that is near, and a whole core besides
        "1|0-7|''|0",
        "1|1-7|''|4", // the rest of a core that is in use already
        "2|1-3,5-7|''|1,5", // the fuller node has just enough
        "3|0-1,3-7|''|3,6-7", // the fuller node has just enough, if not by whole cores
        "2|1,3|''|1,3", // two nodes, since none has enough
        "8|0-7|''|0-7",
        "1|''|''|none",
        "3|0-1|''|none",
      })
  void near_first_then_one_node_then_whole_cores(
      int count, String free, String near, String chosen) {
    assertEquals(
        Optional.ofNullable(chosen),
        MACHINE.choose(count, CpuSet.parse(free), CpuSet.parse(near)).map(CpuSet::toString));
  }
}
