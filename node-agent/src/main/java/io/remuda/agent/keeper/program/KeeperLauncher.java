package io.remuda.agent.keeper.program;

import io.remuda.agent.keeper.proc.KeeperFolder;
import java.io.File;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Starts a keeper that outlives the process that starts it. */
public final class KeeperLauncher {
  /** JVM flags that keep a keeper small. */
  public static final List<String> JVM_FLAGS =
      List.of(
          "-Xmx24m",
          "-Xms4m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xss256k",
          "-XX:ReservedCodeCacheSize=16m",
          "-XX:-UsePerfData",
          "-XX:-MaxFDLimit"); // tasks inherit the limit

  private static final long START_MILLIS = 15_000;
  private static final long LOOK_MILLIS = 20;

  private KeeperLauncher() {}

  /**
   * Starts a keeper and waits until it listens.
   *
   * @param javaHome holds bin/java
   * @param jvmFlags usually {@link #JVM_FLAGS}
   * @param jarOrClassPath a jar, or a class path with ':'
   * @param env the keeper's environment; tasks inherit none of it
   * @param log is appended to
   * @return the keeper's process; it leaves the session of this process and outlives it
   * @throws IOException if it does not listen in time; the message has the last line of its log
   */
  public static Process launch(
      Path javaHome,
      List<String> jvmFlags,
      Path jarOrClassPath,
      Path nodeFolder,
      Map<String, String> env,
      Path log)
      throws IOException {
    KeeperFolder folder = new KeeperFolder(nodeFolder);
    Process process = start(javaHome, jvmFlags, jarOrClassPath, folder, env, log);
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MILLIS);
    try {
      while (!accepts(folder, process)) {
        if (process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
          throw new IOException(
              "the keeper ended at its start with code "
                  + process.exitValue()
                  + ": "
                  + lastLine(log));
        }
        if (System.nanoTime() > deadline) {
          process.destroyForcibly();
          throw new IOException(
              "the keeper does not listen after " + START_MILLIS + " ms: " + lastLine(log));
        }
      }
      return process;
    } catch (InterruptedException stopped) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the keeper started", stopped);
    }
  }

  private static Process start(
      Path javaHome,
      List<String> jvmFlags,
      Path jarOrClassPath,
      KeeperFolder folder,
      Map<String, String> env,
      Path log)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(javaHome.resolve("bin/java").toString());
    command.addAll(jvmFlags);
    command.add("-cp");
    command.add(absolute(jarOrClassPath.toString()));
    command.add(KeeperMain.class.getName());
    command.add(folder.path().toString());
    ProcessBuilder builder = new ProcessBuilder(command).directory(new File("/"));
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.putAll(env);
    environment.putIfAbsent("MALLOC_ARENA_MAX", "1");
    environment.put("LC_ALL", "C.UTF-8"); // paths of tasks may hold any character
    builder.redirectInput(new File("/dev/null"));
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    return builder.start();
  }

  private static String absolute(String classPath) {
    List<String> parts = new ArrayList<>();
    for (String part : classPath.split(File.pathSeparator)) {
      parts.add(Path.of(part).toAbsolutePath().toString());
    }
    return String.join(File.pathSeparator, parts);
  }

  /** Checks the pid too: an older keeper may listen until ours has found the folder locked. */
  private static boolean accepts(KeeperFolder folder, Process process) {
    if (!folder.pidText().equals(Long.toString(process.pid()))) {
      return false;
    }
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return channel.connect(UnixDomainSocketAddress.of(folder.socket()));
    } catch (IOException notYet) {
      return false;
    }
  }

  /** Returns the last line of the log and the path of the log. */
  private static String lastLine(Path log) throws IOException {
    String text = Files.exists(log) ? Files.readString(log).strip() : "";
    return text.substring(text.lastIndexOf('\n') + 1) + " (" + log + ")";
  }
}
