package io.remuda.agent.attempt;

import io.remuda.agent.output.OutputFile;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage.ReadOutput;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.agent.stream.OutputDestinationRecord;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The output of tasks in the folder of their node. */
public final class StoredOutputReader {

  private StoredOutputReader() {}

  /**
   * Returns the answer. Also looks among the ended tasks, since the folder moves once the
   * coordinator has learned the end. Blocks.
   *
   * @param folder of the node
   * @param node its name
   */
  public static AgentMessage.Output answer(Path folder, String node, ReadOutput question) {
    List<AttemptId> names = new ArrayList<>(List.of(question.attempt()));
    question.tags().forEach(tag -> names.add(question.attempt().tagged(tag)));
    try {
      for (AttemptId name : names) {
        Optional<AgentMessage.Output> found = find(folder, name, question);
        if (found.isPresent()) {
          return found.get();
        }
      }
      return fault(question, missing(folder, node, question.attempt()));
    } catch (IOException fault) {
      return fault(question, fault.getMessage());
    }
  }

  private static Optional<AgentMessage.Output> find(
      Path folder, AttemptId attempt, ReadOutput question) throws IOException {
    try {
      return Optional.of(answer(TaskFolder.in(folder, attempt), question));
    } catch (NoSuchFileException moved) {
      try {
        return Optional.of(answer(TaskFolder.endedIn(folder, attempt), question));
      } catch (NoSuchFileException gone) {
        return Optional.empty();
      }
    }
  }

  private static AgentMessage.Output fault(ReadOutput question, String why) {
    return new AgentMessage.Output(question.id(), 0, new byte[0], 0, 0, why);
  }

  private static String missing(Path folder, String node, AttemptId attempt) {
    boolean started = Files.isDirectory(TaskFolder.endedIn(folder, attempt).path());
    return started
        ? attempt.numbers() + " has no output"
        : "the output of "
            + attempt.numbers()
            + " is no longer kept on "
            + node
            + " (remuda.agent.ended-age, ended-size), or it never ran there";
  }

  private static AgentMessage.Output answer(TaskFolder folder, ReadOutput question)
      throws IOException {
    boolean out = question.stream() == OutputStreamName.OUT;
    int limit = Math.min(question.limit(), AgentMessage.Output.MOST_BYTES);
    Path file = out ? folder.stdout() : folder.stderr();
    Optional<OutputDestinationRecord> chosen =
        Files.isSymbolicLink(file) ? OutputDestinationRecord.in(folder.path()) : Optional.empty();
    if (chosen.isPresent()) {
      return chosen(chosen.get(), file, limit, question);
    }
    OutputFile.OutputSlice part = new OutputFile(file).read(question.offset(), limit);
    return answer(question, part, false);
  }

  /** Reads from a file of the user's; one with the output of all tasks counts as the first's. */
  private static AgentMessage.Output chosen(
      OutputDestinationRecord note, Path file, int limit, ReadOutput question) throws IOException {
    Optional<String> shared = note.shared(question.stream());
    if (shared.isPresent() && question.attempt().task().index() > 0) {
      return fault(
          question,
          "it is in "
              + shared.get()
              + " with that of all tasks: remuda logs "
              + (question.stream() == OutputStreamName.ERR ? "--err " : "")
              + question.attempt().task().job()
              + ".0");
    }
    OutputFile.OutputSlice part =
        question.stream() == OutputStreamName.OUT
            ? note.readOut(file, question.offset(), limit)
            : note.readErr(file, question.offset(), limit);
    return answer(question, part, shared.isPresent());
  }

  private static AgentMessage.Output answer(
      ReadOutput question, OutputFile.OutputSlice part, boolean shared) {
    return new AgentMessage.Output(
        question.id(),
        part.offset(),
        part.bytes(),
        part.size(),
        part.dropped(),
        null,
        shared,
        null);
  }
}
