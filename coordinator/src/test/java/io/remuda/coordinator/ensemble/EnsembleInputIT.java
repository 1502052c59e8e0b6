package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.coordinator.testkit.TinyMnist;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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
    assertRefused(1, ".*--no-verify.*", Map.of(), List.of("--data-dir=" + data));
  }

  @Test
  void a_bad_mnist_dir_is_named() {
    String nowhere = folder.resolve("nowhere").toString();
    assertRefused(
        1, ".*" + Pattern.quote(nowhere) + ".*", Map.of("MNIST_DIR", nowhere), List.of("ensemble"));
  }

  @Test
  void a_report_that_cannot_be_made_or_would_replace_a_file_is_named() throws IOException {
    Path nowhere = folder.resolve("none").resolve("x.html");
    assertRefused(
        2, "remuda: --report: there is no folder .*none.*", Map.of(), "--report=" + nowhere);
    Path there = Files.writeString(folder.resolve("there.html"), "mine");
    assertRefused(2, "remuda: --report: .*there.html exists: .*", Map.of(), "--report=" + there);
    assertEquals("mine", Files.readString(there));
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

  private static void assertRefused(
      int code, String line, Map<String, String> environment, String... arguments) {
    assertRefused(code, line, environment, words(arguments));
  }

  private static void assertRefused(
      int code, String line, Map<String, String> environment, List<String> arguments) {
    Path home = newHome();
    try (Cluster none = new Cluster(Installation.find(), home, variables(home, environment))) {
      CompletableFuture<Result> call =
          CompletableFuture.supplyAsync(() -> refused(none, arguments.toArray(String[]::new)));
      List<Member> seen = new ArrayList<>();
      none.await(
          "its end",
          START,
          () -> {
            seen.addAll(none.members());
            return call.isDone();
          });
      Result refused = call.join();
      assertEquals(code, refused.code(), refused::toString);
      assertEquals(1, refused.err().lines().count(), refused::toString);
      assertTrue(refused.err().strip().matches(line), refused::toString);
      assertEquals("", refused.out(), refused::toString);
      assertEquals(List.of(), seen, "started");
      assertTrue(Files.notExists(home.resolve("runs")), "a run has a folder");
    }
  }

  private static Result refused(Cluster none, String... arguments) {
    try {
      return none.cli(arguments);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
