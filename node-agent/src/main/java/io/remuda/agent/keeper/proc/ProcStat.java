package io.remuda.agent.keeper.proc;

/**
 * One process as /proc/PID/stat shows it.
 *
 * @param state such as 'R', 'S', 'T' or 'Z'; 'S' if the first thread has ended and others run
 * @param startTicks clock ticks from the start of the machine to that of the process
 */
public record ProcStat(int pid, char state, int parent, int session, long startTicks) {

  /** Returns whether it is a zombie or about to vanish; it holds nothing and gets no signals. */
  public boolean dead() {
    return state == 'Z' || state == 'X';
  }

  /** Returns whether both are one process, and not two that had the same pid in turn. */
  public boolean same(ProcStat other) {
    return pid == other.pid && startTicks == other.startTicks;
  }

  /**
   * Parses a line of /proc/PID/stat; the name in it may contain blanks and parentheses.
   *
   * @return null if the line is cut
   */
  static ProcStat parse(byte[] line, int length) {
    int at = length - 1;
    while (at >= 0 && line[at] != ')') {
      at--;
    }
    if (at < 0 || at + 2 >= length) {
      return null;
    }
    int pid = (int) number(line, 0, length);
    char state = (char) line[at + 2];
    int parent = 0;
    int session = 0;
    long threads = 0;
    int field = 3;
    for (int i = at + 2; i < length; i++) {
      if (line[i] != ' ') {
        continue;
      }
      field++;
      if (field == 4) {
        parent = (int) number(line, i + 1, length);
      } else if (field == 6) {
        session = (int) number(line, i + 1, length);
      } else if (field == 20) {
        threads = number(line, i + 1, length);
      } else if (field == 22) {
        char lives = state == 'Z' && threads > 1 ? 'S' : state; // only its first thread has ended
        return new ProcStat(pid, lives, parent, session, number(line, i + 1, length));
      }
    }
    return null;
  }

  private static long number(byte[] line, int from, int length) {
    boolean negative = from < length && line[from] == '-';
    long value = 0;
    for (int i = negative ? from + 1 : from; i < length; i++) {
      if (line[i] < '0' || line[i] > '9') {
        break;
      }
      value = value * 10 + (line[i] - '0');
    }
    return negative ? -value : value;
  }
}
