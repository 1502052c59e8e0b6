package io.remuda.agent.actor;

import io.remuda.agent.attempt.StoredOutputReader;
import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.channel.NodeChannelsActor;
import io.remuda.agent.channel.ShellAndPortOpener;
import io.remuda.agent.channel.TaskChannel;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage.ReadOutput;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.worker.job.AttemptId;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

  /**
   * Answers a request.
   *
   * @param pid of the attempt's first process, 0 if it does not run
   * @param receivedAt when the agent got it, of {@link System#nanoTime}
   */
  record Read(ReadOutput question, long pid, long receivedAt) implements Command {}

  /** An attempt that will start has a channel to its stdin or terminal. */
  record Opened(AttemptId attempt, Path folder, TaskChannel channel) implements Command {}

  /** An attempt has ended, and with it the channels beside it. */
  record Ended(AttemptId attempt) implements Command {}

  /** An answer of the channels. */
  private record Answered(AgentMessage.Output answer) implements Command {}

  /** Removes the scratch folder of an ended task. */
  record Clean(AttemptId attempt) implements Command {}

  /** Sends commands to the reader, of ends only those of attempts with a channel. Any thread. */
  static final class Sender {

    private final ActorRef<Command> reader;
    private final Set<AttemptId> withChannel = ConcurrentHashMap.newKeySet();

    Sender(ActorRef<Command> reader) {
      this.reader = reader;
    }

    /**
     * As {@link Read}.
     *
     * @param isHere whether the attempt is not forgotten, so that its end will be told
     */
    void read(ReadOutput question, long pid, boolean isHere) {
      reader.tell(new Read(question, pid, System.nanoTime())); // no end may overtake it
      if (question.channel() != null && isHere) {
        withChannel.add(question.attempt());
      }
    }

    /** As {@link Opened}. */
    void opened(AttemptId attempt, Path folder, TaskChannel channel) {
      reader.tell(new Opened(attempt, folder, channel));
      withChannel.add(attempt);
    }

    /** As {@link Ended}; of most attempts the reader need not hear. */
    void ended(AttemptId attempt) {
      if (withChannel.remove(attempt)) {
        reader.tell(new Ended(attempt));
      }
    }

    /** As {@link Clean}. */
    void clean(AttemptId attempt) {
      reader.tell(new Clean(attempt));
    }
  }

  private OutputReader() {}

  static Behavior<Command> create(AgentSettings settings, ActorRef<NodeAgentCommand> agent) {
    return Behaviors.setup(
        context -> {
          ActorRef<TaskOutputTrimmer.Command> watch =
              context.spawn(TaskOutputTrimmer.create(settings), "watch", TaskOutputTrimmer.PROPS);
          context.spawn(
              EndedTaskFolderSweep.create(settings, Clock.systemUTC()),
              "ended",
              EndedTaskFolderSweep.PROPS);
          ActorRef<NodeChannelsActor.Command> channels = channels(context, settings);
          return Behaviors.receive(Command.class)
              .onMessage(Read.class, command -> onRead(command, settings, agent, channels))
              .onMessage(Opened.class, event -> onOpened(event, channels))
              .onMessage(Ended.class, event -> onEnded(event, channels))
              .onMessage(Answered.class, event -> onAnswered(event, agent))
              .onMessage(Clean.class, command -> onClean(command, settings, watch))
              .build();
        });
  }

  private static ActorRef<NodeChannelsActor.Command> channels(
      ActorContext<Command> context, AgentSettings settings) {
    return context.spawn(
        NodeChannelsActor.create(
            System::nanoTime,
            context.messageAdapter(AgentMessage.Output.class, Answered::new),
            new ShellAndPortOpener(settings)),
        "channels",
        NodeChannelsActor.PROPS);
  }

  private static Behavior<Command> onOpened(
      Opened event, ActorRef<NodeChannelsActor.Command> channels) {
    channels.tell(new NodeChannelsActor.Opened(event.attempt(), event.folder(), event.channel()));
    return Behaviors.same();
  }

  private static Behavior<Command> onEnded(
      Ended event, ActorRef<NodeChannelsActor.Command> channels) {
    channels.tell(new NodeChannelsActor.Ended(event.attempt()));
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
      ActorRef<NodeChannelsActor.Command> channels) {
    if (command.question().channel() != null) {
      channels.tell(
          new NodeChannelsActor.Use(command.question(), command.pid(), command.receivedAt()));
      return Behaviors.same();
    }
    agent.tell(
        new NodeAgentCommand.OutputRead(
            StoredOutputReader.answer(settings.folder(), settings.node(), command.question())));
    return Behaviors.same();
  }

  private static Behavior<Command> onClean(
      Clean command, AgentSettings settings, ActorRef<TaskOutputTrimmer.Command> watch) {
    TaskFolder folder = TaskFolder.ended(settings, command.attempt());
    watch.tell(new TaskOutputTrimmer.Ended(folder));
    folder.clean();
    return Behaviors.same();
  }
}
