package io.remuda.coordinator.store;

import io.remuda.agent.settings.DiskRoom;
import io.remuda.coordinator.lifecycle.TaskState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Optional;
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
  private static final int IO_ERROR = 10;
  private static final int NOT_A_DATABASE = 26;

  /** What to do, with the words of docs/job-service.md, "A damaged state file". */
  private static final String REPAIR =
      "; remuda restore FILE puts a backup in its place, remuda restore --empty begins anew; both"
          + " keep aside what is there";

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
   * @throws StateInUse if a server works with it
   * @throws IOException if it cannot be opened
   */
  public static Opened open(Path folder, Clock clock) throws IOException, StoreDamaged {
    return open(folder, clock, Runtime.getRuntime().maxMemory());
  }

  /**
   * The same in another server's memory.
   *
   * @param heap bytes that it may use
   * @throws StoreTooLarge if what is not over takes more
   */
  static Opened open(Path folder, Clock clock, long heap) throws IOException, StoreDamaged {
    StateMark mark = StateMark.take(folder);
    try {
      return open(folder.resolve(FILE), mark, clock, heap);
    } catch (IOException | StoreDamaged | RuntimeException | OutOfMemoryError fault) {
      mark.close();
      throw fault;
    }
  }

  private static Opened open(Path file, StateMark mark, Clock clock, long heap)
      throws IOException, StoreDamaged {
    try {
      boolean isNew = isNew(file, mark);
      if (isNew) {
        make(file);
      }
      boolean unfinished = WalCheck.isUnfinished(log(file));
      requireAllOf(mark, file);
      StatePlace place = StatePlace.of(file);
      Connection connection = connect(file);
      try {
        if (unfinished) {
          LOG.warn("{}: the last write was not finished, or is damaged: it is left out", file);
          FreeSpace.cutLog(connection); // nothing of it is found again
        }
        return open(place, mark, connection, isNew, clock, heap);
      } catch (StoreTooLarge | OutOfMemoryError tooLarge) {
        try (Connection own = connection) {
          throw new StoreTooLarge(file + ": " + StoreTooLarge.of(own, heap).getMessage());
        }
      } catch (SQLException | StoreDamaged | IOException | RuntimeException fault) {
        connection.close();
        throw fault;
      }
    } catch (StoreDamaged fault) {
      throw new StoreDamaged(file + ": " + fault.getMessage() + REPAIR, fault);
    } catch (SQLException fault) {
      if (isDamage(fault)) {
        throw new StoreDamaged(file + ": " + fault.getMessage() + REPAIR, fault);
      }
      String full = isOfFullDisk(fault, file.getParent()) ? ": make room on the disk" : "";
      throw new IOException(file + ": " + fault.getMessage() + full, fault);
    } catch (IllegalArgumentException | NullPointerException fault) {
      throw new StoreDamaged(file + ": " + fault.getMessage() + REPAIR, fault);
    }
  }

  private static Opened open(
      StatePlace place,
      StateMark mark,
      Connection connection,
      boolean isNew,
      Clock clock,
      long heap)
      throws SQLException, StoreDamaged, IOException {
    Path file = place.file();
    if (!Schema.isNewest(connection)) {
      StateLoader.check(connection); // before it is changed
      Schema.prepare(connection);
    }
    TableChecksums checksums = TableChecksums.read(connection);
    boolean copied = mark.isEmpty() && checksums.number(TableChecksums.BIRTH) != 0;
    if (copied) {
      LOG.warn(
          "{} came here without {}: it is taken for a copy, what it knows goes on",
          file,
          mark.path().getFileName());
    }
    if (copied || checksums.number(TableChecksums.BIRTH) == 0) {
      StateFileBirths.renew(connection, checksums);
    }
    StateLoader.Loaded loaded = StateLoader.load(file, connection, checksums, clock.millis(), heap);
    Journal journal = new Journal(place, mark, connection, checksums, loaded);
    journal.start();
    return new Opened(new Store(file), isNew, loaded.state(), journal);
  }

  /** Whether nothing says that there ever was a state here. */
  private static boolean isNew(Path file, StateMark mark) throws IOException, StoreDamaged {
    if (Files.exists(file) && Files.size(file) > 0) {
      return false;
    }
    String what = Files.exists(file) ? "it is empty" : "it is missing";
    Path log = log(file);
    if (Files.exists(log) && Files.size(log) > 0) {
      throw new StoreDamaged(
          what + ", but its log is here, and is nothing without it: put it back beside " + log);
    }
    if (!mark.isEmpty()) {
      throw new StoreDamaged(what + ", but there was one, as " + mark.path() + " says");
    }
    return true;
  }

  /** A log that was lost or cut, and an older copy, have fewer commits than were acknowledged. */
  static void requireAllOf(StateMark mark, Path file)
      throws IOException, SQLException, StoreDamaged {
    Optional<StateMark.MarkContent> said = mark.read();
    if (said.isEmpty()) {
      if (!mark.isEmpty()) {
        LOG.warn("{} is damaged: whether anything is missing cannot be told", mark.path());
      }
      return;
    }
    StateMark.MarkContent found;
    try (Connection look = connectToRead(file)) { // it leaves a log as it is when it is closed
      found =
          Schema.isEmpty(look)
              ? new StateMark.MarkContent(said.get().birth(), 0)
              : TableChecksums.read(look).said();
    }
    if (said.get().birth() != found.birth()) {
      throw new StoreDamaged("it is not the file that was here last");
    }
    long missing = said.get().commits() - found.commits();
    if (missing > 0) {
      throw new StoreDamaged(
          missing
              + " commits that were acknowledged are missing: it is an older copy, or its log ("
              + FILE
              + "-wal) was lost or cut");
    }
  }

  static Path log(Path file) {
    return file.resolveSibling(file.getFileName() + "-wal");
  }

  private static void make(Path file) throws IOException, SQLException {
    if (!Files.exists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    try (Connection empty = DriverManager.getConnection("jdbc:sqlite:" + file)) {
      FreeSpace.prepare(empty);
    }
  }

  /** The memory that processes share is a file too, and SQLite says less when that has no room. */
  private static boolean isOfFullDisk(SQLException fault, Path folder) {
    int code = fault.getErrorCode() & 0xff;
    return code == FULL || (code == IO_ERROR && DiskRoom.shortage(folder).isPresent());
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
    config.setJournalSizeLimit(FreeSpace.LOG_BYTES);
    return DriverManager.getConnection("jdbc:sqlite:" + file, config.toProperties());
  }

  static Connection connectToRead(Path file) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(true);
    config.setBusyTimeout(BUSY_MILLIS);
    return DriverManager.getConnection("jdbc:sqlite:" + file, config.toProperties());
  }

  /** Somebody who reads what is committed; to be closed. */
  public StoreReader reader() throws IOException {
    try {
      return new StoreReader(connectToRead(file));
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
