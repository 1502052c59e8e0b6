package io.remuda.coordinator.cli.channel;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

/** Output of a terminal as a file has it: a line ends with a line feed alone. */
final class CarriageReturnFilter {

  private final OutputStream out;

  /** A carriage return has come, and not what is behind it. */
  private boolean returned;

  CarriageReturnFilter(OutputStream out) {
    this.out = out;
  }

  /** Copies what is received until there is no more. */
  static void copy(TaskLink link, PrintStream out) throws IOException, InterruptedException {
    CarriageReturnFilter plain = new CarriageReturnFilter(out);
    for (byte[] part = link.receive(); part != null; part = link.receive()) {
      plain.write(part);
      if (out.checkError()) {
        throw new IOException("Broken pipe");
      }
    }
    plain.end();
  }

  /** Writes the next bytes. */
  void write(byte[] part) throws IOException {
    for (byte next : part) {
      if (returned && next != '\n') {
        out.write('\r');
      }
      returned = next == '\r';
      if (!returned) {
        out.write(next);
      }
    }
    out.flush();
  }

  /** Writes what was kept back. */
  void end() throws IOException {
    if (returned) {
      out.write('\r');
    }
    out.flush();
  }
}
