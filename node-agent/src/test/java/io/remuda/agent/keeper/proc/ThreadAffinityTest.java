package io.remuda.agent.keeper.proc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThreadAffinityTest {

  private static String allowed() throws IOException {
    return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
        .filter(line -> line.startsWith("Cpus_allowed_list:"))
        .map(line -> line.split("\\s+")[1])
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_thread_is_bound_until_it_is_closed() throws IOException {
    String before = allowed();
    CpuSet last = CpuSet.of(List.of(CpuSet.parse(before).numbers().last()));
    try (ThreadAffinity bound = ThreadAffinity.to(last)) {
      assertEquals(last.toString(), allowed());
    }
    assertEquals(before, allowed());
  }

  @Test
  void no_cpus_change_nothing() throws IOException {
    String before = allowed();
    try (ThreadAffinity bound = ThreadAffinity.to(CpuSet.NONE)) {
      assertEquals(before, allowed());
    }
  }

  @Test
  void a_cpu_that_the_machine_lacks_is_named() {
    String message =
        assertThrows(IllegalStateException.class, () -> ThreadAffinity.to(CpuSet.parse("8191")))
            .getMessage();
    assertTrue(message.startsWith("CPUs 8191 cannot be used"), message);
  }
}
