package io.remuda.coordinator.store;

import io.remuda.coordinator.registry.policy.ServerMemoryEstimate;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Thrown if the live jobs take more memory than this server may use. The file is not damaged. */
public final class StoreTooLargeException extends IOException {

  private static final long serialVersionUID = 1;
  private static final long MIB = 1 << 20;
  private static final long STEP = 256 * MIB;

  StoreTooLargeException(String message) {
    super(message);
  }

  /**
   * Returns an exception with a message about the number of jobs and the memory that they need.
   *
   * @param heap bytes that this server may use
   */
  static StoreTooLargeException of(Connection connection, long heap) throws SQLException {
    long jobs = number(connection, "SELECT count(*) FROM jobs WHERE ended = 0");
    long tasks = number(connection, "SELECT sum(tasks) FROM jobs WHERE ended = 0");
    long touched =
        number(
            connection,
            "SELECT count(*) FROM tasks JOIN jobs ON jobs.id = tasks.job"
                + " WHERE jobs.ended = 0 AND tasks.ended = 0");
    long texts =
        number(
            connection,
            "SELECT sum(length(body)) FROM specs JOIN jobs ON jobs.id = specs.job"
                + " WHERE jobs.ended = 0");
    long variables = number(connection, "SELECT sum(length(body)) FROM environments");
    long bytes =
        ServerMemoryEstimate.JOB * jobs
            + ServerMemoryEstimate.TASK * tasks
            + ServerMemoryEstimate.TOUCHED * touched
            + LoadedBytes.ofText(texts + variables);
    long enough = (2 * bytes + STEP - 1) / STEP * STEP;
    return new StoreTooLargeException(
        ("%d jobs that have not ended, with %d tasks, take about %d MiB of memory, and this server"
                + " has %d MiB: start it with REMUDA_SERVER_MEMORY=%dm remuda serve")
            .formatted(jobs, tasks, bytes / MIB, heap / MIB, enough / MIB));
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }
}
