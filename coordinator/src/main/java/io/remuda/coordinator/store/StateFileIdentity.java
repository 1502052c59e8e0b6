package io.remuda.coordinator.store;

import io.remuda.agent.protocol.StateFileLineage;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.SqlQueryRunner;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.worker.job.AttemptId;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The birth of a state file: a random number that distinguishes its attempts from attempts with the
 * same numbers that another file has assigned. A file that continues from a copy gets a new birth,
 * and keeps the earlier ones with the last job that they share.
 */
public final class StateFileIdentity {

  private static final long MOST = 0xffff_ffffL;

  private StateFileIdentity() {}

  /** Returns which attempts belong to the file. */
  static StateFileLineage lineage(Connection connection, MetaTable checksums)
      throws SQLException, StoreDamagedException {
    List<StateFileLineage.Origin> origins = new ArrayList<>();
    origins.add(
        new StateFileLineage.Origin(
            AttemptId.birth(checksums.number(MetaTable.BIRTH)), Long.MAX_VALUE));
    origins.addAll(
        SqlQueryRunner.all(
            connection,
            "SELECT * FROM lineage ORDER BY number DESC",
            row -> {
              Map.Entry<Long, Long> origin = RowMapping.LINEAGE.read(row);
              return new StateFileLineage.Origin(
                  AttemptId.birth(origin.getKey()), origin.getValue());
            }));
    return new StateFileLineage(origins);
  }

  /**
   * Gives the file a new birth and keeps the previous one in its lineage.
   *
   * @param checksums receives the birth; to be written in the same transaction
   */
  public static void renew(Connection connection, MetaTable checksums)
      throws SQLException, StoreDamagedException {
    long before = checksums.number(MetaTable.BIRTH);
    long last =
        Math.max(
            SqlQueryRunner.all(connection, "SELECT max(id) FROM jobs", row -> row.getLong(1))
                .get(0),
            checksums.number(MetaTable.LAST_JOB));
    try (PreparedStatement insert = connection.prepareStatement(RowMapping.LINEAGE.insert())) {
      RowMapping.LINEAGE.set(insert, before, last);
      insert.executeUpdate();
    }
    checksums.set(MetaTable.BIRTH, random());
  }

  private static long random() {
    long birth = 0;
    while (birth == 0) {
      birth = new SecureRandom().nextLong() & MOST;
    }
    return birth;
  }
}
