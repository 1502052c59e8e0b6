package io.remuda.agent.keeper.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellLimitsTest {

  private static final List<String> KERNEL =
      List.of(
          "Limit                     Soft Limit           Hard Limit           Units     ",
          "Max cpu time              unlimited            unlimited            seconds   ",
          "Max stack size            4194304              unlimited            bytes     ",
          "Max processes             unlimited            unlimited            processes ",
          "Max open files            333                  1048576              files     ",
          "Max file locks            4000000000000000001  unlimited            locks     ");

  @Test
  void they_are_the_soft_ones_by_the_names_of_prlimit() {
    assertEquals(
        "cpu=unlimited,stack=4194304,nproc=unlimited,nofile=333",
        ShellLimits.written(KERNEL, true));
  }

  @Test
  void a_number_of_files_that_the_jvm_has_raised_is_left_out() {
    assertEquals("cpu=unlimited,stack=4194304,nproc=unlimited", ShellLimits.written(KERNEL, false));
  }

  @Test
  void those_of_this_process_are_read_back() {
    String own = ShellLimits.ofThisProcess(true).orElseThrow();
    assertEquals(10, ShellLimits.parse(own).soft().size(), own);
  }

  @Test
  void what_is_written_is_read() {
    assertEquals(
        Map.of(ShellLimits.Resource.NOFILE, 333L, ShellLimits.Resource.AS, ShellLimits.UNLIMITED),
        ShellLimits.parse("nofile=333,as=unlimited").soft());
    assertEquals(Map.of(), ShellLimits.parse("").soft());
  }

  @ParameterizedTest
  @ValueSource(strings = {"files=3", "nofile", "nofile=", "nofile=-1", "nofile=1,", "nofile=1k"})
  void another_text_is_refused_with_the_part_that_is_wrong(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> ShellLimits.parse(text)).getMessage();
    assertTrue(message.contains("cpu, fsize, data, stack"), message);
    assertTrue(message.endsWith("got '" + text.replace("nofile=1,", "") + "'"), message);
  }
}
