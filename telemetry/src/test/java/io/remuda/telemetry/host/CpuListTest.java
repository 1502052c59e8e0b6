package io.remuda.telemetry.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuListTest {
  @ParameterizedTest(name = "\"{0}\" names {1} CPUs")
  @CsvSource(
      delimiter = '|',
      value = {"0|1", "0-3|4", "0-3,8,10-11|7", "''|0", "none|0", "'0-1\n'|2", "3-1|0"})
  void a_list_is_counted(String list, int cpus) {
    assertEquals(cpus, CpuList.count(list));
  }
}
