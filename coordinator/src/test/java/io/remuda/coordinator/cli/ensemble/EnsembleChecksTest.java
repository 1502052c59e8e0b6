package io.remuda.coordinator.cli.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.ensemble.EnsembleSettings;
import io.remuda.telemetry.model.HostInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class EnsembleChecksTest {
  private static final HostInfo HOST = new HostInfo("pinoak", "a CPU", 8, 8, 16L << 30, 8L << 30);

  private static EnsembleOptions options(String line) {
    return CommandLine.populateCommand(
        new EnsembleOptions(), line.isEmpty() ? new String[0] : line.split(" "));
  }

  private static Optional<String> fault(String line) {
    return EnsembleChecks.fault(options(line), Optional.of(HOST));
  }

  @Test
  void the_defaults_are_those_of_the_example() {
    EnsembleSettings settings = options("").settings(null, 1);
    assertEquals(
        new EnsembleSettings(
            2,
            2,
            true,
            1024,
            1_073_741_824,
            64,
            1000,
            14,
            0.7,
            1,
            1,
            0,
            0,
            null,
            true,
            Duration.ofSeconds(1)),
        settings);
    assertEquals(1024, settings.images());
    assertEquals(Optional.empty(), fault(""));
  }

  @Test
  void every_option_changes_what_it_names() {
    EnsembleOptions options =
        options(
            "--mnist_workers 3 --scipy_workers 4 --no-cuda --size 16 --mem 1KiB --batch-size 5"
                + " --test-batch-size 6 --epochs 7 --gamma 0.25 --seed -9 --nodes 2"
                + " --join-nodes 1 --cpus 1.5 --no-verify --interval 0.5");
    EnsembleSettings settings = options.settings(Path.of("/data"), options.localNodes());
    assertEquals(
        new EnsembleSettings(
            3,
            4,
            false,
            16,
            1024,
            5,
            6,
            7,
            0.25,
            -9,
            2,
            1,
            1.5,
            Path.of("/data"),
            false,
            Duration.ofMillis(500)),
        settings);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--mnist-workers 1",
        "--mnist-workers 0",
        "--scipy-workers 0",
        "--size 3",
        "--size -5",
        "--size 46341",
        "--batch-size 0",
        "--test-batch-size 0",
        "--epochs 0",
        "--join-nodes -1",
        "--nodes -1",
        "--nodes 65",
        "--gamma 0.0",
        "--gamma NaN",
        "--cpus -1.0",
        "--interval 0.1",
        "--interval 61.0",
        "--mem 1048575"
      })
  void a_value_out_of_its_range_is_a_fault_that_names_it(String line) {
    String[] words = line.split(" ");
    String fault = fault(line).orElseThrow();
    assertTrue(fault.startsWith(words[0]), fault);
    assertTrue(fault.contains(words[1]), fault);
    assertEquals(1, fault.lines().count());
  }

  @Test
  void no_nodes_at_all_is_a_fault() {
    assertTrue(fault("--nodes 0").orElseThrow().contains("--join-nodes"));
    assertEquals(Optional.empty(), fault("--nodes 0 --join-nodes 2"));
  }

  @Test
  void images_that_do_not_fit_in_memory_are_a_fault_with_both_figures() {
    String fault = fault("--size 20000 --mem 1GiB --scipy-workers 4").orElseThrow();
    assertTrue(fault.contains("15258 MiB") && fault.contains("8192 MiB"), fault);
  }

  @ParameterizedTest
  @ValueSource(ints = {600_000_000, 1_000_000_000, Integer.MAX_VALUE})
  void a_number_of_workers_beyond_all_memory_is_a_fault_too(int workers) {
    assertTrue(fault("--size 46340 --mem 1TiB --scipy-workers " + workers).isPresent());
  }

  @Test
  void too_many_images_are_a_fault() {
    assertTrue(fault("--size 4 --mem 1TiB").orElseThrow().contains("too many images"));
  }

  @Test
  void a_batch_that_does_not_fit_in_memory_is_a_fault_with_its_size() {
    String fault = fault("--test-batch-size 10000").orElseThrow();
    assertTrue(fault.contains("10000") && fault.contains("8192 MiB"), fault);
  }
}
