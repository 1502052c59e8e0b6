package io.remuda.agent.actor;

import io.remuda.agent.clock.SampleTimer;
import io.remuda.agent.gpu.GpuProcessTaskAnnotator;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.source.TelemetrySampler;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Takes a sample when opened, and then at a fixed delay. A sample waits for a slow driver up to the
 * sampler's deadline, so this actor has its own thread.
 */
final class TelemetryActor {

  /** Dispatcher for this actor. */
  static final Props PROPS = DispatcherSelector.fromConfig("remuda.telemetry-dispatcher");

  sealed interface Command {}

  /** Starts to sample. */
  record Open(Duration interval) implements Command {}

  /** Stops sampling. */
  enum Close implements Command {
    INSTANCE
  }

  /**
   * Samples often until the memory of ended tasks on these devices is free; other tasks may wait
   * for it.
   *
   * @param devices UUIDs
   */
  record AwaitFreed(Set<String> devices) implements Command {}

  private enum Tick implements Command {
    INSTANCE
  }

  /** Delay between samples while memory of ended tasks is awaited, for {@link #LONGEST} at most. */
  private static final Duration OFTEN = Duration.ofMillis(20);

  private static final Duration LONGEST = Duration.ofSeconds(3);

  /** Memory that a driver may count in addition to that of the processes it lists. */
  private static final long UNNAMED_BYTES = 64L << 20;

  private final ActorRef<Command> self;
  private final SampleTimer clock;
  private final TelemetrySampler sampler;
  private final GpuProcessTaskAnnotator tenants;
  private final ActorRef<NodeAgentCommand> agent;
  private final Set<String> awaited = new HashSet<>();

  /** Bytes in use on each device beyond those of known tasks, when no memory was awaited. */
  private final Map<String, Long> others = new HashMap<>();

  /** Whether a tick is queued: a slow driver must not cause a backlog of ticks. */
  private final AtomicBoolean beating = new AtomicBoolean();

  /** Start of the wait by the samples' clock; 0 before its first sample. */
  private long awaitedSince;

  /** Null while it is closed. */
  private Duration interval;

  private TelemetryActor(
      ActorRef<Command> self,
      SampleTimer clock,
      TelemetrySampler sampler,
      GpuProcessTaskAnnotator tenants,
      ActorRef<NodeAgentCommand> agent) {
    this.self = self;
    this.clock = clock;
    this.sampler = sampler;
    this.tenants = tenants;
    this.agent = agent;
  }

  static Behavior<Command> create(
      TelemetrySampler sampler, GpuProcessTaskAnnotator tenants, ActorRef<NodeAgentCommand> agent) {
    return create(sampler, tenants, agent, SampleTimer::new);
  }

  /** Creates the actor with another clock. */
  static Behavior<Command> create(
      TelemetrySampler sampler,
      GpuProcessTaskAnnotator tenants,
      ActorRef<NodeAgentCommand> agent,
      Supplier<SampleTimer> clock) {
    return Behaviors.setup(
        context ->
            new TelemetryActor(context.getSelf(), clock.get(), sampler, tenants, agent).idle());
  }

  private Behavior<Command> idle() {
    return Behaviors.receive(Command.class)
        .onMessage(Open.class, this::onOpen)
        .onMessage(Close.class, close -> onClose())
        .onMessage(AwaitFreed.class, this::onAwaitFreed)
        .onMessage(Tick.class, tick -> onTick())
        .onSignal(PostStop.class, signal -> onStop())
        .build();
  }

  private Behavior<Command> onOpen(Open open) {
    interval = open.interval();
    beat(interval);
    return Behaviors.same();
  }

  private void beat(Duration pause) {
    clock.start(
        () -> {
          if (beating.compareAndSet(false, true)) {
            self.tell(Tick.INSTANCE);
          }
        },
        pause);
  }

  private Behavior<Command> onClose() {
    interval = null;
    awaited.clear();
    clock.stop();
    return Behaviors.same();
  }

  private Behavior<Command> onAwaitFreed(AwaitFreed command) {
    if (interval != null) {
      boolean already = !awaited.isEmpty();
      awaited.addAll(command.devices());
      awaitedSince = 0;
      sampler.refreshProcesses();
      if (!already) {
        beat(OFTEN);
      }
    }
    return Behaviors.same();
  }

  private Behavior<Command> onTick() {
    beating.set(false);
    if (interval == null) {
      return Behaviors.same(); // it was closed meanwhile
    }
    NodeSample sample = tenants.name(sampler.sample());
    agent.tell(new NodeAgentCommand.Sampled(sample));
    if (!awaited.isEmpty()) {
      sampler.refreshProcesses();
      awaitedSince = awaitedSince == 0 ? sample.atEpochMillis() : awaitedSince;
      boolean late = sample.atEpochMillis() - awaitedSince >= LONGEST.toMillis();
      if (late || sample.devices().stream().noneMatch(this::holdsMore)) {
        awaited.clear();
        beat(interval);
      }
    }
    if (awaited.isEmpty()) {
      sample.devices().forEach(this::noteOthers);
    }
    return Behaviors.same();
  }

  private void noteOthers(DeviceSample device) {
    if (device.memUsed() != null && device.processes() != null) {
      others.put(device.id().uuid(), unknownBytes(device));
    }
  }

  /**
   * Returns whether an awaited device still has memory in use that belongs neither to known tasks
   * nor to earlier users.
   */
  private boolean holdsMore(DeviceSample device) {
    String uuid = device.id().uuid();
    return awaited.contains(uuid)
        && device.memUsed() != null
        && unknownBytes(device) > others.getOrDefault(uuid, 0L) + UNNAMED_BYTES;
  }

  private static long unknownBytes(DeviceSample device) {
    long known = 0;
    if (device.processes() != null) {
      for (DeviceProcess process : device.processes()) {
        known += process.task() == null || process.memBytes() == null ? 0 : process.memBytes();
      }
    }
    return device.memUsed() - known;
  }

  private Behavior<Command> onStop() {
    clock.end();
    sampler.close();
    return Behaviors.same();
  }
}
