package io.remuda.coordinator.cli.server;

import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.cli.output.PrintableWriter;
import io.remuda.coordinator.console.TerminalStream;
import io.remuda.coordinator.store.copy.CopyProgressListener;
import java.io.PrintWriter;
import picocli.CommandLine;

/**
 * Shows how far a copy is: on a terminal in one line that is redrawn, otherwise in a line for each
 * table.
 */
final class StoreCopyProgressPrinter implements CopyProgressListener, AutoCloseable {

  private static final String CLEAR = "\r\u001b[K";
  private static final long REDRAWN_NANOS = 100_000_000;

  private final PrintWriter out;
  private final boolean redrawn;
  private final boolean silent;
  private long drawnAt = System.nanoTime() - REDRAWN_NANOS;

  /**
   * @param redrawn whether {@code out} is a terminal
   * @param silent whether nothing is shown
   */
  StoreCopyProgressPrinter(PrintWriter out, boolean redrawn, boolean silent) {
    this.out = out;
    this.redrawn = redrawn;
    this.silent = silent;
  }

  /** Returns lines on stderr if it is a terminal, else on stdout. */
  static StoreCopyProgressPrinter to(CommandLine command, boolean silent) {
    Caller caller = Caller.of(command.getCommandSpec());
    boolean terminal = !silent && TerminalStream.isTerminal(caller, TerminalStream.ERR);
    return new StoreCopyProgressPrinter(
        terminal ? PrintableWriter.drawing(caller) : command.getOut(), terminal, silent);
  }

  @Override
  public void at(Phase phase, String table, long done, long all) {
    if (silent) {
      return;
    }
    String line =
        (phase == Phase.COPIED ? "copying " : "comparing ")
            + table
            + ": "
            + done
            + " of "
            + all
            + " rows";
    if (redrawn && (done == all || System.nanoTime() - drawnAt >= REDRAWN_NANOS)) {
      drawnAt = System.nanoTime();
      out.print(CLEAR + line);
      out.flush();
    } else if (!redrawn && done == all) {
      out.println(line);
      out.flush();
    }
  }

  /** Leaves an empty line to the next message. */
  @Override
  public void close() {
    if (redrawn) {
      out.print(CLEAR);
      out.flush();
    }
  }
}
