package io.remuda.agent.actor;

import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.channel.BesideTasks;
import io.remuda.agent.channel.ChannelActor;
import io.remuda.agent.channel.TaskChannel;
import io.remuda.agent.output.OutputFile;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage.ReadOutput;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.stream.InputNote;
import io.remuda.agent.stream.OutputNote;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
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

  /** An attempt that will start has a channel to its stdin or terminal. */
  record Opened(AttemptId attempt, Path folder, TaskChannel channel) implements Command {}

  /** An attempt has ended, and with it the channels beside it. */
  record Ended(AttemptId attempt) implements Command {}

  /** An answer of the channels. */
  private record Answered(AgentMessage.Output answer) implements Command {}

  /** Removes the scratch folder of an ended task. */
  record Clean(AttemptId attempt) implements Command {}

  private OutputReader() {}

  static Behavior<Command> create(AgentSettings settings, ActorRef<NodeAgentCommand> agent) {
    return Behaviors.setup(
        context -> {
          ActorRef<OutputWatch.Command> watch =
              context.spawn(OutputWatch.create(settings), "watch", OutputWatch.PROPS);
          context.spawn(EndedSweep.create(settings, Clock.systemUTC()), "ended", EndedSweep.PROPS);
          ActorRef<ChannelActor.Command> channels = channels(context, settings);
          breakOffInputs(context, settings);
          return Behaviors.receive(Command.class)
              .onMessage(Read.class, command -> onRead(command, settings, agent, channels))
              .onMessage(Opened.class, event -> onOpened(event, channels))
              .onMessage(Ended.class, event -> onEnded(event, channels))
              .onMessage(Answered.class, event -> onAnswered(event, agent))
              .onMessage(Clean.class, command -> onClean(command, settings, watch))
              .build();
        });
  }

  private static ActorRef<ChannelActor.Command> channels(
      ActorContext<Command> context, AgentSettings settings) {
    return context.spawn(
        ChannelActor.create(
            System::nanoTime,
            context.messageAdapter(AgentMessage.Output.class, Answered::new),
            new BesideTasks(settings)),
        "channels",
        ChannelActor.PROPS);
  }

  /** The pipes of the agent before this one are closed. */
  private static void breakOffInputs(ActorContext<Command> context, AgentSettings settings) {
    try {
      InputNote.breakOff(
          TaskFolder.open(settings).values().stream().map(TaskFolder::path).toList());
    } catch (IOException fault) {
      context.getLog().warn("broken inputs cannot be noted: {}", fault.toString());
    }
  }

  private static Behavior<Command> onOpened(Opened event, ActorRef<ChannelActor.Command> channels) {
    channels.tell(new ChannelActor.Opened(event.attempt(), event.folder(), event.channel()));
    return Behaviors.same();
  }

  private static Behavior<Command> onEnded(Ended event, ActorRef<ChannelActor.Command> channels) {
    channels.tell(new ChannelActor.Ended(event.attempt()));
    return Behaviors.same();
  }

  private static Behavior<Command> onAnswered(Answered event, ActorRef<NodeAgentCommand> agent) {
    agent.tell(new NodeAgentCommand.OutputRead(event.answer()));
    return Behaviors.same();
  }

  private static Behavior<Command> onRead(
      Read command,
      AgentSettings settings,
      ActorRef<NodeAgentCommand> agent,
      ActorRef<ChannelActor.Command> channels) {
    if (command.question().channel() != null) {
      channels.tell(new ChannelActor.Use(command.question()));
      return Behaviors.same();
    }
    agent.tell(new NodeAgentCommand.OutputRead(answer(settings, command.question())));
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
    int limit = Math.min(question.limit(), AgentMessage.Output.MOST_BYTES);
    Path file = out ? folder.stdout() : folder.stderr();
    Optional<OutputNote> chosen =
        Files.isSymbolicLink(file) ? OutputNote.in(folder.path()) : Optional.empty();
    if (chosen.isPresent()) {
      return chosen(chosen.get(), file, limit, question);
    }
    OutputFile.OutputSlice part = new OutputFile(file).read(question.offset(), limit);
    return answer(question, part, false);
  }

  /** Reads from a file of the user's; one with the output of all tasks counts as the first's. */
  private static AgentMessage.Output chosen(
      OutputNote note, Path file, int limit, ReadOutput question) throws IOException {
    boolean others = note.shared() != null && question.attempt().task().index() > 0;
    if (others) {
      return fault(
          question,
          "it is in "
              + note.shared()
              + " with that of all tasks: remuda logs "
              + question.attempt().task().job()
              + ".0");
    }
    OutputFile.OutputSlice part =
        question.stream() == OutputStreamName.OUT
            ? note.readOut(file, question.offset(), limit)
            : note.readErr(file, question.offset(), limit);
    return answer(question, part, note.shared() != null);
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
