package io.remuda.agent.actor;

import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.source.TelemetrySampler;
import java.time.Duration;
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

  private enum Tick implements Command {
    INSTANCE
  }

  private TelemetryActor() {}

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
        context -> sampling(context.getSelf(), clock.get(), sampler, tenants, agent));
  }

  private static Behavior<Command> sampling(
      ActorRef<Command> self,
      SampleClock clock,
      TelemetrySampler sampler,
      DeviceTenants tenants,
      ActorRef<NodeAgent.Command> agent) {
    return Behaviors.receive(Command.class)
        .onMessage(Open.class, open -> onOpen(self, clock, open))
        .onMessage(Close.class, close -> onClose(clock))
        .onMessage(Tick.class, tick -> onTick(sampler, tenants, agent))
        .onSignal(PostStop.class, signal -> onStop(clock, sampler))
        .build();
  }

  private static Behavior<Command> onOpen(ActorRef<Command> self, SampleClock clock, Open open) {
    clock.start(() -> self.tell(Tick.INSTANCE), open.interval());
    return Behaviors.same();
  }

  private static Behavior<Command> onClose(SampleClock clock) {
    clock.stop();
    return Behaviors.same();
  }

  private static Behavior<Command> onTick(
      TelemetrySampler sampler, DeviceTenants tenants, ActorRef<NodeAgent.Command> agent) {
    NodeSample sample = sampler.sample();
    agent.tell(new NodeAgent.Sampled(tenants.name(sample)));
    return Behaviors.same();
  }

  private static Behavior<Command> onStop(SampleClock clock, TelemetrySampler sampler) {
    clock.end();
    sampler.close();
    return Behaviors.same();
  }
}
