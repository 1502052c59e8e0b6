package io.remuda.agent.keeper.proc;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The first process of a PID namespace, as that of a container without an init program. */
public final class ContainerInitSigtermCheck {

  private static final Pattern NAMESPACE_PIDS = Pattern.compile("(?m)^NSpid:((?:\\s+\\d+)+)$");
  private static final Pattern CAUGHT_OR_IGNORED =
      Pattern.compile("(?m)^Sig(?:Cgt|Ign):\\s+([0-9a-f]{1,16})$");
  private static final long SIGTERM_BIT = 1L << (Posix.SIGTERM - 1);

  private ContainerInitSigtermCheck() {}

  /**
   * Returns whether SIGTERM would do nothing to a process that has said nothing about it: the
   * kernel drops signals with their default action for the first process of a namespace.
   *
   * @see <a
   *     href="https://man7.org/linux/man-pages/man7/pid_namespaces.7.html">pid_namespaces(7)</a>
   */
  public static boolean dropsSigterm(int pid) {
    return dropsSigterm(ProcFiles.status(pid));
  }

  /** Returns whether it is the first process of a PID namespace other than the machine's. */
  public static boolean isInit(int pid) {
    return isInit(ProcFiles.status(pid));
  }

  private static boolean isInit(String status) {
    Matcher pids = NAMESPACE_PIDS.matcher(status);
    if (!pids.find()) {
      return false;
    }
    String[] numbers = pids.group(1).strip().split("\\s+");
    return numbers.length > 1 && numbers[numbers.length - 1].equals("1");
  }

  static boolean dropsSigterm(String status) {
    if (!isInit(status)) {
      return false;
    }
    Matcher masks = CAUGHT_OR_IGNORED.matcher(status);
    while (masks.find()) {
      if ((Long.parseUnsignedLong(masks.group(1), 16) & SIGTERM_BIT) != 0) {
        return false;
      }
    }
    return true;
  }
}
