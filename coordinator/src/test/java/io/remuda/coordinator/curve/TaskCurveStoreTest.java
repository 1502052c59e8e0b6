package io.remuda.coordinator.curve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.ReportedPoint;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskCurveStoreTest {

  private static final long MOST = 1 << 20;
  private static final List<TaskCurves.Reading> READINGS =
      List.of(
          new TaskCurves.Reading(
              "cpu", 100, 1, new float[] {1, 2}, new float[] {1, 2}, new float[] {1, 2}));

  @TempDir private Path folder;

  private TaskCurveStore open() throws IOException {
    return TaskCurveStore.open(folder, MOST);
  }

  private static AgentMessage.Metrics batch(String attempt, long from, long until, double value) {
    return new AgentMessage.Metrics(
        AttemptId.parse(attempt),
        from,
        until,
        Map.of("loss", List.of(ReportedPoint.of(from * 1000, (double) from, value))),
        Map.of());
  }

  private static long values(TaskCurveStore store, String attempt) throws IOException {
    List<TaskCurves> all = store.read(EndedCurveFiles.job(attempt), attempt::equals, task -> task);
    if (all.isEmpty()) {
      return 0;
    }
    TaskCurve loss = all.get(0).reported().get("loss");
    long count = 0;
    for (int point = 0; loss != null && point < loss.size(); point++) {
      count += loss.count(point);
    }
    return count;
  }

  @Test
  void what_is_acknowledged_is_there_after_a_server_that_was_killed() throws IOException {
    TaskCurveStore killed = open();
    assertEquals(OptionalLong.of(10), killed.add(batch("7.0.1", 0, 10, 0.5)));
    assertEquals(OptionalLong.of(20), killed.add(batch("7.0.1", 10, 20, 0.25)));
    try (TaskCurveStore next = open()) {
      assertEquals(2, values(next, "7.0.1"));
    }
    try (TaskCurveStore again = open()) { // from the curves that were written at the end
      assertEquals(2, values(again, "7.0.1"));
    }
  }

  @Test
  void what_comes_twice_counts_once() throws IOException {
    try (TaskCurveStore store = open()) {
      store.add(batch("7.0.1", 0, 10, 0.5));
      assertEquals(OptionalLong.of(10), store.add(batch("7.0.1", 0, 10, 0.5)));
      assertEquals(1, values(store, "7.0.1"));
    }
    try (TaskCurveStore next = open()) {
      assertEquals(OptionalLong.of(10), next.add(batch("7.0.1", 0, 10, 0.5)));
      assertEquals(1, values(next, "7.0.1"));
    }
  }

  @Test
  void the_half_record_of_a_killed_server_costs_that_record_alone() throws IOException {
    open().add(batch("7.0.1", 0, 10, 0.5));
    Files.write(folder.resolve("journal"), new byte[] {0, 0, 0, 5, 0}, StandardOpenOption.APPEND);
    TaskCurveStore next = open();
    next.add(batch("7.0.1", 10, 20, 0.5));
    assertEquals(2, values(open(), "7.0.1"));
  }

  @Test
  void an_attempt_without_a_place_has_ended_and_keeps_all_of_it() throws IOException {
    try (TaskCurveStore store = open()) {
      store.add(batch("7.0.1", 0, 10, 0.5));
      assertEquals(Set.of(), store.ended(Set.of("7.0.1")));
      store.ended(Set.of());
      store.ended(Set.of());
      assertEquals(Set.of("7.0.1"), store.ended(Set.of()));
      store.end(Map.of("7.0.1", READINGS, "7.1.1", READINGS, "7.2.1", List.of()));
      assertEquals(Set.of(), store.ended(Set.of()));
      assertEquals(1, values(store, "7.0.1"));
    }
    try (TaskCurveStore next = open()) {
      assertEquals(1, values(next, "7.0.1"));
      List<TaskCurves> all = next.read(7, name -> true, task -> task);
      assertEquals(List.of("7.0.1", "7.1.1"), all.stream().map(TaskCurves::attempt).toList());
      assertEquals(2f, all.get(1).readings().get(0).mean()[1]);
    }
  }

  @Test
  void what_is_late_is_added_to_what_an_ended_attempt_has() throws IOException {
    try (TaskCurveStore store = open()) {
      store.add(batch("7.0.1", 0, 10, 0.5));
      store.end(Map.of("7.0.1", READINGS));
      store.add(batch("7.0.1", 0, 10, 0.5));
      store.add(batch("7.0.1", 10, 20, 0.5));
      assertEquals(2, values(store, "7.0.1"));
      store.end(Map.of("7.0.1", List.of()));
      assertEquals(2, values(store, "7.0.1"));
      assertEquals(1, store.read(7, name -> true, task -> task).get(0).readings().size());
    }
  }

  @Test
  void what_is_late_goes_on_with_what_is_kept_after_a_server_that_was_killed_too()
      throws IOException {
    TaskCurveStore killed = open();
    killed.add(batch("7.0.1", 0, 10, 0.5));
    killed.end(Map.of("7.0.1", READINGS));
    killed.add(batch("7.0.1", 10, 20, 0.5));
    try (TaskCurveStore next = open()) {
      assertEquals(2, values(next, "7.0.1"));
      next.end(Map.of("7.0.1", List.of()));
      assertEquals(2, values(next, "7.0.1"));
      assertEquals(1, next.read(7, name -> true, task -> task).get(0).readings().size());
    }
  }

  @Test
  void what_a_killed_server_has_kept_of_an_ended_attempt_is_not_live_again() throws IOException {
    TaskCurveStore killed = open();
    killed.add(batch("7.0.1", 0, 10, 0.5));
    killed.add(batch("8.0.1", 0, 10, 0.5)); // it runs, so that the journal stays
    killed.end(Map.of("7.0.1", READINGS));
    try (TaskCurveStore next = open()) {
      for (int look = 0; look < 3; look++) {
        assertEquals(Set.of(), next.ended(Set.of("8.0.1")));
      }
      assertEquals(1, values(next, "7.0.1"));
    }
  }

  @Test
  void a_file_of_curves_that_somebody_has_removed_is_begun_anew() throws IOException {
    try (TaskCurveStore store = open()) {
      store.add(batch("7.0.1", 0, 10, 0.5));
      store.end(Map.of("7.0.1", READINGS));
      Files.delete(folder.resolve("7.curves"));
      assertEquals(OptionalLong.of(20), store.add(batch("7.0.1", 10, 20, 0.5)));
      store.end(Map.of("7.0.1", READINGS, "7.1.1", READINGS));
      assertEquals(1, values(store, "7.0.1"));
      assertEquals(2, store.read(7, name -> true, task -> task).size());
    }
    assertEquals(2, open().read(7, name -> true, task -> task).size());
  }

  @Test
  void a_later_server_that_makes_readings_again_leaves_what_was_reported() throws IOException {
    try (TaskCurveStore store = open()) {
      store.add(batch("7.0.1", 0, 10, 0.5));
      store.end(Map.of("7.0.1", List.of()));
    }
    try (TaskCurveStore next = open()) {
      next.end(Map.of("7.0.1", READINGS));
      assertEquals(1, values(next, "7.0.1"));
      assertEquals(
          READINGS.size(), next.read(7, name -> true, task -> task).get(0).readings().size());
      long size = Files.size(folder.resolve("7.curves"));
      next.end(Map.of("7.0.1", READINGS));
      assertEquals(size, Files.size(folder.resolve("7.curves")));
    }
  }

  @Test
  void a_job_that_cannot_be_written_stays_live_and_the_others_are_written() throws IOException {
    try (TaskCurveStore store = open()) {
      store.add(batch("7.0.1", 0, 10, 0.5));
      store.add(batch("8.0.1", 0, 10, 0.5));
      Path inTheWay = Files.createDirectory(folder.resolve("7.curves"));
      Map<String, List<TaskCurves.Reading>> ends = Map.of("7.0.1", READINGS, "8.0.1", READINGS);
      assertEquals(Set.of("8.0.1"), store.end(ends));
      assertEquals(1, values(store, "8.0.1"));
      Files.delete(inTheWay);
      assertEquals(Set.of("7.0.1", "8.0.1"), store.end(ends));
      assertEquals(1, values(store, "7.0.1"));
    }
  }

  @Test
  void the_curves_of_a_removed_job_go_with_it() throws IOException {
    try (TaskCurveStore store = open()) {
      store.end(Map.of("7.0.1", READINGS, "8.0.1", READINGS));
      store.retain(job -> job == 8);
      assertEquals(Set.of(8L), store.jobs());
      assertEquals(List.of(), store.read(7, name -> true, task -> task));
    }
  }

  @Test
  void the_jobs_that_were_written_longest_ago_go_first_when_all_are_too_large() throws IOException {
    try (TaskCurveStore store = TaskCurveStore.open(folder, 2000)) {
      for (int job = 1; job <= 50; job++) {
        store.end(Map.of(job + ".0.1", READINGS));
      }
      assertTrue(store.jobs().contains(50L), store.jobs()::toString);
      assertTrue(!store.jobs().contains(1L) && store.jobs().size() > 1, store.jobs()::toString);
    }
  }

  @Test
  void curves_of_attempts_that_run_for_long_stay_within_the_memory_that_there_is()
      throws IOException {
    try (TaskCurveStore store = TaskCurveStore.open(folder, MOST, 800, MOST)) {
      for (int value = 0; value < 1000; value++) {
        for (int task = 0; task < 10; task++) {
          store.add(batch("7." + task + ".1", value, value + 1, value));
        }
        assertTrue(store.points() <= 800, "points: " + store.points());
      }
      for (int task = 0; task < 10; task++) {
        assertEquals(1000, values(store, "7." + task + ".1"));
      }
    }
  }

  @Test
  void what_is_late_of_an_ended_attempt_waits_for_memory() throws IOException {
    try (TaskCurveStore store = TaskCurveStore.open(folder, MOST, 420, MOST)) {
      for (int task = 0; task < 3; task++) {
        String attempt = "7." + task + ".1";
        for (int value = 0; value < 200; value++) {
          store.add(batch(attempt, value, value + 1, value));
        }
        store.end(Map.of(attempt, List.of()));
      }
      assertEquals(OptionalLong.of(201), store.add(batch("7.0.1", 200, 201, 0)));
      assertEquals(OptionalLong.of(201), store.add(batch("7.1.1", 200, 201, 0)));
      assertEquals(OptionalLong.empty(), store.add(batch("7.2.1", 200, 201, 0)));
      store.end(Map.of("7.0.1", List.of()));
      assertEquals(OptionalLong.of(201), store.add(batch("7.2.1", 200, 201, 0)));
      assertEquals(201, values(store, "7.2.1"));
    }
  }

  @Test
  void the_journal_begins_anew_once_it_has_some_times_the_bytes_of_live_curves()
      throws IOException {
    try (TaskCurveStore store = TaskCurveStore.open(folder, MOST, MOST, 1000)) {
      long largest = 0;
      long anew = 0;
      long before = 0;
      for (int value = 0; value < 2000; value++) {
        store.add(batch("7." + value % 20 + ".1", value, value + 1, value));
        long now = Files.size(folder.resolve("journal"));
        anew += now < before ? 1 : 0;
        before = now;
        largest = Math.max(largest, now);
      }
      long live = Files.size(folder.resolve("live"));
      assertTrue(largest <= 4 * live + 1000 && largest > live, largest + " of " + live);
      assertTrue(anew > 2 && anew < 40, "times: " + anew);
    }
    assertEquals(100, values(open(), "7.0.1"));
  }

  @Test
  void what_is_in_the_journal_is_acknowledged_though_live_curves_cannot_be_written()
      throws IOException {
    Path inTheWay = Files.createDirectories(folder.resolve("live.tmp").resolve("some"));
    TaskCurveStore store = TaskCurveStore.open(folder, MOST, MOST, 100);
    for (int value = 0; value < 100; value++) {
      assertEquals(OptionalLong.of(value + 1), store.add(batch("7.0.1", value, value + 1, value)));
    }
    assertEquals(100, values(open(), "7.0.1"));
    Files.delete(inTheWay);
    Files.delete(inTheWay.getParent());
    store.add(batch("7.0.1", 100, 101, 0));
    store.add(batch("7.0.1", 101, 102, 0));
    assertTrue(Files.size(folder.resolve("journal")) < 1000);
    assertEquals(102, values(open(), "7.0.1"));
  }

  @Test
  void a_curve_of_any_length_has_few_points_that_hold_all_values() {
    TaskCurve curve = new TaskCurve();
    int count = 12_345;
    for (int value = 0; value < count; value++) {
      curve.add(ReportedPoint.of(value, (double) value, value), TaskCurve.MOST);
    }
    assertTrue(curve.size() <= TaskCurve.MOST && curve.size() >= TaskCurve.MOST / 2);
    double sum = 0;
    long values = 0;
    for (int point = 0; point < curve.size(); point++) {
      sum += curve.mean(point) * curve.count(point);
      values += curve.count(point);
    }
    assertEquals(count, values);
    assertEquals((count - 1) / 2.0, sum / count, 1);
    assertEquals(0, curve.lowest());
    assertEquals(count - 1, curve.highest());
    assertEquals(count - 1, curve.last());
    assertEquals(count - 1.0, curve.step(curve.size() - 1));
  }
}
