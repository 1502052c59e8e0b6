package io.remuda.coordinator.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.PairSpeeds;
import io.remuda.coordinator.registry.CoLocationTimeMeter.SharedTimes;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.TaskId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How long tasks ran beside which others; times here are numbers without a unit. */
class CoLocationTimeMeterTest {
  private static final JobType TRAIN = new JobType("ann", "train");
  private static final JobType EVAL = new JobType("bob", "eval");

  private final CoLocationTimeMeter coLocation = new CoLocationTimeMeter();

  private static TaskId task(String id) {
    return TaskId.parse(id);
  }

  private void began(String task, JobType type, long now, String... devices) {
    coLocation.began(task(task), type, Stream.of(devices).map(DeviceId::new).toList(), now);
  }

  private void left(String task, long now) {
    coLocation.left(task(task), now);
  }

  private SharedTimes of(String task, long now) {
    return coLocation.of(task(task), now).orElseThrow();
  }

  @Test
  void time_alone_and_time_with_one_other_are_told_apart() {
    began("1.0", TRAIN, 0, "A");
    began("2.0", EVAL, 10, "A");
    assertEquals(new SharedTimes(10, Map.of(EVAL, 5L), 0), of("1.0", 15));
    left("2.0", 30);
    assertEquals(new SharedTimes(15, Map.of(EVAL, 20L), 0), of("1.0", 35));
  }

  @Test
  void each_has_notes_of_its_own() {
    began("1.0", TRAIN, 0, "A");
    began("2.0", EVAL, 10, "A");
    left("1.0", 30);
    assertEquals(new SharedTimes(7, Map.of(TRAIN, 20L), 0), of("2.0", 37));
    assertEquals(Optional.empty(), coLocation.of(task("1.0"), 37));
  }

  @Test
  void more_than_one_other_and_one_without_a_type_are_other_company() {
    began("1.0", TRAIN, 0, "A");
    began("2.0", null, 0, "A");
    assertEquals(new SharedTimes(0, Map.of(), 10), of("1.0", 10));
    began("3.0", EVAL, 10, "A");
    left("2.0", 20);
    assertEquals(new SharedTimes(0, Map.of(EVAL, 5L), 20), of("1.0", 25));
  }

  @Test
  void others_of_its_own_type_are_company_too() {
    began("1.0", TRAIN, 0, "A");
    began("1.1", TRAIN, 4, "A");
    assertEquals(new SharedTimes(4, Map.of(TRAIN, 6L), 0), of("1.0", 10));
  }

  @Test
  void one_that_has_other_devices_besides_cannot_be_compared() {
    began("1.0", TRAIN, 0, "A", "B");
    began("2.0", EVAL, 0, "B");
    began("3.0", EVAL, 0, "C");
    assertEquals(new SharedTimes(0, Map.of(), 10), of("1.0", 10));
    assertEquals(new SharedTimes(0, Map.of(), 10), of("2.0", 10));
    assertEquals(new SharedTimes(10, Map.of(), 0), of("3.0", 10));
    began("4.0", EVAL, 10, "D", "E");
    began("5.0", TRAIN, 10, "E", "D");
    assertEquals(new SharedTimes(0, Map.of(TRAIN, 5L), 0), of("4.0", 15));
  }

  @Test
  void one_whose_beginning_was_not_seen_is_company_without_notes() {
    coLocation.found(task("1.0"), TRAIN, List.of(new DeviceId("A")), 0);
    began("1.0", TRAIN, 1, "A");
    began("2.0", EVAL, 5, "A");
    assertEquals(Optional.empty(), coLocation.of(task("1.0"), 9));
    assertEquals(new SharedTimes(0, Map.of(TRAIN, 4L), 0), of("2.0", 9));
  }

  @Test
  void the_run_is_the_parts_of_its_time() {
    SharedTimes times =
        new SharedTimes(2_000_000_000, Map.of(EVAL, 5_000_000_000L, TRAIN, 1L), 3_000_000_000L);
    PairSpeeds.Run run = times.run("H200", 10_100).orElseThrow();
    assertEquals(10_100, run.millis());
    assertEquals(0.2, run.alone(), 1e-6);
    assertEquals(EVAL, run.company());
    assertEquals(0.5, run.beside(), 1e-6);
  }

  @Test
  void notes_that_do_not_cover_the_run_show_nothing() {
    SharedTimes times = new SharedTimes(0, Map.of(EVAL, 10_000_000_000L), 0);
    assertEquals(Optional.empty(), times.run("H200", 12_000));
    assertEquals(Optional.empty(), times.run("H200", 9000));
  }

  @Test
  void of_an_epoch_that_began_before_a_restart_nobody_knows_its_company() {
    coLocation.found(task("1.0"), TRAIN, List.of(new DeviceId("A")), 100);
    CoLocationTimeMeter.Company first = coLocation.sinceLastEpoch(task("1.0"), 110);
    assertFalse(first.isAlone());
    assertEquals(Optional.empty(), first.type());
    assertTrue(coLocation.sinceLastEpoch(task("1.0"), 200).isAlone());
  }
}
