package io.remuda.agent.protocol;

/** Which build this is. */
public final class Build {

  /** The version in the jar's manifest, or {@code dev} when run from classes. */
  public static final String VERSION = version();

  private Build() {}

  private static String version() {
    String version = Build.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }
}
