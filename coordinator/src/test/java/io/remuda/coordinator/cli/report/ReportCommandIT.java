package io.remuda.coordinator.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.drawing.SvgDocument;
import io.remuda.coordinator.report.HtmlFile;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drawings and reports as a user makes them, of a job that fails and prints markup. */
class ReportCommandIT {
  private static final Duration SOON = Duration.ofSeconds(120);
  private static final String MARKUP = "<script>alert(1)</script>";

  @TempDir private static Path folder;
  private static Cluster service;
  private static String node;
  private static String failed;

  @BeforeAll
  static void start() throws IOException {
    SimulatedDriver driver =
        SimulatedDriver.in(folder)
            .says(
                "gpus 1",
                "gpu 0 uuid GPU-aa name \"NVIDIA H200\" memory 140GiB used 1GiB util 37 temp 61"
                    + " power 250000 limit 700000");
    driver.loaded();
    service = new Cluster(Installation.find(), folder.resolve("h"), driver.environment()).serve();
    node = service.client().get("/nodes").at("/nodes/0/name").asText();
    Path go = folder.resolve("go");
    String print =
        "echo '"
            + MARKUP
            + "'; while [ ! -e "
            + go
            + " ]; do sleep 0.2; done;"
            + " echo '<img src=x>' >&2; exit 3";
    String[] submit = {
      "submit", "--quiet", "--name", MARKUP, "--gpus", "1", "--", "sh", "-c", print
    };
    Result submitted = service.cli(submit);
    failed = submitted.out().strip();
    service.await(
        "a reading of it",
        SOON,
        () -> service.client().get("/history?kind=task&name=" + failed).path("series").size() > 0);
    Files.createFile(go);
    service.await("its end", SOON, () -> state(failed).equals("failed"));
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private static String state(String job) throws IOException {
    return service.client().get("/jobs/" + job).path("state").asText();
  }

  private static SvgDocument plot(String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of("plot"));
    all.addAll(List.of(words));
    all.addAll(List.of("-o", "-"));
    Result printed = service.cli(all.toArray(new String[0]));
    assertEquals(0, printed.code(), printed::toString);
    return SvgDocument.of(printed.out());
  }

  @Test
  void a_gpu_is_drawn_with_the_values_that_its_driver_says() throws IOException {
    SvgDocument svg = plot("gpu", node + ":0", "--zone", "UTC");
    assertTrue(svg.root("aria-label").contains("utilization 37 % to 37 %"), svg.root("aria-label"));
    assertTrue(svg.root("aria-label").contains("power 250 W to 250 W"), svg.root("aria-label"));
    SvgDocument power = plot("gpu", "GPU-aa", "--metric", "power", "--width", "300");
    assertFalse(power.root("aria-label").contains("utilization"), power.root("aria-label"));
    assertTrue(power.root("viewBox").startsWith("0 0 300 "), power.root("viewBox"));
  }

  @Test
  void what_ran_there_and_the_attempts_of_a_job_are_drawn() throws IOException {
    SvgDocument timeline = plot("timeline", "--by", "job");
    assertTrue(
        timeline.texts("title").stream()
            .anyMatch(title -> title.startsWith("task " + failed + ".0")),
        timeline.texts("title")::toString);
    SvgDocument attempts = plot("attempts", failed, "--theme", "light");
    assertTrue(
        attempts.texts("title").stream().anyMatch(title -> title.contains("failed: exit 3")),
        attempts.texts("title")::toString);
    assertEquals("Job " + failed + ", " + MARKUP, attempts.texts("title").get(0));
    assertEquals(0, attempts.all("script").size());
  }

  @Test
  void the_queue_the_node_the_memory_and_a_job_are_drawn() throws IOException {
    assertTrue(plot("queue").texts("text").contains("tasks"));
    assertTrue(plot("node", node).texts("text").contains("GPU utilization"));
    assertTrue(plot("memory").texts("text").contains(node + ":0"));
    assertTrue(plot("job", failed).texts("text").contains("CPU"));
  }

  @Test
  void a_file_that_is_there_is_not_replaced_without_force() throws IOException {
    Path file = folder.resolve("there.svg");
    Files.writeString(file, "mine");
    String[] plot = {"plot", "queue", "-o", file.toString()};
    Result refused = service.cli(plot);
    assertEquals(1, refused.code(), refused::toString);
    assertTrue(refused.err().contains("exists: --force replaces it"), refused::toString);
    assertEquals("mine", Files.readString(file));
    assertEquals(0, service.cli("plot", "queue", "--force", "-o", file.toString()).code());
    SvgDocument.of(Files.readString(file));
    Result nowhere = service.cli("plot", "queue", "-o", folder.resolve("no/x.svg").toString());
    assertTrue(nowhere.err().contains("there is no folder"), nowhere::toString);
  }

  @Test
  void what_is_wrong_is_said() throws IOException {
    assertWrong("there is no GPU 'x:0'", "plot", "gpu", "x:0", "-o", "-");
    assertWrong("give the name of the gpu", "plot", "gpu", "-o", "-");
    assertWrong("queue accepts no name, got 'x'", "plot", "queue", "x", "-o", "-");
    assertWrong("width must be 280 to 4000, got 5", "plot", "queue", "--width", "5", "-o", "-");
    assertWrong("give jobs or --since, not both", "report", "1", "--since", "1d", "-o", "-");
    assertWrong("give --since instead of jobs", "report", "1", "--order", "fifo", "-o", "-");
    assertWrong("--order must be one of fifo, ", "report", "--order", "lottery", "-o", "-");
    assertWrong("--since: '90d' is not a time up to 14d", "report", "--since", "90d", "-o", "-");
  }

  private static void assertWrong(String message, String... words) throws IOException {
    Result refused = service.cli(words);
    assertEquals(2, refused.code(), refused::toString);
    assertTrue(refused.err().contains(message), refused::toString);
  }

  @Test
  void a_report_of_a_job_has_its_attempts_its_use_and_its_last_lines_and_no_markup_of_it()
      throws IOException {
    Path file = folder.resolve("job.html");
    Result made = service.cli("report", failed, "-o", file.toString());
    assertEquals(0, made.code(), made::toString);
    HtmlFile html = HtmlFile.of(Files.readString(file));
    assertEquals("Job " + failed + ", " + MARKUP, html.text("h1"));
    assertEquals(0, html.count("script"));
    assertEquals(0, html.count("img"));
    assertTrue(html.text("pre").contains("<img src=x>"), html.text("pre"));
    assertTrue(html.text("figcaption").contains("exit 3"), html.text("figcaption"));
    assertEquals(4, html.count("svg"), "attempts and curves, for large and small screens");
    assertTrue(html.text("p").contains("kWh"), html.text("p"));
    assertTrue(html.text("td").contains("% mean"), html.text("td"));
  }

  @Test
  void a_report_of_a_time_has_all_that_was() throws IOException {
    Result made = service.cli("report", "--since", "1h", "--order", "fifo", "-o", "-");
    assertEquals(0, made.code(), made::toString);
    HtmlFile html = HtmlFile.of(made.out());
    for (String title :
        List.of(
            "Summary",
            "What ran where",
            "Waiting",
            "Asked for and used",
            "GPUs",
            "Failures",
            "What would have been",
            "Jobs",
            "Node " + node)) {
      assertTrue(html.text("h2").contains(title), () -> title + " in " + html.text("h2"));
    }
    assertTrue(html.text("td").contains(MARKUP), html.text("td"));
    assertTrue(html.text("td").contains("order fifo"), html.text("td"));
    assertEquals(0, html.count("script"));
    JsonNode usage = service.client().get("/usage?by=user");
    assertTrue(usage.path("sums").size() > 0, usage::toString);
  }
}
