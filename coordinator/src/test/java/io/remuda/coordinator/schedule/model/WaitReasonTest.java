package io.remuda.coordinator.schedule.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.schedule.ScheduleSamples;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The reasons as data: programs read these names and numbers from events and explanations. */
class WaitReasonTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final List<DeviceId> A = ScheduleSamples.ids("A");

  private static final Map<String, WaitReason> BY_NAME =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("no-nodes", new WaitReason.NoNodes()),
              Map.entry("on-hold", new WaitReason.OnHold()),
              Map.entry("after-job", new WaitReason.AfterJob(JobDependency.parse("3:any"))),
              Map.entry(
                  "after-one-of",
                  WaitReason.AfterOneOf.of(
                      List.of(JobDependency.parse("4"), JobDependency.parse("3:any")))),
              Map.entry("begins-later", new WaitReason.BeginsLater(1_800_000_000_000L)),
              Map.entry("pause-before-retry", new WaitReason.PauseBeforeRetry(1500)),
              Map.entry("type-measured", new WaitReason.TypeMeasured("t", TaskId.parse("3.0"))),
              Map.entry(
                  "others-leave", new WaitReason.OthersLeave(List.of(TaskId.parse("1.0")), 30)),
              Map.entry("too-many-placed", new WaitReason.TooManyPlaced(40_000)),
              Map.entry("gang-incomplete", new WaitReason.GangIncomplete(8, 5)),
              Map.entry("members-leave", new WaitReason.MembersLeave(3)),
              Map.entry("enough-running", new WaitReason.EnoughRunning(4)),
              Map.entry("server-ends-before", new WaitReason.ServerEndsBefore(17, 7)),
              Map.entry("user-limit", new WaitReason.UserLimit("ann", "GPUs", 4, 4, 1)),
              Map.entry("too-few-in-cluster", new WaitReason.TooFewInCluster("lic", 2, 1, 2)),
              Map.entry(
                  "counted-held-by",
                  new WaitReason.CountedHeldBy("lic", List.of(TaskId.parse("1.0")))),
              Map.entry("not-named", new WaitReason.NotNamed("n1", List.of("n2"))),
              Map.entry("excluded", new WaitReason.Excluded("n1")),
              Map.entry("too-few-counted", new WaitReason.TooFewCounted("n1", "disk", 2, 1, 2)),
              Map.entry("node-silent", new WaitReason.NodeSilent("n1")),
              Map.entry("node-draining", new WaitReason.NodeDraining("n1", null)),
              Map.entry("node-stands-still", new WaitReason.NodeStandsStill("n1", "the disk", 5)),
              Map.entry("node-avoided", new WaitReason.NodeAvoided("n1", 5, "no space", 100)),
              Map.entry("lacks-label", new WaitReason.LacksLabel("n1", "zone", "a", null)),
              Map.entry("lacks-model", new WaitReason.LacksModel("n1", "h100", List.of("H200"))),
              Map.entry("lacks-gpus", new WaitReason.LacksGpus("n1", A)),
              Map.entry("no-room-on-gpus", new WaitReason.NoRoomOnGpus("n1", A)),
              Map.entry("gpus-held-by-others", new WaitReason.GpusHeldByOthers("n1", A, "it")),
              Map.entry("gpus-draining", new WaitReason.GpusDraining("n1", A, "a fan")),
              Map.entry(
                  "gpus-occupied",
                  new WaitReason.GpusOccupied(
                      "n1",
                      A.get(0),
                      79,
                      5,
                      List.of(new DeviceProcess(7, 79L).ofStranger("bob", "python")))),
              Map.entry(
                  "gpus-resting",
                  new WaitReason.GpusResting("n1", A.get(0), new GpuRest(3, 30_000, "exit 1"))),
              Map.entry(
                  "only-slices",
                  new WaitReason.OnlySlices("n1", 1, 0, List.of("H100 MIG 1g.10gb"))),
              Map.entry("too-few-free-gpus", new WaitReason.TooFewFreeGpus("n1", 2, 1, 8)),
              Map.entry(
                  "too-little-gpu-memory",
                  new WaitReason.TooLittleGpuMemory("n1", 20, 2, 1, 30, 80)),
              Map.entry("too-many-on-gpus", new WaitReason.TooManyOnGpus("n1", 1, 0)),
              Map.entry("gpus-too-busy", new WaitReason.GpusTooBusy("n1", 2, 1, 60)),
              Map.entry("slow-together", new WaitReason.SlowTogether("n1", "eval", 104)),
              Map.entry("too-many-tasks", new WaitReason.TooManyTasks("n1", 4000)),
              Map.entry("too-few-free-cpus", new WaitReason.TooFewFreeCpus("n1", 3, 2, 4)),
              Map.entry("too-little-memory", new WaitReason.TooLittleMemory("n1", 3, 2, 4)),
              Map.entry("held-for-other", new WaitReason.HeldForOther("n1", new JobId(7)))));

  private static JsonNode json(WaitReason reason) {
    try {
      return JSON.readTree(JSON.writeValueAsString(reason));
    } catch (JsonProcessingException broken) {
      throw new AssertionError(reason.toString(), broken);
    }
  }

  @Test
  void every_kind_has_an_example_here() {
    Set<Class<?>> kinds =
        Stream.of(WaitReason.class, WaitReason.OfNode.class)
            .flatMap(parent -> Stream.of(parent.getPermittedSubclasses()))
            .filter(Class::isRecord)
            .collect(Collectors.toSet());
    assertEquals(
        kinds, BY_NAME.values().stream().map(Object::getClass).collect(Collectors.toSet()));
  }

  @Test
  void every_kind_has_its_name_in_json() {
    Map<String, String> names = new TreeMap<>();
    BY_NAME.forEach((name, reason) -> names.put(name, json(reason).get("reason").asText()));
    BY_NAME.keySet().forEach(name -> assertEquals(name, names.get(name)));
  }

  @Test
  void every_kind_is_read_back_as_it_was_written() throws JsonProcessingException {
    for (WaitReason reason : BY_NAME.values()) {
      assertEquals(reason, JSON.readValue(JSON.writeValueAsString(reason), WaitReason.class));
    }
  }

  @Test
  void a_reason_that_concerns_a_node_names_it() {
    BY_NAME.forEach(
        (name, reason) ->
            assertEquals(
                reason instanceof WaitReason.OfNode ofNode ? ofNode.node() : null,
                json(reason).has("node") ? json(reason).get("node").asText() : null,
                name));
    assertEquals(
        Set.of(
            "no-nodes",
            "on-hold",
            "after-job",
            "after-one-of",
            "begins-later",
            "user-limit",
            "too-few-in-cluster",
            "counted-held-by",
            "pause-before-retry",
            "type-measured",
            "others-leave",
            "too-many-placed",
            "gang-incomplete",
            "members-leave",
            "enough-running",
            "server-ends-before"),
        BY_NAME.keySet().stream()
            .filter(name -> !(BY_NAME.get(name) instanceof WaitReason.OfNode))
            .collect(Collectors.toSet()));
  }

  private static String text(String name) {
    return json(BY_NAME.get(name)).toString();
  }

  @Test
  void numbers_are_written_by_the_names_that_programs_read() {
    assertEquals(
        "{\"reason\":\"too-little-gpu-memory\",\"node\":\"n1\",\"wanted\":20,\"wantedGpus\":2,"
            + "\"fittingGpus\":1,\"mostFree\":30,\"largest\":80}",
        text("too-little-gpu-memory"));
    assertEquals(
        "{\"reason\":\"too-few-free-gpus\",\"node\":\"n1\",\"wanted\":2,\"free\":1,\"total\":8}",
        text("too-few-free-gpus"));
    assertEquals(
        "{\"reason\":\"too-few-free-cpus\",\"node\":\"n1\",\"wanted\":3,\"free\":2,\"total\":4}",
        text("too-few-free-cpus"));
    assertEquals(
        "{\"reason\":\"held-for-other\",\"node\":\"n1\",\"job\":7}", text("held-for-other"));
    assertEquals(
        "{\"reason\":\"node-draining\",\"node\":\"n1\",\"why\":\"a new disk\"}",
        json(new WaitReason.NodeDraining("n1", "a new disk")).toString());
    assertEquals(
        "{\"reason\":\"gang-incomplete\",\"wanted\":8,\"placeable\":5}", text("gang-incomplete"));
  }

  @Test
  void jobs_of_which_one_is_enough_are_written_in_order() {
    assertEquals(
        "{\"reason\":\"after-one-of\",\"dependencies\":[\"3:any\",\"4:ok\"]}",
        text("after-one-of"));
  }

  @Test
  void lists_of_devices_and_models_are_copied() {
    List<DeviceId> devices = new ArrayList<>(A);
    List<String> models = new ArrayList<>(List.of("H200"));
    WaitReason.LacksGpus lacks = new WaitReason.LacksGpus("n1", devices);
    WaitReason.NoRoomOnGpus full = new WaitReason.NoRoomOnGpus("n1", devices);
    WaitReason.GpusHeldByOthers held = new WaitReason.GpusHeldByOthers("n1", devices, "it");
    WaitReason.GpusDraining drained = new WaitReason.GpusDraining("n1", devices, null);
    WaitReason.LacksModel model = new WaitReason.LacksModel("n1", "h100", models);
    devices.clear();
    models.clear();
    assertEquals(A, lacks.devices());
    assertEquals(A, full.devices());
    assertEquals(A, held.devices());
    assertEquals(A, drained.devices());
    assertEquals(List.of("H200"), model.models());
    assertThrows(UnsupportedOperationException.class, () -> lacks.devices().clear());
  }
}
