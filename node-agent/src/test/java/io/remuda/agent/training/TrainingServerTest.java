package io.remuda.agent.training;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.TrainingProgress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The protocol of trainings. */
class TrainingServerTest extends WithTrainings {

  @Test
  void its_start_is_measured_until_its_first_epoch_begins() throws Exception {
    after(Duration.ofSeconds(9));
    question();
    assertEquals(9000, onlyStart());
    after(Duration.ofSeconds(60));
    ends(1);
    question();
    assertEquals(9000, onlyStart());
  }

  @Test
  void the_start_of_one_that_an_earlier_agent_has_launched_is_unknown() throws Exception {
    trainings.close();
    trainings = agent();
    trainings.adopt(ATTEMPT, folder);
    after(Duration.ofHours(2));
    URI uri = old("/has_to_stop/" + ID);
    assertEquals(200, send(HttpRequest.newBuilder(uri).build()).statusCode());
    assertEquals(0, onlyStart());
  }

  @Test
  void the_end_of_an_epoch_is_told_with_what_was_measured() throws Exception {
    after(Duration.ofSeconds(62));
    assertEquals(200, post("/profiling", profile("")));
    assertEquals(200, post("/profiling", profile(", \"epochDur\": 61.5")));
    assertEquals(200, ends(1));
    assertEquals(
        List.of(new TrainingProgress(1, 61_500, 61_500, 0, WALL, false, 0.25, 300L, null)), told);
  }

  @Test
  void the_end_of_an_epoch_is_a_line_of_the_metrics_of_the_task() throws Exception {
    Path metrics = new TaskFolder(folder).metrics();
    Files.createDirectories(metrics.getParent());
    after(Duration.ofSeconds(62));
    assertEquals(200, ends(1));
    Files.writeString(metrics, "loss 1\n");
    after(Duration.ofSeconds(20));
    assertEquals(200, ends(2));
    assertEquals(
        List.of("loss 1", "epochSeconds 20.000 2 1700000000.000"), Files.readAllLines(metrics));
  }

  @Test
  @Timeout(60)
  void a_pipe_that_nobody_reads_in_place_of_the_metrics_holds_no_training() throws Exception {
    Path metrics = new TaskFolder(folder).metrics();
    Files.createDirectories(metrics.getParent());
    assertEquals(0, new ProcessBuilder("mkfifo", metrics.toString()).start().waitFor());
    after(Duration.ofSeconds(62));
    assertEquals(200, ends(1));
    assertEquals(1, told.size());
  }

  @Test
  void an_epoch_without_a_measurement_is_timed_here() throws Exception {
    question();
    after(Duration.ofSeconds(20));
    ends(1);
    after(Duration.ofSeconds(7));
    ends(2);
    assertEquals(7000, told.get(1).epochMillis());
    assertEquals(20_000, told.get(1).longestMillis());
  }

  @Test
  void an_epoch_that_is_told_longer_than_the_attempt_has_run_is_refused_and_timed_here()
      throws Exception {
    question();
    after(Duration.ofSeconds(600));
    assertEquals(400, post("/profiling", profile(", \"epochDur\": 600000")), "milliseconds");
    assertEquals(200, ends(1));
    assertEquals(600_000, told.get(0).longestMillis());
    assertEquals(null, told.get(0).stepSeconds(), "nothing of it is used");
    after(Duration.ofSeconds(20));
    assertEquals(400, post("/profiling", profile(", \"epochDur\": 600")), "since epoch 1");
    assertEquals(
        200, post("/profiling", profile(", \"epochDur\": 20.5")), "clocks differ a little");
  }

  @Test
  void a_step_that_is_told_longer_than_the_attempt_has_run_is_refused() throws Exception {
    assertEquals(400, post("/profiling", profile("").replace("0.25", "250")));
  }

  @Test
  void the_mean_of_all_steps_may_be_longer_than_an_epoch_after_a_slow_first_one() throws Exception {
    question();
    after(Duration.ofSeconds(300));
    assertEquals(200, ends(1));
    after(Duration.ofMillis(200));
    String slow = profile(", \"epochDur\": 0.2").replace("0.25", "15");
    assertEquals(200, post("/profiling", slow));
  }

  @Test
  void a_later_agent_knows_how_long_an_epoch_can_have_taken() throws Exception {
    trainings.close();
    trainings = agent();
    trainings.adopt(ATTEMPT, folder);
    wall += 100_000;
    assertEquals(400, profiles(", \"epochDur\": 600000"));
    assertEquals(200, profiles(", \"epochDur\": 100"));
  }

  /** Posts a measurement to the port that the agent's folder notes. */
  private int profiles(String more) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(old("/profiling/" + ID));
    return send(request.POST(BodyPublishers.ofString(profile(more))).build()).statusCode();
  }

  @Test
  void the_time_of_several_epochs_whose_ends_are_told_at_once_is_divided() throws Exception {
    question();
    after(Duration.ofSeconds(20));
    ends(4);
    assertEquals(5000, told.get(0).epochMillis());
  }

  @Test
  void a_lost_message_is_repaired_by_the_next_and_a_repeated_one_changes_nothing()
      throws Exception {
    assertEquals(200, ends(1));
    assertEquals(200, ends(1));
    assertEquals(200, ends(4));
    assertEquals(List.of(1, 4), told.stream().map(TrainingProgress::epochsDone).toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"done\": 6}",
        "{\"done\": -1}",
        "{\"done\": 1.5}",
        "{\"done\": \"2\"}",
        "{}",
        "[]",
        "",
        "{\"done\": 2",
        "{\"done\": 2}}",
        "{\"done\": 2, \"done\": 3}",
        "{\"done\": 1e99}",
        "null",
        "{\"done\": 0}"
      })
  void nonsense_about_epochs_is_refused_and_changes_nothing(String body) throws Exception {
    ends(1);
    told.clear();
    assertEquals(400, post("/end_epoch", body));
    assertEquals(List.of(), told);
    assertEquals(1, trainings.progress(ATTEMPT).orElseThrow().epochsDone());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"meandur\": -1", "\"meandur\": 1e300", "\"meandur\": \"x\"", "\"gpumem\": 2e10",
        "\"gpumem\": -3", "\"rank\": 0.5", "\"timestamp\": 7", "\"jobid\": \"other\"",
        "\"epochDur\": null"
      })
  void nonsense_about_measurements_is_refused_and_changes_nothing(String field) throws Exception {
    String name = field.substring(1, field.indexOf('"', 1));
    String body =
        name.equals("epochDur")
            ? profile(", " + field)
            : profile("").replaceFirst("\"" + name + "\": (\"[^\"]*\"|[^,}]*)", field);
    assertEquals(400, post("/profiling", body));
    ends(1);
    assertEquals(null, told.get(0).stepSeconds());
  }

  @Test
  void a_body_has_a_largest_size() throws Exception {
    String filler = " ".repeat(TrainingServer.MOST_BYTES);
    assertEquals(413, post("/end_epoch", "{\"done\": 1}" + filler));
    assertEquals(List.of(), told);
  }

  @Test
  void others_than_the_training_are_not_heard() throws Exception {
    UUID other = new UUID(3, 4);
    assertEquals(404, send(to("/has_to_stop/" + other).build()).statusCode());
    assertEquals(404, send(to("/has_to_stop/1").build()).statusCode());
    assertEquals(404, send(to("/").build()).statusCode());
    assertEquals(405, send(to("/end_epoch/" + ID).build()).statusCode());
    assertEquals(405, post("/has_to_stop", ""));
    trainings.ended(ATTEMPT);
    assertEquals(404, send(HttpRequest.newBuilder(old("/has_to_stop/" + ID)).build()).statusCode());
  }

  @Test
  void a_later_agent_has_the_same_address_and_knows_what_was_told() throws Exception {
    ends(2);
    String host = trainings.launch(ATTEMPT).variables().get("REMUDA_TRAINING_HOST");
    trainings.close();
    trainings = agent();
    trainings.adopt(ATTEMPT, folder);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + host + "/has_to_stop/" + ID)).build();
    assertEquals("0", send(request).body());
    assertEquals(2, trainings.progress(ATTEMPT).orElseThrow().epochsDone());
    assertTrue(trainings.leave(ATTEMPT, false), "it has spoken before");
    assertEquals("1", send(request).body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "65536", "0", "\"x\"", ""})
  void a_noted_port_that_is_none_is_forgotten(String noted) throws Exception {
    trainings.close();
    Files.writeString(folder.resolve("training-port.json"), noted);
    trainings = agent();
    trainings.adopt(ATTEMPT, folder);
    URI uri = old("/has_to_stop/" + ID);
    assertEquals("0", send(HttpRequest.newBuilder(uri).build()).body());
  }

  @Test
  void an_end_without_an_agent_is_reported_with_what_was_told() throws Exception {
    ends(2);
    TaskReport end =
        new TaskReport(
            ATTEMPT,
            TaskPhase.ENDED,
            0,
            null,
            new TaskEnd(TaskEnd.Kind.BY_ITSELF, 0, null, "exit code 0", null, null, null));
    assertEquals(2, Trainings.told(end, folder).training().epochsDone());
    assertEquals(end, Trainings.told(end, folder.resolve("other")));
  }

  @Test
  void the_variables_tell_whether_it_was_restarted_and_how_many_gpus_it_has() throws Exception {
    Map<String, String> first = trainings.launch(ATTEMPT).variables();
    assertEquals("FALSE", first.get("JOB_RESTARTED"));
    assertEquals("1", first.get("NUM_GPUS"));
    assertEquals("gloo", first.get("PL_TORCH_DISTRIBUTED_BACKEND"));
    assertTrue(first.get("PATH").endsWith(":" + folder.resolve("stand-ins")));
    trainings.ended(ATTEMPT);
    prepare(3, new DeviceId("GPU-1"), new DeviceId("GPU-2"));
    Map<String, String> second = trainings.launch(ATTEMPT).variables();
    assertEquals("TRUE", second.get("JOB_RESTARTED"));
    assertEquals("3", second.get("EPOCHS_DONE"));
    assertEquals("2", second.get("NUM_GPUS"));
    assertEquals("nccl", second.get("PL_TORCH_DISTRIBUTED_BACKEND"));
    assertFalse(second.containsKey("LOCAL_RANK"), "the framework sets it for each process");
    assertTrue(
        second.get("PATH").endsWith(":" + folder.resolve("stand-ins")),
        "it stands last: a node with GPUs may have no nvidia-smi");
  }

  @Test
  void the_package_of_the_release_comes_after_the_users_own() throws Exception {
    Files.createDirectories(folder.resolve("python"));
    Path wheel = Files.createFile(folder.resolve("python/remuda-1.whl"));
    trainings.ended(ATTEMPT);
    prepare(0);
    assertEquals("/mine:" + wheel, trainings.launch(ATTEMPT).variables().get("PYTHONPATH"));
  }
}
