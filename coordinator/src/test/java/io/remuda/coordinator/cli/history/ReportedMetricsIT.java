package io.remuda.coordinator.cli.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What real programs report, from their lines to what a user sees. */
class ReportedMetricsIT {
  private static final Duration SOON = Duration.ofSeconds(120);
  private static final Path CLIENT = Path.of("..", "clients", "python").toAbsolutePath();

  @TempDir private static Path folder;
  private static Cluster service;

  @BeforeAll
  static void start() throws IOException {
    service = new Cluster(Installation.find(), folder.resolve("h"), Map.of()).serve();
  }

  @AfterAll
  static void end() {
    service.close();
  }

  /** Submits a Python program, which ends once there is a file {@code go}. */
  private static long python(String program) throws IOException {
    Path file = Files.createTempFile(folder, "program", ".py");
    Files.writeString(file, "import remuda\n" + program);
    return service.submit("PYTHONPATH=" + CLIENT + " exec python3 " + file);
  }

  private static JsonNode answer(String query) throws IOException {
    return service.client().get("/history?kind=task&" + query);
  }

  /** Returns what an attempt has reported of a metric. */
  private static JsonNode reported(String attempt, String metric) throws IOException {
    for (JsonNode series : answer("from=start&name=" + attempt).path("series")) {
      for (JsonNode curve : series.path("reported")) {
        if (curve.path("metric").asText().equals(metric)) {
          return curve;
        }
      }
    }
    return MissingNode.getInstance();
  }

  private static JsonNode await(String attempt, String metric, long count) {
    JsonNode[] last = new JsonNode[1];
    service.await(
        count + " values of " + metric + " of " + attempt,
        SOON,
        () -> {
          last[0] = reported(attempt, metric);
          return last[0].path("count").asLong() >= count;
        });
    assertEquals(count, last[0].path("count").asLong());
    return last[0];
  }

  @Test
  void what_a_python_program_reports_is_shown_while_it_runs_and_after_its_end() throws IOException {
    Path go = folder.resolve("go");
    long job =
        python(
            "import os, time\n"
                + "for step in range(3): remuda.metric('loss', 1 / (step + 1), step=step)\n"
                + "while not os.path.exists('"
                + go
                + "'): time.sleep(0.1)\n"
                + "remuda.metric('loss', 0.25, step=3)\n"
                + "remuda.metric('accuracy', 0.9)\n");
    JsonNode running = await(job + ".0.1", "loss", 3);
    assertEquals("[0.0,1.0,2.0]", running.path("step").toString());
    assertEquals("[1.0,0.5,0.33333334]", running.path("mean").toString());
    Files.createFile(go);
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
    JsonNode over = await(job + ".0.1", "loss", 4);
    assertEquals(0.25, over.path("last").asDouble());
    assertEquals(0.25, over.path("lowest").asDouble());
    assertEquals(1.0, over.path("highest").asDouble());
    Result text = service.cli("history", job + ".0", "--metric", "loss");
    assertEquals(0, text.code(), text::toString);
    assertTrue(
        text.out()
            .lines()
            .anyMatch(line -> line.matches("\\d+\\.0\\.1 +loss .* 0\\.25 +0\\.25 +1 +3 +4")),
        text::out);
    Result all = service.cli("history", "--json", String.valueOf(job));
    JsonNode names = RestClient.JSON.readTree(all.out()).at("/series/0/reported");
    assertEquals("accuracy", names.at("/0/metric").asText(), all::out);
    assertEquals("loss", names.at("/1/metric").asText(), all::out);
    Result drawn = service.cli("plot", "job", String.valueOf(job), "-o", "-");
    assertTrue(drawn.out().contains("reported loss 0.25 to 1"), drawn::toString);
    assertTrue(drawn.out().contains("reported accuracy 0.9"), drawn::toString);
    Result one = service.cli("plot", "job", String.valueOf(job), "--metric", "accuracy", "-o", "-");
    assertTrue(one.out().contains("reported accuracy 0.9"), one::toString);
    assertFalse(one.out().contains("reported loss"), one::toString);
    Result report = service.cli("report", String.valueOf(job), "-o", "-");
    assertTrue(report.out().contains("reported loss 0.25 to 1"), report::toString);
  }

  @Test
  void a_line_in_the_shell_is_enough() throws IOException {
    long job =
        service.submit(
            "echo val/loss 2.5 >> $REMUDA_METRICS; echo val/loss 1.5 7 >> $REMUDA_METRICS;"
                + " printf 'last 3' >> $REMUDA_METRICS");
    service.awaitEnd(job);
    assertEquals("[2.5,1.5]", await(job + ".0.1", "val/loss", 2).path("mean").toString());
    assertEquals(3, await(job + ".0.1", "last", 1).path("last").asDouble());
  }

  @Test
  void values_that_are_no_numbers_and_lines_that_are_none_are_said() throws IOException {
    long job =
        service.submit(
            "printf 'loss nan 5\\nloss 1 6\\nthis is no line at all\\n' >> $REMUDA_METRICS");
    service.awaitEnd(job);
    await(job + ".0.1", "loss", 1);
    Result text = service.cli("history", String.valueOf(job));
    assertTrue(text.err().contains("loss was nan once at step 5"), text::toString);
    assertTrue(
        text.err()
            .contains("a line is not name value [step], as loss 0.31 200; the last: 'this is"),
        text::toString);
  }

  @Test
  void a_flood_is_thinned_and_says_so() throws IOException {
    long job =
        service.submit(
            "awk 'BEGIN { for (i = 0; i < 1000000; i++) print \"x\", i, i }' >> $REMUDA_METRICS");
    service.awaitEnd(job);
    service.await(
        "the end of the flood",
        SOON,
        () -> reported(job + ".0.1", "x").path("last").asDouble() == 999_999);
    JsonNode kept = reported(job + ".0.1", "x");
    assertTrue(kept.path("mean").size() <= 200, kept::toString);
    Result text = service.cli("history", String.valueOf(job));
    assertTrue(text.err().contains("came faster than"), text::toString);
  }

  @Test
  void threads_forked_workers_and_ranks_report_without_a_lost_or_broken_line() throws IOException {
    long job =
        python(
            """
            import os, subprocess, sys, threading
            def many(name):
                for step in range(500): remuda.metric(name, step, step)
            remuda.metric("before", 1)                       # the file is open when it forks
            children = []
            for worker in range(4):                          # as a DataLoader's workers
                child = os.fork()
                if child == 0:
                    many("worker")
                    os._exit(0)
                children.append(child)
            ranks = [subprocess.Popen([sys.executable, "-c",
                "import remuda\\nfor step in range(500): remuda.metric('rank', step, step)"])
                for rank in range(2)]                        # as torchrun
            threads = [threading.Thread(target=many, args=("thread",)) for _ in range(4)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            for child in children: assert os.waitpid(child, 0)[1] == 0
            assert all(rank.wait() == 0 for rank in ranks)
            """);
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
    assertEquals(499, await(job + ".0.1", "worker", 2000).path("highest").asDouble());
    await(job + ".0.1", "thread", 2000);
    await(job + ".0.1", "rank", 1000);
    await(job + ".0.1", "before", 1);
    JsonNode notes = answer("from=start&name=" + job).at("/series/0/notes");
    assertTrue(!notes.toString().contains("not name value"), notes::toString);
  }

  @Test
  void a_program_that_reports_what_cannot_be_goes_on() throws IOException {
    long job =
        python(
            """
            import os, warnings
            warnings.simplefilter("always")
            remuda.metric("two words", 1)
            remuda.metric("loss", "much")
            remuda.metric("loss", None, step="first")
            remuda.metric(None, 1)
            remuda.metric("x" * 65, 1)
            os.close(remuda._metrics._descriptor or 0)       # a program that closes all it finds
            remuda.metric("loss", 0.5)
            remuda.metric("loss", float("inf"), step=9)
            del os.environ["REMUDA_METRICS"]
            """);
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
    await(job + ".0.1", "loss", 1);
    Result text = service.cli("history", String.valueOf(job));
    assertTrue(text.err().contains("loss was inf once at step 9"), text::toString);
  }

  @Test
  void an_agent_that_is_killed_and_a_server_that_restarts_lose_and_double_nothing()
      throws IOException {
    Path end = folder.resolve("end");
    long job =
        python(
            "import os, time\nstep = 0\n"
                + "while not os.path.exists('"
                + end
                + "'):\n"
                + "    remuda.metric('loss', step, step); step += 1; time.sleep(0.01)\n"
                + "print(step)\n");
    service.await("values", SOON, () -> reported(job + ".0.1", "loss").path("count").asLong() > 50);
    service.killAgents();
    long seen = reported(job + ".0.1", "loss").path("count").asLong();
    service.await(
        "values after the agent",
        SOON,
        () -> reported(job + ".0.1", "loss").path("count").asLong() > seen + 50);
    service.end();
    service.serve();
    Files.createFile(end);
    service.awaitEnd(job);
    long steps = Long.parseLong(service.cli("logs", String.valueOf(job)).out().trim());
    JsonNode all = await(job + ".0.1", "loss", steps);
    assertEquals(steps - 1, all.path("highest").asDouble());
    assertEquals(0, all.path("lowest").asDouble());
  }

  @Test
  void the_command_reports_from_any_program_and_its_absence_from_a_task_is_said()
      throws IOException {
    Path program = Installation.find().dist().resolve("bin/remuda");
    long job =
        service.submit(program + " metric acc 0.5 --step 2 && " + program + " metric acc nan");
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
    assertEquals(0.5, await(job + ".0.1", "acc", 1).path("last").asDouble());
    Result outside = service.cli("metric", "acc", "0.5");
    assertEquals(0, outside.code());
    assertTrue(outside.err().contains("not a task of Remuda"), outside::toString);
    Result word = service.cli("metric", "acc", "much");
    assertEquals(2, word.code());
    assertTrue(word.err().contains("VALUE must be a number, got 'much'"), word::toString);
  }

  @Test
  void the_tasks_of_a_sweep_stand_side_by_side() throws IOException {
    long job =
        service.submit(
            "echo loss 0.$REMUDA_TASK_INDEX 1 >> $REMUDA_METRICS; echo loss 0.5 2 >> $REMUDA_METRICS",
            "count",
            3);
    service.awaitEnd(job);
    for (int task = 0; task < 3; task++) {
      await(job + "." + task + ".1", "loss", 2);
    }
    Result text = service.cli("history", String.valueOf(job));
    assertEquals(
        List.of("0 0.5", "0.1 0.5", "0.2 0.5"),
        text.out()
            .lines()
            .filter(line -> line.contains(" loss "))
            .map(line -> line.replaceAll(".* 0\\.5 +(\\S+) +(\\S+) +2 +2$", "$1 $2"))
            .toList(),
        text::out);
    Result csv = service.cli("history", String.valueOf(job), "--csv", "--metric", "loss");
    assertEquals(6, csv.out().lines().filter(line -> line.contains(",loss,")).count(), csv::out);
    assertTrue(csv.out().lines().allMatch(line -> line.split(",", -1).length == 10), csv::out);
    JsonNode few = answer("from=start&points=1&name=" + job);
    assertEquals(1, few.at("/series/2/reported/0/mean").size(), few::toString);
  }

  @Test
  void the_epochs_of_a_training_are_there_by_themselves() throws IOException {
    long job =
        service.submit(
            "for n in 1 2; do curl -sS -X POST -d \"{\\\"done\\\": $n}\""
                + " http://$REMUDA_TRAINING_HOST/end_epoch/$JOB_UUID; done",
            "epochs",
            2,
            "snapshots",
            folder.resolve("snap").toString());
    assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
    assertEquals("[1.0,2.0]", await(job + ".0.1", "epochSeconds", 2).path("step").toString());
  }

  @Test
  void an_ended_task_has_its_readings_after_the_finer_points_are_gone() throws IOException {
    Path over = folder.resolve("over");
    long job =
        service.submit(
            "echo loss 0.5 >> $REMUDA_METRICS; while [ ! -e " + over + " ]; do sleep 0.2; done");
    service.await(
        "readings of the task",
        SOON,
        () -> {
          JsonNode points =
              answer("from=start&metric=memory&name=" + job).at("/series/0/curves/0/mean");
          return points.size() > 0 && points.get(points.size() - 1).isNumber();
        });
    Files.createFile(over);
    service.awaitEnd(job);
    Path curves = folder.resolve("h/history/curves/" + job + ".curves");
    service.await("its curves", SOON, () -> Files.exists(curves));
    service.end();
    try (Stream<Path> files = Files.list(folder.resolve("h/history"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".points")).toList()) {
        Files.delete(file);
      }
    }
    service.serve();
    JsonNode whole = answer("from=start&name=" + job + ".0");
    assertTrue(whole.path("points").asInt() <= 200, whole::toString);
    JsonNode series = whole.at("/series/0");
    assertEquals("cpu", series.at("/curves/0/metric").asText(), whole::toString);
    assertEquals("memory", series.at("/curves/1/metric").asText(), whole::toString);
    JsonNode memory = series.at("/curves/1/max");
    assertTrue(memory.get(memory.size() - 1).asDouble() > 0, whole::toString);
    assertEquals("loss", series.at("/reported/0/metric").asText(), whole::toString);
    Result text = service.cli("history", job + ".0");
    assertTrue(text.out().contains(" memory "), text::toString);
  }
}
