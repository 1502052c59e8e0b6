package io.remuda.agent.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WholeGpuRulesTest {

  private static long read(String text) {
    return read(text, "asked").strangerMemory();
  }

  private static WholeGpuRules read(String memory, String slices) {
    return WholeGpuRules.from(
        ConfigFactory.parseString("stranger-memory = " + memory + ", mig-slices = " + slices));
  }

  @Test
  void it_is_a_size_or_any() {
    assertEquals(256L << 20, read("256MiB"));
    assertEquals(0, read("0"));
    assertEquals(Long.MAX_VALUE, read("any"));
    assertEquals(
        new WholeGpuRules(256L << 20, false),
        WholeGpuRules.from(ConfigFactory.load().getConfig("remuda.agent")),
        "the default");
  }

  @Test
  void slices_are_lent_when_asked_for_or_as_gpus() {
    assertTrue(read("any", "as-gpus").slicesToo());
    assertEquals(
        "mig-slices must be asked or as-gpus, got 'never'",
        assertThrows(IllegalArgumentException.class, () -> read("any", "never")).getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"all", "-1", "\"\"", "256 melons"})
  void anything_else_is_refused_with_the_value_and_what_to_write(String text) {
    String refusal = assertThrows(IllegalArgumentException.class, () -> read(text)).getMessage();
    assertTrue(refusal.startsWith("stranger-memory must be a size from 0"), refusal);
    assertTrue(refusal.contains(text.replace("\"", "")), refusal);
  }
}
