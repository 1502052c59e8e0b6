package io.remuda.coordinator.status;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.telemetry.model.DeviceHealth;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GpuLinesTest {
  private static final long MIB = 1L << 20;

  private final Locale usual = Locale.getDefault();

  @AfterEach
  void restoreLocale() {
    Locale.setDefault(usual);
  }

  private static RunNodesStatus.GpuStatus h200(String number, String task) {
    return new RunNodesStatus.GpuStatus(
        number,
        "GPU-" + number,
        "NVIDIA H200",
        37,
        1024 * MIB,
        143_771 * MIB,
        61,
        250.4,
        700.0,
        DeviceHealth.OK,
        task);
  }

  private static RunNodesStatus.GpuStatus silent(String number, String name, DeviceHealth health) {
    return new RunNodesStatus.GpuStatus(
        number,
        "GPU-" + number,
        name,
        null,
        null,
        143_771 * MIB,
        null,
        null,
        null,
        health,
        health == DeviceHealth.STALE ? "1.1" : null);
  }

  private static RunNodesStatus.GpuStatus instance(String number) {
    return new RunNodesStatus.GpuStatus(
        number,
        "MIG-" + number,
        "NVIDIA H100 MIG 1g.10gb",
        null,
        12 * MIB,
        10_240 * MIB,
        null,
        null,
        null,
        DeviceHealth.OK,
        null);
  }

  private static RunNodesStatus.NodeStatus node(String name, RunNodesStatus.GpuStatus... gpus) {
    return new RunNodesStatus.NodeStatus(name, true, 0.17, List.of(gpus));
  }

  private static List<String> lines(RunNodesStatus.NodeStatus... nodes) {
    return GpuLines.of(List.of(new RunNodesStatus("run-9", List.of(nodes))));
  }

  @Test
  void a_gpu_has_a_line_with_all_its_readings_and_the_task_of_the_run() {
    assertEquals(
        List.of(
            "gpu1 [0] NVIDIA H200 | 61°C,  37 %, 250 / 700 W |   1024 / 143771 MiB"
                + " | task 1.0 of run-9",
            "gpu1 [1] NVIDIA H200 | 61°C,  37 %, 250 / 700 W |   1024 / 143771 MiB"),
        lines(node("gpu1", h200("0", "1.0"), h200("1", null))));
  }

  @Test
  void what_is_not_available_is_said_and_power_is_left_out() {
    RunNodesStatus.GpuStatus bare =
        new RunNodesStatus.GpuStatus(
            "0", "GPU-0", "a GPU", null, null, null, null, null, 700.0, DeviceHealth.OK, null);
    assertEquals(
        List.of("n1 [0] a GPU |  n/a,  n/a |    n/a /    n/a MiB"), lines(node("n1", bare)));
  }

  @Test
  void power_without_a_limit_stands_alone() {
    RunNodesStatus.GpuStatus unlimited =
        new RunNodesStatus.GpuStatus(
            "0", "GPU-0", "a GPU", 100, 0L, 8192 * MIB, 40, 60.0, null, DeviceHealth.OK, null);
    assertEquals(
        List.of("n1 [0] a GPU | 40°C, 100 %,  60 W |      0 /   8192 MiB"),
        lines(node("n1", unlimited)));
  }

  @Test
  void a_drained_gpu_says_so_behind_the_task_that_it_still_has() {
    RunNodesStatus.GpuStatus one = h200("0", "1.0");
    assertEquals(
        List.of(
            "gpu1 [0] NVIDIA H200 | 61°C,  37 %, 250 / 700 W |   1024 / 143771 MiB"
                + " | task 1.0 of run-9 | draining (a fan)",
            "gpu1 [1] NVIDIA H200 | 61°C,  37 %, 250 / 700 W |   1024 / 143771 MiB | draining"),
        lines(node("gpu1", one.draining("a fan"), h200("1", null).draining(""))));
  }

  @Test
  void a_lost_gpu_and_one_without_readings_have_words_in_their_place() {
    assertEquals(
        List.of(
            "n1 [0] NVIDIA H200 | lost", "n1 [1] NVIDIA H200 | no readings | task 1.1 of run-9"),
        lines(
            node(
                "n1",
                silent("0", "NVIDIA H200", DeviceHealth.LOST),
                silent("1", "NVIDIA H200", DeviceHealth.STALE))));
  }

  @Test
  void names_and_numbers_of_all_nodes_are_aligned_instances_too() {
    assertEquals(
        List.of(
            "n1    [0   ] NVIDIA H200             | 61°C,  37 %, 250 / 700 W |   1024 / 143771 MiB",
            "n1    [1:0 ] NVIDIA H100 MIG 1g.10gb |  n/a,  n/a |     12 /  10240 MiB",
            "gpu10 [12:6] NVIDIA H100 MIG 1g.10gb |  n/a,  n/a |     12 /  10240 MiB"),
        lines(node("n1", h200("0", null), instance("1:0")), node("gpu10", instance("12:6"))));
  }

  @Test
  void a_degraded_gpu_shows_its_readings() {
    RunNodesStatus.GpuStatus degraded =
        new RunNodesStatus.GpuStatus(
            "0", "GPU-0", "a GPU", 5, 0L, 8192 * MIB, 40, 60.0, 350.0, DeviceHealth.DEGRADED, null);
    assertEquals(
        List.of("n1 [0] a GPU | 40°C,   5 %,  60 / 350 W |      0 /   8192 MiB"),
        lines(node("n1", degraded)));
  }

  @Test
  void a_node_without_a_gpu_shows_its_load_once_it_is_known() {
    assertEquals(
        List.of("n1 no GPU, load 0.17", "n2 no GPU"),
        lines(node("n1"), new RunNodesStatus.NodeStatus("n2", true, null, List.of())));
  }

  @Test
  void a_node_that_does_not_answer_has_one_line_however_many_gpus_it_had() {
    assertEquals(
        List.of("gpu1  does not answer", "gpu10 no GPU, load 0.17"),
        lines(
            new RunNodesStatus.NodeStatus(
                "gpu1", false, 0.17, List.of(h200("0", "1.0"), h200("1", null))),
            node("gpu10")));
  }

  @Test
  void several_runs_follow_each_other_each_task_with_its_run() {
    assertEquals(
        List.of(
            "n1 [0] NVIDIA H200 | 61°C,  37 %, 250 / 700 W |   1024 / 143771 MiB"
                + " | task 1.0 of run-8",
            "n1 [1] NVIDIA H200 | 61°C,  37 %, 250 / 700 W |   1024 / 143771 MiB"
                + " | task 1.0 of run-9",
            "me [2] NVIDIA H200 | 61°C,  37 %, 250 / 700 W |   1024 / 143771 MiB"),
        GpuLines.of(
            List.of(
                new RunNodesStatus("run-8", List.of(node("n1", h200("0", "1.0")))),
                new RunNodesStatus("run-9", List.of(node("n1", h200("1", "1.0")))),
                new RunNodesStatus(null, List.of(node("me", h200("2", null)))))));
  }

  @Test
  void numbers_are_written_alike_in_every_country() {
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    assertEquals(
        List.of(
            "n1 [0] NVIDIA H200 | 61°C,  37 %, 250 / 700 W |   1024 / 143771 MiB",
            "n2 no GPU, load 0.17"),
        lines(node("n1", h200("0", null)), node("n2")));
  }

  @Test
  void of_no_run_there_is_no_line() {
    assertEquals(List.of(), GpuLines.of(List.of()));
  }
}
