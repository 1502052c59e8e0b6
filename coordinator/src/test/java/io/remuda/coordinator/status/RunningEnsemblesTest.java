package io.remuda.coordinator.status;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunningEnsemblesTest {
  private static final long NOW = 1_800_000_000_000L;

  @TempDir private Path runs;

  private void writes(String run, Duration ago, String text) throws IOException {
    Path file = RunningEnsembles.fileOf(Files.createDirectory(runs.resolve(run)));
    Files.writeString(file, text);
    Files.setLastModifiedTime(file, FileTime.fromMillis(NOW - ago.toMillis()));
  }

  private void writes(String run, Duration ago) throws IOException {
    writes(run, ago, "{\"run\":\"" + run + "\",\"nodes\":[]}");
  }

  private List<String> live() {
    return RunningEnsembles.in(runs, NOW).stream().map(RunNodesStatus::run).toList();
  }

  @Test
  void runs_under_way_are_read_in_the_order_of_their_names() throws IOException {
    writes("20260102-000000-1", Duration.ofMillis(900));
    writes("20260101-000000-1", Duration.ZERO);
    assertEquals(List.of("20260101-000000-1", "20260102-000000-1"), live());
  }

  @Test
  void a_run_that_has_not_written_for_ten_seconds_is_left_out() throws IOException {
    writes("killed", Duration.ofSeconds(10));
    writes("slow", Duration.ofMillis(9_999));
    assertEquals(List.of("slow"), live());
  }

  @Test
  void a_run_whose_clock_is_ahead_is_under_way() throws IOException {
    writes("ahead", Duration.ofSeconds(-30));
    assertEquals(List.of("ahead"), live());
  }

  @Test
  void a_run_that_has_ended_has_no_file() throws IOException {
    Files.createDirectory(runs.resolve("ended"));
    writes("other", Duration.ZERO);
    assertEquals(List.of("other"), live());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{\"run\":\"r\",\"nodes\":[{\"na", "[]", "null", "{}", "\0\0\0"})
  void a_file_that_is_no_status_is_left_out_and_the_others_stay(String text) throws IOException {
    writes("bad", Duration.ZERO, text);
    writes("good", Duration.ZERO);
    assertEquals(List.of("good"), live());
  }

  @Test
  void a_file_among_the_folders_is_passed_over() throws IOException {
    Files.writeString(runs.resolve("notes.txt"), "hello");
    assertEquals(List.of(), live());
  }

  @Test
  void without_the_folder_there_are_none() {
    assertEquals(List.of(), RunningEnsembles.in(runs.resolve("none"), NOW));
  }
}
