package io.remuda.coordinator.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.curve.TaskCurves;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndedTaskReadingsTest {

  private static final long BIG = 1L << 40;
  private static final int DAY = 86_400;

  /** The beginning of a day. */
  private static final long T = 1_764_288_000L - 1_764_288_000L % DAY;

  @TempDir private Path folder;

  private HistoryStore open(long now) throws IOException {
    return HistoryStore.open(folder, BIG, now);
  }

  /** Has attempts read each minute; the memory is the number of minutes since the first. */
  private static void run(HistoryStore store, long from, long to, String... attempts) {
    for (long second = from; second < to; second += 60) {
      store.begin(second);
      for (String attempt : attempts) {
        int[] row = new int[SeriesKind.TASK.metrics().size()];
        Arrays.fill(row, HistoryMetric.ABSENT);
        row[HistoryMetric.TASK_MEMORY.column()] = (int) ((second - T) / 60);
        store.put(new SeriesKey(SeriesKind.TASK, attempt), row);
      }
    }
  }

  private static Map<String, List<TaskCurves.Reading>> ended(HistoryStore store, long now) {
    EndedTaskReadings ends = new EndedTaskReadings(store);
    ends.look(Set.of(), Set.of(), Set.of(), now);
    return ends.due(now + 15);
  }

  @Test
  void a_task_that_ran_for_days_on_other_servers_has_readings_of_all_of_them() throws IOException {
    try (HistoryStore store = open(T)) {
      run(store, T + 3600, T + DAY + 600, "7.0.1", "8.0.1");
    }
    long again = T + 3 * DAY + 3600; // for a whole day there was no server
    try (HistoryStore store = open(again)) {
      run(store, again, again + 1800, "7.0.1", "9.0.1");
    }
    try (HistoryStore store = open(again + 1800)) {
      Map<String, List<TaskCurves.Reading>> ends = ended(store, again + 1800);
      assertEquals(Set.of("7.0.1", "9.0.1"), ends.keySet());
      TaskCurves.Reading memory = ends.get("7.0.1").get(0);
      assertEquals(HistoryMetric.TASK_MEMORY.label(), memory.metric());
      assertEquals(T + 3600, memory.start() - memory.start() % 3600);
      assertEquals(again, ends.get("9.0.1").get(0).start());
    }
  }

  @Test
  void a_task_of_less_than_a_minute_on_another_server_has_readings() throws IOException {
    open(T).begin(T); // and is killed
    HistoryStore killed = open(T);
    for (long second = T; second < T + 31; second++) {
      run(killed, second, second + 1, "7.0.1");
    }
    try (HistoryStore store = open(T + 40)) {
      assertEquals(T, ended(store, T + 40).get("7.0.1").get(0).start());
    }
  }

  @Test
  void a_damaged_file_costs_the_readings_of_ended_tasks_and_is_not_read_each_second()
      throws IOException {
    try (HistoryStore store = open(T)) {
      run(store, T, T + 1800, "7.0.1");
    }
    try (HistoryStore store = open(T + 1800)) {
      EndedTaskReadings ends = new EndedTaskReadings(store);
      ends.look(Set.of(), Set.of(), Set.of(), T + 1800);
      damage();
      int second = 0;
      Map<String, List<TaskCurves.Reading>> due = Map.of();
      for (; second < 300 && due.isEmpty(); second++) {
        due = ends.due(T + 1800 + second);
      }
      assertEquals(Map.of("7.0.1", List.of()), due);
      assertTrue(second > 60, "after " + second);
    }
  }

  @Test
  void what_could_not_be_kept_comes_again_after_a_time() throws IOException {
    try (HistoryStore store = open(T)) {
      run(store, T, T + 1800, "7.0.1");
      EndedTaskReadings ends = new EndedTaskReadings(store);
      ends.look(Set.of("7.0.1"), Set.of(), Set.of(), T + 1800);
      Map<String, List<TaskCurves.Reading>> due = ends.due(T + 1815);
      ends.kept(Set.of());
      ends.laterIfLeft(due.keySet(), T + 1815);
      assertEquals(Map.of(), ends.due(T + 1816));
      assertEquals(due.keySet(), ends.due(T + 1875).keySet());
      ends.kept(due.keySet());
      assertEquals(Map.of(), ends.due(T + 2000));
    }
  }

  /** Damages the names at the beginning of all files of minutes. */
  private void damage() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file :
          files.filter(one -> one.getFileName().toString().startsWith("60s-")).toList()) {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
          open.seek(27);
          open.write(new byte[] {-1, -1});
        }
      }
    }
  }
}
