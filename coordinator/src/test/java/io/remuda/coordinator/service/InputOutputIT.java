package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Where the streams of jobs come from and go to. Commands are calls where it does not matter that
 * their own streams are those of a process.
 */
class InputOutputIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private static Path shared;
  private static Cluster service;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws IOException {
    service = new Cluster(Installation.find(), shared.resolve("h"), Map.of()).serve();
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private Result shell(String script) throws IOException {
    return service.tool("dash", folder, Map.of(), "sh", "-c", script);
  }

  /** Runs a command in the folder of this test. */
  private Result remuda(String... words) throws IOException {
    return service.cliIn(folder, null, words);
  }

  private Result remudaReading(String input, String... words) throws IOException {
    return service.cliIn(
        folder, new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), words);
  }

  private long submit(String... words) throws IOException {
    return Long.parseLong(remuda(words).out().strip());
  }

  @Test
  void stdin_of_run_reaches_the_job_as_it_is_and_ends() throws Exception {
    assertEquals(new Result(0, "hi\n", ""), remudaReading("hi\n", "run", "--", "cat"));
    Result pipes = // a pipe cannot seek, and there is nothing to read in /dev/null
        shell(
            "head -c 700000 /dev/zero | tr '\\0' x | remuda run -- wc -c;"
                + " remuda run -- cat < /dev/null;"
                + " j=$(echo stored | remuda submit --stdin - -- cat);"
                + " remuda wait $j > /dev/null; remuda logs $j");
    assertEquals(new Result(0, "700000\nstored\n", ""), pipes);
    assertEquals(new Result(0, "", ""), remuda("run", "--", "cat"));
  }

  @Test
  void a_file_is_read_as_far_as_the_jobs_read_it() throws Exception {
    Files.writeString(folder.resolve("list"), "a\nb\n");
    Result loop =
        shell("while read -r x; do remuda run -- echo $x; done < list; remuda run -- cat < list");
    assertEquals(new Result(0, "a\nb\na\nb\n", ""), loop);
  }

  @Test
  void run_ends_with_its_job_though_nobody_ends_its_stdin() throws Exception {
    Result open = shell("mkfifo p; exec 3<>p; remuda run -- sh -c 'exit 7' <&3");
    assertEquals(new Result(7, "", ""), open);
  }

  @Test
  void another_try_reads_stdin_from_its_beginning() throws Exception {
    Result again =
        remudaReading(
            "1\n2\n",
            "run",
            "--retries",
            "1",
            "--",
            "sh",
            "-c",
            "read -r x; echo $x; test $REMUDA_ATTEMPT = 2");
    assertEquals(new Result(0, "1\n1\n", ""), again);
  }

  @Test
  void stdin_of_submit_is_stored_or_is_a_file_of_each_task() throws Exception {
    String id =
        remudaReading("stored\n", "submit", "--stdin", "-", "--count", "2", "--", "cat")
            .out()
            .strip();
    service.awaitEnd(Long.parseLong(id));
    assertEquals("stored\n", service.log(Long.parseLong(id), 1, "out"));
    Files.writeString(folder.resolve("part.0"), "zero");
    Files.writeString(folder.resolve("part.1"), "one");
    long parts = submit("submit", "--stdin", "part.%t", "--count", "2", "--", "cat");
    service.awaitEnd(parts);
    assertEquals("one", service.log(parts, 1, "out"));
    long missing = submit("submit", "--stdin", "no", "--", "cat");
    String why = service.awaitEnd(missing).path("reason").asText();
    assertTrue(why.startsWith("stdin " + folder.resolve("no") + " is not there (on "), why);
  }

  @Test
  void output_goes_to_the_users_files_and_is_still_read_by_run_and_logs() throws Exception {
    Result run =
        remuda(
            "run",
            "--output",
            "%x.%t",
            "--error",
            "e",
            "--name",
            "n",
            "--",
            "sh",
            "-c",
            "echo one; echo two >&2");
    assertEquals(new Result(0, "one\n", "two\n"), run);
    assertEquals("one\n", Files.readString(folder.resolve("n.0")));
    assertEquals("two\n", Files.readString(folder.resolve("e")));
    assertEquals(0, remuda("run", "--output", "new/%j/log", "--", "true").code());
    Result bad = remuda("run", "--output", "e/log", "--", "true");
    assertEquals(1, bad.code());
    assertTrue(bad.err().contains("is in a folder that cannot be made"), bad.err());
  }

  @Test
  void one_file_of_all_tasks_has_whole_lines_and_is_followed_to_the_end_of_the_job()
      throws Exception {
    long id =
        submit(
            "submit",
            "--count",
            "3",
            "--cpus",
            "0",
            "--output",
            "all",
            "--",
            "sh",
            "-c",
            "sleep 0.$REMUDA_TASK_INDEX; echo task $REMUDA_TASK_INDEX");
    assertEquals(0, remuda("wait", "" + id).code());
    List<String> three = List.of("task 0", "task 1", "task 2");
    assertEquals(three, Files.readAllLines(folder.resolve("all")).stream().sorted().toList());
    String shown = remuda("logs", id + ".0").out();
    assertEquals(three, shown.lines().sorted().toList());
    Result followed =
        remuda(
            "run",
            "--count",
            "2",
            "--cpus",
            "0",
            "--output",
            "two",
            "--",
            "sh",
            "-c",
            "if [ $REMUDA_TASK_INDEX = 1 ]; then until [ -e ended ]; do sleep 0.1; done; sleep 1;"
                + " fi; echo task $REMUDA_TASK_INDEX; touch ended");
    assertEquals("task 0\ntask 1\n", followed.out());
  }

  @Test
  void a_success_with_a_stdin_that_broke_off_is_none() throws Exception {
    PipedOutputStream open = new PipedOutputStream(); // nobody ends it
    PipedInputStream input = new PipedInputStream(open);
    open.write("part\n".getBytes(StandardCharsets.UTF_8));
    Thread run =
        new Thread(
            () -> {
              try {
                service.cliIn(folder, input, "run", "--", "sh", "-c", "cat; sleep 1");
              } catch (IOException fault) {
                throw new UncheckedIOException(fault);
              }
            });
    run.setDaemon(true);
    run.start();
    service.await("the part", SOON, () -> service.log(newest(), 0, "out").equals("part\n"));
    long id = newest();
    service.killAgents();
    String why = service.awaitEnd(id).path("reason").asText();
    assertTrue(why.contains("its stdin broke off"), why);
  }

  private static long newest() throws IOException {
    return service.client().get("/jobs?all&limit=1").path("jobs").path(0).path("id").asLong();
  }
}
