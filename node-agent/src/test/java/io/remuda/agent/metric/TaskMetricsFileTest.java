package io.remuda.agent.metric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.output.DroppedRange;
import io.remuda.agent.output.HolePuncher;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.ReportedPoint;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskMetricsFileTest {

  private static final long NOW = 1_800_000_000_000L;
  private static final long AGAIN = 5;

  @TempDir private Path home;
  private TaskFolder folder;
  private TaskMetricsFile file;
  private final List<DroppedRange> holes = new ArrayList<>();

  @BeforeEach
  void begin() throws IOException {
    folder = new TaskFolder(home);
    Files.createDirectories(folder.scratch());
    file = open();
  }

  private TaskMetricsFile open() {
    return new TaskMetricsFile(
        AttemptId.parse("1.0.1"),
        folder,
        path ->
            new HolePuncher.OpenFile() {
              @Override
              public void punch(DroppedRange range) {
                holes.add(range);
              }

              @Override
              public void close() {}
            });
  }

  private void says(String lines) throws IOException {
    Files.writeString(
        folder.metrics(), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private AgentMessage.Metrics next() {
    List<AgentMessage.Metrics> all = file.look(NOW, 0, AGAIN);
    assertEquals(1, all.size(), all::toString);
    file.kept(all.get(0).until());
    return all.get(0);
  }

  @Test
  void a_line_has_a_name_a_value_and_perhaps_a_step_and_a_time() throws IOException {
    says("loss 0.5\nloss 0.25 200\n\nacc 1e-3 - 1799999999.5\n");
    assertEquals(
        Map.of(
            "loss",
            List.of(ReportedPoint.of(NOW, null, 0.5), ReportedPoint.of(NOW, 200.0, 0.25)),
            "acc",
            List.of(ReportedPoint.of(NOW - 500, null, 0.001))),
        next().points());
  }

  @Test
  void a_line_is_read_once_its_end_is_there_or_the_task_has_ended() throws IOException {
    says("a 1\nb ");
    assertEquals(List.of("a"), List.copyOf(next().points().keySet()));
    says("2");
    assertEquals(List.of(), file.look(NOW, 0, AGAIN));
    assertEquals(List.of("b"), List.copyOf(file.end(NOW, 0).get(0).points().keySet()));
  }

  @Test
  void what_is_not_acknowledged_comes_again_and_then_the_next() throws IOException {
    says("a 1\n");
    List<AgentMessage.Metrics> first = file.look(NOW, 0, AGAIN);
    says("a 2\n");
    assertEquals(List.of(), file.look(NOW, AGAIN - 1, AGAIN));
    assertEquals(first, file.look(NOW, AGAIN, AGAIN));
    file.kept(first.get(0).until());
    AgentMessage.Metrics second = next();
    assertEquals(first.get(0).until(), second.from());
    assertEquals(Map.of("a", List.of(ReportedPoint.of(NOW, null, 2))), second.points());
  }

  @Test
  void a_later_agent_sends_the_very_batch_again_that_may_be_kept() throws IOException {
    says("a 1\n");
    next();
    says("a 2\n");
    List<AgentMessage.Metrics> sent = file.look(NOW, 0, AGAIN);
    says("a 3\n");
    file = open();
    assertEquals(sent, file.look(NOW, 0, AGAIN));
    file.kept(sent.get(0).until());
    assertEquals(Map.of("a", List.of(ReportedPoint.of(NOW, null, 3))), next().points());
  }

  @Test
  void a_later_agent_that_finds_the_end_sends_the_open_batch_and_the_rest() throws IOException {
    says("a 1\n");
    List<AgentMessage.Metrics> sent = file.look(NOW, 0, AGAIN);
    says("a 2\n");
    file = open();
    List<AgentMessage.Metrics> rest = file.end(NOW, 0);
    assertEquals(sent.get(0), rest.get(0));
    assertEquals(Map.of("a", List.of(ReportedPoint.of(NOW, null, 2))), rest.get(1).points());
  }

  @Test
  void a_file_that_is_emptied_goes_on_and_nothing_of_it_counts_as_kept() throws IOException {
    says("a 1\na 2\n");
    long until = next().until();
    Files.writeString(folder.metrics(), "a 3\n");
    AgentMessage.Metrics after = next();
    assertEquals(until, after.from());
    assertEquals(until + 4, after.until());
    assertEquals(Map.of("a", List.of(ReportedPoint.of(NOW, null, 3))), after.points());
  }

  @Test
  void what_cannot_be_a_point_is_said_once_in_words() throws IOException {
    says("loss nan 7\nloss -inf\nloss 1\nno line of ours\n1x 2\n" + "y".repeat(600) + "\n");
    AgentMessage.Metrics read = next();
    assertEquals(Map.of("loss", List.of(ReportedPoint.of(NOW, null, 1))), read.points());
    assertEquals(
        "loss was -inf or so 2 times, first at step 7: such values have no point",
        read.notes().get("not-finite:loss"));
    assertTrue(read.notes().get("bad-lines").startsWith("3 lines are not"), read::toString);
    says("loss 2\n");
    assertEquals(Map.of(), next().notes());
  }

  @Test
  void only_so_many_names_are_kept() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int name = 0; name < 60; name++) {
      lines.append("n").append(name).append(" 1\n");
    }
    says(lines.toString());
    AgentMessage.Metrics read = next();
    assertEquals(TaskMetricsFile.MOST_NAMES, read.points().size());
    assertTrue(read.notes().get("names").contains("'n50'"), read::toString);
  }

  @Test
  void many_values_of_a_look_are_taken_together_and_their_extremes_stay() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int value = 0; value < 10_000; value++) {
      lines.append("x ").append(value).append(' ').append(value).append('\n');
    }
    says(lines.toString());
    AgentMessage.Metrics read = next();
    List<ReportedPoint> points = read.points().get("x");
    assertEquals(MetricBatch.MOST_POINTS, points.size());
    ReportedPoint all = points.stream().reduce(ReportedPoint::and).orElseThrow();
    assertEquals(10_000, all.count());
    assertEquals(0, all.minimum());
    assertEquals(9999, all.maximum());
    assertEquals(4999.5, all.mean(), 1e-6);
    assertEquals(9999.0, all.step());
    assertTrue(read.notes().get("thinned:x").contains("faster"), read::toString);
  }

  /** Returns the values of the messages. */
  private static long values(List<AgentMessage.Metrics> all) {
    return all.stream()
        .flatMap(message -> message.points().values().stream())
        .flatMap(List::stream)
        .mapToLong(ReportedPoint::count)
        .sum();
  }

  @Test
  void lines_that_have_waited_are_all_read_one_part_after_the_other() throws IOException {
    says("x 1\n".repeat(2_000_000)); // half of what may wait
    List<AgentMessage.Metrics> read = new ArrayList<>();
    List<AgentMessage.Metrics> some = file.look(NOW, 0, AGAIN);
    while (!some.isEmpty()) {
      read.addAll(some);
      file.kept(some.get(0).until());
      file.shed();
      some = file.look(NOW, 0, AGAIN);
    }
    assertEquals(2_000_000, values(read));
  }

  @Test
  void all_lines_that_have_waited_are_read_at_the_end() throws IOException {
    says("x 1\n".repeat(2_000_000) + "x 2");
    List<AgentMessage.Metrics> rest = file.end(NOW, 0);
    assertEquals(2_000_001, values(rest));
    assertEquals(8_000_003, rest.get(rest.size() - 1).until());
  }

  @Test
  void of_a_flood_the_newest_is_read_and_the_rest_is_said_and_its_room_is_free()
      throws IOException {
    says("x 11\n".repeat(4_000_000) + "x 2\n");
    file.shed();
    AgentMessage.Metrics read = next();
    assertEquals(20_000_004, read.until());
    List<ReportedPoint> points = read.points().get("x");
    assertEquals(2, points.get(points.size() - 1).last());
    assertTrue(read.notes().get("flood").startsWith("18.1 MiB of lines"), read::toString);
    assertEquals(Set.of("flood", "thinned:x"), read.notes().keySet());
    assertEquals(new DroppedRange(0, 20_000_004 - TaskMetricsFile.MOST_READ), holes.get(0));
  }

  @Test
  void of_a_flood_behind_a_batch_that_is_not_acknowledged_that_batch_stays() throws IOException {
    says("a 1\n");
    List<AgentMessage.Metrics> sent = file.look(NOW, 0, AGAIN);
    says("x 1\n".repeat(5_000_000));
    file.shed();
    assertEquals(List.of(new DroppedRange(4, 20_000_004 - TaskMetricsFile.MOST_READ)), holes);
    assertEquals(sent, file.look(NOW, AGAIN, AGAIN));
    file = open();
    assertEquals(sent, file.look(NOW, 0, AGAIN), "by a later agent");
    file.kept(sent.get(0).until());
    file.shed();
    assertEquals(20_000_004, next().until());
  }

  @Test
  void a_pipe_or_a_link_to_a_device_in_its_place_holds_nobody() throws IOException {
    Files.createSymbolicLink(folder.metrics(), Path.of("/dev/zero"));
    assertEquals(List.of(), file.look(NOW, 0, AGAIN));
    assertEquals(List.of(), file.end(NOW, 0));
  }
}
