package io.remuda.coordinator.rest.answer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.agent.protocol.GangStart;
import io.remuda.coordinator.api.ClusterNodesSnapshot;
import io.remuda.coordinator.api.LiveJobProgress;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.rest.RestServer;
import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.TrainingEpochProgress;
import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TopAnswerTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final DeviceId GPU = new DeviceId("GPU-1");
  private static final AttemptId ATTEMPT = AttemptId.parse("1.0.1");
  private static final Instant NOW = Instant.parse("2026-01-01T10:00:00Z");

  private static final DeviceOffer SHARED =
      new DeviceOffer(GPU, "H200", 100, 30, DeviceOffer.Standing.SHARED);

  private static JobRow job(long id, TaskState state) {
    return new JobRow(
        new JobId(id),
        new UUID(1, id),
        "ann",
        "job" + id,
        state,
        state,
        1,
        1000,
        0,
        0,
        null,
        null,
        List.of(),
        null,
        new TrainingEpochProgress(20, 5, 61_000, true, 2000),
        GangStart.NONE);
  }

  private static ClusterNodesSnapshot cluster(Map<String, NodeSample> samples, DeviceOffer device) {
    NodeOffer node =
        new NodeOffer(
            "n1",
            "n1",
            NodeOffer.Presence.READY,
            Map.of(),
            new NodeOffer.Amount(500, 4000),
            new NodeOffer.Amount(10, 20),
            List.of(device),
            OptionalLong.empty());
    return new ClusterNodesSnapshot(
        List.of(node),
        Map.of("n1", 1),
        Map.of(GPU, List.of(ATTEMPT)),
        Map.of(ATTEMPT, new ResourceRequest(0, 1, 0, 40, null, Map.of())),
        samples,
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of());
  }

  private static NodeSample sample() {
    return new NodeSample(
        "n1",
        1,
        NOW.toEpochMilli(),
        new HostSample(1.5, 0, 0, null, 4, 20, 10, 0L),
        List.of(
            DeviceSampleBuilder.of(GPU, 3)
                .utilGpu(87)
                .memUsed(50L)
                .tempC(61)
                .powerMw(250_500)
                .processes(List.of())
                .build()));
  }

  private static JsonNode view(Map<String, NodeSample> samples, TopAnswer.Jobs jobs) {
    return JSON.valueToTree(TopAnswer.of(cluster(samples, SHARED), jobs, NOW));
  }

  private static JsonNode view(Map<String, NodeSample> samples, DeviceOffer device) {
    TopAnswer.Jobs none = new TopAnswer.Jobs(Map.of(), List.of(), Map.of());
    return JSON.valueToTree(TopAnswer.of(cluster(samples, device), none, NOW));
  }

  private static JsonNode view(Map<String, NodeSample> samples) {
    return view(
        samples,
        new TopAnswer.Jobs(
            Map.of(TaskState.RUNNING, 1), List.of(job(1, TaskState.RUNNING)), Map.of()));
  }

  @Test
  void a_gpu_is_shown_with_its_readings_and_holders() {
    // the driver lists no process, so nobody knows whose memory it is
    JsonNode gpu = view(Map.of("n1", sample())).at("/gpus/0");
    assertEquals(
        "{\"node\":\"n1\",\"number\":\"3\",\"uuid\":\"GPU-1\",\"model\":\"H200\","
            + "\"state\":\"shared\",\"drainReason\":null,\"health\":\"ok\",\"memoryBytes\":100,\"usedBytes\":50,"
            + "\"freeBytes\":30,\"holders\":[{\"job\":1,\"attempt\":\"1.0.1\",\"whole\":false,"
            + "\"reservedBytes\":40,\"usedBytes\":null}],\"otherBytes\":null,\"utilization\":87,"
            + "\"temperatureCelsius\":61,\"powerWatts\":250.5,\"powerLimitWatts\":null,"
            + "\"note\":null,\"strangers\":[]}",
        gpu.toString());
  }

  @Test
  void a_drained_gpu_lends_nothing_and_says_why() {
    DeviceOffer drained =
        new DeviceOffer(GPU, "H200", 100, 30, DeviceOffer.Standing.SHARED).draining("a fan");
    JsonNode gpu = view(Map.of("n1", sample()), drained).at("/gpus/0");
    assertEquals("draining", gpu.path("state").asText());
    assertEquals("a fan", gpu.path("drainReason").asText());
    assertEquals(0, gpu.path("freeBytes").asInt());
    assertEquals(1, gpu.path("holders").size());
  }

  @Test
  void the_states_of_a_gpu_have_the_words_of_the_document() throws IOException {
    try (InputStream file = RestServer.class.getResourceAsStream("/openapi.json")) {
      JsonNode words = JSON.readTree(file).at("/components/schemas/TopGpu/properties/state/enum");
      assertEquals(
          Stream.of(DeviceOffer.Standing.values()).map(NodeAnswer::label).toList(),
          JSON.convertValue(words, List.class));
    }
  }

  @Test
  void before_the_first_sample_readings_are_null_and_not_0() {
    JsonNode view = view(Map.of());
    for (String field : List.of("number", "health", "usedBytes", "otherBytes", "utilization")) {
      assertEquals("null", view.at("/gpus/0/" + field).toString(), field);
    }
    assertEquals("null", view.at("/nodes/0/load1").toString());
    assertEquals(40, view.at("/gpus/0/holders/0/reservedBytes").asInt());
  }

  @Test
  void a_job_that_waits_says_why_and_many_reasons_are_cut_short() {
    List<WaitReason> silent = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      silent.add(new WaitReason.NodeSilent("n" + i));
    }
    JsonNode jobs =
        view(
                Map.of(),
                new TopAnswer.Jobs(
                    Map.of(TaskState.WAITING, 2, TaskState.HELD, 1),
                    List.of(
                        job(1, TaskState.WAITING),
                        job(2, TaskState.HELD),
                        job(3, TaskState.WAITING)),
                    Map.of(
                        new JobId(1),
                        new LiveJobProgress(Map.of(TaskState.WAITING, 1), silent),
                        new JobId(2),
                        new LiveJobProgress(
                            Map.of(TaskState.HELD, 1), List.of(new WaitReason.OnHold())))))
            .path("jobs");
    assertEquals(
        "n1: does not answer; n2: does not answer; n3: does not answer; and 2 more",
        jobs.at("/0/reason").asText());
    assertEquals("it is on hold: remuda release it", jobs.at("/1/reason").asText());
    assertEquals("null", jobs.at("/2/reason").toString());
  }

  @Test
  void health_has_the_words_of_the_document() throws IOException {
    try (InputStream file = RestServer.class.getResourceAsStream("/openapi.json")) {
      JsonNode words = JSON.readTree(file).at("/components/schemas/TopGpu/properties/health/enum");
      assertEquals(DeviceHealth.values().length + 1, words.size());
      assertEquals("null", words.get(words.size() - 1).toString());
    }
  }
}
