package io.remuda.agent.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.telemetry.model.HostInfo;
import java.util.List;
import org.junit.jupiter.api.Test;

class LimitedHostSourceTest {
  private static final long GIB = 1L << 30;
  private static final HostInfo MACHINE = new HostInfo("lab7", "a CPU", 8, 2, 8 * GIB, 4 * GIB);

  private static final String CPUS =
      "--cpus 999.0 is more than the 2.0 CPUs here: tasks will share them";
  private static final String MEMORY =
      "--mem 8192 MiB is more than the 4096 MiB here: tasks may run out of it";

  @Test
  void whatever_is_offered_beyond_what_there_is_is_told() {
    assertEquals(List.of(CPUS), LimitedHostSource.excess(MACHINE, 999.0, null));
    assertEquals(List.of(MEMORY), LimitedHostSource.excess(MACHINE, null, 8 * GIB));
    assertEquals(List.of(CPUS, MEMORY), LimitedHostSource.excess(MACHINE, 999.0, 8 * GIB));
  }

  @Test
  void what_there_is_may_be_offered_without_a_word() {
    assertEquals(List.of(), LimitedHostSource.excess(MACHINE, 2.0, 4 * GIB));
    assertEquals(List.of(), LimitedHostSource.excess(MACHINE, null, null));
  }
}
