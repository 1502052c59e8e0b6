package io.remuda.coordinator.rest.request;

import io.remuda.worker.job.stream.StandardStreamTerms;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** The fields of a {@link JobRequest} about the standard streams of its tasks. */
final class StandardStreamFields {

  private final JobRequest request;

  StandardStreamFields(JobRequest request) {
    this.request = request;
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
            || request.stdin() != null
            || request.stdinData() != null
            || request.output() != null
            || request.error() != null
            || request.openMode() != null
            || request.terminal() != null;
    if (!stated) {
      return null;
    }
    checkTerminal();
    checkData();
    return new StandardStreamTerms(
        request.stdin(),
        request.stdinData(),
        streamed,
        request.output(),
        request.error(),
        isAppend(),
        request.terminal() == null ? null : size());
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
    String mode = JobRequest.or(request.openMode(), "truncate");
    if (!mode.equals("append") && !mode.equals("truncate")) {
      throw new IllegalArgumentException(
          "openMode must be truncate or append, got " + ShortenedValues.quoted(mode));
    }
    if (request.openMode() != null && request.output() == null && request.error() == null) {
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
