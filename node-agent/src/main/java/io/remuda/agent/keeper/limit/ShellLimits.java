package io.remuda.agent.keeper.limit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The soft resource limits (ulimit) of the shell that submitted a task, as the variable {@link
 * #VARIABLE} has them: {@code nofile=1024,stack=8388608,as=unlimited}, in the units of setrlimit.
 * Immutable.
 */
public final class ShellLimits {

  /** The variable of a job with its limits; empty or unset for those of the agent. */
  public static final String VARIABLE = "REMUDA_LIMITS";

  /** No limit. */
  static final long UNLIMITED = -1;

  private static final String UNLIMITED_WORD = "unlimited";
  private static final Path OWN = Path.of("/proc/self/limits");

  /** A resource, with its number in the kernel of x86 and ARM. */
  enum Resource {
    CPU(0, "Max cpu time"),
    FSIZE(1, "Max file size"),
    DATA(2, "Max data size"),
    STACK(3, "Max stack size"),
    CORE(4, "Max core file size"),
    RSS(5, "Max resident set"),
    NPROC(6, "Max processes"),
    NOFILE(7, "Max open files"),
    MEMLOCK(8, "Max locked memory"),
    AS(9, "Max address space");

    private final int number;
    private final String line;

    Resource(int number, String line) {
      this.number = number;
      this.line = line;
    }

    int number() {
      return number;
    }

    /** Returns the name of its option of prlimit(1), which is also that in the variable. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Map<Resource, Long> soft;

  private ShellLimits(Map<Resource, Long> soft) {
    this.soft = soft;
  }

  /**
   * Returns the variable's value for the limits of this process, which it has from its shell; empty
   * if the kernel does not list them.
   *
   * @param files whether the number of open files is the shell's; a JVM raises its own
   */
  public static Optional<String> ofThisProcess(boolean files) {
    try {
      return Optional.of(written(Files.readAllLines(OWN), files));
    } catch (IOException unknown) {
      return Optional.empty();
    }
  }

  static String written(List<String> lines, boolean files) {
    return Stream.of(Resource.values())
        .filter(resource -> files || resource != Resource.NOFILE)
        .flatMap(
            resource ->
                lines.stream()
                    .filter(line -> line.startsWith(resource.line + " "))
                    .map(line -> line.substring(resource.line.length()).strip().split("\\s+")[0])
                    .map(value -> resource.word() + "=" + value))
        .collect(Collectors.joining(","));
  }

  /**
   * Reads the variable's value.
   *
   * @throws IllegalArgumentException naming the part that is no limit
   */
  public static ShellLimits parse(String text) {
    Map<Resource, Long> soft = new EnumMap<>(Resource.class);
    for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      String[] words = part.split("=", 2);
      Optional<Resource> resource =
          Stream.of(Resource.values()).filter(one -> one.word().equals(words[0])).findFirst();
      boolean number = words.length == 2 && words[1].matches("\\d{1,18}");
      if (resource.isEmpty() || !number && !part.endsWith("=" + UNLIMITED_WORD)) {
        throw new IllegalArgumentException(
            VARIABLE
                + " is LIMIT=NUMBER or LIMIT=unlimited, separated by commas, with the limits "
                + Stream.of(Resource.values()).map(Resource::word).collect(Collectors.joining(", "))
                + "; got '"
                + part
                + "'");
      }
      soft.put(resource.get(), number ? Long.valueOf(words[1]) : Long.valueOf(UNLIMITED));
    }
    return new ShellLimits(soft);
  }

  /** Returns the soft limits; {@link #UNLIMITED} for none. */
  Map<Resource, Long> soft() {
    return soft;
  }
}
