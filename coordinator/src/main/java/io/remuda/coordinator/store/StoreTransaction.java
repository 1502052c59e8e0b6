package io.remuda.coordinator.store;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.store.row.DailyUsageRow;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.JobSpecCodec;
import io.remuda.coordinator.store.row.PreparedStatements;
import io.remuda.coordinator.store.row.ProfileRow;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.TaskRow;
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
      statements.put(RowMapping.EVENTS, happened.event());
    } else if (entry instanceof StoreChange.UserSet user) {
      statements.put(RowMapping.USERS, user.user());
    } else if (entry instanceof StoreChange.NoticeDue due) {
      statements.put(RowMapping.NOTICES, due.notice());
    } else if (entry instanceof StoreChange.NoticeDone done) {
      statements.delete(RowMapping.NOTICES, done.number());
    } else if (entry instanceof StoreChange.NodeDrained node) {
      statements.put(RowMapping.DRAINED, node);
    } else if (entry instanceof StoreChange.NodeResumed node) {
      statements.delete(RowMapping.DRAINED, node.node());
    } else if (entry instanceof StoreChange.GpuDrained gpu) {
      statements.put(RowMapping.DRAINED_GPUS, gpu);
    } else if (entry instanceof StoreChange.GpuResumed gpu) {
      statements.delete(RowMapping.DRAINED_GPUS, gpu.node(), gpu.gpu().uuid());
    } else if (entry instanceof StoreChange.ProfileSet profile) {
      statements.put(RowMapping.PROFILES, new ProfileRow(profile.profile(), profile.at()));
    } else if (entry instanceof StoreChange.ProfileForgotten forgotten) {
      JobType type = forgotten.type();
      statements.delete(RowMapping.PROFILES, type.user(), type.name());
    } else if (entry instanceof StoreChange.UseNoted use) {
      statements.update("UPDATE users SET used = ? WHERE name = ?", use.coreSeconds(), use.user());
    } else if (entry instanceof StoreChange.UsageAdded added) {
      usage.merge(added.key(), added.totals(), UsageTotals::plus);
    }
  }

  private void put(JobSpec spec) {
    JobSpecCodec.Text text = JobSpecCodec.write(spec);
    if (text.environment() != null) {
      statements.put(RowMapping.ENVIRONMENTS, Map.entry(text.environment(), text.variables()));
    }
    statements.put(
        RowMapping.SPECS, new RowMapping.SpecRow(spec.id(), text.body(), text.environment()));
  }

  private void put(JobRow row) {
    long sum = statements.put(RowMapping.JOBS, row);
    jobs.put(row.id(), sum, row.state().isFinal(), checksums);
  }

  private void put(TaskRow row) {
    long sum = statements.put(RowMapping.TASKS, row);
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
        (key, totals) -> statements.put(RowMapping.USAGE, new DailyUsageRow(key, totals)));
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
