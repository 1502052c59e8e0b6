package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.clock.SampleTimer;
import io.remuda.agent.gpu.GpuProcessTaskAnnotator;
import io.remuda.agent.gpu.LeaseHolderProcesses;
import io.remuda.telemetry.machine.DeviceSources;
import io.remuda.telemetry.source.TelemetrySampler;
import io.remuda.telemetry.testkit.FixedHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TelemetryActorTest {
  private static final Duration INTERVAL = Duration.ofMillis(700);

  /** Records calls, and ticks on demand. */
  private static final class HandClock extends SampleTimer {
    private final List<String> told = new ArrayList<>();
    private Runnable tick = () -> {};

    @Override
    public void start(Runnable tick, Duration interval) {
      told.add("every " + interval.toMillis());
      this.tick = tick;
    }

    @Override
    public void stop() {
      told.add("stop");
      tick = () -> {};
    }

    @Override
    public void end() {
      told.add("end");
      super.end();
    }
  }

  private final HandClock clock = new HandClock();
  private final TestInbox<NodeAgentCommand> agent = TestInbox.create();
  private final TelemetrySampler sampler =
      TelemetrySampler.start(
          DeviceSources.simulated("h200:2", "n1"), new FixedHost(), Duration.ofSeconds(1), "n1");
  private final BehaviorTestKit<TelemetryActor.Command> actor =
      BehaviorTestKit.create(
          TelemetryActor.create(
              sampler,
              new GpuProcessTaskAnnotator("r/n1/", new LeaseHolderProcesses()),
              agent.getRef(),
              () -> clock));

  @AfterEach
  void close() {
    sampler.close();
  }

  private void beat() {
    clock.tick.run();
    while (actor.selfInbox().hasMessages()) {
      actor.run(actor.selfInbox().receiveMessage());
    }
  }

  @Test
  void each_beat_of_the_period_that_was_asked_for_is_a_sample() {
    actor.run(new TelemetryActor.Open(INTERVAL));
    beat();
    beat();
    assertEquals(List.of("every 700"), clock.told);
    assertEquals(2, agent.getAllReceived().size());
  }

  @Test
  void once_closed_it_is_silent_and_may_be_opened_again() {
    actor.run(new TelemetryActor.Open(INTERVAL));
    actor.run(TelemetryActor.Close.INSTANCE);
    beat();
    assertEquals(List.of(), agent.getAllReceived());
    actor.run(new TelemetryActor.Open(Duration.ofSeconds(1)));
    beat();
    assertEquals(1, agent.getAllReceived().size());
    assertEquals(List.of("every 700", "stop", "every 1000"), clock.told);
  }

  @Test
  void memory_of_ended_tasks_is_looked_for_often_and_not_for_ever() {
    actor.run(new TelemetryActor.Open(INTERVAL));
    String gpu = sampler.inventory().get(0).id().uuid();
    actor.run(new TelemetryActor.AwaitFreed(Set.of(gpu)));
    actor.run(new TelemetryActor.AwaitFreed(Set.of(gpu)));
    for (int looks = 0; looks < 200; looks++) {
      beat();
    }
    assertEquals(List.of("every 700", "every 20", "every 700"), clock.told);
    assertEquals(200, agent.getAllReceived().size());
  }

  @Test
  void while_it_is_closed_nobody_waits_for_memory() {
    actor.run(new TelemetryActor.AwaitFreed(Set.of("GPU-1")));
    assertEquals(List.of(), clock.told);
  }

  @Test
  void the_clock_itself_beats_at_once_and_again_until_it_is_stopped() throws InterruptedException {
    SampleTimer real = new SampleTimer();
    CountDownLatch beats = new CountDownLatch(3);
    try {
      real.start(beats::countDown, Duration.ofMillis(1));
      assertEquals(true, beats.await(60, TimeUnit.SECONDS));
    } finally {
      real.end();
    }
  }
}
