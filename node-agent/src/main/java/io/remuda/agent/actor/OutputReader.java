package io.remuda.agent.actor;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage.ReadOutput;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Reads what tasks have printed, those that run and those that have ended here, and cleans up after
 * them. It blocks.
 */
final class OutputReader {

  /** Where this actor is to run. */
  static final Props PROPS = DispatcherSelector.fromConfig("remuda.blocking-dispatcher");

  /** What the reader is told. */
  sealed interface Command {}

  /** Answer this. */
  record Read(ReadOutput question) implements Command {}

  /** Remove what an ended task has left in its scratch folder. */
  record Clean(AttemptId attempt) implements Command {}

  private OutputReader() {}

  static Behavior<Command> create(AgentSettings settings, ActorRef<NodeAgent.Command> agent) {
    return Behaviors.receive(Command.class)
        .onMessage(Read.class, command -> onRead(command, settings, agent))
        .onMessage(Clean.class, command -> onClean(command, settings))
        .build();
  }

  private static Behavior<Command> onRead(
      Read command, AgentSettings settings, ActorRef<NodeAgent.Command> agent) {
    agent.tell(new NodeAgent.OutputRead(answer(settings, command.question())));
    return Behaviors.same();
  }

  private static Behavior<Command> onClean(Clean command, AgentSettings settings) {
    TaskFolder.ended(settings, command.attempt()).clean();
    return Behaviors.same();
  }

  static AgentMessage.Output answer(AgentSettings settings, ReadOutput question) {
    TaskFolder here = TaskFolder.of(settings, question.attempt());
    TaskFolder folder =
        Files.isDirectory(here.path()) ? here : TaskFolder.ended(settings, question.attempt());
    Path file = question.stream() == OutputStreamName.OUT ? folder.stdout() : folder.stderr();
    try (RandomAccessFile input = new RandomAccessFile(file.toFile(), "r")) {
      long size = input.length();
      long wanted = question.offset() < 0 ? size + question.offset() : question.offset();
      long offset = Math.max(0, Math.min(wanted, size));
      int limit = Math.min(question.limit(), AgentMessage.Output.MOST_BYTES);
      byte[] bytes = new byte[(int) Math.min(limit, size - offset)];
      input.seek(offset);
      int length = Math.max(0, input.read(bytes));
      return new AgentMessage.Output(
          question.id(), offset, Arrays.copyOf(bytes, length), size, null);
    } catch (IOException fault) {
      return new AgentMessage.Output(question.id(), 0, new byte[0], 0, fault.getMessage());
    }
  }
}
