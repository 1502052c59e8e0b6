package io.remuda.coordinator.cli.stream;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.remuda.agent.commandline.Caller;
import io.remuda.agent.protocol.SbatchScriptVariables;
import io.remuda.coordinator.cli.option.FieldOptions;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.console.TerminalStream;
import io.remuda.coordinator.jobfield.StreamRows;
import io.remuda.worker.job.stream.StandardStreamTerms;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.ParameterException;

/** What the options of a job's standard streams become in the HTTP interface. */
public final class StandardStreamOptions {

  /** Value of {@code --stdin} for this command's own stdin. */
  public static final String OWN = "-";

  private final FieldOptions given;
  private boolean sent;
  private TerminalStream.Size terminal;
  private String data;
  private boolean usual;

  public StandardStreamOptions(FieldOptions given) {
    this.given = given;
  }

  private String stdin() {
    return given.get(StreamRows.STDIN);
  }

  /** Returns whether the user has said what stdin is. */
  public boolean isInputStated() {
    return stdin() != null;
  }

  /** Returns whether stdin shall be this command's own. */
  public boolean isInputOwn() {
    return OWN.equals(stdin());
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
    if (stdin() != null) {
      return "--stdin";
    }
    if (given.get(StreamRows.OUTPUT) != null) {
      return "--output";
    }
    return given.get(StreamRows.ERROR) == null ? null : "--error";
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
      put(fields, "stdin", stdin());
    }
    put(fields, "terminal", terminal == null ? null : terminal.rows() + "x" + terminal.columns());
    put(fields, "output", ofSlurm(given.get(StreamRows.OUTPUT)));
    put(fields, "error", ofSlurm(given.get(StreamRows.ERROR)));
    boolean append = !usual || given.get(StreamRows.ERROR) != null;
    put(fields, "openMode", append ? given.get(StreamRows.OPEN_MODE) : null);
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
    String output = given.get(StreamRows.OUTPUT);
    usual = output == null && usualOutput != null;
    if (usual) {
      files.put("output", usualOutput);
      put(files, "openMode", given.get(StreamRows.OPEN_MODE));
    }
    if (numbered) {
      putNumbered(files, "output", output);
      putNumbered(files, "error", given.get(StreamRows.ERROR));
      putNumbered(files, "stdin", isInputOwn() || sent ? null : stdin());
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
    try (InputStream in = Caller.of(given.command()).in()) {
      bytes = in.readNBytes(StandardStreamTerms.MOST_INPUT + 1);
    } catch (IOException fault) {
      throw new UncheckedIOException("stdin cannot be read", fault);
    }
    if (bytes.length > StandardStreamTerms.MOST_INPUT) {
      throw new ParameterException(
          given.command().commandLine(),
          "--stdin - stores at most 256 KiB with the job, and there is more: write it to a file"
              + " that the node sees, and give --stdin FILE");
    }
    return bytes;
  }
}
