package io.remuda.telemetry.source;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.testkit.FixedHost;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TelemetrySamplerTest {
  private static final Duration DEADLINE = Duration.ofMillis(500);
  private static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(4711), ZoneOffset.UTC);

  private final GatedSource source = new GatedSource(3);
  private final TelemetrySampler sampler =
      TelemetrySampler.start(source, new FixedHost(), DEADLINE, "n1", CLOCK);

  @AfterEach
  void close() {
    sampler.close();
  }

  private static List<DeviceHealth> health(NodeSample sample) {
    return sample.devices().stream().map(DeviceSample::health).toList();
  }

  private static String picture(NodeSample sample) {
    StringBuilder picture = new StringBuilder();
    for (DeviceSample device : sample.devices()) {
      picture.append(device.health() == DeviceHealth.OK ? '+' : '-');
    }
    return picture.toString();
  }

  private void awaitPicture(String expected) {
    await().atMost(Duration.ofSeconds(10)).until(() -> picture(sampler.sample()), expected::equals);
  }

  @Test
  void a_well_driver_gives_fresh_values_without_waiting_for_the_deadline() {
    GatedSource well = new GatedSource(3);
    try (TelemetrySampler patient =
        TelemetrySampler.start(well, new FixedHost(), Duration.ofMinutes(1), "n1", CLOCK)) {
      assertTimeout(Duration.ofSeconds(30), () -> assertThreeFreshSamples(patient));
    }
  }

  private static void assertThreeFreshSamples(TelemetrySampler patient) {
    for (int i = 1; i <= 3; i++) {
      NodeSample sample = patient.sample();
      assertEquals(i, sample.sequence());
      assertEquals("n1", sample.node());
      assertEquals(4711, sample.atEpochMillis());
      assertEquals(i, sample.host().load1());
      assertEquals(i, sample.devices().get(2).utilGpu());
      assertEquals("+++", picture(sample));
    }
  }

  @Test
  void a_stuck_device_keeps_the_values_read_before_it_and_the_deadline() {
    source.hang(1);
    long start = System.nanoTime();
    NodeSample sample = sampler.sample();
    long millis = (System.nanoTime() - start) / 1_000_000;
    assertEquals(List.of(DeviceHealth.OK, DeviceHealth.STALE, DeviceHealth.STALE), health(sample));
    assertNull(sample.devices().get(1).utilGpu());
    assertEquals("TIMEOUT", sample.devices().get(1).errors().get("watchdog"));
    assertEquals(1, sample.host().load1(), "the host part is fresh");
    assertTrue(millis >= 450 && millis < 60_000, () -> "took " + millis + " ms");
    source.release(1);
  }

  @Test
  void one_replacement_thread_reads_the_others_while_a_device_hangs() {
    source.hang(1);
    sampler.sample();
    for (int i = 0; i < 5; i++) {
      assertEquals("+-+", picture(sampler.sample()));
    }
    assertEquals(2, source.insideMost.get(), "the stuck one and its replacement");
    source.release(1);
    awaitPicture("+++");
    await().until(() -> source.inside.get() == 0);
  }

  @Test
  void no_third_thread_enters_when_the_replacement_hangs_too() {
    source.hang(0);
    source.hang(2);
    for (int i = 0; i < 6; i++) {
      sampler.sample();
    }
    assertEquals(2, source.insideMost.get());
    assertEquals("---", picture(sampler.sample()));
    source.release(0);
    awaitPicture("++-");
    assertEquals(2, source.insideMost.get());
    source.release(2);
    awaitPicture("+++");
    await().until(() -> source.inside.get() == 0);
  }

  @Test
  void the_replacement_that_returns_first_leaves_the_other_device_suspect() {
    source.hang(0);
    source.hang(2);
    for (int i = 0; i < 4; i++) {
      sampler.sample();
    }
    source.release(2);
    awaitPicture("-++");
    source.release(0);
    awaitPicture("+++");
  }

  @Test
  void no_second_thread_enters_while_the_driver_as_a_whole_hangs() {
    source.hangSession();
    for (int i = 0; i < 4; i++) {
      assertEquals("---", picture(sampler.sample()));
    }
    assertEquals(1, source.insideMost.get());
    source.releaseSession();
    awaitPicture("+++");
  }

  @Test
  void while_nothing_can_be_read_a_sample_does_not_wait() {
    source.hangSession();
    sampler.sample();
    long start = System.nanoTime();
    for (int i = 0; i < 20; i++) {
      sampler.sample();
    }
    long millis = (System.nanoTime() - start) / 1_000_000;
    assertTrue(millis < 20 * DEADLINE.toMillis(), () -> "took " + millis + " ms");
    source.releaseSession();
  }

  @Test
  void a_device_that_is_always_too_slow_starves_no_other_and_is_reported_late() {
    for (int i = 0; i < 3; i++) {
      source.hang(1);
      NodeSample sample = sampler.sample();
      assertEquals(i == 0 ? "+--" : "+++", picture(sample), "sample " + i);
      source.release(1);
      await().until(() -> source.inside.get() == 0);
    }
  }

  @Test
  void a_value_that_took_too_long_is_dropped() {
    try (TelemetrySampler hasty =
        TelemetrySampler.start(source, new FixedHost(), Duration.ofMillis(100), "n1", CLOCK)) {
      source.hang(1);
      long start = System.nanoTime();
      await()
          .until(
              () -> {
                hasty.sample();
                return System.nanoTime() - start > Duration.ofMillis(600).toNanos();
              });
      source.release(1);
      await().until(() -> source.inside.get() == 0);
      source.hang(1);
      assertEquals(DeviceHealth.STALE, hasty.sample().devices().get(1).health());
      source.release(1);
    }
  }

  @Test
  void a_source_that_throws_leaves_its_devices_stale_and_is_asked_again() {
    source.failure = new IllegalStateException("broken");
    assertEquals("---", picture(sampler.sample()));
    source.failure = null;
    assertEquals("+++", picture(sampler.sample()));
  }

  @Test
  void closing_closes_the_source_once_and_ends_the_reading() {
    sampler.sample();
    sampler.close();
    sampler.close();
    assertEquals(1, source.closings.get());
    int rounds = source.rounds.get();
    assertEquals("---", picture(sampler.sample()));
    assertEquals(rounds, source.rounds.get());
  }

  @Test
  void closing_while_the_driver_hangs_returns_and_the_source_is_closed_later() {
    source.hangSession();
    sampler.sample();
    sampler.close();
    assertEquals(0, source.closings.get());
    source.releaseSession();
    await().until(() -> source.closings.get() == 1);
  }
}
