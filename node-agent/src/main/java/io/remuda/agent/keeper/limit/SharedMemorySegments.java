package io.remuda.agent.keeper.limit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.remuda.agent.keeper.proc.KeeperLog;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What killed processes leave in {@code /dev/shm}, which nobody else removes and which takes memory
 * until the machine starts again. Only files are removed whose names say by what process they were
 * made, as PyTorch's do ({@code torch_PID_…}), if that was a process of the task and is gone, if
 * they are this user's, and if no process has them mapped or open. Any thread.
 */
public final class SharedMemorySegments {

  /** If it is {@link #KEEP}, nothing is removed. */
  public static final String VARIABLE = "REMUDA_SHARED_MEMORY";

  /** The value of {@link #VARIABLE} by which everything stays. */
  public static final String KEEP = "keep";

  private static final Pattern NAME = Pattern.compile("torch_(\\d{1,9})_.+");

  private final Path folder;
  private final boolean kept;

  /**
   * @param folder where segments are
   * @param kept whether all stay
   */
  SharedMemorySegments(Path folder, boolean kept) {
    this.folder = folder;
    this.kept = kept;
  }

  /** Returns those of this machine. */
  public static SharedMemorySegments here(Map<String, String> environment) {
    return new SharedMemorySegments(Path.of("/dev/shm"), KEEP.equals(environment.get(VARIABLE)));
  }

  /**
   * Removes what these processes have left; logs what it removes and never fails.
   *
   * @param task its key, for the log
   * @param pids processes of a task that has ended
   */
  public void remove(String task, Set<Integer> pids) {
    if (kept || pids.isEmpty()) {
      return;
    }
    try {
      List<Path> left = left(pids);
      if (!left.isEmpty()) {
        remove(task, left, inUse());
      }
    } catch (IOException | RuntimeException unseen) {
      KeeperLog.line("keeper: shared memory that " + task + " left stays: " + unseen);
    }
  }

  /** Returns the files that were made by these processes, of those that are gone. */
  private List<Path> left(Set<Integer> pids) throws IOException {
    List<Path> left = new ArrayList<>();
    Object own = owner(Path.of("/proc/self"));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "torch_*")) {
      for (Path file : files) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (name.matches()
            && pids.contains(Integer.valueOf(name.group(1)))
            && !ProcFiles.exists(Integer.parseInt(name.group(1)))
            && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
            && own.equals(owner(file))) {
          left.add(file);
        }
      }
    }
    return left;
  }

  private static Object owner(Path path) throws IOException {
    return Files.getAttribute(path, "unix:uid");
  }

  private void remove(String task, List<Path> left, Set<String> used) throws IOException {
    long bytes = 0;
    int removed = 0;
    for (Path file : left) {
      if (!used.contains(file.toString())) {
        bytes += Files.size(file);
        Files.delete(file);
        removed++;
      }
    }
    if (removed > 0) {
      KeeperLog.line(
          "keeper: removed shared memory that "
              + task
              + " left: "
              + removed
              + " files in "
              + folder
              + ", "
              + bytes
              + " bytes");
    }
  }

  /** Returns the files in the folder that a process has mapped or open, of those one may see. */
  private Set<String> inUse() {
    Set<String> used = new HashSet<>();
    for (ProcStat process : ProcFiles.all()) {
      Path proc = Path.of("/proc", Integer.toString(process.pid()));
      try (Stream<String> maps = Files.lines(proc.resolve("maps"), ISO_8859_1)) {
        maps.filter(line -> line.contains(folder + "/"))
            .forEach(line -> used.add(line.substring(line.indexOf(folder + "/"))));
      } catch (IOException | UncheckedIOException gone) {
        continue; // or another user's, who cannot open files of this one
      }
      try (DirectoryStream<Path> open = Files.newDirectoryStream(proc.resolve("fd"))) {
        for (Path file : open) {
          used.add(target(file));
        }
      } catch (IOException | DirectoryIteratorException gone) {
        continue;
      }
    }
    return used;
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException closed) {
      return "";
    }
  }
}
