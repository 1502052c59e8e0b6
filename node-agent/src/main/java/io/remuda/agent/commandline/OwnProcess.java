package io.remuda.agent.commandline;

import io.remuda.agent.settings.ProcessArgumentsAndEnvironment;
import io.remuda.agent.settings.RemudaPaths;
import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The shell, or other process, that has started this process for one command. This is the edge: no
 * other class of a command line reads the environment and the standard streams of the process.
 */
public final class OwnProcess implements Caller {

  private static final Path STDIN = Path.of("/proc/self/fd/0");

  /**
   * Returns the arguments of {@code main} as they were typed.
   *
   * @param read the arguments as Java has decoded them
   * @throws io.remuda.agent.settings.NotUtf8Exception naming the first that is not UTF-8
   */
  public static String[] arguments(String[] read) {
    return ProcessArgumentsAndEnvironment.arguments(read);
  }

  /**
   * Puts the user's own locale back into the environment of a process that is about to start, if
   * {@code bin/remuda} has set another.
   */
  public static void restoreLocale(Map<String, String> environment) {
    ProcessArgumentsAndEnvironment.restoreLocale(environment);
  }

  @Override
  public Map<String, String> environment() {
    return ProcessArgumentsAndEnvironment.environment();
  }

  @Override
  public Map<String, String> readEnvironment() {
    return ProcessArgumentsAndEnvironment.readEnvironment();
  }

  @Override
  public Optional<String> variable(String name) {
    return ProcessArgumentsAndEnvironment.variable(name);
  }

  @Override
  public String folder() {
    return ProcessArgumentsAndEnvironment.folder();
  }

  @Override
  public Path resolve(Path typed) {
    return typed; // the folder of this process is the caller's
  }

  @Override
  public Path absolute(Path typed) {
    return typed.toAbsolutePath();
  }

  @Override
  public RemudaPaths paths() {
    return RemudaPaths.current();
  }

  @Override
  public InputStream in() {
    return new DataInputStream( // a FileInputStream alone seeks, which a pipe refuses
        new FileInputStream(FileDescriptor.in));
  }

  @Override
  public boolean hasInput() {
    try {
      String name = Files.readSymbolicLink(STDIN).toString();
      boolean closed = name.startsWith(System.getProperty("java.home")); // taken by the JVM
      return !closed
          && !name.equals("/dev/null")
          && !name.startsWith("/dev/pts/")
          && !name.startsWith("/dev/tty")
          && !name.equals("/dev/console");
    } catch (IOException closed) {
      return false;
    }
  }

  @Override
  public Optional<FileChannel> inputFile() {
    return Files.isRegularFile(STDIN)
        ? Optional.of(new FileInputStream(FileDescriptor.in).getChannel())
        : Optional.empty();
  }

  @Override
  public PrintStream out() {
    return System.out;
  }

  @Override
  public PrintStream err() {
    return System.err;
  }

  @Override
  public Charset charset() {
    return Charset.defaultCharset();
  }

  @Override
  public boolean isOwnProcess() {
    return true;
  }

  @Override
  public void passTo(ProcessBuilder child) {
    // a child of this process has all of it already, also what is not UTF-8
  }

  @Override
  public ProcessControl process() {
    return new OwnProcessControl();
  }
}
