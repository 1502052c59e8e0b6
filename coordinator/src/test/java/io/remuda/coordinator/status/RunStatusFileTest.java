package io.remuda.coordinator.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.telemetry.model.DeviceHealth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.typed.PostStop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunStatusFileTest {
  private static final RunNodesStatus.GpuStatus FULL =
      new RunNodesStatus.GpuStatus(
          "3:1",
          "MIG-b1",
          "NVIDIA H200",
          37,
          5L << 30,
          9L << 30,
          61,
          250.5,
          700.0,
          DeviceHealth.OK,
          "1.0",
          true,
          "a fan",
          "pid 7 of bob uses 2.0 GiB");
  private static final RunNodesStatus.GpuStatus BARE =
      new RunNodesStatus.GpuStatus(
          "4", "GPU-4", "a GPU", null, null, null, null, null, null, DeviceHealth.STALE, null);
  private static final RunNodesStatus STATUS =
      new RunNodesStatus(
          "run-9",
          List.of(
              new RunNodesStatus.NodeStatus("n1", true, 0.17, List.of(FULL, BARE)),
              new RunNodesStatus.NodeStatus("n2", false, null, List.of())));

  @TempDir private Path folder;

  private Path file() {
    return RunningEnsembles.fileOf(folder);
  }

  private BehaviorTestKit<RunNodesStatus> writer() {
    return BehaviorTestKit.create(RunStatusFile.create(file()));
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void what_is_written_is_read_again() throws IOException {
    writer().run(STATUS);
    assertEquals(STATUS, RunStatusFile.read(file()));
  }

  @Test
  void a_new_status_takes_the_place_of_the_last_and_leaves_nothing_beside_it() throws IOException {
    BehaviorTestKit<RunNodesStatus> writer = writer();
    writer.run(STATUS);
    RunNodesStatus later = new RunNodesStatus("run-9", List.of());
    writer.run(later);
    assertEquals(later, RunStatusFile.read(file()));
    assertEquals(List.of("status.json"), files());
  }

  @Test
  void what_a_killed_writer_left_is_no_hindrance() throws IOException {
    Files.writeString(folder.resolve("status.json.new"), "{\"run\":\"ru");
    writer().run(STATUS);
    assertEquals(STATUS, RunStatusFile.read(file()));
    assertEquals(List.of("status.json"), files());
  }

  @Test
  void nobody_else_may_read_it() throws IOException {
    writer().run(STATUS);
    assertEquals(
        PosixFilePermissions.fromString("rw-------"), Files.getPosixFilePermissions(file()));
  }

  @Test
  void what_is_not_available_is_absent() throws IOException {
    writer().run(STATUS);
    JsonNode nodes = new JsonMapper().readTree(file().toFile()).get("nodes");
    JsonNode bare = nodes.get(0).get("gpus").get(1);
    assertEquals(
        "{\"number\":\"4\",\"uuid\":\"GPU-4\",\"name\":\"a GPU\",\"health\":\"STALE\"}",
        bare.toString());
    assertEquals("{\"name\":\"n2\",\"reachable\":false,\"gpus\":[]}", nodes.get(1).toString());
    assertFalse(
        RunStatusFile.json(List.of(new RunNodesStatus(null, List.of()))).contains("run"),
        "a null run");
  }

  @Test
  void a_set_of_statuses_is_one_array() throws IOException {
    JsonNode all = new JsonMapper().readTree(RunStatusFile.json(List.of(STATUS, STATUS)));
    assertTrue(all.isArray(), all.toString());
    assertEquals("run-9", all.get(1).get("run").asText());
    assertEquals("3:1", all.at("/0/nodes/0/gpus/0/number").asText());
    assertEquals(250.5, all.at("/0/nodes/0/gpus/0/powerWatts").asDouble());
  }

  @Test
  void fields_of_a_newer_release_are_passed_over() throws IOException {
    Files.writeString(
        file(),
        "{\"run\":\"run-9\",\"colour\":\"red\",\"nodes\":[{\"name\":\"n1\",\"reachable\":true,"
            + "\"rack\":7,\"gpus\":[{\"number\":\"0\",\"uuid\":\"GPU-0\",\"name\":\"a GPU\","
            + "\"health\":\"OK\",\"fan\":44}]}]}");
    assertEquals("GPU-0", RunStatusFile.read(file()).nodes().get(0).gpus().get(0).uuid());
  }

  @Test
  void the_file_goes_with_the_run() throws IOException {
    BehaviorTestKit<RunNodesStatus> writer = writer();
    writer.run(STATUS);
    writer.signal(PostStop.instance());
    assertEquals(List.of(), files());
  }

  @Test
  void a_run_that_ends_before_its_first_status_leaves_nothing() throws IOException {
    writer().signal(PostStop.instance());
    assertEquals(List.of(), files());
  }

  @Test
  void what_cannot_be_written_is_said_once_until_it_can_be_again() throws IOException {
    Path late = folder.resolve("late/status.json");
    BehaviorTestKit<RunNodesStatus> writer = BehaviorTestKit.create(RunStatusFile.create(late));
    writer.run(STATUS);
    writer.run(STATUS);
    assertEquals(1, writer.getAllLogEntries().size());
    Files.createDirectory(late.getParent());
    writer.run(STATUS);
    assertEquals(STATUS, RunStatusFile.read(late));
    assertEquals(1, writer.getAllLogEntries().size());
    Files.delete(late);
    Files.delete(late.getParent());
    writer.run(STATUS);
    assertEquals(2, writer.getAllLogEntries().size());
    assertTrue(writer.isAlive());
  }

  @Test
  void half_a_file_is_a_fault_and_not_half_a_status() throws IOException {
    writer().run(STATUS);
    String whole = Files.readString(file());
    for (int length : new int[] {0, 1, whole.length() / 2, whole.length() - 1}) {
      Files.writeString(file(), whole.substring(0, length));
      assertThrows(IOException.class, () -> RunStatusFile.read(file()), length + " characters");
    }
  }
}
