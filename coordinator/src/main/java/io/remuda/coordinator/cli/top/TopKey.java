package io.remuda.coordinator.cli.top;

import java.io.IOException;

/** The keys that a user may press. */
enum TopKey {
  UP,
  DOWN,
  PAGE_UP,
  PAGE_DOWN,
  HOME,
  END,
  TAB,
  PAUSE,
  HELP,
  /** Cancels the chosen job. */
  CANCEL,
  /** Shows why the chosen job waits, and what it has printed. */
  DETAILS,
  /** Shows the jobs of one user. */
  USER,
  /** Shows the jobs with a text. */
  FIND,
  QUIT,
  /** Ctrl-C, which a terminal in raw mode delivers as a character. */
  INTERRUPT,
  /** No key, or a key without a function. */
  NONE;

  private static final int CTRL_C = 3;
  private static final int CTRL_D = 4;
  private static final int ESCAPE = 27;
  private static final int END_OF_FILE = -1;

  /** Longest time between two characters of a sequence; a single ESC has none after it in time. */
  private static final long WITHIN_MILLIS = 50;

  /** A source of characters. */
  interface Source {
    /** Returns a character; -1 at the end of the input, less if none came in time. */
    int read(long millis) throws IOException;
  }

  /** Returns the next key, or NONE if none came in time. */
  static TopKey read(Source source, long millis) throws IOException {
    int first = source.read(millis);
    return switch (first) {
      case END_OF_FILE, 'q', 'Q', CTRL_D -> QUIT;
      case CTRL_C -> INTERRUPT;
      case 'p', 'P', ' ' -> PAUSE;
      case 'h', '?' -> HELP;
      case 'k' -> CANCEL;
      case 'l', '\r', '\n' -> DETAILS;
      case 'u' -> USER;
      case '/' -> FIND;
      case 'g' -> HOME;
      case 'G' -> END;
      case '\t' -> TAB;
      case ESCAPE -> sequence(source);
      default -> NONE;
    };
  }

  /** Reads all of a sequence such as {@code ESC [ 5 ~} or {@code ESC O A}, also an unknown one. */
  private static TopKey sequence(Source source) throws IOException {
    int kind = source.read(WITHIN_MILLIS);
    if (kind != '[' && kind != 'O') {
      return NONE;
    }
    StringBuilder parameters = new StringBuilder();
    int last = source.read(WITHIN_MILLIS);
    while (last >= ' ' && last < '@') {
      parameters.append((char) last);
      last = source.read(WITHIN_MILLIS);
    }
    return switch (last) {
      case 'A' -> UP;
      case 'B' -> DOWN;
      case 'H' -> HOME;
      case 'F' -> END;
      case '~' -> numbered(parameters.toString());
      default -> NONE;
    };
  }

  private static TopKey numbered(String number) {
    return switch (number) {
      case "1", "7" -> HOME;
      case "4", "8" -> END;
      case "5" -> PAGE_UP;
      case "6" -> PAGE_DOWN;
      default -> NONE;
    };
  }
}
