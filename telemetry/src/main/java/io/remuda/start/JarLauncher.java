package io.remuda.start;

import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.jar.Manifest;

/**
 * Checks the Java version, then runs the main class that the jar's manifest names as {@code
 * Remuda-Main}. Only this class is compiled for Java 8, because an older Java cannot load the other
 * classes.
 */
public final class JarLauncher {

  private static final int NEEDED = 17;

  private JarLauncher() {}

  /** Runs the program, or exits with status 1 and a one-line message if this Java is too old. */
  public static void main(String[] arguments) throws Exception {
    String version = System.getProperty("java.specification.version");
    if (Double.parseDouble(version) < NEEDED) {
      System.err.println(
          "remuda: this is Java "
              + version
              + " ("
              + System.getProperty("java.home")
              + "): install Java "
              + NEEDED
              + " or newer, or set JAVA_HOME to it");
      System.exit(1);
    }
    try {
      Class.forName(program()).getMethod("main", String[].class).invoke(null, (Object) arguments);
    } catch (InvocationTargetException failure) {
      throw failure.getCause() instanceof Exception ? (Exception) failure.getCause() : failure;
    }
  }

  private static String program() throws Exception {
    try (InputStream in =
        JarLauncher.class.getClassLoader().getResourceAsStream("META-INF/MANIFEST.MF")) {
      return new Manifest(in).getMainAttributes().getValue("Remuda-Main");
    }
  }
}
