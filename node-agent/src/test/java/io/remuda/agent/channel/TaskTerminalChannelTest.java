package io.remuda.agent.channel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.ChannelExchangeRequest;
import io.remuda.worker.job.stream.StandardStreamTerms;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The terminal of a task with a real pseudo-terminal and programs that use it. */
class TaskTerminalChannelTest {

  private static final long SOON_NANOS = 20_000_000_000L;

  @TempDir private Path folder;
  private ResumableChannel channel;
  private Process program;

  @BeforeEach
  void make() throws IOException {
    channel =
        new ResumableChannel(
            TaskTerminalChannel.make(
                folder.resolve("in"), folder.resolve("out"), new StandardStreamTerms.Size(33, 101)),
            0);
  }

  @AfterEach
  void close() throws IOException {
    channel.close();
    if (program != null) {
      program.destroyForcibly();
    }
  }

  private static ChannelExchangeRequest typed(long offset, String text, int rows, int columns) {
    return new ChannelExchangeRequest(
        ChannelExchangeRequest.TASK,
        null,
        offset,
        text.getBytes(UTF_8),
        false,
        -1,
        rows,
        columns,
        false);
  }

  /** Starts a program on the terminal, as the keeper does, which makes the output's file before. */
  private void run(String script) throws IOException {
    Files.createFile(folder.resolve("out"));
    File terminal = folder.resolve("in").toFile();
    program =
        new ProcessBuilder("sh", "-c", script)
            .redirectInput(terminal)
            .redirectOutput(terminal)
            .redirectError(terminal)
            .start();
  }

  private String shownUntil(String text) throws Exception {
    long until = System.nanoTime() + SOON_NANOS;
    while (!shown().contains(text)) {
      channel.pump();
      assertTrue(System.nanoTime() < until, () -> "only " + shown());
      Thread.sleep(1);
    }
    return shown();
  }

  /** What was typed can be read as soon as it was echoed. */
  private void awaitEcho() throws Exception {
    long until = System.nanoTime() + SOON_NANOS;
    try (FileInputStream typed = new FileInputStream(folder.resolve("in").toFile())) {
      while (typed.available() == 0) {
        assertTrue(System.nanoTime() < until, "nothing was typed");
        Thread.sleep(1);
      }
    }
  }

  private String shown() {
    return new String(channel.part(0).bytes(), UTF_8);
  }

  @Test
  void keys_reach_the_program_and_what_it_shows_is_also_the_output_of_the_task() throws Exception {
    run("read x; echo \"<$x>\"");
    channel.write(typed(0, "hel", 0, 0));
    channel.write(typed(0, "hello\r", 0, 0)); // the answer was lost
    assertEquals("hello\r\n<hello>\r\n", shownUntil("<hello>\r\n"));
    assertTrue(program.waitFor(60, TimeUnit.SECONDS));
    channel.attemptEnded();
    channel.pump();
    assertTrue(channel.isOver());
    assertEquals(shown(), Files.readString(folder.resolve("out")));
  }

  @Test
  void it_has_the_size_of_the_clients_terminal_and_follows_it() throws Exception {
    run("stty size; read x; stty size");
    shownUntil("33 101\r\n");
    channel.asked(typed(0, "", 44, 55), 0);
    channel.write(typed(0, "\r", 0, 0));
    shownUntil("44 55\r\n");
  }

  @Test
  void what_is_typed_before_the_program_runs_makes_no_output_of_a_task_that_has_not_begun()
      throws Exception {
    channel.write(typed(0, "early\r", 0, 0));
    awaitEcho();
    channel.pump();
    assertEquals("", shown());
    assertFalse(Files.exists(folder.resolve("out")));
    run("read x; echo \"<$x>\"");
    shownUntil("<early>\r\n");
  }

  @Test
  void what_was_shown_last_arrives_although_the_task_has_ended() throws Exception {
    run("echo last words");
    assertTrue(program.waitFor(60, TimeUnit.SECONDS));
    channel.attemptEnded();
    assertFalse(channel.isOver());
    shownUntil("last words\r\n");
    channel.pump();
    assertTrue(channel.isOver());
    assertEquals("last words\r\n", Files.readString(folder.resolve("out")));
  }

  @Test
  void a_client_that_is_gone_hangs_up() throws Exception {
    run("read x; exit 3");
    channel.endInput();
    assertTrue(program.waitFor(60, TimeUnit.SECONDS));
    channel.pump();
    assertTrue(channel.isOver());
  }
}
