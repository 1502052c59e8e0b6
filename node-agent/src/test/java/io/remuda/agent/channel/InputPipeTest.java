package io.remuda.agent.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.ChannelExchangeRequest;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A task's stdin with a real pipe. */
class InputPipeTest {

  @TempDir private Path folder;
  private ResumableChannel channel;

  @BeforeEach
  void make() throws IOException {
    channel = new ResumableChannel(InputPipe.make(folder.resolve("in")), 0);
  }

  @AfterEach
  void close() throws IOException {
    channel.close();
  }

  private static ChannelExchangeRequest ask(long offset, String text, boolean end) {
    return new ChannelExchangeRequest(
        ChannelExchangeRequest.TASK,
        null,
        offset,
        text.getBytes(StandardCharsets.UTF_8),
        end,
        -1,
        0,
        0,
        false);
  }

  /** Reads no more than it is asked for; a FileInputStream alone seeks, which a pipe refuses. */
  private InputStream task() throws IOException {
    return new DataInputStream(new FileInputStream(folder.resolve("in").toFile()));
  }

  @Test
  void the_task_reads_each_byte_once_and_then_the_end() throws IOException {
    try (InputStream task = task()) { // Java waits for a writer, the keeper does not
      channel.write(ask(0, "hel", false));
      channel.write(ask(0, "hello ", false)); // the answer was lost
      channel.write(ask(6, "you", true));
      assertEquals("hello you", new String(task.readAllBytes(), StandardCharsets.UTF_8));
    }
    assertEquals(9, channel.state().taken());
    assertEquals(9, channel.state().used());
  }

  @Test
  void what_the_task_leaves_is_counted_after_its_end() throws IOException {
    try (InputStream task = task()) {
      channel.write(ask(0, "hello you", false));
      assertEquals(5, task.readNBytes(5).length);
    }
    channel.attemptEnded();
    assertEquals(5, channel.state().used());
    assertTrue(channel.state().ended());
    assertTrue(channel.hasTaken(ask(9, "more", false)), "nobody waits for it");
  }

  @Test
  void a_full_pipe_takes_no_more_until_it_is_read() throws IOException {
    ChannelExchangeRequest much = ask(0, "x".repeat(ChannelExchangeRequest.MOST_BYTES), false);
    channel.write(much);
    assertFalse(channel.hasTaken(much));
    long before = channel.state().taken();
    try (InputStream task = task()) {
      task.readNBytes(10_000);
      channel.write(much);
    }
    assertTrue(channel.state().taken() > before);
  }

  @Test
  void bytes_that_were_lost_are_noticed() {
    assertThrows(IOException.class, () -> channel.write(ask(4, "o", false)));
  }
}
