package io.remuda.coordinator.console;

import io.remuda.agent.commandline.Caller;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Set;

/** Where the user may be asked whether to go on. */
public interface UserPrompt {

  /** Returns whether somebody is there to answer. */
  boolean isPossible();

  /** Returns the next line, or an empty one at the end of input. */
  String line() throws IOException;

  /** Returns whether the next line is a yes. */
  default boolean isConfirmed() throws IOException {
    return Set.of("y", "yes").contains(line().trim().toLowerCase(Locale.ROOT));
  }

  /** Returns the prompt of a command, which is possible if stdin and stderr are terminals. */
  static UserPrompt of(Caller caller) {
    return new UserPrompt() {
      @Override
      public boolean isPossible() {
        return TerminalStream.isTerminal(caller, TerminalStream.IN)
            && TerminalStream.isTerminal(caller, TerminalStream.ERR);
      }

      @Override
      public String line() throws IOException {
        StringBuilder line = new StringBuilder();
        InputStream in = caller.in();
        for (int one = in.read(); one >= 0 && one != '\n'; one = in.read()) {
          line.append((char) one);
        }
        return line.toString();
      }
    };
  }
}
