package io.remuda.agent.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.limit.LimitNote;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandFoldersTest {
  @TempDir private Path root;

  private static ExitRecord exit(int code, boolean killed) {
    return new ExitRecord("k", 1, 1, new ExitStatus.Code(code), 500, 30, 12, 5, false, killed, 0);
  }

  private TaskFolder prepared(CommandFolders folders, TaskStartOrder order) throws IOException {
    AgentSettings settings = TestAgents.settings(root);
    TaskFolder folder = TaskFolder.of(settings, order.attempt());
    folder.prepare(order, settings, folders.scratch());
    folders.prepared(order);
    return folder;
  }

  @Test
  void the_end_of_a_command_without_notes_is_that_of_its_exit_record() throws IOException {
    CommandFolders folders = new CommandFolders(TestAgents.settings(root));
    TaskStartOrder order = TestAgents.command("1.0.1", 0, "true");
    TaskFolder folder = prepared(folders, order);
    assertFalse(folders.mayHaveNotes(order.attempt()));
    for (ExitRecord exit : new ExitRecord[] {exit(0, false), exit(3, false), exit(0, true)}) {
      assertEquals(
          ExitInterpreter.of(exit, null, folder),
          folders.end(order.attempt(), new UninterpretedAttemptEnd(exit, null)));
    }
    assertEquals(
        ExitInterpreter.of(exit(0, true), "no longer wanted", folder),
        folders.end(
            order.attempt(), new UninterpretedAttemptEnd(exit(0, true), "no longer wanted")));
  }

  @Test
  void what_another_agent_has_prepared_is_read() throws IOException {
    CommandFolders folders = new CommandFolders(TestAgents.settings(root));
    AttemptId attempt = AttemptId.parse("1.0.1");
    TaskFolder folder = TaskFolder.of(TestAgents.settings(root), attempt);
    Files.createDirectories(folder.path());
    LimitNote.write(folder.path(), "more than its --mem");
    TaskEnd end = folders.end(attempt, new UninterpretedAttemptEnd(exit(0, false), null));
    assertEquals("more than its --mem", end.cause());
  }

  @Test
  void a_retired_folder_is_with_the_ended_ones_without_its_scratch() throws IOException {
    CommandFolders folders = new CommandFolders(TestAgents.settings(root));
    TaskStartOrder order = TestAgents.command("1.0.1", 0, "true");
    TaskFolder folder = prepared(folders, order);
    Files.createFile(folder.stdout());
    assertFalse(folders.retire(order.attempt()));
    TaskFolder ended = TaskFolder.ended(TestAgents.settings(root), order.attempt());
    assertFalse(Files.exists(folder.path()));
    assertTrue(Files.exists(ended.stdout()));
    assertFalse(Files.exists(ended.scratch()));
    assertFalse(folders.retire(order.attempt()), "again, it does nothing");
  }

  @Test
  void a_scratch_folder_with_files_is_to_be_cleaned() throws IOException {
    CommandFolders folders = new CommandFolders(TestAgents.settings(root));
    TaskStartOrder order = TestAgents.command("1.0.1", 0, "true");
    Files.createFile(prepared(folders, order).scratch().resolve("a"));
    assertTrue(folders.retire(order.attempt()));
  }
}
