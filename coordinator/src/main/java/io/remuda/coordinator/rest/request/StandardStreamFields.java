package io.remuda.coordinator.rest.request;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.agent.protocol.SbatchScriptVariables;
import io.remuda.worker.job.stream.StandardStreamTerms;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The fields of a {@link JobRequest} about the standard streams of its tasks. Those of a script for
 * sbatch may be in {@link SbatchScriptVariables#FILES}, too.
 */
final class StandardStreamFields {

  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /** Most characters of the files of sbatch together. */
  private static final int MOST_FILES = 16 << 10;

  private final JobRequest request;
  private final FileFields files;

  StandardStreamFields(JobRequest request) {
    this.request = request;
    this.files = FileFields.of(request);
  }

  /** The fields that name files, null where nothing is said. */
  private record FileFields(String stdin, String output, String error, String openMode) {

    /** Returns those of sbatch and, where it says nothing, those of the job. */
    static FileFields of(JobRequest request) {
      FileFields given =
          new FileFields(request.stdin(), request.output(), request.error(), request.openMode());
      String sbatch =
          JobRequest.or(request.env(), Map.<String, String>of()).get(SbatchScriptVariables.FILES);
      return sbatch == null ? given : read(sbatch).or(given);
    }

    private static FileFields read(String text) {
      if (text.length() > MOST_FILES) {
        throw new IllegalArgumentException(
            SbatchScriptVariables.FILES
                + " has at most "
                + MOST_FILES
                + " characters, got "
                + text.length());
      }
      try {
        FileFields read = JSON.readValue(text, FileFields.class);
        if (read != null) {
          return read;
        }
      } catch (JsonProcessingException wrong) {
        // told below
      }
      throw new IllegalArgumentException(
          SbatchScriptVariables.FILES
              + " must be an object of JSON with texts, got "
              + ShortenedValues.quoted(text));
    }

    private FileFields or(FileFields other) {
      return new FileFields(
          JobRequest.or(stdin, other.stdin),
          JobRequest.or(output, other.output),
          JobRequest.or(error, other.error),
          JobRequest.or(openMode, other.openMode));
    }
  }

  /**
   * Returns the terms, null for a job without stdin of which the node keeps the output.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  StandardStreamTerms terms() {
    boolean streamed = JobRequest.or(request.stdinStream(), false);
    boolean stated =
        streamed
            || files.stdin() != null
            || request.stdinData() != null
            || files.output() != null
            || files.error() != null
            || files.openMode() != null
            || request.terminal() != null;
    if (!stated) {
      return null;
    }
    checkTerminal();
    checkData();
    return new StandardStreamTerms(
        files.stdin(),
        request.stdinData(),
        streamed,
        files.output(),
        files.error(),
        isAppend(),
        request.terminal() == null ? null : size(),
        files.output() != null && request.output() == null);
  }

  private void checkTerminal() {
    if (request.terminal() == null) {
      return;
    }
    if (JobRequest.or(request.count(), 1) != 1) {
      throw new IllegalArgumentException(
          "a terminal wants a job of one task, got count " + request.count());
    }
    Map<String, Object> several = new LinkedHashMap<>();
    several.put("array", request.array());
    several.put("lines", request.lines());
    several.put("entries", request.entries());
    several.put("params", request.params());
    several.put("gang", request.gang());
    several.forEach(
        (name, value) -> {
          if (value != null) {
            throw new IllegalArgumentException(
                "a terminal wants a job of one task: leave out " + name);
          }
        });
    if (request.container() != null) {
      throw new IllegalArgumentException("a task in a container cannot have a terminal");
    }
  }

  private void checkData() {
    if (request.stdinData() == null) {
      return;
    }
    int bytes;
    try {
      bytes = Base64.getDecoder().decode(request.stdinData()).length;
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("stdinData must be base64: " + wrong.getMessage(), wrong);
    }
    if (bytes > StandardStreamTerms.MOST_INPUT) {
      throw new IllegalArgumentException(
          "stdinData has at most "
              + StandardStreamTerms.MOST_INPUT
              + " bytes, got "
              + bytes
              + ": for more give the path of a file as stdin");
    }
  }

  private boolean isAppend() {
    String mode = JobRequest.or(files.openMode(), "truncate");
    if (!mode.equals("append") && !mode.equals("truncate")) {
      throw new IllegalArgumentException(
          "openMode must be truncate or append, got " + ShortenedValues.quoted(mode));
    }
    if (files.openMode() != null && files.output() == null && files.error() == null) {
      throw new IllegalArgumentException("openMode wants output or error");
    }
    return mode.equals("append");
  }

  private StandardStreamTerms.Size size() {
    String text = request.terminal();
    if (!text.matches("\\d{1,5}x\\d{1,5}")) {
      throw new IllegalArgumentException(
          "terminal must be ROWSxCOLUMNS, as 24x80, got " + ShortenedValues.quoted(text));
    }
    String[] numbers = text.split("x");
    return new StandardStreamTerms.Size(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
  }
}
