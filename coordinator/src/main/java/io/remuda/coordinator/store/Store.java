package io.remuda.coordinator.store;

import io.remuda.coordinator.lifecycle.TaskState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;

/**
 * Opens the file: checks that it is what was written, brings its schema up, takes the next epoch,
 * and reads what is not over. After that one {@link Journal} writes and any number of {@link
 * StoreReader} read.
 *
 * <p>SQLite in WAL mode with {@code synchronous=FULL} loses nothing that was committed when a
 * process is killed or the power fails, as long as the disk keeps its word; WAL wants a local disk.
 * Its pages carry no checksums, hence a sum in each row, and the sum of all rows' sums of a table
 * in {@code meta}, which a row that has vanished changes.
 */
public final class Store {

  /** Its name in the state folder. */
  public static final String FILE = "state.db";

  private static final Logger LOG = LoggerFactory.getLogger(Store.class);

  static final int BUSY_MILLIS = 5000;

  private static final int CORRUPT = 11;
  private static final int FULL = 13;
  private static final int NOT_A_DATABASE = 26;

  private static final String REPAIR =
      "; move it away to begin anew, or get a copy of it back, or see docs/job-service.md,"
          + " \"A damaged state file\"";

  private final Path file;

  private Store(Path file) {
    this.file = file;
  }

  /**
   * An open store.
   *
   * @param isNew whether there was none before
   * @param state what it held
   * @param journal writes it from now on
   */
  public record Opened(Store store, boolean isNew, StoreState state, Journal journal) {}

  /**
   * Opens or makes the file, with mode 0600.
   *
   * @param clock by which the epoch of a new file is above those of one that was lost
   * @throws StoreDamaged if it is not what was written, or a newer build has written it
   * @throws IOException if it cannot be opened
   */
  public static Opened open(Path folder, Clock clock) throws IOException, StoreDamaged {
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    try {
      boolean isNew = Files.size(file) == 0;
      prepareIfNew(file);
      boolean unfinished = LogCheck.isUnfinished(folder.resolve(FILE + "-wal"));
      Connection connection = connect(file);
      try {
        if (unfinished) {
          LOG.warn("{}: the last write was not finished, or is damaged: it is left out", file);
          FileRoom.cutLog(connection); // nothing of it is found again
        }
        if (!Schema.isNewest(connection)) {
          StateLoader.check(connection); // before it is changed
          Schema.prepare(connection);
        }
        Sums sums = Sums.read(connection);
        StateLoader.Loaded loaded = StateLoader.load(file, connection, sums, clock.millis());
        Journal journal = new Journal(folder, connection, sums, loaded);
        journal.start();
        return new Opened(new Store(file), isNew, loaded.state(), journal);
      } catch (SQLException | StoreDamaged | RuntimeException fault) {
        connection.close();
        throw fault;
      }
    } catch (StoreDamaged fault) {
      throw new StoreDamaged(file + ": " + fault.getMessage() + REPAIR, fault);
    } catch (SQLException fault) {
      if (isDamage(fault)) {
        throw new StoreDamaged(file + ": " + fault.getMessage() + REPAIR, fault);
      }
      String full = (fault.getErrorCode() & 0xff) == FULL ? ": make room on the disk" : "";
      throw new IOException(file + ": " + fault.getMessage() + full, fault);
    } catch (IllegalArgumentException | NullPointerException fault) {
      throw new StoreDamaged(file + ": " + fault.getMessage() + REPAIR, fault);
    }
  }

  private static void prepareIfNew(Path file) throws IOException, SQLException {
    if (Files.size(file) == 0) {
      try (Connection empty = DriverManager.getConnection("jdbc:sqlite:" + file)) {
        FileRoom.prepare(empty);
      }
    }
  }

  private static boolean isDamage(SQLException fault) {
    int code = fault.getErrorCode() & 0xff;
    return code == CORRUPT || code == NOT_A_DATABASE;
  }

  static Connection connect(Path file) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setBusyTimeout(BUSY_MILLIS);
    config.setJournalSizeLimit(FileRoom.LOG_BYTES);
    return DriverManager.getConnection("jdbc:sqlite:" + file, config.toProperties());
  }

  /** Somebody who reads what is committed; to be closed. */
  public StoreReader reader() throws IOException {
    try {
      SQLiteConfig config = new SQLiteConfig();
      config.setReadOnly(true);
      config.setBusyTimeout(BUSY_MILLIS);
      return new StoreReader(
          DriverManager.getConnection("jdbc:sqlite:" + file, config.toProperties()));
    } catch (SQLException fault) {
      throw new IOException(file + ": " + fault.getMessage(), fault);
    }
  }

  /** States that no event leads out of, as SQL. */
  static String finalStates() {
    StringBuilder list = new StringBuilder();
    for (TaskState state : TaskState.values()) {
      if (state.isFinal()) {
        list.append(list.isEmpty() ? "'" : ",'").append(state.name()).append('\'');
      }
    }
    return list.toString();
  }
}
