package io.remuda.agent.keeper.limit;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.remuda.agent.keeper.limit.ShellLimits.Resource;
import io.remuda.agent.keeper.proc.CStrings;
import io.remuda.agent.keeper.proc.Posix;
import java.io.File;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The limits of one task, from before its start until just after it. A child inherits the soft
 * limits of this process, so those that cannot harm the keeper meanwhile are its own for that
 * moment. The others, such as the address space of a JVM, are set by prlimit(1) between the fork
 * and the program; where there is none, just after the start. All are at most the hard limits that
 * the task inherits. One thread at a time.
 */
public final class InheritedLimits implements AutoCloseable {

  /** Limits whose change for a moment cannot harm the other threads of this process. */
  private static final Set<Resource> HARMLESS =
      EnumSet.of(Resource.STACK, Resource.CORE, Resource.RSS, Resource.MEMLOCK);

  private static final List<File> PRLIMIT =
      List.of(new File("/usr/bin/prlimit"), new File("/bin/prlimit"));

  private static final int BYTES = 16;
  private static final int HARD_AT = 8;

  /** Files that other threads of this process may open meanwhile. */
  private static final int SPARE_FILES = 256;

  /** Both limits of a resource, as the kernel has them. */
  private record Pair(long soft, long hard) {}

  /** The own limits that were changed, as they were. */
  private final Map<Resource, Pair> before = new EnumMap<>(Resource.class);

  private final Map<Resource, Pair> others = new EnumMap<>(Resource.class);

  /** Null if nothing is wanted. */
  private final Memory call;

  private final String program;

  private InheritedLimits(ShellLimits wanted, String program) {
    this.program = program;
    this.call = wanted.soft().isEmpty() ? null : new Memory(BYTES);
    wanted.soft().forEach(this::take);
  }

  /** Sets the limits for a child. */
  public static InheritedLimits of(ShellLimits wanted) {
    if (wanted.soft().isEmpty()) { // mostly
      return new InheritedLimits(wanted, null);
    }
    String found =
        PRLIMIT.stream().filter(File::canExecute).map(File::getPath).findFirst().orElse(null);
    return new InheritedLimits(wanted, found);
  }

  private void take(Resource resource, long soft) {
    if (Posix.getrlimit(resource.number(), call) != 0) {
      return;
    }
    Pair own = new Pair(call.getLong(0), call.getLong(HARD_AT));
    long least = Long.compareUnsigned(soft, own.hard) < 0 ? soft : own.hard; // -1 is the greatest
    if (least == own.soft) {
      return;
    }
    Pair wanted = new Pair(least, own.hard);
    boolean harmless = HARMLESS.contains(resource) || resource == Resource.NOFILE && isRoomy(least);
    if (!harmless) {
      others.put(resource, wanted);
    } else if (Posix.setrlimit(resource.number(), call(wanted)) == 0) {
      before.put(resource, own);
    }
  }

  private Pointer call(Pair limit) {
    call.setLong(0, limit.soft);
    call.setLong(HARD_AT, limit.hard);
    return call;
  }

  /** Returns whether this process can go on to open files below a limit. */
  private static boolean isRoomy(long files) {
    int next = Posix.open(CStrings.of("/dev/null"), Posix.O_RDONLY, 0);
    if (next < 0) {
      return false;
    }
    Posix.close(next);
    return Long.compareUnsigned(next + SPARE_FILES, files) < 0;
  }

  /**
   * Returns the words before the program's own that set the other limits; none if there are none.
   */
  public List<String> prefix() {
    List<String> words = new ArrayList<>();
    if (program != null && !others.isEmpty()) {
      words.add(program);
      others.forEach(
          (resource, limit) -> words.add("--" + resource.word() + "=" + text(limit) + ":"));
      words.add("--");
    }
    return words;
  }

  private static String text(Pair limit) {
    return limit.soft == ShellLimits.UNLIMITED ? "unlimited" : Long.toUnsignedString(limit.soft);
  }

  /** Sets what no prefix has set. */
  public void started(int pid) {
    if (program == null) {
      others.forEach((resource, limit) -> Posix.prlimit(pid, resource.number(), call(limit), null));
    }
  }

  /** Gives this process its own limits back. */
  @Override
  public void close() {
    before.forEach((resource, limit) -> Posix.setrlimit(resource.number(), call(limit)));
    if (call != null) {
      call.close();
    }
  }
}
