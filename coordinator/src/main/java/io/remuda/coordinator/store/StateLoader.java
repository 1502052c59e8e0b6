package io.remuda.coordinator.store;

import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.registry.policy.NodeDrain;
import io.remuda.coordinator.registry.policy.ServerMemoryEstimate;
import io.remuda.coordinator.registry.task.EndedTasks;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.JobSpecCodec;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.SqlQueryRunner;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.coordinator.store.row.UserRow;
import io.remuda.coordinator.store.warm.WarmState;
import io.remuda.coordinator.store.warm.WarmTable;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;

/**
 * Reads the live jobs when a store is opened. With many jobs this takes most of the start, so the
 * database's own check, the rows and the specs are read in parallel, each on its own connection.
 * There is no writer yet.
 */
final class StateLoader {

  /**
   * The contents of the file.
   *
   * @param jobs the checksums of the rows of live jobs
   * @param tasks the checksums of the rows of live tasks
   */
  record Loaded(StoreState state, LiveRowChecksums<JobId> jobs, LiveRowChecksums<TaskId> tasks) {}

  /** Number of specs parsed in one step. */
  private static final int AT_ONCE = 1000;

  private final ParallelReads reads;
  private final LoadedBytes loaded;
  private final JobSpecCodec codec = new JobSpecCodec();
  private final Set<String> environments = new HashSet<>();

  /**
   * @param reads for {@link #load}; others need none
   */
  StateLoader(ParallelReads reads, LoadedBytes loaded) {
    this.reads = reads;
    this.loaded = loaded;
  }

  /** Reads a state without rows that were read ahead. */
  static Loaded load(
      DatabaseBackend database,
      Connection connection,
      MetaTable checksums,
      long nowMillis,
      long heap)
      throws SQLException, StoreDamagedException, StoreTooLargeException {
    return load(database, connection, checksums, nowMillis, heap, Optional.empty());
  }

  /**
   * Reads a state that has the newest schema.
   *
   * @param connection to the database; it ends in auto-commit mode
   * @param nowMillis since 1970
   * @param heap bytes that this server may use
   * @param warm rows that were read ahead, if any
   * @throws StoreDamagedException if the state is damaged
   * @throws StoreTooLargeException if the live jobs take more memory than there is
   */
  static Loaded load(
      DatabaseBackend database,
      Connection connection,
      MetaTable checksums,
      long nowMillis,
      long heap,
      Optional<WarmState.Rows> warm)
      throws SQLException, StoreDamagedException, StoreTooLargeException {
    connection.setAutoCommit(false); // else some drivers read all rows before the first is seen
    try (ParallelReads reads = new ParallelReads(database)) {
      StateLoader loader = new StateLoader(reads, new LoadedBytes(heap));
      Future<Void> check =
          reads.start(
              own -> {
                database.check(own);
                return null;
              });
      Future<Map<JobId, JobSpecCodec.Alike>> specs =
          reads.start(own -> warm.isPresent() ? loader.specs(own, warm.get()) : loader.specs(own));
      LiveRowChecksums<JobId> jobSums = new LiveRowChecksums<>(MetaTable.JOBS);
      LiveRowChecksums<TaskId> taskSums = new LiveRowChecksums<>(MetaTable.TASKS);
      List<JobRow> rows =
          warm.isPresent()
              ? loader.jobs(connection, checksums, jobSums, warm.get())
              : loader.jobs(connection, checksums, jobSums);
      Map<JobId, EndedTasks> ended = new HashMap<>();
      Map<JobId, List<TaskRow>> tasks = new HashMap<>();
      if (warm.isPresent()) {
        loader.tasks(connection, checksums, taskSums, warm.get(), tasks, ended);
      } else {
        loader.tasks(connection, checksums, taskSums, rows, tasks, ended);
      }
      Map<String, Double> used = new HashMap<>();
      List<UserRow> users = users(connection, used);
      connection.commit(); // PostgreSQL ends who waits in a transaction, as here for the others
      Map<JobId, JobSpecCodec.Alike> alike = ParallelReads.get(specs);
      List<StoreState.LiveJob> live = loader.join(rows, alike, connection);
      connection.commit();
      ParallelReads.get(check);
      StoreState state =
          new StoreState(
              Math.max(
                  checksums.number(MetaTable.EPOCH) + 1, nowMillis), // above epochs of a lost file
              Math.max(
                      number(connection, "SELECT max(id) FROM jobs"),
                      checksums.number(MetaTable.LAST_JOB))
                  + 1,
              Math.max(
                      Math.max(
                          number(connection, "SELECT max(sequence) FROM events"),
                          number(connection, "SELECT max(number) FROM notices")),
                      checksums.number(MetaTable.LAST_EVENT))
                  + 1,
              live,
              tasks,
              ended,
              users,
              used,
              Map.copyOf(drained(connection)),
              profiles(connection),
              checksums.number(MetaTable.BIRTH),
              StateFileIdentity.lineage(connection, checksums));
      return new Loaded(state, jobSums, taskSums);
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  private List<JobRow> jobs(
      Connection connection, MetaTable checksums, LiveRowChecksums<JobId> live)
      throws SQLException, StoreDamagedException, StoreTooLargeException {
    List<JobRow> rows = new ArrayList<>();
    long total = 0;
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT * FROM jobs ORDER BY id")) {
      while (result.next()) {
        JobRow row = RowMapping.JOBS.read(result).withoutLongKey();
        long sum = result.getLong("sum");
        total += sum;
        if (!row.state().isFinal()) {
          loaded.add(bytes(row));
          rows.add(row);
          live.put(row.id(), sum);
        }
      }
    }
    checksums.compare(MetaTable.JOBS, total);
    return rows;
  }

  private static long bytes(JobRow live) {
    return ServerMemoryEstimate.JOB + ServerMemoryEstimate.TASK * live.tasks();
  }

  private List<JobRow> jobs(
      Connection connection, MetaTable checksums, LiveRowChecksums<JobId> live, WarmState.Rows warm)
      throws SQLException, StoreDamagedException, StoreTooLargeException {
    List<JobRow> rows = new ArrayList<>();
    for (WarmTable.Row<JobId, JobRow> row :
        warm.jobs().live(connection, (id, job) -> loaded.add(bytes(job)))) {
      rows.add(row.value());
      live.put(row.key(), row.sum());
    }
    checksums.compare(MetaTable.JOBS, total(connection, "jobs"));
    return rows;
  }

  private void tasks(
      Connection connection,
      MetaTable checksums,
      LiveRowChecksums<TaskId> live,
      WarmState.Rows warm,
      Map<JobId, List<TaskRow>> tasks,
      Map<JobId, EndedTasks> ended)
      throws SQLException, StoreDamagedException, StoreTooLargeException {
    for (WarmTable.Row<TaskId, TaskRow> row : warm.tasks().live(connection, (id, task) -> {})) {
      add(row.value(), row.sum(), live, tasks, ended);
    }
    checksums.compare(MetaTable.TASKS, total(connection, "tasks"));
  }

  /** Returns the sum of a table's checksums, which wraps as the writer's does. */
  private static long total(Connection connection, String table)
      throws SQLException, StoreDamagedException {
    return SqlQueryRunner.all(
            connection,
            "SELECT COALESCE(sum(sum), 0) FROM " + table,
            row -> row.getBigDecimal(1).toBigInteger().longValue())
        .get(0);
  }

  private Map<JobId, JobSpecCodec.Alike> specs(Connection connection, WarmState.Rows warm)
      throws SQLException, StoreDamagedException, StoreTooLargeException {
    Map<JobId, JobSpecCodec.Alike> specs = new HashMap<>();
    for (WarmTable.Row<JobId, JobSpecCodec.Alike> row :
        warm.specs().live(connection, (id, spec) -> {})) {
      specs.put(row.key(), row.value());
    }
    return specs;
  }

  /** Adds a task of a live job. */
  void add(
      TaskRow row,
      long sum,
      LiveRowChecksums<TaskId> live,
      Map<JobId, List<TaskRow>> tasks,
      Map<JobId, EndedTasks> ended)
      throws StoreTooLargeException {
    if (row.state().isFinal()) {
      Integer code = row.end() == null ? null : row.end().exitCode();
      ended
          .computeIfAbsent(row.id().job(), id -> new EndedTasks())
          .add(row.id().index(), row.state(), row.cause(), code);
    } else {
      tasks.computeIfAbsent(row.id().job(), id -> new ArrayList<>()).add(row);
      loaded.add(ServerMemoryEstimate.TOUCHED);
      live.put(row.id(), sum);
    }
  }

  private void tasks(
      Connection connection,
      MetaTable checksums,
      LiveRowChecksums<TaskId> live,
      List<JobRow> jobs,
      Map<JobId, List<TaskRow>> tasks,
      Map<JobId, EndedTasks> ended)
      throws SQLException, StoreDamagedException, StoreTooLargeException {
    Set<JobId> ofLive = new HashSet<>();
    jobs.forEach(job -> ofLive.add(job.id()));
    long total = 0;
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT * FROM tasks ORDER BY job, idx")) {
      while (result.next()) {
        TaskRow row = RowMapping.TASKS.read(result);
        long sum = result.getLong("sum");
        total += sum;
        if (ofLive.contains(row.id().job())) {
          add(row, sum, live, tasks, ended);
        } else if (!row.state().isFinal()) {
          loaded.add(ServerMemoryEstimate.TOUCHED);
          live.put(row.id(), sum);
        }
      }
    }
    checksums.compare(MetaTable.TASKS, total);
  }

  /** Reads the specs; other threads parse them meanwhile, because that takes longer. */
  private Map<JobId, JobSpecCodec.Alike> specs(Connection connection)
      throws SQLException, StoreDamagedException, StoreTooLargeException {
    List<Future<Map<JobId, JobSpecCodec.Alike>>> parsed = new ArrayList<>();
    Map<JobId, String> bodies = new HashMap<>();
    String live =
        "SELECT specs.* FROM specs JOIN jobs ON jobs.id = specs.job"
            + " WHERE jobs.state NOT IN ("
            + StoreOpener.finalStates()
            + ")";
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(live)) {
      while (row.next()) {
        RowMapping.SpecRow spec = RowMapping.SPECS.read(row);
        loaded.add(LoadedBytes.ofText(spec.body().length()));
        bodies.put(spec.job(), spec.body());
        if (bodies.size() == AT_ONCE) {
          parsed.add(parse(bodies));
          bodies = new HashMap<>();
        }
      }
    }
    parsed.add(parse(bodies));
    Map<JobId, JobSpecCodec.Alike> specs = new HashMap<>();
    for (Future<Map<JobId, JobSpecCodec.Alike>> part : parsed) {
      specs.putAll(ParallelReads.get(part));
    }
    return specs;
  }

  private Future<Map<JobId, JobSpecCodec.Alike>> parse(Map<JobId, String> bodies) {
    return reads.parse(
        () -> {
          Map<JobId, JobSpecCodec.Alike> specs = new HashMap<>();
          for (Map.Entry<JobId, String> body : bodies.entrySet()) {
            specs.put(body.getKey(), JobSpecCodec.parse(body.getValue()));
          }
          return specs;
        });
  }

  /** Joins rows of jobs with what the jobs were asked for. */
  List<StoreState.LiveJob> join(
      List<JobRow> rows, Map<JobId, JobSpecCodec.Alike> parsed, Connection connection)
      throws SQLException, StoreDamagedException, StoreTooLargeException {
    List<StoreState.LiveJob> jobs = new ArrayList<>(rows.size());
    for (JobRow row : rows) {
      JobSpecCodec.Alike spec = parsed.get(row.id());
      if (spec == null) {
        throw new StoreDamagedException("what job " + row.id() + " was asked for is missing");
      }
      JobSpec whole = codec.whole(spec, connection);
      if (spec.environment() != null && environments.add(spec.environment())) {
        loaded.add(
            ServerMemoryEstimate.texts(((CommandWorkload) whole.tasks().get(0)).environment()));
      }
      jobs.add(new StoreState.LiveJob(whole, row));
    }
    return jobs;
  }

  private static long number(Connection connection, String query)
      throws SQLException, StoreDamagedException {
    return SqlQueryRunner.all(connection, query, row -> row.getLong(1)).get(0);
  }

  private static List<UserRow> users(Connection connection, Map<String, Double> used)
      throws SQLException, StoreDamagedException {
    return SqlQueryRunner.all(
        connection,
        "SELECT * FROM users ORDER BY name",
        row -> {
          UserRow user = RowMapping.USERS.read(row);
          used.put(user.name(), row.getDouble("used"));
          return user;
        });
  }

  private static Map<String, NodeDrain> drained(Connection connection)
      throws SQLException, StoreDamagedException {
    Map<String, NodeDrain> nodes = new HashMap<>();
    SqlQueryRunner.all(
        connection,
        "SELECT * FROM drained",
        row -> {
          StoreChange.NodeDrained node = RowMapping.DRAINED.read(row);
          return nodes.put(node.node(), NodeDrain.whole(node.reason()));
        });
    SqlQueryRunner.all(
        connection,
        "SELECT * FROM drained_gpus",
        row -> {
          StoreChange.GpuDrained gpu = RowMapping.DRAINED_GPUS.read(row);
          NodeDrain before = nodes.getOrDefault(gpu.node(), NodeDrain.NONE);
          return nodes.put(gpu.node(), before.withGpu(gpu.gpu(), gpu.reason()));
        });
    return nodes;
  }

  private static List<Profile> profiles(Connection connection)
      throws SQLException, StoreDamagedException {
    return SqlQueryRunner.all(
        connection, "SELECT * FROM profiles", row -> RowMapping.PROFILES.read(row).profile());
  }
}
