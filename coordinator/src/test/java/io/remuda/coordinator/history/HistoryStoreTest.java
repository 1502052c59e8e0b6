package io.remuda.coordinator.history;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryStoreTest {

  private static final SeriesKey QUEUE = new SeriesKey(SeriesKind.QUEUE, "all");
  private static final int ABSENT = HistoryMetric.ABSENT;
  private static final long BIG = 1L << 40;

  /** The beginning of a minute's frame. */
  private static final long T = 1_764_288_000L - 1_764_288_000L % 900;

  @TempDir private Path folder;
  private HistoryStore store;

  @BeforeEach
  void open() throws IOException {
    store = HistoryStore.open(folder, BIG, T);
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  /** Opens the files as a server does after one that was killed. */
  private void crash(long now) throws IOException {
    store = HistoryStore.open(folder, BIG, now);
  }

  private void put(long second, int waiting) {
    assertTrue(store.begin(second));
    store.put(QUEUE, new int[] {waiting, ABSENT});
  }

  /** Puts, for each second, how many seconds have passed since the beginning. */
  private void ramp(long from, long to) {
    for (long second = from; second < to; second++) {
      put(second, (int) (second - T));
    }
  }

  private HistoryCurve waiting(HistoryTier tier, long from, long to) throws IOException {
    return waiting(tier, from, to, 100_000);
  }

  private HistoryCurve waiting(HistoryTier tier, long from, long to, int points)
      throws IOException {
    return store
        .read(List.of(QUEUE), EnumSet.of(HistoryMetric.QUEUE_WAITING), tier, from, to, points)
        .get(0);
  }

  private static double[] ints(int... values) {
    return Arrays.stream(values)
        .mapToDouble(value -> value == ABSENT ? Double.NaN : value)
        .toArray();
  }

  @Test
  void seconds_are_read_whether_they_are_written_or_not() throws IOException {
    ramp(T, T + 40); // two frames of 15 are written
    HistoryCurve curve = waiting(HistoryTier.SECOND, T + 28, T + 42);
    assertEquals(T + 28, curve.start());
    assertArrayEquals(
        ints(28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, ABSENT, ABSENT), curve.mean());
  }

  @Test
  void a_coarse_point_has_mean_minimum_maximum_and_95th_percentile_of_its_seconds()
      throws IOException {
    ramp(T, T + 121);
    HistoryCurve tens = waiting(HistoryTier.TEN_SECONDS, T, T + 30);
    assertArrayEquals(ints(5, 15, 25), tens.mean()); // 4.5, 14.5, 24.5
    assertArrayEquals(ints(0, 10, 20), tens.minimum());
    assertArrayEquals(ints(9, 19, 29), tens.maximum());
    HistoryCurve minutes = waiting(HistoryTier.MINUTE, T, T + 180);
    assertArrayEquals(ints(30, 90, 120), minutes.mean());
    assertArrayEquals(ints(56, 116, 120), minutes.p95());
  }

  @Test
  void the_coarse_point_that_is_not_over_has_what_there_is_of_it() throws IOException {
    ramp(T, T + 13);
    assertArrayEquals(ints(5, 11), waiting(HistoryTier.TEN_SECONDS, T, T + 20).mean());
    ramp(T + 13, T + 21);
    assertArrayEquals(ints(5, 15), waiting(HistoryTier.TEN_SECONDS, T, T + 20).mean());
  }

  @Test
  void points_taken_together_keep_the_extremes() throws IOException {
    ramp(T, T + 601);
    HistoryCurve curve = waiting(HistoryTier.MINUTE, T, T + 600, 4);
    assertEquals(180, curve.step());
    assertArrayEquals(ints(90, 270, 450, 570), curve.mean());
    assertArrayEquals(ints(0, 180, 360, 540), curve.minimum());
    assertArrayEquals(ints(179, 359, 539, 599), curve.maximum());
  }

  @Test
  void a_gap_is_absent_and_no_zero() throws IOException {
    ramp(T, T + 5);
    ramp(T + 25, T + 31);
    double[] seconds = waiting(HistoryTier.SECOND, T, T + 31).mean();
    assertEquals(4, seconds[4]);
    assertTrue(Double.isNaN(seconds[5]) && Double.isNaN(seconds[24]));
    assertEquals(25, seconds[25]);
    assertArrayEquals(ints(2, ABSENT, 27), waiting(HistoryTier.TEN_SECONDS, T, T + 30).mean());
  }

  @Test
  void after_a_kill_at_most_the_last_fifteen_seconds_are_gone() throws IOException {
    ramp(T, T + 100);
    crash(T + 110);
    assertArrayEquals(
        ints(88, 89, ABSENT, ABSENT), waiting(HistoryTier.SECOND, T + 88, T + 92).mean());
    ramp(T + 110, T + 121);
    HistoryCurve minutes = waiting(HistoryTier.MINUTE, T, T + 120);
    assertArrayEquals(ints(0, 60), minutes.minimum());
    assertArrayEquals(ints(59, 119), minutes.maximum());
    assertArrayEquals(
        ints(75, 85, ABSENT, ABSENT, 115),
        waiting(HistoryTier.TEN_SECONDS, T + 70, T + 120).mean());
  }

  @Test
  void what_was_open_when_a_server_ended_is_there_hours_later() throws IOException {
    ramp(T, T + 200);
    crash(T + 7200);
    put(T + 7200, 7);
    assertArrayEquals(ints(30, 90, 150), waiting(HistoryTier.MINUTE, T, T + 180).mean());
    assertEquals(187, waiting(HistoryTier.MINUTE, T + 180, T + 240).mean()[0]); // 180 to 194
  }

  @Test
  void an_orderly_end_loses_nothing_and_the_next_server_goes_on_in_the_same_frame()
      throws IOException {
    ramp(T, T + 103);
    store.close();
    crash(T + 104);
    ramp(T + 104, T + 121);
    double[] seconds = waiting(HistoryTier.SECOND, T + 100, T + 106).mean();
    assertArrayEquals(ints(100, 101, 102, ABSENT, 104, 105), seconds);
    HistoryCurve minutes = waiting(HistoryTier.MINUTE, T + 60, T + 120);
    assertArrayEquals(ints(60), minutes.minimum());
    assertArrayEquals(ints(119), minutes.maximum());
  }

  @Test
  void a_half_written_end_of_a_file_is_ignored_and_written_over() throws IOException {
    ramp(T, T + 46);
    Path file = files("1s-").get(0);
    try (RandomAccessFile torn = new RandomAccessFile(file.toFile(), "rw")) {
      torn.setLength(torn.length() - 3);
    }
    crash(T + 46);
    assertArrayEquals(ints(29, ABSENT), waiting(HistoryTier.SECOND, T + 29, T + 31).mean());
    ramp(T + 46, T + 61);
    crash(T + 61);
    assertArrayEquals(ints(46, 47), waiting(HistoryTier.SECOND, T + 46, T + 48).mean());
  }

  @Test
  void a_damaged_frame_is_left_out_and_the_others_are_read() throws IOException {
    ramp(T, T + 46);
    Path file = files("1s-").get(0);
    try (RandomAccessFile damaged = new RandomAccessFile(file.toFile(), "rw")) {
      damaged.seek(60); // in the first frame
      damaged.write(~damaged.read());
    }
    crash(T + 46);
    double[] seconds = waiting(HistoryTier.SECOND, T, T + 45).mean();
    assertTrue(Double.isNaN(seconds[14]), Arrays.toString(seconds));
    assertEquals(15, seconds[15]);
  }

  private List<Path> files(String prefix) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.getFileName().toString().startsWith(prefix)).sorted().toList();
    }
  }

  @Test
  void a_clock_that_is_set_back_begins_anew_and_loses_nothing_before() throws IOException {
    ramp(T + 1000, T + 1060);
    ramp(T + 500, T + 520);
    assertEquals(1059, waiting(HistoryTier.SECOND, T + 1059, T + 1060).mean()[0]);
    assertEquals(519, waiting(HistoryTier.SECOND, T + 519, T + 520).mean()[0]);
    assertFalse(store.begin(T + 519), "it has begun");
  }

  @Test
  void old_points_and_points_beyond_the_size_are_removed_oldest_first() throws IOException {
    for (long minute = 0; minute < 27 * 60; minute++) {
      put(T + minute * 60, (int) minute);
    }
    put(T + 27 * 3600, 1);
    assertTrue(store.since(HistoryTier.SECOND) > T + 27 * 3600 - 1800);
    assertTrue(store.since(HistoryTier.TEN_SECONDS) > T, "those of a day and of a file");
    assertEquals(T, store.since(HistoryTier.MINUTE));
    store.close();
    store = HistoryStore.open(folder, 1, T + 27 * 3600);
    ramp(T + 27 * 3600 + 1, T + 28 * 3600);
    assertEquals(1, files("10s-").size(), "the newest is kept");
  }

  @Test
  void the_folder_and_its_files_are_the_owners_alone() throws IOException {
    ramp(T, T + 20);
    assertEquals("rwx------", rights(folder));
    assertEquals("rw-------", rights(files("1s-").get(0)));
  }

  private static String rights(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void the_finest_tier_that_reaches_back_and_fits_is_chosen() {
    long now = T + 1_000_000;
    assertEquals(HistoryTier.SECOND, store.tier(now - 900, now, now, 1000));
    assertEquals(HistoryTier.TEN_SECONDS, store.tier(now - 900, now, now, 100));
    assertEquals(HistoryTier.TEN_SECONDS, store.tier(now - 86_400, now, now, 10_000));
    assertEquals(HistoryTier.MINUTE, store.tier(now - 86_400, now, now, 2000));
    assertEquals(HistoryTier.MINUTE, store.tier(now - 14 * 86_400, now, now, 10));
  }

  @Test
  void series_are_found_by_kind_and_time() throws IOException {
    ramp(T, T + 20);
    store.put(new SeriesKey(SeriesKind.NODE, "gpu1"), new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
    assertEquals(Set.of(QUEUE), store.keys(SeriesKind.QUEUE, HistoryTier.SECOND, T, T + 20));
    assertEquals(
        Set.of(new SeriesKey(SeriesKind.NODE, "gpu1")),
        store.keys(SeriesKind.NODE, HistoryTier.SECOND, T, T + 20));
    store.close();
    crash(T + 10_000);
    assertEquals(Set.of(), store.keys(SeriesKind.QUEUE, HistoryTier.SECOND, T + 9000, T + 9900));
    assertEquals(Set.of(QUEUE), store.keys(SeriesKind.QUEUE, HistoryTier.MINUTE, T, T + 60));
  }

  @Test
  void of_more_tasks_than_there_is_room_for_nothing_is_kept_until_others_have_ended()
      throws IOException {
    store.close();
    store = HistoryStore.open(folder, BIG, 2, T);
    int[] row = {1, 2, 3, 4};
    for (long second = T; second < T + 1800; second++) {
      store.begin(second);
      if (second < T + 10) {
        for (int task = 0; task < 3; task++) {
          store.put(new SeriesKey(SeriesKind.TASK, task + ".0.1"), row);
        }
      }
    }
    assertEquals(2, store.keys(SeriesKind.TASK, HistoryTier.MINUTE, T, T + 60).size());
    store.begin(T + 1800);
    store.put(new SeriesKey(SeriesKind.TASK, "3.0.1"), row);
    assertEquals(
        Set.of(new SeriesKey(SeriesKind.TASK, "3.0.1")),
        store.keys(SeriesKind.TASK, HistoryTier.SECOND, T + 1800, T + 1801));
  }
}
