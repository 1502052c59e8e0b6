package io.remuda.coordinator.store.row;

import static io.remuda.coordinator.store.row.StoredTable.fixed;
import static io.remuda.coordinator.store.row.StoredTable.fraction;
import static io.remuda.coordinator.store.row.StoredTable.later;
import static io.remuda.coordinator.store.row.StoredTable.repeated;
import static io.remuda.coordinator.store.row.StoredTable.separate;
import static io.remuda.coordinator.store.row.StoredTable.text;
import static io.remuda.coordinator.store.row.StoredTable.whole;

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
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The tables of the state: which columns a record is written to, and how it is read from them. */
public final class RowMapping {

  public static final ObjectMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /** An empty list, which most jobs have as dependencies and most tasks as devices. */
  static final String NONE = "[]";

  /** What a job was asked for; {@code environment} is its hash, and in {@code body}, too. */
  public record SpecRow(JobId job, String body, String environment) {}

  /** Environments as JSON, by their hash. */
  public static final StoredTable<Map.Entry<String, String>> ENVIRONMENTS =
      new StoredTable<Map.Entry<String, String>>(
          "environments",
          "environment",
          1,
          row -> Map.entry(row.text(), row.text()),
          text("hash", Map.Entry::getKey),
          fixed(text("body", Map.Entry::getValue)));

  public static final StoredTable<SpecRow> SPECS =
      new StoredTable<SpecRow>(
          "specs",
          "spec",
          1,
          row -> new SpecRow(new JobId(row.whole()), row.text(), row.text()),
          whole("job", spec -> spec.job().value()),
          text("body", SpecRow::body),
          repeated(text("environment", SpecRow::environment)));

  public static final StoredTable<JobRow> JOBS =
      new StoredTable<JobRow>(
          "jobs",
          "job",
          1,
          row ->
              new JobRow(
                  new JobId(row.whole()),
                  UUID.fromString(row.text()),
                  row.text(),
                  row.text(),
                  TaskState.valueOf(row.text()),
                  TaskState.valueOf(row.text()),
                  row.count(),
                  row.whole(),
                  row.whole(),
                  row.whole(),
                  row.text(),
                  row.any() instanceof Long code ? Integer.valueOf(code.intValue()) : null,
                  row.list(JobDependency[].class),
                  row.text(),
                  row.json(TrainingEpochProgress.class, null),
                  row.json(GangStart.class, GangStart.NONE)),
          whole("id", job -> job.id().value()),
          text("uuid", job -> job.uuid().toString()),
          text("user", JobRow::user),
          text("name", JobRow::name),
          text("state", job -> job.state().name()),
          text("first", job -> job.first().name()),
          whole("tasks", JobRow::tasks),
          whole("submitted", JobRow::submitted),
          whole("started", JobRow::started),
          whole("ended", JobRow::ended),
          text("reason", JobRow::reason),
          whole("exit_code", JobRow::exitCode),
          text("open", job -> json(job.open())),
          text("client_key", JobRow::clientKey),
          later(text("epochs", job -> job.epochs() == null ? "" : json(job.epochs()))),
          later(text("gang", job -> job.gang().number() == 0 ? "" : json(job.gang()))));

  public static final StoredTable<TaskRow> TASKS =
      new StoredTable<TaskRow>(
          "tasks",
          "task",
          2,
          row ->
              new TaskRow(
                  new TaskId(new JobId(row.whole()), row.count()),
                  TaskState.valueOf(row.text()),
                  row.count(),
                  row.text(),
                  row.list(String[].class).stream().map(DeviceId::new).toList(),
                  row.whole(),
                  row.whole(),
                  row.count(),
                  row.count(),
                  EndReason.values()[row.count()],
                  row.text(),
                  row.json(TaskEnd.class, null),
                  row.whole(),
                  row.whole(),
                  row.whole(),
                  row.whole(),
                  row.text(),
                  row.count(),
                  row.whole(),
                  row.json(TrainingProgress.class, null),
                  row.count()),
          whole("job", task -> task.id().job().value()),
          whole("idx", task -> task.id().index()),
          text("state", task -> task.state().name()),
          whole("attempt", TaskRow::attempt),
          text("node", TaskRow::node),
          text("devices", task -> json(task.devices().stream().map(DeviceId::uuid).toList())),
          whole("started", TaskRow::started),
          whole("ended", TaskRow::ended),
          whole("interruptions", TaskRow::interruptions),
          whole("crashes", TaskRow::crashes),
          whole("overdue", task -> task.ending().ordinal()), // older than most reasons
          text("cause", TaskRow::cause),
          text("end", task -> task.end() == null ? null : json(task.end())),
          later(whole("seat", TaskRow::slot)),
          later(whole("gpu_memory", TaskRow::gpuMemory)),
          later(whole("gpu_floor", TaskRow::gpuFloor)),
          later(whole("memory_floor", TaskRow::memoryFloor)),
          later(text("tag", TaskRow::tag)),
          later(whole("preemptions", TaskRow::preemptions)),
          later(whole("lost_millis", TaskRow::lostMillis)),
          later(text("training", task -> task.training() == null ? "" : json(task.training()))),
          later(whole("gpus", TaskRow::gpus)));

  public static final StoredTable<ProfileRow> PROFILES =
      new StoredTable<ProfileRow>(
          "profiles",
          "profile",
          2,
          row -> {
            row.text();
            row.text();
            return new ProfileRow(row.json(Profile.class, null), row.whole());
          },
          text("user", row -> row.profile().type().user()),
          text("type", row -> row.profile().type().name()),
          text("body", row -> json(row.profile())),
          whole("updated", ProfileRow::updated));

  public static final StoredTable<DailyUsageRow> USAGE =
      new StoredTable<DailyUsageRow>(
          "usage",
          "usage of day",
          4,
          row ->
              new DailyUsageRow(
                  new UsageKey(row.whole(), row.text(), row.text(), row.text()),
                  row.json(UsageTotals.class, null)),
          whole("day", row -> row.key().day()),
          text("user", row -> row.key().user()),
          text("type", row -> row.key().type()),
          text("node", row -> row.key().node()),
          text("body", row -> json(row.totals())));

  public static final StoredTable<EventLogEntry> EVENTS =
      new StoredTable<EventLogEntry>(
          "events",
          "event",
          1,
          row ->
              new EventLogEntry(
                  row.whole(), row.whole(), row.whole(), row.count(), row.text(), row.text()),
          whole("sequence", EventLogEntry::sequence),
          whole("at", EventLogEntry::at),
          whole("job", EventLogEntry::job),
          whole("task", EventLogEntry::task),
          text("what", EventLogEntry::what),
          text("detail", EventLogEntry::detail));

  public static final StoredTable<UserRow> USERS =
      new StoredTable<UserRow>(
          "users",
          "user",
          1,
          row -> {
            String name = row.text();
            double share = (Double) row.any();
            String token = row.text();
            row.any();
            return new UserRow(name, share, token, row.json(UserLimits.class, UserLimits.USUAL));
          },
          text("name", UserRow::name),
          fraction("share", UserRow::share),
          text("token_hash", UserRow::tokenHash),
          separate(fraction("used", user -> 0)),
          later(
              text(
                  "limits",
                  user -> user.limits().equals(UserLimits.USUAL) ? "" : json(user.limits()))));

  public static final StoredTable<NoticeRow> NOTICES =
      new StoredTable<NoticeRow>(
          "notices",
          "notice",
          1,
          row -> new NoticeRow(row.whole(), row.text()),
          whole("number", NoticeRow::number),
          text("content", NoticeRow::content));

  public static final StoredTable<StoreChange.NodeDrained> DRAINED =
      new StoredTable<StoreChange.NodeDrained>(
          "drained",
          "drained node",
          1,
          row -> new StoreChange.NodeDrained(row.text(), row.text()),
          text("node", StoreChange.NodeDrained::node),
          later(text("reason", StoreChange.NodeDrained::reason)));

  public static final StoredTable<StoreChange.GpuDrained> DRAINED_GPUS =
      new StoredTable<StoreChange.GpuDrained>(
          "drained_gpus",
          "drained GPU",
          2,
          row -> new StoreChange.GpuDrained(row.text(), new DeviceId(row.text()), row.text()),
          text("node", StoreChange.GpuDrained::node),
          text("gpu", gpu -> gpu.gpu().uuid()),
          text("reason", StoreChange.GpuDrained::reason));

  /** Numbers of the whole state, in digits. */
  public static final StoredTable<Map.Entry<String, String>> META =
      new StoredTable<Map.Entry<String, String>>(
          "meta",
          "number",
          1,
          row -> Map.entry(row.text(), row.text()),
          text("key", Map.Entry::getKey),
          text("value", Map.Entry::getValue));

  /** Earlier births of the state and the last job of each; the database numbers them. */
  public static final StoredTable<Map.Entry<Long, Long>> LINEAGE =
      new StoredTable<Map.Entry<Long, Long>>(
          "lineage",
          "lineage",
          1,
          row -> Map.entry(row.whole(), row.whole()),
          whole("birth", Map.Entry::getKey),
          whole("last_job", Map.Entry::getValue));

  /** The tables that are copied row by row; those of numbers are few and are written at the end. */
  public static final List<StoredTable<?>> COPIED =
      List.of(
          ENVIRONMENTS,
          SPECS,
          JOBS,
          TASKS,
          PROFILES,
          USAGE,
          EVENTS,
          USERS,
          NOTICES,
          DRAINED,
          DRAINED_GPUS);

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

  /** Returns the detail of an event, by name. */
  public static Map<String, Object> detail(EventLogEntry event) throws StoreDamagedException {
    return parse(event.detail(), new TypeReference<Map<String, Object>>() {});
  }

  static <T> T parse(String text, TypeReference<T> type) throws StoreDamagedException {
    try {
      return JSON.readValue(text, type);
    } catch (JsonProcessingException fault) {
      throw new StoreDamagedException("cannot read '" + text + "'", fault);
    }
  }
}
