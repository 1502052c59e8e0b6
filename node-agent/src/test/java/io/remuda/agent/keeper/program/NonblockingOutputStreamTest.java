package io.remuda.agent.keeper.program;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("attack")
@Tag("attack-bad-disk")
@Timeout(120)
class NonblockingOutputStreamTest {

  /** A file on a disk that stands still until it is thawed. */
  private static final class Slow extends OutputStream {
    private final Semaphore open = new Semaphore(0);
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @Override
    public void write(int one) {
      open.acquireUninterruptibly();
      open.release();
      synchronized (written) {
        written.write(one);
      }
    }

    private String text() {
      synchronized (written) {
        return written.toString(StandardCharsets.UTF_8);
      }
    }
  }

  private final Slow file = new Slow();

  private PrintStream output(int bytes) {
    LogRotation none = new LogRotation(null, 0, 0);
    return new PrintStream(
        new NonblockingOutputStream(file, bytes, none), true, StandardCharsets.UTF_8);
  }

  @Test
  void what_is_printed_is_written_when_the_printing_returns() {
    file.open.release();
    output(1000).println("now");
    assertEquals("now\n", file.text());
  }

  @Test
  void nobody_who_prints_waits_for_a_disk_that_stands_still() {
    PrintStream out = output(10_000);
    for (int i = 0; i < 1000; i++) {
      out.println(i); // a moment for each of them would be longer than this test may take
    }
    assertEquals("", file.text());
    file.open.release();
    await().until(() -> file.text().endsWith("\n999\n"));
    assertTrue(file.text().startsWith("0\n1\n2\n"), file.text());
  }

  @Test
  void what_is_too_much_to_be_kept_is_said_to_be_missing() {
    PrintStream out = output(10);
    for (int i = 0; i < 20; i++) {
      out.println(i);
    }
    file.open.release();
    await().until(() -> file.text().contains("pieces of output are missing here\n"));
  }
}
