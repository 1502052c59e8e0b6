package io.remuda.coordinator.cli.ensemble;

import io.remuda.coordinator.console.Console;
import io.remuda.coordinator.console.LineStream;
import io.remuda.coordinator.console.LiveScreen;
import io.remuda.coordinator.console.TerminalStream;
import io.remuda.telemetry.render.BarStyle;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Opens the console of a run. */
final class RunConsoleFactory {

  private RunConsoleFactory() {}

  /**
   * Returns a console with bars if they are requested and the run's lines go to a terminal,
   * otherwise one with plain lines.
   *
   * @param json whether standard output is only for the report
   */
  static Console open(boolean bars, boolean json, Map<String, String> environment) {
    PrintStream out = utf8(System.out);
    return bars
            && TerminalStream.of(json ? TerminalStream.ERR : TerminalStream.OUT).moves(environment)
        ? live(out, json, environment)
        : Console.of(json ? System.err : out, System.err, out);
  }

  private static Console live(PrintStream out, boolean json, Map<String, String> environment) {
    PrintStream err = utf8(System.err);
    TerminalStream terminal = TerminalStream.of(json ? TerminalStream.ERR : TerminalStream.OUT);
    LiveScreen screen = new LiveScreen(json ? err : out, terminal::size, BarStyle.of(environment));
    boolean notesAbove = TerminalStream.of(TerminalStream.ERR).isTerminal();
    PrintStream reports = json && !TerminalStream.of(TerminalStream.OUT).isTerminal() ? out : null;
    Console console = Console.live(screen, notesAbove ? null : err, reports);
    if (notesAbove) {
      System.setErr(LineStream.to(console::note)); // the log must not be written into the bars
    }
    return console;
  }

  private static PrintStream utf8(PrintStream stream) {
    return new PrintStream(stream, false, StandardCharsets.UTF_8);
  }
}
