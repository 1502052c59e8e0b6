package io.remuda.agent.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.output.ScratchFolders;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.WorkerOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskFolderTest {
  @TempDir private Path root;

  private TaskFolder folder(String err) throws IOException {
    TaskFolder folder = new TaskFolder(root);
    Files.writeString(folder.stderr(), err);
    return folder;
  }

  private static ExitRecord exit(ExitStatus status, boolean contactLost) {
    return new ExitRecord(
        "r1/n1/1.0.1", 1, 1, status, 500, 30, 12, 1L << 20, contactLost, false, 0);
  }

  @Test
  void the_order_in_it_is_the_one_that_the_worker_reads() throws IOException {
    TaskFolder folder = new TaskFolder(root.resolve("tasks/1.0.1"));
    folder.prepare(
        TestAgents.order("1.0.1", "GPU-a"), TestAgents.settings(root), new ScratchFolders(root));
    WorkerOrder order = orderIn(folder);
    assertEquals("1.0.1", order.attempt().toString());
    assertEquals(3, order.threads());
    assertEquals(root.resolve("cache").toString(), order.cacheFolder());
    assertEquals(
        "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())));
  }

  private static WorkerOrder orderIn(TaskFolder folder) throws IOException {
    return new JsonMapper()
        .readValue(folder.path().resolve(WorkerOrder.FILE).toFile(), WorkerOrder.class);
  }

  private String snapshotsOf(TaskStartOrder order) throws IOException {
    TaskFolder folder = new TaskFolder(root.resolve("tasks/" + order.attempt()));
    folder.prepare(order, TestAgents.settings(root), new ScratchFolders(root));
    return orderIn(folder).snapshotFolder();
  }

  @Test
  void all_attempts_of_a_training_have_one_folder_for_snapshots_beside_the_access_file()
      throws IOException {
    Files.createDirectory(root.resolve(TaskFolder.SNAPSHOTS));
    String first = snapshotsOf(TestAgents.training("1.0.1"));
    assertTrue(first.startsWith(root.resolve("snapshots") + "/"), first);
    assertEquals(first, snapshotsOf(TestAgents.training("1.0.2")));
    assertNotEquals(first, snapshotsOf(TestAgents.training("1.1.1")));
    assertNull(snapshotsOf(TestAgents.order("2.0.1")), "a convolution has none");
  }

  @Test
  void a_training_of_a_run_whose_folder_is_not_seen_here_has_no_snapshots() throws IOException {
    assertNull(snapshotsOf(TestAgents.training("1.0.1")));
  }

  @Test
  void last_words_are_the_last_line_that_is_no_stack_frame() throws IOException {
    TaskFolder folder = folder("warming up\nIOException: no file\n\tat A.b\n\tat C.d\n\n");
    assertEquals(Optional.of("IOException: no file"), folder.lastWords());
  }

  @Test
  void last_words_of_a_long_output_are_found_at_its_end() throws IOException {
    assertEquals(Optional.of("the end"), folder("x".repeat(20_000) + "\nthe end\n").lastWords());
  }

  @Test
  void without_output_there_are_no_last_words() throws IOException {
    assertEquals(Optional.empty(), folder("").lastWords());
    assertEquals(Optional.empty(), new TaskFolder(root.resolve("none")).lastWords());
  }

  @Test
  void an_end_says_why_in_words() throws IOException {
    TaskFolder folder = folder("OutOfMemoryError: Java heap space\n");
    assertEquals(
        "exit code 3: OutOfMemoryError: Java heap space",
        ExitInterpreter.of(exit(new ExitStatus.Code(3), false), null, folder).cause());
    assertEquals(
        "exit code 0",
        ExitInterpreter.of(exit(new ExitStatus.Code(0), false), null, folder).cause());
    assertEquals(
        "signal 9",
        ExitInterpreter.of(exit(new ExitStatus.Signal(9, false), false), null, folder).cause());
    assertEquals(
        "contact deadline passed",
        ExitInterpreter.of(exit(new ExitStatus.Signal(15, false), true), null, folder).cause());
    assertEquals(
        "no longer wanted",
        ExitInterpreter.of(
                exit(new ExitStatus.Signal(15, false), false), "no longer wanted", folder)
            .cause());
  }

  @Test
  void what_ended_by_itself_although_it_was_to_be_ended_says_how() throws IOException {
    TaskEnd end =
        ExitInterpreter.of(exit(new ExitStatus.Code(0), false), "no longer wanted", folder(""));
    assertEquals(TaskEnd.Kind.BY_ITSELF, end.kind());
    assertEquals("exit code 0", end.cause());
    ExitRecord told =
        new ExitRecord("r1/n1/1.0.1", 1, 1, new ExitStatus.Code(0), 5, 3, 1, 1, false, true, 0);
    assertEquals(
        TaskEnd.Kind.ON_REQUEST, ExitInterpreter.of(told, "no longer wanted", folder("")).kind());
  }

  @Test
  void a_limit_that_ended_a_task_is_the_cause_and_the_tasks_own_doing() throws IOException {
    TaskFolder folder = folder("");
    Files.writeString(root.resolve("limit"), "killed by the kernel: more than its --mem of 1 GiB");
    ExitRecord killed =
        new ExitRecord(
            "r1/n1/1.0.1", 1, 1, new ExitStatus.Signal(15, false), 500, 30, 12, 1, false, true, 0);
    TaskEnd end = ExitInterpreter.of(killed, null, folder);
    assertEquals("killed by the kernel: more than its --mem of 1 GiB", end.cause());
    assertEquals(TaskEnd.Kind.BY_ITSELF, end.kind());
  }

  @Test
  void an_end_has_what_the_process_used() throws IOException {
    TaskEnd end =
        ExitInterpreter.of(exit(new ExitStatus.Signal(9, false), false), null, folder(""));
    assertEquals(
        new TaskEnd(TaskEnd.Kind.BY_ITSELF, null, 9, "signal 9", 1L << 20, 42L, 500L), end);
  }

  @Test
  void a_folder_with_an_empty_scratch_and_short_output_needs_no_cleaning() throws IOException {
    TaskFolder folder = folder("a line\n");
    Files.createDirectory(root.resolve("scratch"));
    assertTrue(folder.tidy(new ScratchFolders(root)));
    assertFalse(Files.exists(root.resolve("scratch")));
    assertTrue(folder.tidy(new ScratchFolders(root)), "there is no scratch folder any more");
  }

  @Test
  void a_folder_with_files_in_its_scratch_or_much_output_needs_cleaning() throws IOException {
    TaskFolder filled = folder("");
    Path left = Files.createDirectory(root.resolve("scratch")).resolve("left");
    Files.writeString(left, "x");
    assertFalse(filled.tidy(new ScratchFolders(root)));
    assertTrue(Files.exists(left));
    Files.delete(left);
    assertTrue(filled.tidy(new ScratchFolders(root)));
    assertFalse(folder("x".repeat((64 << 10) + 1)).tidy(new ScratchFolders(root)));
  }
}
