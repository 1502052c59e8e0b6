package io.remuda.coordinator.testkit;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What this JVM logs while this is open: its log goes to standard output. Any thread. */
public final class CapturedLog implements AutoCloseable {

  private final PrintStream before = System.out;
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();

  private CapturedLog() {}

  /** Begins to listen. */
  public static CapturedLog open() {
    CapturedLog log = new CapturedLog();
    System.setOut(new PrintStream(log.both(), true, StandardCharsets.UTF_8));
    return log;
  }

  private OutputStream both() {
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

  public boolean contains(String words) {
    return lines.toString(StandardCharsets.UTF_8).contains(words);
  }

  @Override
  public void close() {
    System.setOut(before);
  }
}
