package io.remuda.coordinator.testkit;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A release as it is installed: a link to the folder of one build, which can be replaced by another
 * build while programs of the first run.
 */
public final class Release {

  private static final List<String> JARS = List.of("coordinator.jar", "node-agent.jar");
  private static final String VERSION = "io/remuda/agent/protocol/build.properties";

  private final Path link;

  /** Installs a build. */
  public Release(Installation build, Path folder) throws IOException {
    this.link = Files.createSymbolicLink(folder.resolve("release"), build.dist());
  }

  /** The installation by way of the link. */
  public Installation installation() {
    return new Installation(link, link.resolveSibling("cache"));
  }

  /**
   * Replaces the build by another one, or by the same, which then says that it has this version.
   */
  public void replaceBy(Installation build, String version) throws IOException {
    Path next = Files.createDirectory(link.resolveSibling("release-" + version));
    try (Stream<Path> parts = Files.list(build.dist())) {
      for (Path part : parts.toList()) {
        Path there = next.resolve(part.getFileName());
        if (JARS.contains(part.getFileName().toString())) {
          Files.copy(part, there);
          write(there, version);
        } else {
          Files.createSymbolicLink(there, part);
        }
      }
    }
    Path moved = Files.createSymbolicLink(link.resolveSibling("release-new"), next);
    Files.move(moved, link, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void write(Path jar, String version) throws IOException {
    try (FileSystem inside =
        FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of())) {
      Files.writeString(inside.getPath(VERSION), "version=" + version + "\n");
    }
  }
}
