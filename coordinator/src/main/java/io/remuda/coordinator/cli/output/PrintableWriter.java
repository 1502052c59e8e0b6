package io.remuda.coordinator.cli.output;

import io.remuda.telemetry.render.PrintableText;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.Charset;

/**
 * The last gate before a terminal: whatever a command prints has no control characters but ends of
 * lines and tabs. What a user's text is shown as within a line is {@link PrintableText#of}'s.
 */
public final class PrintableWriter extends FilterWriter {

  private PrintableWriter(Writer next) {
    super(next);
  }

  /** For a standard stream, in the charset that it has for this locale. */
  public static PrintWriter over(OutputStream stream) {
    Writer encoder = new OutputStreamWriter(stream, Charset.defaultCharset());
    return new PrintWriter(new PrintableWriter(encoder), true);
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
