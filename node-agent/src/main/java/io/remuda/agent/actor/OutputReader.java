package io.remuda.agent.actor;

import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.output.OutputFile;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage.ReadOutput;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Reads the output of running and ended tasks. Its children keep output within its limits and
 * remove old folders. Blocks.
 */
final class OutputReader {

  /** Dispatcher for this actor. */
  static final Props PROPS = DispatcherSelector.fromConfig("remuda.blocking-dispatcher");

  /** A command to the reader. */
  sealed interface Command {}

  /** Answers a request. */
  record Read(ReadOutput question) implements Command {}

  /** Removes the scratch folder of an ended task. */
  record Clean(AttemptId attempt) implements Command {}

  private OutputReader() {}

  static Behavior<Command> create(AgentSettings settings, ActorRef<NodeAgent.Command> agent) {
    return Behaviors.setup(
        context -> {
          ActorRef<OutputWatch.Command> watch =
              context.spawn(OutputWatch.create(settings), "watch", OutputWatch.PROPS);
          context.spawn(EndedSweep.create(settings, Clock.systemUTC()), "ended", EndedSweep.PROPS);
          return Behaviors.receive(Command.class)
              .onMessage(Read.class, command -> onRead(command, settings, agent))
              .onMessage(Clean.class, command -> onClean(command, settings, watch))
              .build();
        });
  }

  private static Behavior<Command> onRead(
      Read command, AgentSettings settings, ActorRef<NodeAgent.Command> agent) {
    agent.tell(new NodeAgent.OutputRead(answer(settings, command.question())));
    return Behaviors.same();
  }

  private static Behavior<Command> onClean(
      Clean command, AgentSettings settings, ActorRef<OutputWatch.Command> watch) {
    TaskFolder folder = TaskFolder.ended(settings, command.attempt());
    watch.tell(new OutputWatch.Ended(folder));
    folder.clean();
    return Behaviors.same();
  }

  /**
   * Returns the answer. Also looks among the ended tasks, since the folder moves once the
   * coordinator has learned the end.
   */
  static AgentMessage.Output answer(AgentSettings settings, ReadOutput question) {
    List<AttemptId> names = new ArrayList<>(List.of(question.attempt()));
    question.tags().forEach(tag -> names.add(question.attempt().tagged(tag)));
    try {
      for (AttemptId name : names) {
        Optional<AgentMessage.Output> found = find(settings, name, question);
        if (found.isPresent()) {
          return found.get();
        }
      }
      return fault(question, missing(settings, question.attempt()));
    } catch (IOException fault) {
      return fault(question, fault.getMessage());
    }
  }

  private static Optional<AgentMessage.Output> find(
      AgentSettings settings, AttemptId attempt, ReadOutput question) throws IOException {
    try {
      return Optional.of(answer(TaskFolder.of(settings, attempt), question));
    } catch (NoSuchFileException moved) {
      try {
        return Optional.of(answer(TaskFolder.ended(settings, attempt), question));
      } catch (NoSuchFileException gone) {
        return Optional.empty();
      }
    }
  }

  private static AgentMessage.Output fault(ReadOutput question, String why) {
    return new AgentMessage.Output(question.id(), 0, new byte[0], 0, 0, why);
  }

  private static String missing(AgentSettings settings, AttemptId attempt) {
    boolean started = Files.isDirectory(TaskFolder.ended(settings, attempt).path());
    return started
        ? attempt.numbers() + " has no output"
        : "the output of "
            + attempt.numbers()
            + " is no longer kept on "
            + settings.node()
            + " (remuda.agent.ended-age, ended-size), or it never ran there";
  }

  private static AgentMessage.Output answer(TaskFolder folder, ReadOutput question)
      throws IOException {
    boolean out = question.stream() == OutputStreamName.OUT;
    OutputFile.OutputSlice part =
        new OutputFile(out ? folder.stdout() : folder.stderr())
            .read(question.offset(), Math.min(question.limit(), AgentMessage.Output.MOST_BYTES));
    return new AgentMessage.Output(
        question.id(), part.offset(), part.bytes(), part.size(), part.dropped(), null);
  }
}
