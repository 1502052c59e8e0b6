package io.remuda.agent.attempt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.proc.PidScope;
import io.remuda.agent.output.FallocateHolePuncher;
import io.remuda.agent.output.OutputFile.OutputSlice;
import io.remuda.agent.output.OutputLimit;
import io.remuda.agent.output.OutputTrimmer;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage.ReadOutput;
import io.remuda.agent.protocol.OutputPlace;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client on the machine of a node reads what the node itself would answer. */
@Timeout(60)
class StoredOutputReaderTest {
  private static final AttemptId ATTEMPT = AttemptId.parse("7.2.1");
  private static final int PART = 10_000;

  @TempDir private Path root;
  private Path node;
  private TaskFolder task;

  @BeforeEach
  void create() throws IOException {
    node = root.resolve("a node ü");
    task = TaskFolder.in(node, ATTEMPT);
    Files.createDirectories(task.path());
    Files.writeString(task.stdout(), "a line of text\n".repeat(50_000));
    Files.writeString(task.stderr(), "an error\n".repeat(5000));
  }

  private AgentMessage.Output answer(OutputStreamName stream, long offset, String machine) {
    ReadOutput question =
        new ReadOutput(1, ATTEMPT, stream, offset, PART, List.of(), null, machine);
    return StoredOutputReader.answer(node, "n", question);
  }

  private OutputPlace place(OutputStreamName stream) {
    String told = answer(stream, 0, PidScope.here()).place();
    return OutputPlace.parse(told).orElseThrow(() -> new AssertionError(told));
  }

  /** Compares all parts of a stream with the node's answers. */
  private void assertSameParts(OutputPlace place, OutputStreamName stream) throws IOException {
    for (long offset = 0, next; ; offset = next) {
      AgentMessage.Output answer = answer(stream, offset, null);
      OutputSlice part = StoredOutputReader.read(place, stream, offset, PART);
      assertArrayEquals(answer.bytes(), part.bytes());
      assertEquals(answer.offset(), part.offset());
      assertEquals(answer.size(), part.size());
      assertEquals(answer.dropped(), part.dropped());
      next = part.offset() + part.bytes().length;
      if (part.bytes().length == 0) {
        return;
      }
    }
  }

  @Test
  void both_streams_are_read_as_the_node_answers() throws IOException {
    for (OutputStreamName stream : OutputStreamName.values()) {
      assertSameParts(place(stream), stream);
    }
  }

  @Test
  void a_dropped_range_is_skipped_and_counted_as_the_node_does() throws IOException {
    OutputPlace place = place(OutputStreamName.OUT);
    new OutputTrimmer(new OutputLimit(256 << 10), new FallocateHolePuncher(), said -> {})
        .trim(task.stdout());
    assertTrue(StoredOutputReader.read(place, OutputStreamName.OUT, 200_000, PART).dropped() > 0);
    assertSameParts(place, OutputStreamName.OUT);
  }

  @Test
  void what_was_moved_to_the_ended_tasks_is_read_there() throws IOException {
    OutputPlace place = place(OutputStreamName.OUT);
    Path ended = TaskFolder.endedIn(node, ATTEMPT).path();
    Files.createDirectories(ended.getParent());
    Files.move(task.path(), ended);
    assertSameParts(place, OutputStreamName.OUT);
    assertEquals(place, place(OutputStreamName.OUT));
  }

  @Test
  void a_client_elsewhere_and_one_that_names_no_machine_are_told_no_place() {
    assertNull(answer(OutputStreamName.OUT, 0, "6f2c/4026531836").place());
    assertNull(answer(OutputStreamName.OUT, 0, null).place());
    assertNull(answer(OutputStreamName.OUT, 0, "").place());
  }

  @Test
  void a_file_of_the_users_choice_has_no_place() throws IOException {
    Path file = Files.writeString(root.resolve("chosen"), "mine\n");
    Files.delete(task.stdout());
    Files.createSymbolicLink(task.stdout(), file);
    AgentMessage.Output answer = answer(OutputStreamName.OUT, 0, PidScope.here());
    assertEquals(5, answer.bytes().length);
    assertNull(answer.place());
  }

  private void refused(Class<? extends IOException> kind, OutputPlace place) {
    assertThrows(
        kind, () -> StoredOutputReader.read(place, OutputStreamName.OUT, 0, PART), place.text());
  }

  @Test
  void another_file_of_that_name_a_link_a_pipe_and_none_are_refused() throws Exception {
    OutputPlace place = place(OutputStreamName.OUT);
    Path kept = root.resolve("kept");
    Files.move(task.stdout(), kept); // so that no other gets its number
    refused(NoSuchFileException.class, place);
    Files.writeString(task.stdout(), "another\n");
    refused(IOException.class, place);
    Files.delete(task.stdout());
    Files.createSymbolicLink(task.stdout(), kept);
    refused(IOException.class, place);
    Files.delete(task.stdout());
    String pipe = task.stdout().toString();
    assertEquals(0, new ProcessBuilder("mkfifo", pipe).start().waitFor());
    refused(IOException.class, place);
  }

  @Test
  void what_is_no_place_is_read_as_none() {
    OutputPlace place = place(OutputStreamName.OUT);
    assertTrue(place.text().chars().allMatch(one -> one >= ' ' && one < 0x7f), place.text());
    for (String wrong :
        new String[] {
          null, "", "1 2", "1 2 7.2.1 relative", "x 2 7.2.1 /n", "1 2 7 /n", "1 2 7.2.1 /%0"
        }) {
      assertTrue(OutputPlace.parse(wrong).isEmpty(), wrong);
    }
  }
}
