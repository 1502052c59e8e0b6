package io.remuda.coordinator.rest.request;

import static io.remuda.coordinator.jobfield.FieldLimit.COMMAND;
import static io.remuda.coordinator.jobfield.FieldLimit.PATH;
import static io.remuda.coordinator.jobfield.FieldLimit.QUANTITY;
import static io.remuda.coordinator.jobfield.FieldLimit.TYPE;
import static io.remuda.coordinator.jobfield.FieldLimit.WORD;
import static io.remuda.coordinator.jobfield.FieldLimit.list;
import static io.remuda.coordinator.jobfield.FieldLimit.text;

import io.remuda.coordinator.api.JobNumbers;
import io.remuda.coordinator.jobfield.FieldLimit;
import io.remuda.coordinator.rest.request.batch.JobBatchRequest;
import io.remuda.coordinator.store.row.JobRow;
import java.util.Map;

/**
 * The size limits of requests, and of the fields of those that are no job, which openapi.json
 * repeats; a test compares these.
 */
public final class RequestLimits {

  /** Maximum jobs of a submission. */
  public static final int JOBS = 10_000;

  /** Maximum texts, names and numbers of a request; each has a large overhead in memory. */
  static final int VALUES = 1_000_000;

  /** Maximum nesting of objects and lists; no valid request has more than four. */
  public static final int DEPTH = 16;

  /** Maximum characters of a number. */
  static final int NUMBER = 100;

  private static final int USER = 63;

  /** Larger than the part of an error that {@code LeaseRoutes} keeps. */
  private static final int ERROR = 100_000;

  private static final Map<Class<?>, Map<String, FieldLimit>> ALL =
      Map.of(
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
