package io.remuda.coordinator.cli.stream;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.remuda.agent.commandline.Caller;
import io.remuda.agent.protocol.SbatchScriptVariables;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.console.TerminalStream;
import io.remuda.worker.job.stream.StandardStreamTerms;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of a job's standard streams, which become the fields of the HTTP interface. */
public final class StandardStreamOptions {

  /** Value of {@code --stdin} for this command's own stdin. */
  public static final String OWN = "-";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--stdin",
      paramLabel = "FILE",
      description =
          "file on the node that each task reads as stdin; -: the stdin of this command (docs/"
              + "output.md)")
  private String stdin;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description =
          "file on the node for the output, and errors without --error; %%j %%t %%n %%a %%x are"
              + " job, task, node, array index and name")
  private String output;

  @Option(
      names = {"-e", "--error"},
      paramLabel = "FILE",
      description = "file on the node for the errors")
  private String error;

  @Option(
      names = "--open-mode",
      paramLabel = "MODE",
      description = "what becomes of a file that is there: truncate (default) or append")
  private String openMode;

  private boolean sent;
  private TerminalStream.Size terminal;
  private String data;
  private boolean usual;

  /** Returns whether the user has said what stdin is. */
  public boolean isInputStated() {
    return stdin != null;
  }

  /** Returns whether stdin shall be this command's own. */
  public boolean isInputOwn() {
    return OWN.equals(stdin);
  }

  /** Says that stdin is sent while the job runs, so that it is not read now. */
  public void sendInput() {
    sent = true;
  }

  /** Says that the task has a terminal, of this size when it starts. */
  public void useTerminal(TerminalStream.Size size) {
    terminal = size;
  }

  /** Returns the option that a terminal excludes and that was given; null if there is none. */
  public String besideTerminal() {
    if (stdin != null) {
      return "--stdin";
    }
    if (output != null) {
      return "--output";
    }
    return error == null ? null : "--error";
  }

  /**
   * Returns the fields that were given; reads stdin if it is to be stored.
   *
   * @throws ParameterException if stdin is too long
   */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (sent) {
      fields.put("stdinStream", true);
    } else if (isInputOwn()) {
      fields.put("stdinData", ownInput());
    } else {
      put(fields, "stdin", stdin);
    }
    put(fields, "terminal", terminal == null ? null : terminal.rows() + "x" + terminal.columns());
    put(fields, "output", ofSlurm(output));
    put(fields, "error", ofSlurm(error));
    put(fields, "openMode", usual && error == null ? null : openMode);
    return fields;
  }

  /**
   * Returns the files as sbatch has them, where the fields cannot say it so that servers of earlier
   * builds understand them: as {@link SbatchScriptVariables#FILES}, or null if there are none.
   *
   * @param numbered whether each task has a number of its own, for which {@code %j} stands
   * @param usualOutput the file for stdout if none was given; null for none
   */
  public String filesOfSbatch(boolean numbered, String usualOutput) {
    Map<String, String> files = new LinkedHashMap<>();
    usual = output == null && usualOutput != null;
    if (usual) {
      files.put("output", usualOutput);
      put(files, "openMode", openMode);
    }
    if (numbered) {
      putNumbered(files, "output", output);
      putNumbered(files, "error", error);
      putNumbered(files, "stdin", isInputOwn() || sent ? null : stdin);
    }
    try {
      return files.isEmpty() ? null : RestClient.JSON.writeValueAsString(files);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Puts a path in which the task's own number stands. */
  private static void putNumbered(Map<String, String> files, String name, String path) {
    String own = path == null ? null : letter(path, "j", "J");
    if (own != null && !own.equals(path)) {
      files.put(name, ofSlurm(own));
    }
  }

  /** Returns a path with {@code %j} for Slurm's {@code %A}, the number of an array. */
  private static String ofSlurm(String path) {
    return path == null ? null : letter(path, "A", "j");
  }

  /** Returns a path in which a sign has another letter, and the same width. */
  private static String letter(String path, String from, String to) {
    return path.replaceAll("(?<!%)((?:%%)*)%(\\d{0,2})" + from, "$1%$2" + to);
  }

  private static <T> void put(Map<String, T> fields, String name, T value) {
    if (value != null) {
      fields.put(name, value);
    }
  }

  private String ownInput() {
    if (data == null) {
      data = Base64.getEncoder().encodeToString(read());
    }
    return data;
  }

  private byte[] read() {
    byte[] bytes;
    try (InputStream in = Caller.of(spec).in()) {
      bytes = in.readNBytes(StandardStreamTerms.MOST_INPUT + 1);
    } catch (IOException fault) {
      throw new UncheckedIOException("stdin cannot be read", fault);
    }
    if (bytes.length > StandardStreamTerms.MOST_INPUT) {
      throw new ParameterException(
          spec.commandLine(),
          "--stdin - stores at most 256 KiB with the job, and there is more: write it to a file"
              + " that the node sees, and give --stdin FILE");
    }
    return bytes;
  }
}
