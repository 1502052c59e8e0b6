package io.remuda.coordinator.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.api.JobWait;
import io.remuda.coordinator.schedule.forecast.JobForecast;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of why jobs have waited. */
class WaitRecordsTest {
  private static final WaitReason HELD = new WaitReason.OnHold();
  private static final WaitReason FULL = new WaitReason.TooFewFreeGpus("n1", 1, 0, 8);

  @TempDir private Path folder;

  private static JobWait wait(long job, WaitReason reason) {
    return new JobWait(new JobId(job), 0, List.of(reason), true, new JobForecast(3, 60_000L));
  }

  private WaitRecords open(long second) throws IOException {
    return WaitRecords.open(folder.resolve("waits"), second);
  }

  private static String spans(WaitRecords records, long job) throws IOException {
    List<String> all = new ArrayList<>();
    for (WaitSpan span : records.of(job).spans()) {
      all.add(span.reason() + " " + span.from() + "-" + span.to());
    }
    return String.join(", ", all);
  }

  @Test
  void each_reason_has_its_time_and_the_last_one_goes_on() throws IOException {
    try (WaitRecords records = open(100)) {
      records.seen(List.of(wait(1, FULL), wait(2, HELD)), 101);
      records.seen(List.of(wait(1, FULL)), 102);
      records.seen(List.of(wait(1, HELD)), 103);
      records.seen(List.of(wait(1, HELD)), 104);
      assertEquals("too-few-free-gpus 101-103, on-hold 103-104", spans(records, 1));
      assertTrue(records.of(1).waits());
      assertEquals("on-hold 101-102", spans(records, 2));
      assertFalse(records.of(2).waits(), "it has started");
      WaitSpan first = records.of(1).spans().get(0);
      assertEquals("n1: 0 of 8 GPUs free, wanted 1", first.text());
      assertEquals(3, first.turn());
      assertEquals(162, first.expectedStart(), "as it was last");
      assertEquals(100, records.of(1).since());
      assertEquals("", spans(records, 3));
    }
  }

  @Test
  void a_server_that_is_killed_loses_some_seconds_and_tells_nothing_twice() throws IOException {
    WaitRecords killed = open(100);
    for (long second = 101; second <= 120; second++) {
      killed.seen(List.of(wait(1, second < 110 ? FULL : HELD)), second);
    }
    try (WaitRecords next = open(200)) {
      assertEquals("too-few-free-gpus 101-110, on-hold 110-120", spans(next, 1));
      assertFalse(next.of(1).waits());
      next.seen(List.of(wait(1, HELD)), 201);
      assertEquals(
          "too-few-free-gpus 101-110, on-hold 110-120, on-hold 201-201",
          spans(next, 1),
          "what nobody saw is a gap");
      assertEquals(100, next.of(1).since());
    }
  }

  @Test
  void a_reason_that_is_the_same_after_a_restart_of_the_server_is_told_once() throws IOException {
    try (WaitRecords first = open(100)) {
      first.seen(List.of(wait(1, FULL)), 101);
      first.seen(List.of(wait(1, FULL)), 103);
    }
    WaitRecords killed = open(110);
    for (long second = 110; second < 118; second++) {
      killed.seen(List.of(wait(1, FULL)), second + 1);
    }
    try (WaitRecords last = open(130)) {
      last.seen(List.of(wait(1, FULL)), 131);
      assertEquals("too-few-free-gpus 101-131", spans(last, 1));
      assertTrue(last.of(1).waits());
      last.seen(List.of(wait(1, HELD)), 132);
      assertEquals("too-few-free-gpus 101-132, on-hold 132-132", spans(last, 1));
    }
  }

  @Test
  void a_span_that_was_written_as_open_and_as_over_counts_once() throws IOException {
    WaitRecords killed = open(100);
    for (long second = 101; second <= 106; second++) {
      killed.seen(List.of(wait(1, FULL)), second);
    }
    Path open = folder.resolve("waits/open");
    byte[] before = Files.readAllBytes(open);
    killed.seen(List.of(), 107);
    killed.seen(List.of(), 112);
    Files.write(open, before); // killed between the two
    try (WaitRecords next = open(200)) {
      assertEquals("too-few-free-gpus 101-107", spans(next, 1));
    }
  }

  @Test
  void a_time_in_which_nobody_looked_belongs_to_no_reason() throws IOException {
    try (WaitRecords records = open(100)) {
      records.seen(List.of(wait(1, FULL)), 101);
      records.seen(List.of(wait(1, FULL)), 161);
      assertEquals("too-few-free-gpus 101-101, too-few-free-gpus 161-161", spans(records, 1));
    }
  }

  @Test
  void a_reason_that_changes_all_the_time_takes_no_room() throws IOException {
    try (WaitRecords records = open(0)) {
      for (long second = 1; second <= 7200; second++) {
        records.seen(List.of(wait(1, second % 2 == 0 ? FULL : HELD)), second);
      }
      int spans = records.of(1).spans().size();
      assertTrue(spans > 10 && spans < 50 + 2 * 720 + 60, () -> spans + " spans");
      assertTrue(records.of(1).spans().stream().anyMatch(one -> one.reason().equals("changing")));
    }
  }

  @Test
  void the_oldest_files_go_and_since_says_so() throws IOException {
    try (WaitRecords records = WaitRecords.open(folder.resolve("waits"), 10_000, 0)) {
      for (long second = 1; second <= 10_000; second++) {
        records.seen(List.of(wait(second, FULL)), second);
      }
      assertEquals("", spans(records, 1));
      assertEquals("too-few-free-gpus 9900-9901", spans(records, 9900));
      assertTrue(records.of(1).since() > 1000);
      try (Stream<Path> files = Files.list(folder.resolve("waits"))) {
        long bytes = files.mapToLong(file -> file.toFile().length()).sum();
        assertTrue(bytes < 60_000, () -> bytes + " bytes");
      }
    }
  }

  @Test
  void damaged_lines_and_any_bytes_cost_themselves_alone() throws IOException {
    try (WaitRecords records = open(100)) {
      records.seen(List.of(wait(1, FULL)), 101);
    }
    Path file = folder.resolve("waits/100.spans");
    byte[] good = Files.readAllBytes(file);
    Files.writeString(
        file, "1\t0\t5\n1\tx\t1\t1\t1\t1\tr\tt\n\u0000\u00ff\n", StandardCharsets.UTF_8);
    Files.write(file, good, java.nio.file.StandardOpenOption.APPEND);
    Files.write(file, new byte[] {'1', '\t', '0'}, java.nio.file.StandardOpenOption.APPEND);
    try (WaitRecords next = open(200)) {
      assertEquals("too-few-free-gpus 101-101", spans(next, 1));
      next.seen(List.of(wait(1, HELD)), 201);
    }
    try (WaitRecords last = open(300)) {
      assertEquals(
          "too-few-free-gpus 101-101, on-hold 201-201",
          spans(last, 1),
          "not the line after the half one");
    }
  }

  @Test
  void a_text_with_lines_and_other_letters_comes_back_in_one() throws IOException {
    WaitReason named = new WaitReason.NodeDraining("n1", "für\nWartung\t2");
    try (WaitRecords records = open(100)) {
      records.seen(List.of(wait(1, named)), 101);
      records.seen(List.of(), 102);
      records.seen(List.of(), 107);
      assertEquals(
          "n1: is draining (für Wartung 2) and gets no more tasks",
          records.of(1).spans().get(0).text());
    }
  }
}
