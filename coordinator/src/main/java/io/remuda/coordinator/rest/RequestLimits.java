package io.remuda.coordinator.rest;

import io.remuda.coordinator.store.JobRow;
import java.util.Map;

/**
 * How much of each field of a request is taken. This is the only table of it: requests over HTTP
 * and jobs in a file are read by it, and openapi.json and docs/job-file.schema.json say the same,
 * which a test compares.
 */
public final class RequestLimits {

  /**
   * Of one field.
   *
   * @param items of a list or a map; 1 for a text
   * @param name characters, as Unicode counts them, of each name of a map, else 0
   * @param text characters of each text
   */
  public record FieldLimit(int items, int name, int text) {}

  /** Bytes of a submission. */
  static final int BODY = 16 << 20;

  /** Bytes of all other requests. */
  static final int SMALL_BODY = 1 << 20;

  /** Jobs of one submission. */
  public static final int JOBS = 10_000;

  /** Texts, names and numbers of one request; each takes far more memory than it has characters. */
  static final int VALUES = 1_000_000;

  /** Objects and lists in each other; no request has more than four. */
  public static final int DEPTH = 16;

  /** Characters of a number. */
  static final int NUMBER = 100;

  /** Characters of the name of a field, or of a variable. */
  public static final int NAME = 1000;

  /** Characters of all arguments and the environment of a job, so of each of them. */
  public static final int COMMAND = 500_000;

  private static final int WORD = 200;
  private static final int USER = 63;
  private static final int QUANTITY = 50;
  private static final int PATH = 4096;
  private static final int TYPE = 500;

  /** Of the end of an error more is sent than is kept. */
  private static final int ERROR = 100_000;

  private static final Map<Class<?>, Map<String, FieldLimit>> ALL =
      Map.of(
          JobRequest.class,
          Map.ofEntries(
              Map.entry("name", text(WORD)),
              Map.entry("argv", list(100_000, COMMAND)),
              Map.entry("shell", text(COMMAND)),
              Map.entry("env", new FieldLimit(10_000, NAME, COMMAND)),
              Map.entry("workdir", text(PATH)),
              Map.entry("umask", text(4)),
              Map.entry("mem", text(QUANTITY)),
              Map.entry("gpuMem", text(QUANTITY)),
              Map.entry("gpuModel", text(WORD)),
              Map.entry("labels", new FieldLimit(100, WORD, WORD)),
              Map.entry("policy", text(QUANTITY)),
              Map.entry("after", list(10_000, WORD + ":fail".length())),
              Map.entry("timeLimit", text(QUANTITY)),
              Map.entry("grace", text(QUANTITY)),
              Map.entry("signal", text(QUANTITY)),
              Map.entry("type", text(TYPE)),
              Map.entry("clientKey", text(JobRow.MOST_KEY))),
          LeaseRequest.class,
          Map.of(
              "type", text(TYPE),
              "gpuMem", text(QUANTITY),
              "gpuModel", text(WORD),
              "devices", list(1000, WORD),
              "policy", text(QUANTITY),
              "clientKey", text(JobRow.MOST_KEY)),
          LeaseRequest.Process.class,
          Map.of("machine", text(WORD), "program", text(PATH)),
          LeaseRoutes.Release.class,
          Map.of("error", text(ERROR)),
          ProfileRoutes.Forget.class,
          Map.of("type", text(TYPE), "user", text(WORD)),
          ServerRoutes.NewUser.class,
          Map.of("name", text(USER)));

  private RequestLimits() {}

  private static FieldLimit text(int characters) {
    return new FieldLimit(1, 0, characters);
  }

  private static FieldLimit list(int items, int characters) {
    return new FieldLimit(items, 0, characters);
  }

  /** The limits of a kind of request, by field; fields that are numbers have none. */
  public static Map<String, FieldLimit> of(Class<?> request) {
    return ALL.getOrDefault(request, Map.of());
  }

  /**
   * Of one field.
   *
   * @throws IllegalStateException if the table lacks it
   */
  static FieldLimit of(Class<?> request, String field) {
    FieldLimit limit = of(request).get(field);
    if (limit == null) {
      throw new IllegalStateException(request.getName() + "." + field + " has no limit");
    }
    return limit;
  }
}
