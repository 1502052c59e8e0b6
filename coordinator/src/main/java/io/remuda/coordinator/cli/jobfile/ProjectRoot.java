package io.remuda.coordinator.cli.jobfile;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/**
 * Finds the project that a folder belongs to, by which equal commands of different projects are
 * told apart.
 */
final class ProjectRoot {

  /** Names of files and folders of which a project's folder has at least one. */
  static final List<String> MARKERS =
      List.of(
          ".git",
          ".hg",
          ".svn",
          "pyproject.toml",
          "setup.py",
          "setup.cfg",
          "pom.xml",
          "build.gradle",
          "build.gradle.kts",
          "package.json",
          "Cargo.toml",
          "go.mod");

  private ProjectRoot() {}

  /**
   * Returns the nearest of the folder and its parents that has a marker; the folder itself if none
   * has. The home folder and the root are no projects of the folders below them, since a stray file
   * there would make one project of everything.
   *
   * @param folder absolute; it need not exist here
   * @param home the user's home folder, or null
   */
  static String of(String folder, String home) {
    try {
      Path end = home == null ? null : Path.of(home);
      return root(Path.of(folder).normalize(), end).toString();
    } catch (InvalidPathException notOfThisLocale) {
      return folder;
    }
  }

  private static Path root(Path folder, Path home) {
    for (Path at = folder; isBelow(at, home); at = at.getParent()) {
      if (MARKERS.stream().map(at::resolve).anyMatch(ProjectRoot::isThere)) {
        return at;
      }
    }
    return folder;
  }

  private static boolean isBelow(Path at, Path home) {
    return at.getParent() != null && !at.equals(home);
  }

  private static boolean isThere(Path marker) {
    return Files.exists(marker, LinkOption.NOFOLLOW_LINKS);
  }
}
