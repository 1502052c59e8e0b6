package io.remuda.agent.keeper.proc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads what /proc has on processes. A process that vanishes meanwhile counts as absent; one that
 * cannot be read, for lack of a descriptor, does not count as gone.
 */
public final class ProcFiles {
  private static final int STAT_BYTES = 1024;

  /** Index of the user time among the fields of a stat line behind the name. */
  private static final int FIRST_CPU_FIELD = 11;

  /** Linux reports times of processes in hundredths of a second. */
  private static final long TICK_MILLIS = 10;

  /** Initial size of the buffer; lists of children are read often and are mostly empty. */
  private static final int FIRST_BYTES = 512;

  private static final String LOCKS = "Max file locks";

  private static final int ENVIRONMENT_LIMIT = 4 << 20;

  private ProcFiles() {}

  /** Returns null if there is no such process or it cannot be read; {@link #exists} tells which. */
  public static ProcStat stat(int pid) {
    byte[] line = new byte[STAT_BYTES];
    try (FileInputStream file = new FileInputStream("/proc/" + pid + "/stat")) {
      int length = file.read(line);
      return length <= 0 ? null : ProcStat.parse(line, length);
    } catch (IOException vanished) {
      return null;
    }
  }

  /** Returns a process and its ancestors, the process first. */
  public static List<ProcStat> lineage(int pid) {
    Map<Integer, ProcStat> all = new LinkedHashMap<>(); // a pid may be reused meanwhile
    ProcStat next = stat(pid);
    while (next != null && all.putIfAbsent(next.pid(), next) == null) {
      next = stat(next.parent());
    }
    return List.copyOf(all.values());
  }

  /** Returns whether this pid exists, maybe as a zombie; needs no descriptor. */
  public static boolean exists(int pid) {
    return new File("/proc/" + pid).exists();
  }

  /** Returns whether exactly this process lives; true if it exists but cannot be read. */
  public static boolean isThere(ProcStat process) {
    ProcStat now = stat(process.pid());
    return now == null ? exists(process.pid()) : now.same(process) && !now.dead();
  }

  /** Returns the number that all pids are below; 0 if it is not known. */
  static int pidMax() {
    byte[] line = read("/proc/sys/kernel/pid_max", FIRST_BYTES);
    return line == null ? 0 : Math.max(0, number(new String(line, US_ASCII).strip()));
  }

  /**
   * Returns all processes of the machine, in the order of their pids.
   *
   * @throws UncheckedIOException if one of them cannot be read
   */
  public static List<ProcStat> all() {
    List<ProcStat> stats = new ArrayList<>();
    for (int pid : numbers(new File("/proc"))) {
      ProcStat stat = stat(pid);
      if (stat != null) {
        stats.add(stat);
      } else if (exists(pid)) {
        throw unseen("/proc/" + pid);
      }
    }
    if (stats.isEmpty()) {
      throw unseen("/proc");
    }
    return stats;
  }

  private static UncheckedIOException unseen(String path) {
    return new UncheckedIOException(new IOException("cannot look at " + path));
  }

  /**
   * Returns the children of a process, or null if this kernel does not list them. May miss some
   * while other children end: call it twice before concluding that there are none.
   */
  public static List<Integer> children(int pid) {
    List<Integer> children = new ArrayList<>();
    // Orphans move to the first thread, so its list is read last: no child can move from a list
    // not yet read to one already read.
    int[] threads = numbers(new File("/proc/" + pid + "/task"));
    boolean listed = threads.length == 0;
    for (int i = threads.length - 1; i >= 0; i--) {
      byte[] line = read("/proc/" + pid + "/task/" + threads[i] + "/children", 1 << 20);
      listed |= line != null;
      addNumbers(line, children);
    }
    return listed || !exists(pid) ? children : null;
  }

  /** Returns the initial environment of the process; null if it is gone or not readable. */
  public static byte[] environment(int pid) {
    return read("/proc/" + pid + "/environ", ENVIRONMENT_LIMIT);
  }

  /** Returns the last part of the control group (version 2) of a process; empty if unknown. */
  public static String group(int pid) {
    byte[] bytes = read("/proc/" + pid + "/cgroup", 1 << 14);
    String text = bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
    int from = text.startsWith("0::") ? 0 : text.indexOf("\n0::") + 1;
    boolean told = text.startsWith("0::", from);
    String path = told ? text.substring(from).lines().findFirst().orElse("") : "";
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Returns the name of a process, at most 15 characters; empty if it is gone. */
  public static String command(int pid) {
    byte[] bytes = read("/proc/" + pid + "/comm", FIRST_BYTES);
    return bytes == null ? "" : new String(bytes, US_ASCII).strip();
  }

  /** Returns the command of a process, a word each; none if it is gone or has none. */
  public static List<String> words(int pid) {
    byte[] bytes = read("/proc/" + pid + "/cmdline", ENVIRONMENT_LIMIT);
    String text = bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
    return text.isEmpty() ? List.of() : List.of(text.split("\0"));
  }

  /** Returns the name of a process for messages, as {@code " (name)"}, or an empty text. */
  public static String name(int pid) {
    String name = command(pid);
    return name.isEmpty() ? "" : " (" + name.replaceAll("[^\\x21-\\x7e]", "?") + ")";
  }

  /** Returns soft and hard RLIMIT_LOCKS of a process, -1 for none; null if it is gone. */
  static long[] lockLimits(int pid) {
    byte[] bytes = read("/proc/" + pid + "/limits", 1 << 14);
    String text = bytes == null ? "" : new String(bytes, US_ASCII);
    int from = text.indexOf(LOCKS);
    int to = from < 0 ? -1 : text.indexOf('\n', from);
    if (to < 0) {
      return null;
    }
    String[] fields = text.substring(from + LOCKS.length(), to).strip().split(" +");
    return fields.length < 2 ? null : new long[] {limit(fields[0]), limit(fields[1])};
  }

  private static long limit(String text) {
    return text.equals("unlimited") ? -1 : Long.parseUnsignedLong(text);
  }

  /**
   * The memory of a process.
   *
   * @param resident bytes now
   * @param peak the most bytes that were resident since it began to run its program
   */
  public record Memory(long resident, long peak) {}

  /** Both are 0 if the process is gone. */
  public static Memory memory(int pid) {
    String text = status(pid);
    return new Memory(
        Math.max(0, kibibytesIn(text, "VmRSS:")), Math.max(0, kibibytesIn(text, "VmHWM:")));
  }

  /** Returns the umask of a process; negative if it is gone. */
  public static int umask(int pid) {
    return status(pid)
        .lines()
        .filter(line -> line.startsWith("Umask:"))
        .map(line -> Integer.parseInt(line.substring("Umask:".length()).strip(), 8))
        .findFirst()
        .orElse(-1);
  }

  /** Returns the file {@code /proc/PID/status}, empty if the process is gone. */
  public static String status(int pid) {
    byte[] bytes = read("/proc/" + pid + "/status", 1 << 16);
    return bytes == null ? "" : new String(bytes, US_ASCII);
  }

  /**
   * Returns user and system time of a process and of the children that it has waited for, in ms; 0
   * if it is gone.
   */
  public static long cpuMillis(int pid) {
    byte[] bytes = read("/proc/" + pid + "/stat", STAT_BYTES);
    String line = bytes == null ? "" : new String(bytes, US_ASCII);
    String[] fields = line.substring(line.lastIndexOf(')') + 1).strip().split(" ");
    long ticks = 0;
    for (int field = FIRST_CPU_FIELD;
        field < FIRST_CPU_FIELD + 4 && field < fields.length;
        field++) {
      ticks += Long.parseLong(fields[field]);
    }
    return ticks * TICK_MILLIS;
  }

  /** Returns resident memory with its part of shared pages (PSS); negative if unknown. Slow. */
  public static long proportional(int pid) {
    return kibibytes("/proc/" + pid + "/smaps_rollup", "Pss:");
  }

  private static long kibibytes(String path, String field) {
    byte[] bytes = read(path, 1 << 16);
    return kibibytesIn(bytes == null ? "" : new String(bytes, US_ASCII), field);
  }

  private static long kibibytesIn(String text, String field) {
    int from = text.indexOf(field);
    int to = from < 0 ? -1 : text.indexOf(" kB", from);
    return to < 0 ? -1 : Long.parseLong(text.substring(from + field.length(), to).strip()) << 10;
  }

  /** Returns the value of a variable in a block of NUL-ended name=value pairs, or null. */
  public static String variable(byte[] environment, String name) {
    byte[] wanted = (name + "=").getBytes(StandardCharsets.UTF_8);
    int from = 0;
    while (from < environment.length) {
      int to = from;
      while (to < environment.length && environment[to] != 0) {
        to++;
      }
      if (startsWith(environment, from, to, wanted)) {
        int start = from + wanted.length;
        return new String(environment, start, to - start, StandardCharsets.UTF_8);
      }
      from = to + 1;
    }
    return null;
  }

  private static boolean startsWith(byte[] bytes, int from, int to, byte[] wanted) {
    if (to - from < wanted.length) {
      return false;
    }
    for (int i = 0; i < wanted.length; i++) {
      if (bytes[from + i] != wanted[i]) {
        return false;
      }
    }
    return true;
  }

  private static byte[] read(String path, int limit) {
    byte[] bytes = new byte[FIRST_BYTES];
    int length = 0;
    try (FileInputStream file = new FileInputStream(path)) {
      int more = file.read(bytes);
      while (more > 0 && length + more < limit) {
        length += more;
        if (length == bytes.length) {
          bytes = Arrays.copyOf(bytes, 4 * length);
        }
        more = file.read(bytes, length, bytes.length - length);
      }
      return Arrays.copyOf(bytes, length + Math.max(more, 0));
    } catch (IOException vanishedOrClosedToUs) {
      return null;
    }
  }

  private static void addNumbers(byte[] line, List<Integer> numbers) {
    int value = 0;
    boolean digits = false;
    for (int i = 0; line != null && i < line.length; i++) {
      if (line[i] >= '0' && line[i] <= '9') {
        value = value * 10 + (line[i] - '0');
        digits = true;
      } else if (digits) {
        numbers.add(value);
        value = 0;
        digits = false;
      }
    }
    if (digits) {
      numbers.add(value);
    }
  }

  private static int[] numbers(File folder) {
    String[] names = folder.list();
    int[] numbers = new int[names == null ? 0 : names.length];
    int count = 0;
    for (int i = 0; i < numbers.length; i++) {
      int number = number(names[i]);
      if (number > 0) {
        numbers[count++] = number;
      }
    }
    int[] found = Arrays.copyOf(numbers, count);
    Arrays.sort(found);
    return found;
  }

  private static int number(String name) {
    int value = 0;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      value = value * 10 + (c - '0');
    }
    return value;
  }
}
