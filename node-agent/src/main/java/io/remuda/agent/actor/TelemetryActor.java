package io.remuda.agent.actor;

import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.source.TelemetrySampler;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
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

  /**
   * The actor system's own clock is too coarse: it looks five times a second, so that an idle agent
   * sleeps, and would make 1.2 s of a period of 1 s.
   */
  private static final class Clock {
    private final ScheduledExecutorService thread =
        Executors.newSingleThreadScheduledExecutor(Clock::daemon);
    private ScheduledFuture<?> beat;

    private static Thread daemon(Runnable work) {
      Thread thread = new Thread(work, "telemetry-clock");
      thread.setDaemon(true);
      return thread;
    }

    /** A delay and no rate: after a pause of the whole process there is one sample, not many. */
    private void start(Runnable tick, Duration interval) {
      stop();
      beat = thread.scheduleWithFixedDelay(tick, 0, interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void stop() {
      if (beat != null) {
        beat.cancel(false);
      }
    }

    private void end() {
      thread.shutdownNow();
    }
  }

  private TelemetryActor() {}

  static Behavior<Command> create(
      TelemetrySampler sampler, DeviceTenants tenants, ActorRef<NodeAgent.Command> agent) {
    return Behaviors.setup(
        context -> sampling(context.getSelf(), new Clock(), sampler, tenants, agent));
  }

  private static Behavior<Command> sampling(
      ActorRef<Command> self,
      Clock clock,
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

  private static Behavior<Command> onOpen(ActorRef<Command> self, Clock clock, Open open) {
    clock.start(() -> self.tell(Tick.INSTANCE), open.interval());
    return Behaviors.same();
  }

  private static Behavior<Command> onClose(Clock clock) {
    clock.stop();
    return Behaviors.same();
  }

  private static Behavior<Command> onTick(
      TelemetrySampler sampler, DeviceTenants tenants, ActorRef<NodeAgent.Command> agent) {
    NodeSample sample = sampler.sample();
    agent.tell(new NodeAgent.Sampled(tenants.name(sample)));
    return Behaviors.same();
  }

  private static Behavior<Command> onStop(Clock clock, TelemetrySampler sampler) {
    clock.end();
    sampler.close();
    return Behaviors.same();
  }
}
