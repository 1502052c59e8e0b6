package io.remuda.coordinator.store.row;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.agent.protocol.GangStart;
import io.remuda.agent.protocol.TaskEnd;
import io.remuda.coordinator.lifecycle.EndReason;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.schedule.model.UserLimits;
import io.remuda.coordinator.usage.UsageKey;
import io.remuda.coordinator.usage.UsageTotals;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import io.remuda.worker.job.TrainingProgress;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Converts records to columns and back. Reading a row checks its checksum. */
public final class RowMapping {

  public static final ObjectMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /** An empty list, which most jobs have as dependencies and most tasks as devices. */
  private static final String NONE = "[]";

  private RowMapping() {}

  public static String json(Object value) {
    if (value instanceof List<?> list && list.isEmpty()) {
      return NONE;
    }
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException fault) {
      throw new IllegalStateException("cannot write " + value, fault);
    }
  }

  /** Returns a text without the NUL characters that PostgreSQL has no place for. */
  private static String text(String any) {
    return any == null || any.indexOf('\0') < 0 ? any : any.replace('\0', '\ufffd');
  }

  public static Object[] columns(JobRow row) {
    return new Object[] {
      row.id().value(),
      row.uuid().toString(),
      row.user(),
      text(row.name()),
      row.state().name(),
      row.first().name(),
      row.tasks(),
      row.submitted(),
      row.started(),
      row.ended(),
      text(row.reason()),
      row.exitCode(),
      json(row.open()),
      text(row.clientKey()),
      row.epochs() == null ? "" : json(row.epochs()),
      row.gang().number() == 0 ? "" : json(row.gang())
    };
  }

  /** Reads each column once, because a server may read a hundred thousand jobs when it starts. */
  public static JobRow job(ResultSet row) throws SQLException, StoreDamagedException {
    long id = row.getLong("id");
    String uuid = row.getString("uuid");
    String user = row.getString("user");
    String name = row.getString("name");
    String state = row.getString("state");
    String first = row.getString("first");
    int tasks = row.getInt("tasks");
    long submitted = row.getLong("submitted");
    long started = row.getLong("started");
    long ended = row.getLong("ended");
    String reason = row.getString("reason");
    int code = row.getInt("exit_code");
    Integer exitCode = row.wasNull() ? null : Integer.valueOf(code);
    String open = row.getString("open");
    String key = row.getString("client_key");
    String epochs = row.getString("epochs");
    String gang = row.getString("gang");
    Object[] columns = {
      id, uuid, user, name, state, first, tasks, submitted, started, ended, reason, exitCode, open,
      key, epochs, gang
    };
    check(row, sumOfJob(columns), "job " + id);
    return new JobRow(
        new JobId(id),
        UUID.fromString(uuid),
        user,
        name,
        TaskState.valueOf(state),
        TaskState.valueOf(first),
        tasks,
        submitted,
        started,
        ended,
        reason,
        exitCode,
        open.equals(NONE) ? List.of() : parse(open, new TypeReference<List<JobDependency>>() {}),
        key,
        epochs.isEmpty() ? null : parse(epochs, new TypeReference<TrainingEpochProgress>() {}),
        gang.isEmpty() ? GangStart.NONE : parse(gang, new TypeReference<GangStart>() {}));
  }

  /** Columns of later schemas in jobs and tasks; see {@link #sum}. */
  private static final int LATER_COLUMNS_OF_JOB = 2;

  public static long sumOfJob(Object[] columns) {
    return sum(columns, LATER_COLUMNS_OF_JOB);
  }

  public static Object[] columns(TaskRow row) {
    return new Object[] {
      row.id().job().value(),
      row.id().index(),
      row.state().name(),
      row.attempt(),
      row.node(),
      json(row.devices().stream().map(DeviceId::uuid).toList()),
      row.started(),
      row.ended(),
      row.interruptions(),
      row.crashes(),
      row.ending().ordinal(), // the column "overdue" is older than most reasons
      text(row.cause()),
      row.end() == null ? null : json(row.end()),
      row.slot(),
      row.gpuMemory(),
      row.gpuFloor(),
      row.memoryFloor(),
      row.tag(),
      row.preemptions(),
      row.lostMillis(),
      row.training() == null ? "" : json(row.training()),
      row.gpus()
    };
  }

  private static final int LATER_COLUMNS_OF_TASK = 9;

  static long sum(TaskRow row) {
    return sumOfTask(columns(row));
  }

  public static long sumOfTask(Object[] columns) {
    return sum(columns, LATER_COLUMNS_OF_TASK);
  }

  /**
   * Returns a checksum. Trailing columns of later schemas that are 0 or empty are not in it.
   *
   * @param later number of the columns of later schemas
   */
  private static long sum(Object[] columns, int later) {
    int length = columns.length;
    while (length > columns.length - later && isNone(columns[length - 1])) {
      length--;
    }
    return RowChecksum.of(Arrays.copyOf(columns, length));
  }

  private static boolean isNone(Object column) {
    return column instanceof Number number && number.longValue() == 0 || "".equals(column);
  }

  public static Object[] columns(Profile profile, long updated) {
    return new Object[] {profile.type().user(), profile.type().name(), json(profile), updated};
  }

  public static Object[] columns(UsageKey key, UsageTotals totals) {
    return new Object[] {key.day(), key.user(), text(key.type()), key.node(), json(totals)};
  }

  public static DailyUsageRow usage(ResultSet row) throws SQLException, StoreDamagedException {
    long day = row.getLong("day");
    String user = row.getString("user");
    String type = row.getString("type");
    String node = row.getString("node");
    String body = row.getString("body");
    check(row, "usage of " + user + ", " + type + " on " + node, day, user, type, node, body);
    return new DailyUsageRow(
        new UsageKey(day, user, type, node), parse(body, new TypeReference<UsageTotals>() {}));
  }

  /** Returns the columns of a user but for the use, which changes without the row. */
  public static Object[] columns(UserRow user) {
    boolean usual = user.limits().equals(UserLimits.USUAL);
    return new Object[] {
      user.name(), user.share(), user.tokenHash(), usual ? "" : json(user.limits())
    };
  }

  /** Returns the checksum of a user's {@link #columns(UserRow)}. */
  public static long sumOfUser(Object... columns) {
    return sum(columns, 1);
  }

  /** Returns the checksum of a drained node: its name and the reason. */
  public static long sumOfDrained(Object... columns) {
    return sum(columns, 1);
  }

  /** Returns the reason of a drained node, empty if none was given. */
  public static String drainReason(ResultSet row) throws SQLException, StoreDamagedException {
    String node = row.getString("node");
    String reason = row.getString("reason");
    check(row, sumOfDrained(node, reason), "drained node " + node);
    return reason;
  }

  /** Returns a drained GPU. */
  public static StoreChange.GpuDrained drainedGpu(ResultSet row)
      throws SQLException, StoreDamagedException {
    String node = row.getString("node");
    String gpu = row.getString("gpu");
    String reason = row.getString("reason");
    check(row, "drained GPU " + gpu + " of node " + node, node, gpu, reason);
    return new StoreChange.GpuDrained(node, new DeviceId(gpu), reason);
  }

  /** Returns a user. */
  public static UserRow user(ResultSet row) throws SQLException, StoreDamagedException {
    String name = row.getString("name");
    double share = row.getDouble("share");
    String hash = row.getString("token_hash");
    String limits = row.getString("limits");
    check(row, sumOfUser(name, share, hash, limits), "user " + name);
    return new UserRow(
        name,
        share,
        hash,
        limits.isEmpty() ? UserLimits.USUAL : parse(limits, new TypeReference<UserLimits>() {}));
  }

  public static ProfileRow profile(ResultSet row) throws SQLException, StoreDamagedException {
    String body = row.getString("body");
    long updated = row.getLong("updated");
    String user = row.getString("user");
    String type = row.getString("type");
    check(row, "profile of " + user + ", " + type, user, type, body, updated);
    return new ProfileRow(parse(body, new TypeReference<Profile>() {}), updated);
  }

  public static TaskRow task(ResultSet row) throws SQLException, StoreDamagedException {
    String devices = row.getString("devices");
    String end = row.getString("end");
    String training = row.getString("training");
    Object[] columns = {
      row.getLong("job"),
      row.getInt("idx"),
      row.getString("state"),
      row.getInt("attempt"),
      row.getString("node"),
      devices,
      row.getLong("started"),
      row.getLong("ended"),
      row.getInt("interruptions"),
      row.getInt("crashes"),
      row.getInt("overdue"),
      row.getString("cause"),
      end,
      row.getLong("seat"),
      row.getLong("gpu_memory"),
      row.getLong("gpu_floor"),
      row.getLong("memory_floor"),
      row.getString("tag"),
      row.getInt("preemptions"),
      row.getLong("lost_millis"),
      training,
      row.getInt("gpus")
    };
    check(row, sumOfTask(columns), "task " + row.getLong("job") + "." + row.getInt("idx"));
    return new TaskRow(
        new TaskId(new JobId(row.getLong("job")), row.getInt("idx")),
        TaskState.valueOf(row.getString("state")),
        row.getInt("attempt"),
        row.getString("node"),
        devices.equals(NONE)
            ? List.of()
            : parse(devices, new TypeReference<List<String>>() {}).stream()
                .map(DeviceId::new)
                .toList(),
        row.getLong("started"),
        row.getLong("ended"),
        row.getInt("interruptions"),
        row.getInt("crashes"),
        EndReason.values()[row.getInt("overdue")],
        row.getString("cause"),
        end == null ? null : parse(end, new TypeReference<TaskEnd>() {}),
        row.getLong("seat"),
        row.getLong("gpu_memory"),
        row.getLong("gpu_floor"),
        row.getLong("memory_floor"),
        row.getString("tag"),
        row.getInt("preemptions"),
        row.getLong("lost_millis"),
        training.isEmpty() ? null : parse(training, new TypeReference<TrainingProgress>() {}),
        row.getInt("gpus"));
  }

  public static Object[] columns(EventLogEntry event) {
    return new Object[] {
      event.sequence(), event.at(), event.job(), event.task(), event.what(), event.detail()
    };
  }

  public static EventLogEntry event(ResultSet row) throws SQLException, StoreDamagedException {
    EventLogEntry event =
        new EventLogEntry(
            row.getLong("sequence"),
            row.getLong("at"),
            row.getLong("job"),
            row.getInt("task"),
            row.getString("what"),
            row.getString("detail"));
    check(row, "event " + event.sequence(), columns(event));
    return event;
  }

  /** Returns the detail of an event, by name. */
  public static Map<String, Object> detail(EventLogEntry event) throws StoreDamagedException {
    return parse(event.detail(), new TypeReference<Map<String, Object>>() {});
  }

  public static void check(ResultSet row, String what, Object... columns)
      throws SQLException, StoreDamagedException {
    check(row, RowChecksum.of(columns), what);
  }

  private static void check(ResultSet row, long sum, String what)
      throws SQLException, StoreDamagedException {
    if (row.getLong("sum") != sum) {
      throw new StoreDamagedException("the row of " + what + " is not what was written");
    }
  }

  static <T> T parse(String text, TypeReference<T> type) throws StoreDamagedException {
    try {
      return JSON.readValue(text, type);
    } catch (JsonProcessingException fault) {
      throw new StoreDamagedException("cannot read '" + text + "'", fault);
    }
  }
}
