package io.remuda.coordinator.cli.freeze;

import io.remuda.agent.commandline.Caller;
import io.remuda.agent.freeze.TreeEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The files of a working tree: of a git repository those that are tracked or not ignored, and links
 * to the ignored ones, such as data and results; without git all files of the folder.
 *
 * @param root absolute path
 * @param entries in order of their paths
 */
record WorkingTree(Path root, List<TreeEntry> entries) {

  /** The most bytes of all files. */
  static final long MOST_BYTES = 256L << 20;

  /** The most entries. */
  static final int MOST_ENTRIES = 50_000;

  private static final long MEBIBYTE = 1 << 20;
  private static final long GIT_SECONDS = 60;
  private static final List<String> CACHES = List.of("__pycache__", ".pytest_cache", ".git");

  /**
   * Returns the tree that a folder is in.
   *
   * @param folder absolute
   * @param caller whose git is asked
   */
  static WorkingTree of(Path folder, Caller caller) throws IOException, WorkingTreeFreezeException {
    Optional<List<String>> top = git(caller, folder, "rev-parse", "--show-toplevel");
    Path root = top.isPresent() ? Path.of(top.get().get(0).strip()) : folder.toRealPath();
    TreeMap<String, TreeEntry.Kind> found = new TreeMap<>();
    if (top.isPresent()) {
      addRepository(caller, root, "", found);
    } else {
      addAll(root, "", found);
    }
    WorkingTree tree =
        new WorkingTree(
            root,
            found.entrySet().stream()
                .map(entry -> new TreeEntry(entry.getKey(), entry.getValue()))
                .toList());
    tree.check();
    return tree;
  }

  private static void addRepository(
      Caller caller, Path root, String below, TreeMap<String, TreeEntry.Kind> found)
      throws IOException, WorkingTreeFreezeException {
    Path folder = root.resolve(below);
    List<String> files = listed(caller, folder, "--cached", "--others", "--exclude-standard");
    for (String name : files) {
      String path = below + (name.endsWith("/") ? name.substring(0, name.length() - 1) : name);
      Path file = root.resolve(path);
      if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) { // a repository in this one
        found.put(path, TreeEntry.Kind.FOLDER);
        if (Files.exists(file.resolve(".git"))) {
          addRepository(caller, root, path + "/", found);
        } else {
          addAll(root, path + "/", found);
        }
      } else {
        add(root, path, found);
      }
    }
    for (String name :
        listed(caller, folder, "--others", "--ignored", "--exclude-standard", "--directory")) {
      String path = below + (name.endsWith("/") ? name.substring(0, name.length() - 1) : name);
      String last = path.substring(path.lastIndexOf('/') + 1);
      if (!CACHES.contains(last) && !last.endsWith(".pyc")) {
        found.putIfAbsent(path, TreeEntry.Kind.ORIGINAL);
      }
    }
  }

  private static List<String> listed(Caller caller, Path folder, String... options)
      throws IOException, WorkingTreeFreezeException {
    List<String> words = new ArrayList<>(List.of("ls-files", "-z"));
    words.addAll(List.of(options));
    return git(caller, folder, words.toArray(String[]::new))
        .orElseThrow(
            () -> new WorkingTreeFreezeException("git cannot list the files of " + folder));
  }

  private static void addAll(Path root, String below, TreeMap<String, TreeEntry.Kind> found)
      throws IOException, WorkingTreeFreezeException {
    try (Stream<Path> tree = Files.walk(root.resolve(below))) {
      for (Path file : (Iterable<Path>) tree::iterator) {
        String path = root.relativize(file).toString();
        if (path.isEmpty() || Arrays.asList(path.split("/")).contains(".git")) {
          continue;
        }
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
          found.put(path, TreeEntry.Kind.FOLDER);
        } else {
          add(root, path, found);
        }
        if (found.size() > MOST_ENTRIES) {
          throw tooMany(root);
        }
      }
    } catch (UncheckedIOException unreadable) {
      throw new WorkingTreeFreezeException(unreadable.getMessage());
    }
  }

  /** Adds a file or link; sockets and pipes, and files that were removed, are left out. */
  private static void add(Path root, String path, TreeMap<String, TreeEntry.Kind> found) {
    Path file = root.resolve(path);
    if (Files.isSymbolicLink(file)) {
      found.put(path, TreeEntry.Kind.LINK);
    } else if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      found.put(path, TreeEntry.Kind.FILE);
    }
  }

  private static WorkingTreeFreezeException tooMany(Path root) {
    return new WorkingTreeFreezeException(
        root
            + " has more than "
            + MOST_ENTRIES
            + " files: list data and results in a .gitignore of a git repository, or freeze a"
            + " smaller folder");
  }

  private void check() throws IOException, WorkingTreeFreezeException {
    if (entries.size() > MOST_ENTRIES) {
      throw tooMany(root);
    }
    long sum = 0;
    long largest = -1;
    String which = "";
    for (TreeEntry entry : entries) {
      if (entry.kind() == TreeEntry.Kind.FILE) {
        long size = Files.size(root.resolve(entry.path()));
        sum += size;
        which = size > largest ? entry.path() : which;
        largest = Math.max(largest, size);
      }
    }
    if (sum > MOST_BYTES) {
      throw new WorkingTreeFreezeException(
          root
              + " has "
              + sum / MEBIBYTE
              + " MiB of files to freeze, at most "
              + MOST_BYTES / MEBIBYTE
              + " are kept; the largest is "
              + which
              + ": list it in .gitignore, and the copy has a link to it");
    }
  }

  /** Returns what git prints, split at NUL; empty if it fails, as outside of a repository. */
  private static Optional<List<String>> git(Caller caller, Path folder, String... words)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
    command.addAll(List.of(words));
    Process git;
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
      caller.passTo(builder);
      git = builder.start();
    } catch (IOException noGit) {
      return Optional.empty();
    }
    String text = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (!git.waitFor(GIT_SECONDS, TimeUnit.SECONDS) || git.exitValue() != 0) {
        git.destroyForcibly();
        return Optional.empty();
      }
    } catch (InterruptedException stopped) {
      git.destroyForcibly();
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
    return Optional.of(text.isEmpty() ? List.of() : List.of(text.split("\0")).stream().toList());
  }
}
