package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the streams of jobs come from and go to, with real processes. */
class InputOutputIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private static Path shared;
  private static ServiceProcess service;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws IOException {
    service = new ServiceProcess(Installation.find(), shared.resolve("h"), Map.of()).serve();
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private Result shell(String script) throws IOException {
    return service.tool("dash", folder, Map.of(), "sh", "-c", script);
  }

  @Test
  void stdin_of_run_reaches_the_job_as_it_is_and_ends() throws Exception {
    Result both =
        shell(
            "echo hi | remuda run -- cat; head -c 700000 /dev/zero | tr '\\0' x"
                + " | remuda run -- wc -c; remuda run -- cat < /dev/null");
    assertEquals(new Result(0, "hi\n700000\n", ""), both);
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
        shell(
            "printf '1\\n2\\n' | remuda run --retries 1 --"
                + " sh -c 'read -r x; echo $x; test $REMUDA_ATTEMPT = 2'");
    assertEquals(new Result(0, "1\n1\n", ""), again);
  }

  @Test
  void stdin_of_submit_is_stored_or_is_a_file_of_each_task() throws Exception {
    String id = shell("echo stored | remuda submit --stdin - --count 2 -- cat").out().strip();
    service.awaitEnd(Long.parseLong(id));
    assertEquals("stored\n", service.log(Long.parseLong(id), 1, "out"));
    Files.writeString(folder.resolve("part.0"), "zero");
    Files.writeString(folder.resolve("part.1"), "one");
    long parts =
        Long.parseLong(shell("remuda submit --stdin part.%t --count 2 -- cat").out().strip());
    service.awaitEnd(parts);
    assertEquals("one", service.log(parts, 1, "out"));
    long missing = Long.parseLong(shell("remuda submit --stdin no -- cat").out().strip());
    String why = service.awaitEnd(missing).path("reason").asText();
    assertTrue(why.startsWith("stdin " + folder.resolve("no") + " is not there (on "), why);
  }

  @Test
  void output_goes_to_the_users_files_and_is_still_read_by_run_and_logs() throws Exception {
    Result run =
        shell("remuda run --output '%x.%t' --error e --name n -- sh -c 'echo one; echo two >&2'");
    assertEquals(new Result(0, "one\n", "two\n"), run);
    assertEquals("one\n", Files.readString(folder.resolve("n.0")));
    assertEquals("two\n", Files.readString(folder.resolve("e")));
    assertEquals(0, shell("remuda run --output new/%j/log -- true").code());
    Result bad = shell("remuda run --output e/log -- true");
    assertEquals(1, bad.code());
    assertTrue(bad.err().contains("is in a folder that cannot be made"), bad.err());
  }

  @Test
  void one_file_of_all_tasks_has_whole_lines_and_is_followed_to_the_end_of_the_job()
      throws Exception {
    long id =
        Long.parseLong(
            shell(
                    "remuda submit --count 3 --cpus 0 --output all --"
                        + " sh -c 'sleep 0.$REMUDA_TASK_INDEX; echo task $REMUDA_TASK_INDEX'")
                .out()
                .strip());
    Result run = shell("remuda wait " + id + "; sort all; remuda logs " + id + ".0 | sort");
    assertEquals("task 0\ntask 1\ntask 2\ntask 0\ntask 1\ntask 2\n", run.out());
    Result followed =
        shell(
            "remuda run --count 2 --cpus 0 --output two --"
                + " sh -c 'sleep $((REMUDA_TASK_INDEX * 4)); echo task $REMUDA_TASK_INDEX'");
    assertEquals("task 0\ntask 1\n", followed.out());
  }

  @Test
  void a_success_with_a_stdin_that_broke_off_is_none() throws Exception {
    CompletableFuture.runAsync(
        () -> {
          try {
            shell("(echo part; sleep 100) | remuda run -- sh -c 'cat; sleep 1'");
          } catch (IOException fault) {
            throw new UncheckedIOException(fault);
          }
        });
    service.await("the part", SOON, () -> service.log(newest(), 0, "out").equals("part\n"));
    long id = newest();
    service.member(Member.Role.AGENT).signal("KILL");
    String why = service.awaitEnd(id).path("reason").asText();
    assertTrue(why.contains("its stdin broke off"), why);
  }

  private static long newest() throws IOException {
    return service.client().get("/jobs?all&limit=1").path("jobs").path(0).path("id").asLong();
  }
}
