package io.remuda.agent.attempt;

import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.stream.InputTransferMarkerFiles;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes notes into the folders of attempts, in the order of all other {@link FileWork}. A note
 * that cannot be written is logged. No method blocks. Every lambda in this class runs on the thread
 * of {@link FileWork}.
 */
public final class TaskNotes {

  private static final Logger LOG = LoggerFactory.getLogger(TaskNotes.class);

  private final FileWork work;
  private final AgentSettings settings;

  public TaskNotes(FileWork work, AgentSettings settings) {
    this.work = work;
    this.settings = settings;
  }

  /**
   * Notes which inputs broke off with the agent before this one, whose pipes are closed. To be
   * called before any other work, so that no end of a task is read earlier: its success would
   * count.
   */
  public void breakOffInputs() {
    work.add(
        () -> {
          try {
            InputTransferMarkerFiles.breakOff(
                TaskFolder.open(settings).values().stream().map(TaskFolder::path).toList());
          } catch (IOException fault) {
            LOG.warn("broken inputs cannot be noted: {}", fault.toString());
          }
        });
  }

  /** Writes a warning to the output of a task; does nothing for a lease, which has no output. */
  public void warn(AttemptId attempt, String text) {
    TaskFolder folder = TaskFolder.of(settings, attempt);
    note(
        attempt,
        () -> {
          if (!folder.isLease()) {
            folder.warn(text);
          }
        });
  }

  /** Notes that a task is ended because it uses more device memory than promised. */
  public void overUse(AttemptId attempt, String text) {
    note(attempt, () -> TaskFolder.of(settings, attempt).noteOverUse(text));
  }

  /**
   * Notes that a program gives its devices back.
   *
   * @param noted is run once the note is there; not if the attempt is no lease
   */
  public void giveBack(AttemptId attempt, DeviceLeaseRecord.GivenBack how, Runnable noted) {
    note(
        attempt,
        () -> {
          if (TaskFolder.of(settings, attempt).giveBack(how)) {
            noted.run();
          }
        });
  }

  /** A note in the folder of an attempt. */
  private interface Note {
    void write() throws IOException;
  }

  private void note(AttemptId attempt, Note note) {
    work.add(
        () -> {
          try {
            note.write();
          } catch (IOException fault) {
            LOG.warn("cannot write a note to the folder of {}: {}", attempt, fault.toString());
          }
        });
  }
}
