package io.remuda.agent.actor;

import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.source.TelemetrySampler;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Takes a sample at once when opened and then at a fixed delay. A sample waits for a slow driver up
 * to the sampler's deadline, so this actor has a thread of its own.
 */
final class TelemetryActor {

  /** Where this actor is to run. */
  static final Props PROPS = DispatcherSelector.fromConfig("remuda.telemetry-dispatcher");

  sealed interface Command {}

  /** Sample from now on. */
  record Open(Duration interval) implements Command {}

  /** Sample no more. */
  enum Close implements Command {
    INSTANCE
  }

  /**
   * Look often until nothing is left on these devices of tasks that have ended: others may wait for
   * the memory.
   *
   * @param devices UUIDs
   */
  record AwaitFreed(Set<String> devices) implements Command {}

  private enum Tick implements Command {
    INSTANCE
  }

  /** So often, and so many times at most, the memory of ended tasks is looked for. */
  private static final Duration OFTEN = Duration.ofMillis(20);

  private static final int LOOKS = 150;

  /** What a driver may count besides the processes that it names. */
  private static final long UNNAMED_BYTES = 64L << 20;

  private final ActorRef<Command> self;
  private final SampleClock clock;
  private final TelemetrySampler sampler;
  private final DeviceTenants tenants;
  private final ActorRef<NodeAgent.Command> agent;
  private final Set<String> awaited = new HashSet<>();
  private int looksLeft;

  /** Null while it is closed. */
  private Duration interval;

  private TelemetryActor(
      ActorRef<Command> self,
      SampleClock clock,
      TelemetrySampler sampler,
      DeviceTenants tenants,
      ActorRef<NodeAgent.Command> agent) {
    this.self = self;
    this.clock = clock;
    this.sampler = sampler;
    this.tenants = tenants;
    this.agent = agent;
  }

  static Behavior<Command> create(
      TelemetrySampler sampler, DeviceTenants tenants, ActorRef<NodeAgent.Command> agent) {
    return create(sampler, tenants, agent, SampleClock::new);
  }

  /** The same with another clock. */
  static Behavior<Command> create(
      TelemetrySampler sampler,
      DeviceTenants tenants,
      ActorRef<NodeAgent.Command> agent,
      Supplier<SampleClock> clock) {
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
    clock.start(() -> self.tell(Tick.INSTANCE), pause);
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
      looksLeft = LOOKS;
      sampler.refreshProcesses();
      if (!already) {
        beat(OFTEN);
      }
    }
    return Behaviors.same();
  }

  private Behavior<Command> onTick() {
    NodeSample sample = tenants.name(sampler.sample());
    agent.tell(new NodeAgent.Sampled(sample));
    if (!awaited.isEmpty()) {
      sampler.refreshProcesses();
      if (--looksLeft <= 0 || sample.devices().stream().noneMatch(this::holdsMore)) {
        awaited.clear();
        beat(interval);
      }
    }
    return Behaviors.same();
  }

  /** Whether something is in use of a device that no task of this node is known to use. */
  private boolean holdsMore(DeviceSample device) {
    if (!awaited.contains(device.id().uuid()) || device.memUsed() == null) {
      return false;
    }
    long known = 0;
    for (DeviceProcess process :
        device.processes() == null ? List.<DeviceProcess>of() : device.processes()) {
      known += process.task() == null || process.memBytes() == null ? 0 : process.memBytes();
    }
    return device.memUsed() - known > UNNAMED_BYTES;
  }

  private Behavior<Command> onStop() {
    clock.end();
    sampler.close();
    return Behaviors.same();
  }
}
