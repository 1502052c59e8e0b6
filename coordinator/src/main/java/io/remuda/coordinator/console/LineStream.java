package io.remuda.coordinator.console;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** A stream that passes each complete line to a consumer. */
public final class LineStream extends OutputStream {

  private final Consumer<String> lines;
  private final ByteArrayOutputStream unfinished = new ByteArrayOutputStream();

  private LineStream(Consumer<String> lines) {
    this.lines = lines;
  }

  public static PrintStream to(Consumer<String> lines) {
    return new PrintStream(new LineStream(lines), false, StandardCharsets.UTF_8);
  }

  @Override
  public synchronized void write(int oneByte) {
    if (oneByte == '\n') {
      lines.accept(unfinished.toString(StandardCharsets.UTF_8));
      unfinished.reset();
    } else {
      unfinished.write(oneByte);
    }
  }
}
