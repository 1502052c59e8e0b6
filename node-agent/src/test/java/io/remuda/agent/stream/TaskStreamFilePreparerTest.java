package io.remuda.agent.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.stream.StandardStreamTerms;
import io.remuda.worker.job.sweep.TaskParameters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of a user's choice for the streams of a task. */
class TaskStreamFilePreparerTest {

  @TempDir private Path folder;
  private Path task;
  private Path work;

  @BeforeEach
  void make() throws IOException {
    task = Files.createDirectory(folder.resolve("task"));
    work = Files.createDirectory(folder.resolve("work"));
  }

  private static StandardStreamTerms output(String output, String error, boolean append) {
    return new StandardStreamTerms(null, null, false, output, error, append, null);
  }

  private void prepare(StandardStreamTerms terms, String attempt, int tasks) throws IOException {
    prepare(terms, attempt, tasks, null);
  }

  private void prepare(
      StandardStreamTerms terms, String attempt, int tasks, TaskParameters parameters)
      throws IOException {
    prepare(terms, attempt, tasks, parameters, null);
  }

  private void prepare(
      StandardStreamTerms terms,
      String attempt,
      int tasks,
      TaskParameters parameters,
      Integer earlierTries)
      throws IOException {
    CommandWorkload command =
        new CommandWorkload(List.of("cat"), Map.of(), work.toString(), 027, null, null, terms);
    TaskStartOrder order =
        new TaskStartOrder(
            AttemptId.parse(attempt),
            "ann",
            false,
            0,
            command,
            List.of(),
            1,
            false,
            new TaskStartOrder.JobFacts(
                new UUID(1, 2),
                "a/b",
                tasks,
                new ResourceRequest(1, 0),
                null,
                null,
                false,
                earlierTries),
            0,
            null,
            null,
            parameters);
    TaskStreamFilePreparer.prepare(order, command, task, "n1");
  }

  private void print(String stream, String text) throws IOException {
    Files.writeString(task.resolve(stream), text, StandardOpenOption.APPEND);
  }

  private String read(boolean out) throws IOException {
    OutputDestinationRecord note = OutputDestinationRecord.in(task).orElseThrow();
    Path file = task.resolve(out ? "out" : "err");
    return new String(
        (out ? note.readOut(file, 0, 1000) : note.readErr(file, 0, 1000)).bytes(),
        StandardCharsets.UTF_8);
  }

  @Test
  void a_path_has_the_properties_of_the_task_and_the_umask_of_the_job() throws IOException {
    prepare(output("%x-%j-%t-%a-%n-%%", null, false), "7.2.1", 3);
    Path file = work.resolve("a_b-7-2-2-n1-%");
    assertEquals(file, Files.readSymbolicLink(task.resolve("out")));
    assertEquals("640", mode(file));
  }

  @Test
  void a_path_has_the_values_of_a_sweep_and_is_emptied_for_each_of_them() throws IOException {
    TaskParameters own =
        new TaskParameters(Map.of("lr", "0.1", "data", "a/b%j"), Map.of("REMUDA_PARAM_LR", "0.1"));
    Path file = Files.writeString(work.resolve("0.1-a_b%j-{other}"), "old\n");
    prepare(output("{lr}-{data}-{other}", null, false), "7.2.1", 3, own);
    assertEquals(file, Files.readSymbolicLink(task.resolve("out")));
    assertEquals("", Files.readString(file));
  }

  private static String mode(Path file) throws IOException {
    return Integer.toOctalString((int) Files.getAttribute(file, "unix:mode") & 0777);
  }

  private static StandardStreamTerms optional(String output, String error) {
    return new StandardStreamTerms(null, null, false, output, error, false, null, true);
  }

  @Test
  void a_file_that_nobody_chose_is_written_as_one_of_a_users_choice() throws IOException {
    prepare(optional("slurm-%j.out", null), "7.0.1", 1);
    print("out", "one\n");
    print("err", "two\n");
    assertEquals("one\ntwo\n", Files.readString(work.resolve("slurm-7.out")));
    assertEquals("one\ntwo\n", read(true));
  }

  @Test
  void a_task_runs_with_output_of_its_own_where_a_file_that_nobody_chose_cannot_be()
      throws IOException {
    Path taken = Files.createDirectory(work.resolve("slurm-7.out"));
    prepare(optional("slurm-%j.out", null), "7.0.1", 1);
    assertEquals(Optional.empty(), OutputDestinationRecord.in(task));
    assertEquals(
        Optional.of("output " + taken + " cannot be written (on n1)"),
        OutputDestinationRecord.kept(task));
    assertFalse(Files.exists(task.resolve("out"), LinkOption.NOFOLLOW_LINKS));
    assertEquals(
        "remuda: this task's output is in remuda logs alone: output "
            + taken
            + " cannot be written (on n1)\n",
        Files.readString(task.resolve("err")));
  }

  @Test
  void no_folder_is_made_for_a_file_that_nobody_chose() throws IOException {
    prepare(optional(folder + "/gone/slurm-%j.out", null), "7.0.1", 1);
    assertFalse(Files.exists(folder.resolve("gone")));
    String said = Files.readString(task.resolve("err"));
    assertTrue(said.endsWith("slurm-7.out is in a folder that is not there (on n1)\n"), said);
  }

  @Test
  void errors_of_a_users_choice_stay_where_the_output_cannot_be() throws IOException {
    Files.createDirectory(work.resolve("slurm-7.out"));
    prepare(optional("slurm-%j.out", "e"), "7.0.1", 1);
    print("err", "two\n");
    assertEquals("two\n", read(false));
    assertFalse(Files.exists(task.resolve("out"), LinkOption.NOFOLLOW_LINKS));
  }

  @Test
  void errors_go_to_the_file_of_the_output_and_are_read_once() throws IOException {
    prepare(output("log", null, false), "7.0.1", 1);
    print("out", "one\n");
    print("err", "two\n");
    assertEquals("one\ntwo\n", Files.readString(work.resolve("log")));
    assertEquals("one\ntwo\n", read(true));
    assertEquals("", read(false));
  }

  @Test
  void a_file_is_emptied_at_the_first_try_and_never_with_append() throws IOException {
    Files.writeString(work.resolve("log"), "old\n");
    prepare(output("log", null, true), "7.0.1", 1);
    print("out", "new\n");
    assertEquals("old\nnew\n", Files.readString(work.resolve("log")));
    assertEquals("new\n", read(true), "what was there is not of this task");
    prepare(output("log", null, false), "7.0.1", 1);
    assertEquals("", Files.readString(work.resolve("log")));
    print("out", "first\n");
    prepare(output("log", null, false), "7.0.2", 1);
    assertEquals("first\n", Files.readString(work.resolve("log")), "of the try before");
  }

  /** It was refused, as because its slot did not become free in time, and has printed nothing. */
  @Test
  void an_attempt_before_that_never_began_is_no_try() throws IOException {
    StandardStreamTerms terms = output("o.txt", null, false);
    Files.writeString(work.resolve("o.txt"), "of an earlier job");
    prepare(terms, "7.0.2", 1, null, 0);
    assertEquals("", Files.readString(work.resolve("o.txt")));
    print("out", "first");
    prepare(terms, "7.0.3", 1, null, 1);
    assertEquals("first", Files.readString(work.resolve("o.txt")));
  }

  @Test
  void a_file_of_all_tasks_keeps_what_others_have_printed() throws IOException {
    prepare(output("log", null, false), "7.0.1", 2);
    print("out", "task 0\n");
    prepare(output("log", null, false), "7.1.1", 2);
    assertEquals("task 0\n", Files.readString(work.resolve("log")));
    assertEquals(
        work.resolve("log").toString(), OutputDestinationRecord.in(task).orElseThrow().shared());
  }

  @Test
  void a_file_of_all_tasks_is_noted_for_the_stream_that_goes_there() throws IOException {
    Optional<String> log = Optional.of(work.resolve("log").toString());
    prepare(output("out-%t", "log", false), "7.1.1", 2);
    OutputDestinationRecord errors = OutputDestinationRecord.in(task).orElseThrow();
    assertEquals(log, errors.shared(OutputStreamName.ERR));
    assertEquals(Optional.empty(), errors.shared(OutputStreamName.OUT));
    prepare(output("log", "err-%t", false), "7.1.1", 2);
    OutputDestinationRecord own = OutputDestinationRecord.in(task).orElseThrow();
    assertEquals(log, own.shared(OutputStreamName.OUT));
    assertEquals(Optional.empty(), own.shared(OutputStreamName.ERR));
    prepare(output("log", null, false), "7.1.1", 2);
    assertEquals(log, OutputDestinationRecord.in(task).orElseThrow().shared(OutputStreamName.ERR));
  }

  @Test
  void a_folder_that_is_missing_is_made_and_one_that_cannot_be_is_named_with_the_node()
      throws IOException {
    prepare(output("new/%j/log", null, false), "7.0.1", 1);
    assertEquals("", Files.readString(work.resolve("new/7/log")));
    StreamFileRefusedException no =
        assertThrows(
            StreamFileRefusedException.class,
            () -> prepare(output("new/7/log/x", null, false), "7.0.1", 1));
    assertEquals(
        "output "
            + work.resolve("new/7/log/x")
            + " is in a folder that cannot be made: "
            + work.resolve("new/7/log")
            + " (on n1)",
        no.getMessage());
  }

  @Test
  void stdin_is_a_file_or_what_was_stored() throws IOException {
    Files.writeString(work.resolve("in.0"), "text");
    prepare(new StandardStreamTerms("in.%t", null, false, null, null, false, null), "7.0.1", 1);
    assertEquals("text", Files.readString(task.resolve("in")));
    Files.delete(task.resolve("in"));
    prepare(new StandardStreamTerms(null, "aGkK", false, null, null, false, null), "7.0.1", 1);
    assertEquals("hi\n", Files.readString(task.resolve("in")));
    assertThrows(
        StreamFileRefusedException.class,
        () ->
            prepare(
                new StandardStreamTerms("in.7", null, false, null, null, false, null), "7.0.1", 1));
  }

  @Test
  void an_input_that_broke_off_is_known_and_one_that_ended_is_not_broken() throws IOException {
    InputTransferMarkerFiles.begin(task);
    InputTransferMarkerFiles.breakOff(List.of(task));
    assertTrue(InputTransferMarkerFiles.isBroken(task));
    InputTransferMarkerFiles.begin(work);
    InputTransferMarkerFiles.end(work);
    InputTransferMarkerFiles.breakOff(List.of(work));
    assertFalse(InputTransferMarkerFiles.isBroken(work));
  }
}
