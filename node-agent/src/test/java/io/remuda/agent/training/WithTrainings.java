package io.remuda.agent.training;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.settings.TrainingCallers;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TrainingProgress;
import io.remuda.worker.job.TrainingTerms;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The trainings of an agent over real HTTP, with one of five epochs; time moves by hand. */
@Timeout(60)
abstract class WithTrainings {

  static final UUID ID = new UUID(1, 2);
  static final AttemptId ATTEMPT = AttemptId.parse("1.0.1");

  /** One for all tests: each has threads and a TLS context of its own. */
  static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir Path folder;
  final AtomicLong clock = new AtomicLong(1);
  final List<TrainingProgress> told = new ArrayList<>();
  Trainings trainings;

  @BeforeEach
  final void begin() throws IOException {
    trainings = agent();
    prepare(0);
  }

  @AfterEach
  final void end() {
    trainings.close();
  }

  static final long WALL = 1_700_000_000_000L;
  long wall = WALL;
  long longestMillis;
  TrainingCallers callers = TrainingCallers.OWN;

  Trainings agent() {
    return new Trainings(
        settings(),
        new Distribution(folder),
        clock::get,
        wallClock(),
        (attempt, progress) -> {
          assertEquals(ATTEMPT, attempt);
          told.add(progress);
        });
  }

  private AgentSettings settings() {
    AgentSettings usual = TestAgents.settings(folder);
    return new AgentSettings(
        usual.node(),
        usual.run(),
        usual.access(),
        folder,
        usual.cache(),
        usual.tie(),
        usual.timing(),
        true,
        true,
        usual.askToEnd(),
        callers,
        Map.of());
  }

  private Clock wallClock() {
    return new Clock() {
      @Override
      public Instant instant() {
        return Instant.ofEpochMilli(wall);
      }

      @Override
      public ZoneOffset getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }
    };
  }

  /** Prepares an attempt of a training of five epochs on so many GPUs. */
  void prepare(int done, DeviceId... gpus) throws IOException {
    trainings.prepare(
        new TaskStartOrder(
            ATTEMPT,
            "ann",
            false,
            0,
            new CommandWorkload(List.of("train"), Map.of("PYTHONPATH", "/mine"), "/", 022),
            List.of(gpus),
            1,
            gpus.length > 0,
            new TaskStartOrder.JobFacts(ID, "train", 1, new ResourceRequest(1, gpus.length)),
            0,
            new TaskStartOrder.Ending(30_000, 0, 0),
            new TaskStartOrder.Training(TrainingTerms.of(5), done, longestMillis)),
        folder);
  }

  void after(Duration passed) {
    clock.addAndGet(passed.toNanos());
  }

  HttpRequest.Builder to(String path) {
    String host = trainings.launch(ATTEMPT).variables().get("REMUDA_TRAINING_HOST");
    return HttpRequest.newBuilder(URI.create("http://" + host + path));
  }

  HttpResponse<String> send(HttpRequest request) throws Exception {
    return CLIENT.send(request, BodyHandlers.ofString());
  }

  String question() throws Exception {
    HttpResponse<String> answer = send(to("/has_to_stop/" + ID).build());
    assertEquals(200, answer.statusCode());
    return answer.body();
  }

  int post(String path, String body) throws Exception {
    return send(to(path + "/" + ID).POST(BodyPublishers.ofString(body)).build()).statusCode();
  }

  int ends(int epoch) throws Exception {
    return post("/end_epoch", "{\"done\": " + epoch + "}");
  }

  static String profile(String more) {
    return "{\"jobid\": \""
        + ID
        + "\", \"timestamp\": \"2026-11-23T12:00:00.5\", \"iternum\": 10, \"nodelist\": \"n1\","
        + " \"numgpu\": 1, \"rank\": 0, \"meandur\": 0.25, \"gpumem\": 300"
        + more
        + "}";
  }

  long onlyStart() {
    return trainings.progress(ATTEMPT).orElseThrow().startMillis();
  }

  URI old(String path) throws IOException {
    int port =
        new com.fasterxml.jackson.databind.json.JsonMapper()
            .readValue(folder.resolve("training-port.json").toFile(), Integer.class);
    return URI.create("http://127.0.0.1:" + port + path);
  }
}
