package io.remuda.agent.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this build, for people: what understands what is said by protocol versions. */
public final class BuildVersion {

  /** Version of the project, from a resource that Maven fills in. */
  public static final String VERSION = version();

  private BuildVersion() {}

  private static String version() {
    try (InputStream in = BuildVersion.class.getResourceAsStream("build.properties")) {
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    } catch (IOException fault) {
      throw new UncheckedIOException("build.properties", fault);
    }
  }
}
