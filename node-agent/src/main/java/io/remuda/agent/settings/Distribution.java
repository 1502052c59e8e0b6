package io.remuda.agent.settings;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The folder with the jars of one release; each jar finds its siblings by its own location.
 *
 * @param home the folder
 */
public record Distribution(Path home) {

  /** Overrides the folder, for programs that run from classes. */
  public static final String PROPERTY = "remuda.dist";

  /**
   * Where this class was loaded from.
   *
   * @throws IOException if the sibling jars are not there
   */
  public static Distribution locate() throws IOException {
    String given = System.getProperty(PROPERTY);
    Distribution found =
        new Distribution(given != null ? Path.of(given).toAbsolutePath() : ownFolder());
    for (Path jar : List.of(found.agentJar(), found.workerJar())) {
      if (!Files.isRegularFile(jar)) {
        throw new IOException(
            jar
                + " is missing: run from the dist folder that `mvn package` makes, or set -D"
                + PROPERTY
                + "=FOLDER");
      }
    }
    return found;
  }

  private static Path ownFolder() throws IOException {
    try {
      return Path.of(Distribution.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .getParent();
    } catch (URISyntaxException fault) {
      throw new IOException("cannot tell where this program was loaded from", fault);
    }
  }

  public Path agentJar() {
    return home.resolve("node-agent.jar");
  }

  public Path workerJar() {
    return home.resolve("job-worker.jar");
  }

  /** The class path of a worker, with libtorch or without. */
  public String workerClassPath(boolean torch) {
    return torch ? workerJar() + ":" + home.resolve("lib/torch") + "/*" : workerJar().toString();
  }

  /** The java that runs this program. */
  public static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }
}
