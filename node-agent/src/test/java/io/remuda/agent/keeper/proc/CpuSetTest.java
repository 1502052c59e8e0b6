package io.remuda.agent.keeper.proc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuSetTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"0|0", "0-3|0-3", "3,1,2|1-3", "0-1,8,10-11|0-1,8,10-11", "8191|8191", "''|''"})
  void a_list_is_read_and_written_as_the_kernel_does(String text, String written) {
    assertEquals(written, CpuSet.parse(text).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "-1", "1-", "1,,2", "0x3", "8192"})
  void another_text_is_refused(String text) {
    assertThrows(IllegalArgumentException.class, () -> CpuSet.parse(text));
  }
}
