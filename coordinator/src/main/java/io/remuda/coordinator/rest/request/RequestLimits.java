package io.remuda.coordinator.rest.request;

import io.remuda.coordinator.api.JobNumbers;
import io.remuda.coordinator.rest.request.batch.JobBatchRequest;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.worker.job.NotificationTerms;
import io.remuda.worker.job.sweep.Sweep;
import java.util.Map;

/**
 * The size limits of the fields of requests, over HTTP and in job files. openapi.json and
 * docs/job-file.schema.json repeat them; a test compares these.
 */
public final class RequestLimits {

  /**
   * The limits of one field.
   *
   * @param items maximum entries of a list or a map; 1 for a text
   * @param name maximum Unicode characters of each name of a map, otherwise 0
   * @param text maximum Unicode characters of each text
   */
  public record FieldLimit(int items, int name, int text) {}

  /** Maximum jobs of a submission. */
  public static final int JOBS = 10_000;

  /** Maximum texts, names and numbers of a request; each has a large overhead in memory. */
  static final int VALUES = 1_000_000;

  /** Maximum nesting of objects and lists; no valid request has more than four. */
  public static final int DEPTH = 16;

  /** Maximum characters of a number. */
  static final int NUMBER = 100;

  /** Maximum characters of the name of a field or of a variable. */
  public static final int NAME = 1000;

  /** Maximum characters of all arguments and the environment of a job, and so of each of them. */
  public static final int COMMAND = 500_000;

  private static final int WORD = 200;
  private static final int USER = 63;
  private static final int QUANTITY = 50;
  private static final int HASH = 64;
  private static final int PATH = 4096;
  private static final int TYPE = 500;

  /** Maximum characters of what one task has for itself, which must fit into a variable. */
  private static final int LINE = 100_000;

  /** Larger than the part of an error that {@code LeaseRoutes} keeps. */
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
              Map.entry("afterOneOf", list(10_000, WORD + ":fail".length())),
              Map.entry("timeLimit", text(QUANTITY)),
              Map.entry("jobTimeLimit", text(QUANTITY)),
              Map.entry("grace", text(QUANTITY)),
              Map.entry("signal", text(QUANTITY)),
              Map.entry("preemptSignal", text(QUANTITY)),
              Map.entry("onPreempt", text(QUANTITY)),
              Map.entry("preemptAfter", text(QUANTITY)),
              Map.entry("snapshots", text(PATH)),
              Map.entry("custom", text(PATH)),
              Map.entry("data", text(PATH)),
              Map.entry("container", text(PATH)),
              Map.entry("engine", text(QUANTITY)),
              Map.entry("mounts", list(1000, 2 * PATH + "::ro".length())),
              Map.entry("ports", list(1000, QUANTITY)),
              Map.entry("shmSize", text(QUANTITY)),
              Map.entry("containerEnv", list(10_000, NAME)),
              Map.entry("nodes", list(1000, WORD)),
              Map.entry("excludeNodes", list(1000, WORD)),
              Map.entry("begin", text(QUANTITY)),
              Map.entry("notifyTo", text(NotificationTerms.MOST_LETTERS)),
              Map.entry("notifyOn", list(3, QUANTITY)),
              Map.entry("resources", list(100, WORD)),
              Map.entry("frozenTree", text(HASH)),
              Map.entry("frozenArchive", text(PATH)),
              Map.entry("frozenRoot", text(PATH)),
              Map.entry("type", text(TYPE)),
              Map.entry("project", text(PATH)),
              Map.entry("clientKey", text(JobRow.MOST_KEY)),
              Map.entry("array", text(LINE)),
              Map.entry("lines", list(Sweep.MOST, LINE)),
              Map.entry("entries", list(Sweep.MOST, LINE)),
              Map.entry("params", new FieldLimit(100, WORD, COMMAND)),
              Map.entry("stdin", text(PATH)),
              Map.entry("stdinData", text(COMMAND)),
              Map.entry("output", text(PATH)),
              Map.entry("error", text(PATH)),
              Map.entry("openMode", text(QUANTITY)),
              Map.entry("terminal", text(QUANTITY))),
          GangRequest.class,
          Map.of("failure", text(QUANTITY), "roles", new FieldLimit(100, WORD, 1)),
          GangRoleRequest.class,
          Map.of(
              "argv", list(100_000, COMMAND),
              "shell", text(COMMAND),
              "env", new FieldLimit(10_000, NAME, COMMAND),
              "mem", text(QUANTITY),
              "gpuMem", text(QUANTITY),
              "gpuModel", text(WORD),
              "labels", new FieldLimit(100, WORD, WORD),
              "shmSize", text(QUANTITY)),
          ResubmitRequest.class,
          Map.of("tasks", text(COMMAND), "clientKey", text(JobRow.MOST_KEY)),
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
          ChannelRequest.class,
          Map.of(
              "name", text(WORD),
              "open", text(WORD),
              "data", text(COMMAND),
              "command", list(10_000, COMMAND)),
          ReleaseLeaseRequest.class,
          Map.of("error", text(ERROR)),
          ForgetProfileRequest.class,
          Map.of("type", text(TYPE), "user", text(WORD)),
          AddUserRequest.class,
          Map.of("name", text(USER)));

  private static final Map<String, FieldLimit> BATCH =
      Map.of("jobs", text(JobNumbers.LONGEST), "action", text(QUANTITY), "reason", text(PATH));

  private RequestLimits() {}

  private static FieldLimit text(int characters) {
    return new FieldLimit(1, 0, characters);
  }

  private static FieldLimit list(int items, int characters) {
    return new FieldLimit(items, 0, characters);
  }

  /** Returns the limits of a kind of request, by field; numeric fields have none. */
  public static Map<String, FieldLimit> of(Class<?> request) {
    return request == JobBatchRequest.class ? BATCH : ALL.getOrDefault(request, Map.of());
  }

  /**
   * Returns the limit of one field.
   *
   * @throws IllegalStateException if it has none
   */
  static FieldLimit of(Class<?> request, String field) {
    FieldLimit limit = of(request).get(field);
    if (limit == null) {
      throw new IllegalStateException(request.getName() + "." + field + " has no limit");
    }
    return limit;
  }
}
