package io.remuda.agent.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskNotesTest {
  private static final AttemptId ATTEMPT = AttemptId.parse("1.0.1");
  private static final DeviceLeaseRecord.GivenBack DONE =
      new DeviceLeaseRecord.GivenBack(true, null, false);

  /** Work that is done when the test says so. */
  private static final class Later implements FileWork {
    private final Queue<Runnable> waiting = new ArrayDeque<>();

    @Override
    public void add(Runnable work) {
      waiting.add(work);
    }

    void doAll() {
      while (!waiting.isEmpty()) {
        waiting.remove().run();
      }
    }

    @Override
    public Duration busy() {
      return Duration.ZERO;
    }

    @Override
    public void close() {}
  }

  @TempDir private Path root;
  private final Later work = new Later();
  private final List<String> told = new ArrayList<>();
  private TaskNotes notes;
  private TaskFolder folder;

  @BeforeEach
  void makeFolder() throws IOException {
    AgentSettings settings = TestAgents.settings(root);
    notes = new TaskNotes(work, settings);
    folder = TaskFolder.of(settings, ATTEMPT);
    Files.createDirectories(folder.path());
  }

  @Test
  void a_warning_is_written_to_the_output_of_the_task_when_its_turn_comes() throws IOException {
    notes.warn(ATTEMPT, "is slow");
    assertFalse(Files.exists(folder.stderr()), "not on the thread of the caller");
    work.doAll();
    assertEquals("remuda: this task is slow\n", Files.readString(folder.stderr()));
  }

  @Test
  void a_lease_has_no_output_for_a_warning() throws IOException {
    new DeviceLeaseRecord(17, 1, List.of()).write(folder.path());
    notes.warn(ATTEMPT, "is slow");
    work.doAll();
    assertFalse(Files.exists(folder.stderr()));
  }

  @Test
  void the_cause_of_an_end_for_over_use_is_kept() {
    notes.overUse(ATTEMPT, "used 3 GiB of 2");
    work.doAll();
    assertEquals(Optional.of("used 3 GiB of 2"), folder.overUse());
  }

  @Test
  void devices_are_given_back_once_the_note_of_the_lease_is_written() throws IOException {
    notes.giveBack(ATTEMPT, DONE, () -> told.add("no lease"));
    work.doAll();
    new DeviceLeaseRecord(17, 1, List.of()).write(folder.path());
    notes.giveBack(
        ATTEMPT,
        DONE,
        () -> told.add("noted " + DeviceLeaseRecord.givenBack(folder.path()).isPresent()));
    assertEquals(List.of(), told);
    work.doAll();
    assertEquals(List.of("noted true"), told);
  }

  @Test
  void a_note_that_cannot_be_written_does_not_stop_the_others() throws IOException {
    Files.delete(folder.path());
    notes.overUse(ATTEMPT, "used 3 GiB of 2");
    notes.warn(ATTEMPT, "is slow");
    work.add(() -> told.add("behind"));
    work.doAll();
    assertEquals(List.of("behind"), told);
  }
}
