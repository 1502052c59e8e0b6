package io.remuda.coordinator.store;

import io.remuda.agent.settings.FreeDiskSpaceCheck;
import io.remuda.coordinator.store.row.StoreDamagedException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;

/** A state file of one server, with its mark beside it. */
final class SqliteDatabase implements DatabaseBackend {

  private static final Logger LOG = LoggerFactory.getLogger(SqliteDatabase.class);

  static final int BUSY_MILLIS = 5000;

  private final OpenedStateFileCheck place;
  private final StateCommitCountFile mark;
  private final DiskGauge room;

  /** Used by the writer only. */
  private boolean marked;

  /**
   * @param mark of the file, which is locked; null for one that is only read
   */
  SqliteDatabase(OpenedStateFileCheck place, StateCommitCountFile mark) {
    this.place = place;
    this.mark = mark;
    this.room =
        new DiskGauge(() -> place.trouble().or(() -> FreeDiskSpaceCheck.shortage(place.folder())));
  }

  static Connection connect(Path file) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setBusyTimeout(BUSY_MILLIS);
    config.setJournalSizeLimit(SpaceReclaimer.LOG_BYTES);
    return DriverManager.getConnection("jdbc:sqlite:" + file, config.toProperties());
  }

  static Connection connectToRead(Path file) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(true);
    config.setBusyTimeout(BUSY_MILLIS);
    return DriverManager.getConnection("jdbc:sqlite:" + file, config.toProperties());
  }

  @Override
  public String name() {
    return place.file().toString();
  }

  @Override
  public String medium() {
    return "the disk of " + place.folder();
  }

  @Override
  public Connection connect() throws SQLException {
    return connect(place.file());
  }

  @Override
  public Connection connectToRead() throws SQLException {
    return connectToRead(place.file());
  }

  @Override
  public int version(Connection connection) throws SQLException {
    return Schema.found(connection);
  }

  @Override
  public int newestVersion() {
    return Schema.version();
  }

  @Override
  public boolean isNewest(Connection connection) throws SQLException {
    return Schema.isNewest(connection);
  }

  @Override
  public void prepareTables(Connection connection) throws SQLException, StoreDamagedException {
    checkPages(connection); // before the upgrade changes them
    Schema.prepare(connection);
  }

  @Override
  public void check(Connection connection) throws SQLException, StoreDamagedException {
    checkPages(connection);
  }

  static void checkPages(Connection connection) throws SQLException, StoreDamagedException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("PRAGMA quick_check(1)")) {
      String verdict = result.getString(1);
      if (!"ok".equals(verdict)) {
        throw new StoreDamagedException("SQLite says: " + verdict);
      }
    }
  }

  @Override
  public String locked() {
    return ""; // there is one writer at a time
  }

  @Override
  public void prepareWriter(Connection connection) throws SQLException {
    SpaceReclaimer.copyLogSeldom(connection);
  }

  /** Throws if the file was moved or removed. */
  @Override
  public void requireWritable() throws SQLException {
    Optional<String> gone = place.trouble();
    if (gone.isPresent()) {
      throw new SQLException(gone.get());
    }
  }

  @Override
  public Optional<String> trouble() {
    return room.trouble();
  }

  @Override
  public boolean isLost(Connection connection) {
    return false;
  }

  /** Updates the mark, by which a later start notices that acknowledged commits are missing. */
  @Override
  public void committed(long birth, long commits) {
    try {
      mark.write(new StateCommitCountFile.MarkContent(birth, commits));
      if (!marked) {
        mark.sync();
        marked = true;
      }
    } catch (IOException fault) {
      LOG.warn("{}: {}", mark.path(), fault.toString()); // harmless: the mark is too low
    }
  }

  @Override
  public boolean shrink(Connection connection) throws SQLException {
    return SpaceReclaimer.shrink(connection);
  }

  @Override
  public void tidied(Connection connection) throws SQLException {
    SpaceReclaimer.cutLog(connection);
  }

  @Override
  public void close() {
    try {
      mark.sync();
      mark.close();
    } catch (IOException fault) {
      LOG.warn("{}: {}", mark.path(), fault.toString());
    }
  }
}
