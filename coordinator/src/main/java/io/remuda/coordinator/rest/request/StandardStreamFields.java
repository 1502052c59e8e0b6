package io.remuda.coordinator.rest.request;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.remuda.agent.protocol.SbatchScriptVariables;
import io.remuda.coordinator.jobfield.ContainerRows;
import io.remuda.coordinator.jobfield.FieldValues;
import io.remuda.coordinator.jobfield.JobField;
import io.remuda.coordinator.jobfield.ShortenedValues;
import io.remuda.coordinator.jobfield.StreamRows;
import io.remuda.coordinator.jobfield.SweepRows;
import io.remuda.coordinator.jobfield.WorkRows;
import io.remuda.json.PlainJson;
import io.remuda.worker.job.stream.StandardStreamTerms;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The fields of a {@link JobRequest} about the standard streams of its tasks. Those of a script for
 * sbatch may be in {@link SbatchScriptVariables#FILES}, too.
 */
final class StandardStreamFields {

  /** Most characters of the files of sbatch together. */
  private static final int MOST_FILES = 16 << 10;

  private final FieldValues request;

  /** The fields of the job, or those of sbatch in place of them. */
  private final FieldValues files;

  StandardStreamFields(FieldValues request) {
    this.request = request;
    String sbatch = request.or(WorkRows.ENV, Map.of()).get(SbatchScriptVariables.FILES);
    this.files = sbatch == null ? request : over(request, sbatch);
  }

  private static FieldValues over(FieldValues request, String text) {
    if (text.length() > MOST_FILES) {
      throw new IllegalArgumentException(
          SbatchScriptVariables.FILES
              + " has at most "
              + MOST_FILES
              + " characters, got "
              + text.length());
    }
    Map<String, Object> all = new LinkedHashMap<>(request.all());
    JsonNode read = parsed(text);
    boolean sound = read.isObject();
    for (JobField<?> field :
        List.of(StreamRows.STDIN, StreamRows.OUTPUT, StreamRows.ERROR, StreamRows.OPEN_MODE)) {
      JsonNode value = read.path(field.name());
      sound &= value.isTextual() || value.isNull() || value.isMissingNode();
      if (value.isTextual()) {
        all.put(field.name(), value.asText());
      }
    }
    if (!sound) {
      throw new IllegalArgumentException(
          SbatchScriptVariables.FILES
              + " must be an object of JSON with texts, got "
              + ShortenedValues.quoted(text));
    }
    return new FieldValues(all);
  }

  /** Returns what is no object for a text that is not JSON. */
  private static JsonNode parsed(String text) {
    try {
      return PlainJson.MAPPER.readTree(text);
    } catch (JsonProcessingException wrong) {
      return MissingNode.getInstance();
    }
  }

  /**
   * Returns the terms, null for a job without stdin of which the node keeps the output.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  StandardStreamTerms terms() {
    boolean streamed = request.or(StreamRows.STDIN_STREAM, false);
    if (!streamed
        && !files.hasAny(
            StreamRows.STDIN,
            StreamRows.STDIN_DATA,
            StreamRows.OUTPUT,
            StreamRows.ERROR,
            StreamRows.OPEN_MODE,
            StreamRows.TERMINAL)) {
      return null;
    }
    checkTerminal();
    checkData();
    return new StandardStreamTerms(
        files.get(StreamRows.STDIN),
        request.get(StreamRows.STDIN_DATA),
        streamed,
        files.get(StreamRows.OUTPUT),
        files.get(StreamRows.ERROR),
        isAppend(),
        !request.has(StreamRows.TERMINAL) ? null : size(),
        files.has(StreamRows.OUTPUT) && !request.has(StreamRows.OUTPUT));
  }

  private void checkTerminal() {
    if (!request.has(StreamRows.TERMINAL)) {
      return;
    }
    if (request.or(WorkRows.COUNT, 1) != 1) {
      throw new IllegalArgumentException(
          "a terminal requires a job of one task, got count " + request.get(WorkRows.COUNT));
    }
    Stream.of(SweepRows.ARRAY, SweepRows.LINES, SweepRows.ENTRIES, SweepRows.PARAMS, WorkRows.GANG)
        .filter(request::has)
        .findFirst()
        .ifPresent(
            field -> {
              throw new IllegalArgumentException(
                  "a terminal requires a job of one task: leave out " + field.name());
            });
    if (request.has(ContainerRows.CONTAINER)) {
      throw new IllegalArgumentException("a task in a container cannot have a terminal");
    }
  }

  private void checkData() {
    if (!request.has(StreamRows.STDIN_DATA)) {
      return;
    }
    int bytes;
    try {
      bytes = Base64.getDecoder().decode(request.get(StreamRows.STDIN_DATA)).length;
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
    String mode = files.or(StreamRows.OPEN_MODE, "truncate");
    if (!mode.equals("append") && !mode.equals("truncate")) {
      throw new IllegalArgumentException(
          "openMode must be truncate or append, got " + ShortenedValues.quoted(mode));
    }
    if (files.has(StreamRows.OPEN_MODE)
        && !files.has(StreamRows.OUTPUT)
        && !files.has(StreamRows.ERROR)) {
      throw new IllegalArgumentException("openMode requires output or error");
    }
    return mode.equals("append");
  }

  private StandardStreamTerms.Size size() {
    String text = request.get(StreamRows.TERMINAL);
    if (!text.matches("\\d{1,5}x\\d{1,5}")) {
      throw new IllegalArgumentException(
          "terminal must be ROWSxCOLUMNS, as 24x80, got " + ShortenedValues.quoted(text));
    }
    String[] numbers = text.split("x");
    return new StandardStreamTerms.Size(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
  }
}
