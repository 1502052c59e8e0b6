package io.remuda.agent.commandline;

import io.remuda.agent.settings.RemudaPaths;
import java.io.FilterInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A Java program that runs a command within its own process. Several commands may run at the same
 * time, each with a caller of its own; none of them has a terminal, or touches the process.
 */
public final class EmbeddedCaller implements Caller {

  /** Where programs are looked for without PATH, as execvp(3) does. */
  private static final String PATH_OF_NONE = "/bin:/usr/bin";

  private final Map<String, String> environment;
  private final Path folder;
  private final InputStream in;
  private final boolean hasInput;
  private final PrintStream out;
  private final PrintStream err;

  /**
   * Text is in UTF-8. The streams are flushed and never closed.
   *
   * @param environment all variables that the command sees
   * @param folder its working folder
   * @param in its standard input; null for none, as {@code /dev/null} is
   */
  public EmbeddedCaller(
      Map<String, String> environment,
      Path folder,
      InputStream in,
      OutputStream out,
      OutputStream err) {
    this.environment = Map.copyOf(environment);
    this.folder = folder.toAbsolutePath().normalize();
    this.in = new NotClosed(in == null ? InputStream.nullInputStream() : in);
    this.hasInput = in != null;
    this.out = new PrintStream(out, true, StandardCharsets.UTF_8);
    this.err = new PrintStream(err, true, StandardCharsets.UTF_8);
  }

  /** A stream of somebody else. */
  private static final class NotClosed extends FilterInputStream {
    private NotClosed(InputStream in) {
      super(in);
    }

    @Override
    public void close() {
      // by the one who has opened it
    }
  }

  @Override
  public Map<String, String> environment() {
    return environment;
  }

  @Override
  public Map<String, String> readEnvironment() {
    return environment;
  }

  @Override
  public Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name));
  }

  @Override
  public String folder() {
    return folder.toString();
  }

  @Override
  public Path resolve(Path typed) {
    return folder.resolve(typed);
  }

  @Override
  public Path absolute(Path typed) {
    return folder.resolve(typed);
  }

  @Override
  public RemudaPaths paths() {
    String home = environment.getOrDefault("HOME", "");
    Path user = Path.of(home.isBlank() ? System.getProperty("user.home") : home);
    return RemudaPaths.of(environment, folder.resolve(user), folder);
  }

  @Override
  public InputStream in() {
    return in;
  }

  @Override
  public boolean hasInput() {
    return hasInput;
  }

  @Override
  public Optional<FileChannel> inputFile() {
    return Optional.empty();
  }

  @Override
  public PrintStream out() {
    return out;
  }

  @Override
  public PrintStream err() {
    return err;
  }

  @Override
  public Charset charset() {
    return StandardCharsets.UTF_8;
  }

  @Override
  public boolean isOwnProcess() {
    return false;
  }

  @Override
  public void passTo(ProcessBuilder child) {
    child.environment().clear();
    child.environment().putAll(environment);
    if (child.directory() == null) {
      child.directory(folder.toFile());
    }
    List<String> words = new ArrayList<>(child.command());
    words.set(0, program(words.get(0)));
    child.command(words); // Java would look in the PATH of this process
  }

  /** Where the program is; where it was looked for first if it is nowhere, for the fault to say. */
  private String program(String name) {
    if (name.indexOf('/') >= 0) {
      return name;
    }
    String path = environment.getOrDefault("PATH", "");
    List<Path> places =
        Stream.of((path.isEmpty() ? PATH_OF_NONE : path).split(":", -1))
            .map(place -> folder.resolve(place).resolve(name))
            .toList();
    return places.stream()
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst()
        .orElse(places.get(0))
        .toString();
  }

  @Override
  public ProcessControl process() {
    return ProcessControl.NONE;
  }
}
