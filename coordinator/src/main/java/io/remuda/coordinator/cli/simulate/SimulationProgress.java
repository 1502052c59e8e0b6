package io.remuda.coordinator.cli.simulate;

import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.cli.output.PrintableWriter;
import io.remuda.coordinator.console.TerminalStream;
import java.io.PrintWriter;

/** Shows on a terminal how far a simulation is, in one line of stderr that is redrawn. */
final class SimulationProgress implements AutoCloseable {

  private static final String CLEAR = "\r\u001b[K";
  private static final long REDRAWN_NANOS = 100_000_000;
  private static final int WIDTH = 30;

  private final PrintWriter terminal;
  private long drawnAt = System.nanoTime();

  private SimulationProgress(PrintWriter terminal) {
    this.terminal = terminal;
  }

  /** Returns one that shows nothing if stderr is no terminal. */
  static SimulationProgress of(Caller caller) {
    boolean shown = TerminalStream.isTerminal(caller, TerminalStream.ERR);
    return new SimulationProgress(shown ? PrintableWriter.drawing(caller) : null);
  }

  /** Draws the line if it has not been drawn for a moment. */
  void at(String what, long done, long all) {
    if (terminal != null && System.nanoTime() - drawnAt >= REDRAWN_NANOS) {
      drawnAt = System.nanoTime();
      int full = (int) (WIDTH * done / Math.max(1, all));
      terminal.print(
          CLEAR
              + what
              + " ["
              + "#".repeat(full)
              + " ".repeat(WIDTH - full)
              + "] "
              + done
              + " of "
              + all);
      terminal.flush();
    }
  }

  @Override
  public void close() {
    if (terminal != null) {
      terminal.print(CLEAR);
      terminal.flush();
    }
  }
}
