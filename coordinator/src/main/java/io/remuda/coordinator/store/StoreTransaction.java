package io.remuda.coordinator.store;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.JobSpecCodec;
import io.remuda.coordinator.store.row.PreparedStatements;
import io.remuda.coordinator.store.row.PreparedStatements.Table;
import io.remuda.coordinator.store.row.RowChecksum;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.coordinator.store.row.UserRow;
import io.remuda.coordinator.usage.UsageKey;
import io.remuda.coordinator.usage.UsageTotals;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The writes of one commit. Its checksums replace the current ones only after the commit. Runs on
 * the writer's thread.
 */
final class StoreTransaction {

  private static final int MOST_AT_ONCE = 1000;

  private final Connection connection;
  private final PreparedStatements statements;
  private final LiveRowChecksums.PendingChange<JobId> jobs;
  private final LiveRowChecksums.PendingChange<TaskId> tasks;
  private final MetaTable checksums;
  private final Map<UsageKey, UsageTotals> usage = new LinkedHashMap<>();
  private final Map<UsageKey, UsageTotals> usageRows = new LinkedHashMap<>();
  private long written;

  /**
   * @param checksums a copy of the state's checksums, which is changed
   * @param jobs an empty change of the checksums of job rows
   * @param tasks an empty change of the checksums of task rows
   */
  StoreTransaction(
      Connection connection,
      PreparedStatements statements,
      MetaTable checksums,
      LiveRowChecksums.PendingChange<JobId> jobs,
      LiveRowChecksums.PendingChange<TaskId> tasks) {
    this.connection = connection;
    this.statements = statements;
    this.checksums = checksums;
    this.jobs = jobs;
    this.tasks = tasks;
  }

  /** Returns the checksums of the state after this commit. */
  MetaTable checksums() {
    return checksums;
  }

  /** Writes an entry. Runs the batches every 1000 entries: the driver never frees their memory. */
  void write(StoreChange entry) throws SQLException {
    if (++written % MOST_AT_ONCE == 0) {
      statements.run();
    }
    if (entry instanceof StoreChange.JobAdded added) {
      put(added.spec());
      put(added.row());
      JobSpec spec = added.spec();
      int numbers = spec.terms().array().numbers(spec.tasks().size());
      checksums.atLeast(MetaTable.LAST_JOB, spec.id().value() + numbers - 1);
    } else if (entry instanceof StoreChange.JobChanged changed) {
      put(changed.spec());
      put(changed.row());
    } else if (entry instanceof StoreChange.JobMoved moved) {
      put(moved.row());
    } else if (entry instanceof StoreChange.TaskMoved moved) {
      put(moved.row());
    } else if (entry instanceof StoreChange.TaskReturned returned) {
      returned(returned.task());
    } else if (entry instanceof StoreChange.Happened happened) {
      Object[] columns = RowMapping.columns(happened.event());
      statements.add(Table.EVENTS, columns, RowChecksum.of(columns));
    } else if (entry instanceof StoreChange.UserSet user) {
      user(user.user());
    } else if (entry instanceof StoreChange.NoticeDue due) {
      Object[] columns = {due.notice().number(), due.notice().content()};
      statements.add(Table.NOTICES, columns, RowChecksum.of(columns));
    } else if (entry instanceof StoreChange.NoticeDone done) {
      sent(done.number());
    } else if (entry instanceof StoreChange.NodeDrained node) {
      drained(node);
    } else if (entry instanceof StoreChange.NodeResumed node) {
      delete("DELETE FROM drained WHERE node = ?", node.node());
    } else if (entry instanceof StoreChange.GpuDrained gpu) {
      drained(gpu);
    } else if (entry instanceof StoreChange.GpuResumed gpu) {
      delete("DELETE FROM drained_gpus WHERE node = ? AND gpu = ?", gpu.node(), gpu.gpu().uuid());
    } else if (entry instanceof StoreChange.ProfileSet profile) {
      Object[] columns = RowMapping.columns(profile.profile(), profile.at());
      statements.add(Table.PROFILES, columns, RowChecksum.of(columns));
    } else if (entry instanceof StoreChange.ProfileForgotten forgotten) {
      forget(forgotten.type());
    } else if (entry instanceof StoreChange.UseNoted use) {
      used(use);
    } else if (entry instanceof StoreChange.UsageAdded added) {
      usage.merge(added.key(), added.totals(), UsageTotals::plus);
    }
  }

  private void put(JobSpec spec) throws SQLException {
    JobSpecCodec.Text text = JobSpecCodec.write(spec);
    if (text.environment() != null) {
      Object[] columns = {text.environment(), text.variables()};
      statements.add(Table.ENVIRONMENTS, columns, RowChecksum.of(columns));
    }
    long id = spec.id().value();
    statements.add(
        Table.SPECS,
        new Object[] {id, text.body(), text.environment()},
        RowChecksum.of(id, text.body())); // the body contains the environment's hash
  }

  private void put(JobRow row) throws SQLException {
    Object[] columns = RowMapping.columns(row);
    long sum = RowMapping.sumOfJob(columns);
    statements.add(Table.JOBS, columns, sum);
    jobs.put(row.id(), sum, row.state().isFinal(), checksums);
  }

  private void put(TaskRow row) throws SQLException {
    Object[] columns = RowMapping.columns(row);
    long sum = RowMapping.sumOfTask(columns);
    statements.add(Table.TASKS, columns, sum);
    tasks.put(row.id(), sum, row.state().isFinal(), checksums);
  }

  /** Reads the checksum of the row of a task that had ended and is to be written again. */
  private void returned(TaskId task) throws SQLException {
    if (tasks.knows(task)) {
      return;
    }
    try (PreparedStatement query =
        connection.prepareStatement("SELECT sum FROM tasks WHERE job = ? AND idx = ?")) {
      query.setLong(1, task.job().value());
      query.setInt(2, task.index());
      try (ResultSet row = query.executeQuery()) {
        if (row.next()) {
          tasks.returned(task, row.getLong(1));
        }
      }
    }
  }

  private void user(UserRow user) throws SQLException {
    try (PreparedStatement put =
        connection.prepareStatement(
            "INSERT INTO users (name, share, token_hash, limits, sum) VALUES (?, ?, ?, ?, ?)"
                + " ON CONFLICT (name) DO UPDATE SET share = excluded.share,"
                + " token_hash = excluded.token_hash, limits = excluded.limits,"
                + " sum = excluded.sum")) {
      Object[] columns = RowMapping.columns(user);
      for (int i = 0; i < columns.length; i++) {
        put.setObject(i + 1, columns[i]);
      }
      put.setLong(columns.length + 1, RowMapping.sumOfUser(columns));
      put.executeUpdate();
    }
  }

  private void sent(long notice) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM notices WHERE number = ?")) {
      delete.setLong(1, notice);
      delete.executeUpdate();
    }
  }

  private void drained(StoreChange.NodeDrained node) throws SQLException {
    try (PreparedStatement put =
        connection.prepareStatement(
            "INSERT INTO drained (node, reason, sum) VALUES (?, ?, ?) ON CONFLICT (node)"
                + " DO UPDATE SET reason = excluded.reason, sum = excluded.sum")) {
      put.setString(1, node.node());
      put.setString(2, node.reason());
      put.setLong(3, RowMapping.sumOfDrained(node.node(), node.reason()));
      put.executeUpdate();
    }
  }

  private void drained(StoreChange.GpuDrained gpu) throws SQLException {
    try (PreparedStatement put =
        connection.prepareStatement(
            "INSERT INTO drained_gpus (node, gpu, reason, sum) VALUES (?, ?, ?, ?)"
                + " ON CONFLICT (node, gpu)"
                + " DO UPDATE SET reason = excluded.reason, sum = excluded.sum")) {
      Object[] columns = {gpu.node(), gpu.gpu().uuid(), gpu.reason()};
      for (int i = 0; i < columns.length; i++) {
        put.setObject(i + 1, columns[i]);
      }
      put.setLong(columns.length + 1, RowChecksum.of(columns));
      put.executeUpdate();
    }
  }

  private void delete(String sql, String... key) throws SQLException {
    try (PreparedStatement delete = connection.prepareStatement(sql)) {
      for (int i = 0; i < key.length; i++) {
        delete.setString(i + 1, key[i]);
      }
      delete.executeUpdate();
    }
  }

  private void forget(JobType type) throws SQLException {
    statements.run(); // the same commit may have written this profile
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM profiles WHERE \"user\" = ? AND type = ?")) {
      delete.setString(1, type.user());
      delete.setString(2, type.name());
      delete.executeUpdate();
    }
  }

  private void used(StoreChange.UseNoted use) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE users SET used = ? WHERE name = ?")) {
      update.setDouble(1, use.coreSeconds());
      update.setString(2, use.user());
      update.executeUpdate();
    }
  }

  /** Adds what was used to the stored rows, which only this writer changes. */
  private void addUsage() throws SQLException {
    int begun = 0;
    for (Map.Entry<UsageKey, UsageTotals> one : usage.entrySet()) {
      UsageKey key = one.getKey();
      Optional<UsageTotals> before = statements.usage(key);
      if (before.isEmpty() && statements.usageRows(key) + begun++ >= UsageKey.MOST_ROWS) {
        key = key.ofOthers();
        before = statements.usage(key);
      }
      UsageTotals added = one.getValue();
      UsageTotals stored = before.orElse(UsageTotals.NONE).plus(added);
      usageRows.merge(key, stored, (first, second) -> first.plus(added));
    }
    usageRows.forEach(
        (key, totals) -> {
          Object[] columns = RowMapping.columns(key, totals);
          statements.add(Table.USAGE, columns, RowChecksum.of(columns));
        });
  }

  /** Runs all remaining statements; the caller commits. */
  void flush() throws SQLException {
    addUsage();
    checksums.write(statements);
    statements.run();
  }

  /** Marks the rows as committed. */
  void kept() {
    jobs.kept();
    tasks.kept();
    statements.keepUsage(usageRows);
  }
}
