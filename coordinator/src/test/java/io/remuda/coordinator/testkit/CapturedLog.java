package io.remuda.coordinator.testkit;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * What this JVM logs while this is open. Its log goes to standard output, or to standard error once
 * a test before has set up the log of a program: both are listened to. Any thread.
 */
public final class CapturedLog implements AutoCloseable {

  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();

  private CapturedLog() {}

  /** Begins to listen. */
  public static CapturedLog open() {
    CapturedLog log = new CapturedLog();
    System.setOut(new PrintStream(log.with(log.out), true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(log.with(log.err), true, StandardCharsets.UTF_8));
    return log;
  }

  private OutputStream with(PrintStream before) {
    return new OutputStream() {
      @Override
      public void write(int one) {
        lines.write(one);
        before.write(one);
      }

      @Override
      public void write(byte[] bytes, int from, int length) {
        lines.write(bytes, from, length);
        before.write(bytes, from, length);
      }
    };
  }

  /** Tells whether it had these words. */
  public boolean contains(String words) {
    return lines.toString(StandardCharsets.UTF_8).contains(words);
  }

  @Override
  public void close() {
    System.setOut(out);
    System.setErr(err);
  }
}
