package io.remuda.agent.channel;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.AttemptChannelProgress;
import io.remuda.agent.protocol.ChannelExchangeRequest;
import io.remuda.agent.protocol.CoordinatorMessage.ReadOutput;
import io.remuda.agent.protocol.TaskSignal;
import io.remuda.agent.stream.InputTransferMarkerFiles;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * The channels of a node. A request is answered as soon as its bytes are taken, or bytes have come,
 * and otherwise after {@link #PATIENCE}. Nothing in it waits but for files.
 */
public final class NodeChannelsActor extends AbstractBehavior<NodeChannelsActor.Command> {

  /** Dispatcher for this actor. */
  public static final Props PROPS = DispatcherSelector.fromConfig("remuda.blocking-dispatcher");

  /** How long a request waits; the coordinator waits longer. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /**
   * After so long in this agent a request is not done any more: the coordinator has given it up and
   * told its client so. Measured on this node alone, since the clocks of two machines differ.
   */
  public static final Duration MOST_AGE = Duration.ofSeconds(10);

  /** After so long without a request the client counts as gone, which asks every few seconds. */
  static final Duration SILENCE = Duration.ofMinutes(2);

  /** How long is kept what is known of a channel that is over. */
  private static final Duration MEMORY = Duration.ofMinutes(1);

  /** Maximum number of channels beside an attempt. */
  private static final int MOST_BESIDE = 100;

  /** Maximum number of requests of one attempt that wait: each channel has one for each way. */
  private static final int MOST_WAITING = 2 * MOST_BESIDE;

  private static final Duration SOON = Duration.ofMillis(10);
  private static final Duration LATER = Duration.ofSeconds(5);

  /** A command to this actor. */
  public sealed interface Command {}

  /** An attempt that will start has this channel. */
  public record Opened(AttemptId attempt, Path folder, TaskChannel channel) implements Command {}

  /**
   * Uses a channel, or sends a signal; does nothing if it is older than {@link #MOST_AGE}.
   *
   * @param pid of the attempt's first process, 0 if it does not run
   * @param receivedAt when the agent got it, in nanoseconds of this actor's clock
   */
  public record Use(ReadOutput question, long pid, long receivedAt) implements Command {}

  /** An attempt has ended; there may be no channel beside it. */
  public record Ended(AttemptId attempt) implements Command {}

  /** Time to look at channels again. */
  enum Look implements Command {
    INSTANCE
  }

  private record Place(AttemptId attempt, String name) {}

  private record Waiting(ReadOutput question, long until) {}

  private final TimerScheduler<Command> timers;
  private final LongSupplier nanoClock;
  private final ActorRef<AgentMessage.Output> answers;
  private final ShellAndPortOpener beside;
  private final Map<Place, ResumableChannel> channels = new LinkedHashMap<>();
  private final Map<AttemptId, Path> folders = new LinkedHashMap<>();
  private final List<Waiting> waiting = new ArrayList<>();

  private NodeChannelsActor(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      LongSupplier nanoClock,
      ActorRef<AgentMessage.Output> answers,
      ShellAndPortOpener beside) {
    super(context);
    this.timers = timers;
    this.nanoClock = nanoClock;
    this.answers = answers;
    this.beside = beside;
  }

  /**
   * Creates the behaviour.
   *
   * @param nanoClock monotonic clock in nanoseconds
   * @param answers gets the answers to requests
   * @param beside opens what a client asks for beside a running attempt
   */
  public static Behavior<Command> create(
      LongSupplier nanoClock, ActorRef<AgentMessage.Output> answers, ShellAndPortOpener beside) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new NodeChannelsActor(context, timers, nanoClock, answers, beside)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Opened.class, this::onOpened)
        .onMessage(Use.class, this::onUse)
        .onMessage(Ended.class, this::onEnded)
        .onMessage(Look.class, message -> onLook())
        .onSignal(PostStop.class, signal -> onStop())
        .build();
  }

  private long now() {
    return nanoClock.getAsLong();
  }

  private Behavior<Command> onOpened(Opened event) {
    ResumableChannel before =
        channels.put(
            new Place(event.attempt(), ChannelExchangeRequest.TASK),
            new ResumableChannel(event.channel(), now()));
    close(before); // of an earlier preparation of the same attempt
    folders.put(event.attempt(), event.folder());
    return lookAgain();
  }

  private Behavior<Command> onUse(Use command) {
    ReadOutput question = command.question();
    if (now() - command.receivedAt() > MOST_AGE.toNanos()) {
      answers.tell(fault(question, "this agent was too busy to do it in time"));
      return this;
    }
    if (TaskSignal.isAsked(question.channel())) {
      answers.tell(signalled(question, command.pid()));
      return this;
    }
    ResumableChannel channel = channels.get(place(question));
    if (channel == null) {
      try {
        channel = open(question);
      } catch (IOException fault) {
        answers.tell(fault(question, fault.getMessage()));
        return this;
      }
    }
    channel.asked(question.channel(), now());
    if (!isAnswered(question, channel)) {
      if (isCrowded(question.attempt())) {
        answers.tell(fault(question, MOST_WAITING + " requests of it wait already, the most"));
        return this;
      }
      waiting.add(new Waiting(question, now() + PATIENCE.toNanos()));
    }
    return lookAgain();
  }

  private boolean isCrowded(AttemptId attempt) {
    return waiting.stream().filter(one -> one.question().attempt().equals(attempt)).count()
        >= MOST_WAITING;
  }

  private static AgentMessage.Output signalled(ReadOutput question, long pid) {
    try {
      TaskSignalling.send(question.attempt().task(), pid, TaskSignal.of(question.channel()));
      AttemptChannelProgress done = new AttemptChannelProgress(0, 0, true, null);
      return new AgentMessage.Output(question.id(), 0, new byte[0], 0, 0, null, false, done);
    } catch (IOException | IllegalArgumentException no) {
      return fault(question, no.getMessage());
    }
  }

  /** Opens a channel beside the attempt. */
  private ResumableChannel open(ReadOutput question) throws IOException {
    ChannelExchangeRequest ask = question.channel();
    if (ask.open() == null || ask.close() || ask.name().equals(ChannelExchangeRequest.TASK)) {
      throw new IOException("there is no such channel: it has ended, or its agent has");
    }
    long others =
        channels.entrySet().stream()
            .filter(one -> one.getKey().attempt().equals(question.attempt()))
            .count();
    if (others >= MOST_BESIDE) {
      throw new IOException("there are " + others + " channels beside it already, the most");
    }
    ResumableChannel opened = new ResumableChannel(beside.open(question.attempt(), ask), now());
    channels.put(place(question), opened);
    return opened;
  }

  private static Place place(ReadOutput question) {
    return new Place(question.attempt(), question.channel().name());
  }

  /** Does what can be done of a request; answers if that is all of it. */
  private boolean isAnswered(ReadOutput question, ResumableChannel channel) {
    ChannelExchangeRequest ask = question.channel();
    try {
      noteBytes(question.attempt(), ask, channel);
      channel.write(ask);
      noteEnd(question.attempt(), ask, channel);
      channel.pump();
      boolean done = ask.bytes().length > 0 || ask.end() ? channel.hasTaken(ask) : ask.read() < 0;
      if (!done && (ask.read() < 0 || !channel.hasMore(ask.read()))) {
        return false;
      }
      answers.tell(answer(question, channel));
      if (ask.close() && !ask.name().equals(ChannelExchangeRequest.TASK)) {
        channel.abandon();
        if (channel.isOver()) {
          channels.remove(place(question));
          channel.close();
        }
      }
    } catch (IOException fault) {
      answers.tell(fault(question, fault.getMessage()));
    }
    return true;
  }

  /** Notes that stdin is coming, before the first bytes are written. */
  private void noteBytes(AttemptId attempt, ChannelExchangeRequest ask, ResumableChannel channel)
      throws IOException {
    if (channel.isOnlyInput() && ask.bytes().length > 0 && ask.offset() == 0) {
      InputTransferMarkerFiles.begin(folders.get(attempt));
    }
  }

  private void noteEnd(AttemptId attempt, ChannelExchangeRequest ask, ResumableChannel channel)
      throws IOException {
    if (channel.isOnlyInput() && ask.end() && channel.hasTaken(ask)) {
      InputTransferMarkerFiles.end(folders.get(attempt));
    }
  }

  private static AgentMessage.Output answer(ReadOutput question, ResumableChannel channel) {
    ChannelExchangeRequest ask = question.channel();
    ResumableChannel.ChannelPart part =
        ask.read() < 0
            ? new ResumableChannel.ChannelPart(0, new byte[0])
            : channel.part(ask.read());
    return new AgentMessage.Output(
        question.id(),
        part.offset(),
        part.bytes(),
        part.offset() + part.bytes().length,
        0,
        null,
        false,
        channel.state());
  }

  private static AgentMessage.Output fault(ReadOutput question, String why) {
    return new AgentMessage.Output(question.id(), 0, new byte[0], 0, 0, why);
  }

  private Behavior<Command> onEnded(Ended event) {
    for (Map.Entry<Place, ResumableChannel> one : channels.entrySet()) {
      if (one.getKey().attempt().equals(event.attempt())) {
        try {
          one.getValue().attemptEnded();
          if (one.getValue().isOnlyInput()) {
            InputTransferMarkerFiles.end(folders.get(event.attempt()));
          }
        } catch (IOException fault) {
          getContext().getLog().warn("a channel of {}: {}", event.attempt(), fault.toString());
        }
      }
    }
    return onLook();
  }

  private Behavior<Command> onLook() {
    for (Iterator<Map.Entry<Place, ResumableChannel>> all = channels.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<Place, ResumableChannel> one = all.next();
      try {
        one.getValue().pump();
        if (isForgotten(one.getKey(), one.getValue())) {
          all.remove();
        }
      } catch (IOException fault) {
        getContext().getLog().info("a channel of {}: {}", one.getKey(), fault.toString());
        close(one.getValue());
        waiting.removeIf(request -> isTold(request, one.getKey(), fault));
      }
    }
    folders
        .keySet()
        .removeIf(
            attempt -> !channels.containsKey(new Place(attempt, ChannelExchangeRequest.TASK)));
    waiting.removeIf(this::isOver);
    return lookAgain();
  }

  /** Answers a request that waits with a fault of its channel. */
  private boolean isTold(Waiting request, Place place, IOException fault) {
    boolean isOfIt = place(request.question()).equals(place);
    if (isOfIt) {
      answers.tell(fault(request.question(), fault.getMessage()));
    }
    return isOfIt;
  }

  /** Answers a request that waits if its bytes have moved, or it has waited for long. */
  private boolean isOver(Waiting one) {
    ResumableChannel channel = channels.get(place(one.question()));
    if (channel == null) {
      answers.tell(fault(one.question(), "the channel has ended"));
      return true;
    }
    if (isAnswered(one.question(), channel)) {
      return true;
    }
    if (now() < one.until()) {
      return false;
    }
    answers.tell(answer(one.question(), channel));
    return true;
  }

  /** Ends what no client asks for; returns whether it is over and long enough known. */
  private boolean isForgotten(Place place, ResumableChannel channel) throws IOException {
    long silence = now() - channel.askedAt();
    if (!channel.isOver()) {
      if (silence > SILENCE.toNanos()) {
        giveUp(place, channel);
      }
      return false;
    }
    if (silence < MEMORY.toNanos()) {
      return false;
    }
    close(channel);
    return true;
  }

  /**
   * The client is gone: a task reads the end of its stdin, its terminal hangs up, and anything else
   * is closed.
   */
  private void giveUp(Place place, ResumableChannel channel) throws IOException {
    if (!place.name().equals(ChannelExchangeRequest.TASK)) {
      close(channel);
      return;
    }
    if (channel.isOnlyInput() && channel.isInputOpen() && channel.state().used() > 0) {
      InputTransferMarkerFiles.breakOff(folders.get(place.attempt()));
    }
    channel.endInput();
  }

  private void close(ResumableChannel channel) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException fault) {
        getContext().getLog().warn("a channel cannot be closed: {}", fault.toString());
      }
    }
  }

  private Behavior<Command> lookAgain() {
    if (channels.isEmpty()) {
      timers.cancel(Look.INSTANCE);
    } else {
      boolean busy =
          !waiting.isEmpty() || channels.values().stream().anyMatch(ResumableChannel::isPumped);
      timers.startSingleTimer(Look.INSTANCE, Look.INSTANCE, busy ? SOON : LATER);
    }
    return this;
  }

  private Behavior<Command> onStop() {
    channels.values().forEach(this::close);
    return this;
  }
}
