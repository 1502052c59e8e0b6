package io.remuda.coordinator.cli.output;

import io.remuda.agent.commandline.Caller;
import io.remuda.telemetry.render.PrintableText;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.Charset;

/**
 * Escapes all control characters of a command's output except newlines and tabs. Texts of users
 * within a line are escaped before by {@link PrintableText#of}.
 */
public final class PrintableWriter extends FilterWriter {

  private PrintableWriter(Writer next) {
    super(next);
  }

  /** Returns a writer to a stream. */
  public static PrintWriter over(OutputStream stream, Charset charset) {
    Writer encoder = new OutputStreamWriter(stream, charset);
    return new PrintWriter(new PrintableWriter(encoder), true);
  }

  /**
   * Returns a writer to the terminal of stderr for what a command draws itself: sequences that move
   * the cursor pass. No text of a user may go there.
   */
  public static PrintWriter drawing(Caller caller) {
    return new PrintWriter(new OutputStreamWriter(caller.err(), caller.charset()), true);
  }

  @Override
  public void write(int one) throws IOException {
    write(String.valueOf((char) one));
  }

  @Override
  public void write(char[] text, int offset, int length) throws IOException {
    out.write(PrintableText.lines(new String(text, offset, length)));
  }

  @Override
  public void write(String text, int offset, int length) throws IOException {
    out.write(PrintableText.lines(text.substring(offset, offset + length)));
  }
}
