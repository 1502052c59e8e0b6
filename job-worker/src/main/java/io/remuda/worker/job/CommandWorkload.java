package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.worker.job.stream.StandardStreamTerms;
import io.remuda.worker.job.sweep.PlaceholderSubstitution;
import io.remuda.worker.job.sweep.TaskParameters;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Runs a user's command unchanged.
 *
 * @param argv program and arguments, passed to the program without a shell
 * @param environment the complete environment; nothing else is inherited
 * @param folder absolute path of the working folder
 * @param umask umask of the process, 0 to 0777
 * @param container the container that it runs in, or null for none
 * @param launch how its process is started; null for the usual way
 * @param streams where its standard streams come from and go to; null for no stdin, and the task's
 *     own files
 */
public record CommandWorkload(
    List<String> argv,
    Map<String, String> environment,
    String folder,
    int umask,
    @JsonInclude(JsonInclude.Include.NON_NULL) ContainerTerms container,
    @JsonInclude(JsonInclude.Include.NON_NULL) PinAndFreezeTerms launch,
    @JsonInclude(JsonInclude.Include.NON_NULL) StandardStreamTerms streams)
    implements Workload {

  private static final int ALL_BITS = 0777;

  public CommandWorkload {
    argv = List.copyOf(argv);
    environment = Map.copyOf(environment);
    Objects.requireNonNull(folder, "folder");
    if (argv.isEmpty() || argv.get(0).isEmpty()) {
      throw new IllegalArgumentException("argv names no program");
    }
    argv.forEach(argument -> RecordChecks.noNul("argv", argument));
    environment.forEach(CommandWorkload::checkVariable);
    RecordChecks.noNul("folder", folder);
    if (!folder.startsWith("/")) {
      throw new IllegalArgumentException("folder must be absolute, got '" + folder + "'");
    }
    if (umask < 0 || umask > ALL_BITS) {
      throw new IllegalArgumentException(
          "umask must be 0 to 0777, got 0" + Integer.toOctalString(umask));
    }
  }

  /** Creates a command without a container. */
  public CommandWorkload(
      List<String> argv, Map<String, String> environment, String folder, int umask) {
    this(argv, environment, folder, umask, null, null, null);
  }

  /** Creates a command that is started in the usual way, without stdin and files of its own. */
  public CommandWorkload(
      List<String> argv,
      Map<String, String> environment,
      String folder,
      int umask,
      ContainerTerms container) {
    this(argv, environment, folder, umask, container, null, null);
  }

  /** Creates a command without stdin and files of its own. */
  public CommandWorkload(
      List<String> argv,
      Map<String, String> environment,
      String folder,
      int umask,
      ContainerTerms container,
      PinAndFreezeTerms launch) {
    this(argv, environment, folder, umask, container, launch, null);
  }

  /** Returns a copy with another environment. */
  public CommandWorkload in(Map<String, String> other) {
    return new CommandWorkload(argv, other, folder, umask, container, launch, streams);
  }

  /** Returns the command of one task; the same object if nothing in it stands for a value. */
  public CommandWorkload filled(TaskParameters own) {
    List<String> words = own.filled(argv);
    Map<String, String> changed = changed(own);
    if (words == argv && changed.isEmpty()) {
      return this;
    }
    Map<String, String> variables = new HashMap<>(environment);
    variables.putAll(changed);
    return new CommandWorkload(words, variables, folder, umask, container, launch, streams);
  }

  /** Returns the variables in whose texts something stands for a value, with the value. */
  public Map<String, String> changed(TaskParameters own) {
    Map<String, String> changed = new HashMap<>();
    if (own.values().isEmpty()) {
      return changed;
    }
    environment.forEach(
        (name, text) -> {
          String filled = PlaceholderSubstitution.filled(text, own.values());
          if (filled != text) {
            changed.put(name, filled);
          }
        });
    return changed;
  }

  /** Returns a copy with other streams; null for none of a user's choice. */
  public CommandWorkload withStreams(StandardStreamTerms other) {
    return new CommandWorkload(argv, environment, folder, umask, container, launch, other);
  }

  /** Returns a copy with another working folder. */
  public CommandWorkload inFolder(String other) {
    return new CommandWorkload(argv, environment, other, umask, container, launch, streams);
  }

  /**
   * Returns the number of characters in arguments, environment and streams, an estimate of the
   * message size.
   */
  public long size() {
    long size = streams == null ? 0 : streams.size();
    for (String argument : argv) {
      size += argument.length();
    }
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      size += variable.getKey().length() + variable.getValue().length();
    }
    return size;
  }

  private static void checkVariable(String name, String value) {
    if (name.isEmpty() || name.indexOf('=') >= 0) {
      throw new IllegalArgumentException("environment has a bad name '" + name + "'");
    }
    RecordChecks.noNul("environment", name);
    RecordChecks.noNul("environment", value);
  }
}
