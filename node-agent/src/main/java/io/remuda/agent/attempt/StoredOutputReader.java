package io.remuda.agent.attempt;

import io.remuda.agent.keeper.proc.PidScope;
import io.remuda.agent.output.FileIdentity;
import io.remuda.agent.output.OutputFile;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage.ReadOutput;
import io.remuda.agent.protocol.OutputPlace;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.agent.stream.OutputDestinationRecord;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
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
      return Optional.of(answerIn(folder, attempt, question));
    } catch (NoSuchFileException gone) {
      return Optional.empty();
    }
  }

  private static AgentMessage.Output answerIn(Path folder, AttemptId attempt, ReadOutput question)
      throws IOException {
    return inOneOf(
        folder,
        attempt,
        found -> {
          AgentMessage.Output answer = answer(found, question);
          boolean here = PidScope.here().equals(question.machine()) && isInOwnFile(found, question);
          return here ? placed(answer, folder, attempt, question, found) : answer;
        });
  }

  /** Reads from the folder of an attempt. */
  private interface Reading<T> {
    T in(TaskFolder folder) throws IOException;
  }

  private static <T> T inOneOf(Path folder, AttemptId attempt, Reading<T> reading)
      throws IOException {
    try {
      return reading.in(TaskFolder.in(folder, attempt));
    } catch (NoSuchFileException moved) {
      return reading.in(TaskFolder.endedIn(folder, attempt));
    }
  }

  /**
   * Reads a part of an output on the machine of its node, by the rules of the node's own answers.
   * Blocks.
   *
   * @param offset of the first byte
   * @param limit maximum number of bytes
   * @throws IOException if the file is not there, is another one, or cannot be read
   */
  public static OutputFile.OutputSlice read(
      OutputPlace place, OutputStreamName stream, long offset, int limit) throws IOException {
    return inOneOf(
        Path.of(place.folder()),
        place.attempt(),
        found -> new OutputFile(file(found, stream)).read(offset, limit, place.file()));
  }

  private static Path file(TaskFolder folder, OutputStreamName stream) {
    return stream == OutputStreamName.OUT ? folder.stdout() : folder.stderr();
  }

  private static boolean isInOwnFile(TaskFolder folder, ReadOutput question) {
    return Files.isRegularFile(file(folder, question.stream()), LinkOption.NOFOLLOW_LINKS);
  }

  private static AgentMessage.Output placed(
      AgentMessage.Output answer,
      Path folder,
      AttemptId attempt,
      ReadOutput question,
      TaskFolder found)
      throws IOException {
    FileIdentity file = FileIdentity.of(file(found, question.stream()));
    String place = new OutputPlace(folder.toAbsolutePath().toString(), attempt, file).text();
    return new AgentMessage.Output(
        answer.id(),
        answer.offset(),
        answer.bytes(),
        answer.size(),
        answer.dropped(),
        null,
        false,
        null,
        place);
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
    int limit = Math.min(question.limit(), AgentMessage.Output.MOST_BYTES);
    Path file = file(folder, question.stream());
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
