package io.remuda.coordinator.cli.logs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.client.RestClient.OutputChunk;
import io.remuda.worker.job.TaskId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the last lines of an output begin. */
class TaskLogTest {
  private static final int MOST_OF_A_PART = 10_000;
  private static final Pattern PATH =
      Pattern.compile(
          "/jobs/7/logs\\?stream=out&task=2&attempt=0&offset=(\\d+)(&limit=1)?(?:&machine=[-0-9a-f]+/\\d+)?");

  private byte[] output;
  private int kept;
  private long sent;
  private String place;

  private OutputChunk answer(String path) {
    Matcher asked = PATH.matcher(path);
    assertTrue(asked.matches(), path);
    int from = Math.max(kept, Integer.parseInt(asked.group(1)));
    int most = asked.group(2) == null ? MOST_OF_A_PART : 1;
    int to = Math.min(output.length, from + most);
    byte[] bytes = from < to ? Arrays.copyOfRange(output, from, to) : new byte[0];
    sent += bytes.length;
    return new OutputChunk(bytes, from, output.length, 0, false, place);
  }

  private String last(int lines) throws IOException {
    TaskLog log = new TaskLog(this::answer, TaskId.parse("7.2"), 0, OutputStreamName.OUT);
    int start = (int) log.startOfLastLines(lines);
    return new String(output, start, output.length - start, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 'a;b;c;', 'c;'",
    "2, 'a;b;c;', 'b;c;'",
    "3, 'a;b;c;', 'a;b;c;'",
    "9, 'a;b;c;', 'a;b;c;'",
    "0, 'a;b;c;', ''",
    "1, 'a;b;c', 'c'",
    "2, ';;;', ';;'",
    "1, '', ''",
    "1, ';', ';'"
  })
  void the_last_lines_are_counted_from_the_end(int lines, String all, String last)
      throws IOException {
    output = all.replace(';', '\n').getBytes(StandardCharsets.UTF_8);
    assertEquals(last, last(lines).replace('\n', ';'));
  }

  @Test
  void of_a_long_output_only_the_end_is_read() throws IOException {
    output = "a line of text\n".repeat(200_000).getBytes(StandardCharsets.UTF_8);
    assertEquals("a line of text\n".repeat(3), last(3));
    assertTrue(sent < 100_000, () -> "bytes sent: " + sent);
    assertEquals(100_000, last(100_000).lines().count());
  }

  @Test
  void a_place_that_is_not_there_is_given_up_for_the_server() throws IOException {
    output = "a line of text\n".repeat(10_000).getBytes(StandardCharsets.UTF_8);
    place = "1 2 7.2.1 /nowhere";
    TaskLog log = new TaskLog(this::answer, TaskId.parse("7.2"), 0, OutputStreamName.OUT);
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    while (read.size() < output.length) {
      OutputChunk part = log.from(read.size());
      assertEquals(read.size(), part.offset());
      read.writeBytes(part.bytes());
    }
    assertArrayEquals(output, read.toByteArray());
    assertEquals(output.length, sent);
  }

  @Test
  void what_is_no_longer_kept_is_not_counted() throws IOException {
    output = "a line of text\n".repeat(100).getBytes(StandardCharsets.UTF_8);
    kept = output.length - 30;
    assertEquals("a line of text\n".repeat(2), last(50));
  }
}
