package io.remuda.agent.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this build, for people: what understands what is said by protocol versions. */
public final class BuildId {

  /** Version of the project, from a resource that Maven fills in. */
  public static final String VERSION = version();

  private BuildId() {}

  private static String version() {
    try (InputStream in = BuildId.class.getResourceAsStream("build.properties")) {
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    } catch (IOException fault) {
      throw new UncheckedIOException("build.properties", fault);
    }
  }
}
