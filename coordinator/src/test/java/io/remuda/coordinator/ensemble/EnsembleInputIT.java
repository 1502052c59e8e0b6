package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.EnsembleProcess;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.TinyMnist;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Input that will not do is named, and nothing is started. */
class EnsembleInputIT extends WithEnsemble {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--mnist-workers=1",
        "--scipy-workers=0",
        "--no-such-option",
        "--size=3",
        "--size=46340 --mem=4GiB --scipy-workers=1000"
      })
  void bad_usage_is_one_line_and_exit_2(String arguments) {
    assertRefused(2, "remuda: .*" + named(arguments) + ".*", Map.of(), arguments.split(" "));
  }

  @Test
  void a_cache_that_cannot_be_written_is_named() throws IOException {
    Path file = Files.createFile(folder.resolve("not-a-folder"));
    assertRefused(1, ".*" + file + ".*", Map.of("REMUDA_CACHE", file.toString()));
  }

  @Test
  void a_damaged_file_is_named() throws IOException {
    Path damaged = TinyMnist.write(folder.resolve("damaged"), 20, 10);
    Path labels = damaged.resolve("t10k-labels-idx1-ubyte");
    byte[] bytes = Files.readAllBytes(labels);
    bytes[bytes.length - 1] ^= 0x40;
    Files.write(labels, bytes);
    assertRefused(1, ".*" + labels + ".*", Map.of(), "--data-dir=" + damaged);
    Files.delete(labels);
    assertRefused(
        1, ".*" + damaged + " has neither .*t10k-labels.*", Map.of(), "--data-dir=" + damaged);
  }

  @Test
  void data_that_is_not_mnist_is_named_unless_it_may_be_another_set() {
    EnsembleProcess run = launch(Map.of(), List.of("--data-dir=" + data));
    assertEquals(1, run.awaitExit(START), run::describe);
    assertEquals(1, run.err().size(), run::describe);
    assertTrue(run.err().get(0).contains("--no-verify"), run::describe);
  }

  @Test
  void a_bad_mnist_dir_is_named() {
    String nowhere = folder.resolve("nowhere").toString();
    EnsembleProcess run = launch(Map.of("MNIST_DIR", nowhere), List.of("ensemble"));
    assertEquals(1, run.awaitExit(START), run::describe);
    assertEquals(1, run.err().size(), run::describe);
    assertTrue(run.err().get(0).contains(nowhere), run::describe);
    assertEquals(List.of(), run.runFolders());
  }

  @Test
  void a_port_that_is_taken_is_named() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String listen = "127.0.0.1:" + taken.getLocalPort();
      assertRefused(1, ".*--listen.*" + listen + ".*", Map.of(), "--listen=" + listen);
    }
  }

  private static String named(String arguments) {
    return Pattern.quote(arguments.split("[ =]")[0]);
  }

  private void assertRefused(
      int code, String line, Map<String, String> environment, String... arguments) {
    EnsembleProcess run = start(environment, arguments);
    Set<Role> seen = new HashSet<>();
    run.await(
        "its end",
        START,
        () -> {
          run.members().stream()
              .map(Member::role)
              .filter(role -> role != Role.OTHER) // the JVM's own helper while it starts java
              .forEach(seen::add);
          return !run.isAlive();
        });
    assertEquals(code, run.awaitExit(SWEPT), run::describe);
    assertEquals(1, run.err().size(), run::describe);
    assertTrue(run.err().get(0).matches(line), run::describe);
    assertEquals(List.of(), run.out(), run::describe);
    assertTrue(Set.of(Role.COORDINATOR).containsAll(seen), () -> "started: " + seen);
    assertEquals(List.of(), run.runFolders());
  }
}
