package io.remuda.coordinator.cli.ensemble;

import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.console.Console;
import io.remuda.coordinator.console.LineStream;
import io.remuda.coordinator.console.LiveScreen;
import io.remuda.coordinator.console.TerminalStream;
import io.remuda.telemetry.render.BarStyle;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Opens the console of a run. */
final class RunConsoleFactory {

  private RunConsoleFactory() {}

  /**
   * Returns a console with bars if they are requested and the run's lines go to a terminal,
   * otherwise one with plain lines.
   *
   * @param json whether standard output is only for the report
   */
  static Console open(boolean bars, boolean json, Caller caller) {
    PrintStream out = utf8(caller.out());
    return bars
            && TerminalStream.of(caller, json ? TerminalStream.ERR : TerminalStream.OUT)
                .moves(caller.readEnvironment())
        ? live(out, json, caller)
        : Console.of(json ? caller.err() : out, caller.err(), out);
  }

  private static Console live(PrintStream out, boolean json, Caller caller) {
    PrintStream err = utf8(caller.err());
    TerminalStream terminal =
        TerminalStream.of(caller, json ? TerminalStream.ERR : TerminalStream.OUT);
    LiveScreen screen =
        new LiveScreen(json ? err : out, terminal::size, BarStyle.of(caller.readEnvironment()));
    boolean notesAbove = TerminalStream.of(caller, TerminalStream.ERR).isTerminal();
    PrintStream reports =
        json && !TerminalStream.of(caller, TerminalStream.OUT).isTerminal() ? out : null;
    Console console = Console.live(screen, notesAbove ? null : err, reports);
    if (notesAbove) {
      caller
          .process()
          .redirectErr(LineStream.to(console::note)); // the log must not be written into the bars
    }
    return console;
  }

  private static PrintStream utf8(PrintStream stream) {
    return new PrintStream(stream, false, StandardCharsets.UTF_8);
  }
}
