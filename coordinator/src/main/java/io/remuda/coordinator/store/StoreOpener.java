package io.remuda.coordinator.store;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.row.PreparedStatements;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.store.warm.WarmState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the state: checks it, upgrades its schema, takes the next epoch and reads the live jobs.
 * Afterwards one {@link JournalWriter} writes and any number of {@link StoreReader} read.
 *
 * <p>SQLite in WAL mode with {@code synchronous=FULL} loses no commit when a process is killed or
 * the power fails, if the disk honours fsync; WAL needs a local disk. SQLite's pages have no
 * checksums, so each row has one, and {@code meta} has the sum of all row checksums of a table,
 * which reveals missing rows.
 */
public final class StoreOpener {

  /** Its name in the state folder. */
  public static final String FILE = "state.db";

  private static final Logger LOG = LoggerFactory.getLogger(StoreOpener.class);

  /** What to do; docs/job-service.md, "A damaged state file", explains it. */
  static final String REPAIR =
      "; remuda restore FILE puts a backup in its place, remuda restore --empty begins anew; both"
          + " keep aside what is there";

  private final DatabaseBackend database;

  private StoreOpener(DatabaseBackend database) {
    this.database = database;
  }

  /**
   * An open store.
   *
   * @param isNew whether it was created
   * @param state its content when it was opened
   * @param journal its writer
   */
  public record Opened(StoreOpener store, boolean isNew, StoreState state, JournalWriter journal) {}

  /**
   * Opens the file, or creates it with mode 0600.
   *
   * @param clock the epoch is at least its time, and so above the epochs of a lost file
   * @throws StoreDamagedException if it is damaged, or a newer build has written it
   * @throws StateInUseException if a server uses it
   * @throws IOException if it cannot be opened
   */
  public static Opened open(Path folder, Clock clock) throws IOException, StoreDamagedException {
    return open(folder, clock, Runtime.getRuntime().maxMemory());
  }

  /**
   * Opens or creates the file with a given memory limit.
   *
   * @param heap bytes that the server may use
   * @throws StoreTooLargeException if the live jobs take more
   */
  static Opened open(Path folder, Clock clock, long heap)
      throws IOException, StoreDamagedException {
    StateCommitCountFile mark = StateCommitCountFile.take(folder);
    try {
      return open(folder.resolve(FILE), mark, clock, heap);
    } catch (IOException | StoreDamagedException | RuntimeException | OutOfMemoryError fault) {
      mark.close();
      throw fault;
    }
  }

  private static Opened open(Path file, StateCommitCountFile mark, Clock clock, long heap)
      throws IOException, StoreDamagedException {
    try {
      boolean isNew = isNew(file, mark);
      if (isNew) {
        make(file);
      }
      boolean unfinished = WalCheck.isUnfinished(log(file));
      requireAllOf(mark, file);
      OpenedStateFileCheck place = OpenedStateFileCheck.of(file);
      Connection connection = SqliteDatabase.connect(file);
      try {
        if (unfinished) {
          LOG.warn("{}: the last write was not finished, or is damaged: it is left out", file);
          SpaceReclaimer.cutLog(connection); // removes the rest of the log
        }
        return open(place, mark, connection, isNew, clock, heap);
      } catch (StoreTooLargeException | OutOfMemoryError tooLarge) {
        throw tooLarge(connection, file.toString(), heap);
      } catch (SQLException | StoreDamagedException | IOException | RuntimeException fault) {
        connection.close();
        throw fault;
      }
    } catch (StoreDamagedException fault) {
      throw new StoreDamagedException(file + ": " + fault.getMessage() + REPAIR, fault);
    } catch (SQLException fault) {
      if (DatabaseFault.isDamage(fault)) {
        throw new StoreDamagedException(file + ": " + fault.getMessage() + REPAIR, fault);
      }
      if (DatabaseFault.isOfOtherTables(fault)) {
        throw new StoreDamagedException(
            file + ": " + DatabaseFault.otherTables(fault) + REPAIR, fault);
      }
      String full =
          DatabaseFault.isOfFullDisk(fault, file.getParent()) ? ": make room on the disk" : "";
      throw new IOException(file + ": " + fault.getMessage() + full, fault);
    } catch (RuntimeException fault) {
      throw new StoreDamagedException(
          file + ": " + DatabaseFault.unreadable(fault) + REPAIR, fault);
    }
  }

  private static Opened open(
      OpenedStateFileCheck place,
      StateCommitCountFile mark,
      Connection connection,
      boolean isNew,
      Clock clock,
      long heap)
      throws SQLException, StoreDamagedException, IOException {
    DatabaseBackend database = new SqliteDatabase(place, mark);
    if (!database.isNewest(connection)) {
      database.prepareTables(connection);
    }
    MetaTable checksums = MetaTable.read(connection);
    boolean copied = mark.isEmpty() && checksums.number(MetaTable.BIRTH) != 0;
    if (copied) {
      LOG.warn(
          "{} came here without {}: it is taken for a copy, what it knows goes on",
          place.file(),
          mark.path().getFileName());
      StateFileIdentity.renew(connection, checksums);
    }
    return begin(database, connection, checksums, isNew, clock, heap, Optional.empty());
  }

  /**
   * Opens the state of a database that several servers reach, and takes it over from the server
   * that has written last, if there is one.
   *
   * @param clock the epoch is at least its time
   * @throws StoreDamagedException if it is damaged, or a newer build has written it
   * @throws StateInUseException if another server takes it over at the same time
   * @throws IOException if it cannot be reached
   */
  public static Opened open(DatabaseBackend database, Clock clock)
      throws IOException, StoreDamagedException {
    return open(database, clock, UpgradePermit.ALONE);
  }

  /** Opens the state of a database whose tables may be upgraded only with a permit. */
  public static Opened open(DatabaseBackend database, Clock clock, UpgradePermit permit)
      throws IOException, StoreDamagedException {
    return open(database, clock, permit, Optional::empty);
  }

  /**
   * Opens the state of a database whose tables may be upgraded only with a permit.
   *
   * @param warm rows that were read ahead; asked for once no other server can write
   */
  public static Opened open(
      DatabaseBackend database,
      Clock clock,
      UpgradePermit permit,
      Supplier<Optional<WarmState.Rows>> warm)
      throws IOException, StoreDamagedException {
    return open(database, clock, Runtime.getRuntime().maxMemory(), permit, warm);
  }

  /** Returns why this build is too old for the state in a database; empty if it is away. */
  public static Optional<String> outdated(DatabaseBackend database) {
    try (Connection connection = database.connectToRead()) {
      StoreDamagedException.requireKnown(
          database.version(connection), database.newestVersion(), "database");
      return Optional.empty();
    } catch (SQLException away) {
      LOG.debug("the version of {} is not known", database.name(), away);
      return Optional.empty();
    } catch (StoreDamagedException newer) {
      return Optional.of("the state in " + database.name() + ": " + newer.getMessage());
    }
  }

  /**
   * Opens the state of a database with a given memory limit.
   *
   * @param heap bytes that the server may use
   */
  static Opened open(DatabaseBackend database, Clock clock, long heap)
      throws IOException, StoreDamagedException {
    return open(database, clock, heap, UpgradePermit.ALONE, Optional::empty);
  }

  private static Opened open(
      DatabaseBackend database,
      Clock clock,
      long heap,
      UpgradePermit permit,
      Supplier<Optional<WarmState.Rows>> warm)
      throws IOException, StoreDamagedException {
    try {
      Connection connection = database.connect();
      try {
        database.prepareWriter(connection);
        if (!database.isNewest(connection)) {
          permit.require(database.version(connection), database.newestVersion());
          database.prepareTables(connection);
        }
        boolean isNew = takeOver(database, connection, clock);
        MetaTable checksums = MetaTable.read(connection);
        return begin(database, connection, checksums, isNew, clock, heap, warm.get());
      } catch (StoreTooLargeException | OutOfMemoryError tooLarge) {
        throw tooLarge(connection, database.name(), heap);
      } catch (SQLException | StoreDamagedException | IOException | RuntimeException fault) {
        connection.close();
        throw fault;
      }
    } catch (SQLException fault) {
      if (DatabaseFault.isOfOtherTables(fault)) {
        throw new StoreDamagedException(
            database.name() + ": " + DatabaseFault.otherTables(fault), fault);
      }
      throw new IOException(database.name() + ": " + fault.getMessage(), fault);
    } catch (StoreDamagedException fault) {
      throw new StoreDamagedException(database.name() + ": " + fault.getMessage(), fault);
    } catch (RuntimeException fault) {
      throw new StoreDamagedException(
          database.name() + ": " + DatabaseFault.unreadable(fault), fault);
    }
  }

  /** Closes the connection and returns the exception that says how much memory is enough. */
  private static StoreTooLargeException tooLarge(Connection connection, String name, long heap)
      throws SQLException {
    try (Connection own = connection) {
      return new StoreTooLargeException(
          name + ": " + StoreTooLargeException.of(own, heap).getMessage());
    }
  }

  /**
   * Takes the next epoch, after which no other server can commit.
   *
   * @return whether there was none before
   */
  private static boolean takeOver(DatabaseBackend database, Connection connection, Clock clock)
      throws SQLException, StoreDamagedException {
    connection.setAutoCommit(false);
    PreparedStatements statements = new PreparedStatements(connection, database.locked());
    statements.epoch(); // waits for the commit of the other, if one is under way
    MetaTable checksums = MetaTable.read(connection);
    long before = checksums.number(MetaTable.EPOCH);
    checksums.set(MetaTable.EPOCH, Math.max(before + 1, clock.millis()));
    checksums.write(statements);
    statements.run();
    connection.commit();
    connection.setAutoCommit(true);
    return before == 0;
  }

  private static Opened begin(
      DatabaseBackend database,
      Connection connection,
      MetaTable checksums,
      boolean isNew,
      Clock clock,
      long heap,
      Optional<WarmState.Rows> warm)
      throws SQLException, StoreDamagedException, IOException {
    if (checksums.number(MetaTable.BIRTH) == 0) {
      StateFileIdentity.renew(connection, checksums);
    }
    StateLoader.Loaded loaded =
        StateLoader.load(database, connection, checksums, clock.millis(), heap, warm);
    JournalWriter journal = new JournalWriter(database, connection, checksums, loaded);
    journal.start();
    return new Opened(new StoreOpener(database), isNew, loaded.state(), journal);
  }

  /** Returns whether there was never a state here; throws if there was one that is missing. */
  static boolean isNew(Path file, StateCommitCountFile mark)
      throws IOException, StoreDamagedException {
    if (Files.exists(file) && Files.size(file) > 0) {
      return false;
    }
    String what = Files.exists(file) ? "it is empty" : "it is missing";
    Path log = log(file);
    if (Files.exists(log) && Files.size(log) > 0) {
      throw new StoreDamagedException(
          what + ", but its log is here, and is nothing without it: put it back beside " + log);
    }
    if (!mark.isEmpty()) {
      throw new StoreDamagedException(what + ", but there was one, as " + mark.path() + " says");
    }
    return true;
  }

  /**
   * Throws if the file has fewer commits than the mark: its log was lost or truncated, or it is an
   * older copy.
   */
  static void requireAllOf(StateCommitCountFile mark, Path file)
      throws IOException, SQLException, StoreDamagedException {
    Optional<StateCommitCountFile.MarkContent> said = mark.read();
    if (said.isEmpty()) {
      if (!mark.isEmpty()) {
        LOG.warn("{} is damaged: whether anything is missing cannot be told", mark.path());
      }
      return;
    }
    StateCommitCountFile.MarkContent found;
    try (Connection look =
        SqliteDatabase.connectToRead(file)) { // closing it does not change the log
      found =
          Schema.isEmpty(look)
              ? new StateCommitCountFile.MarkContent(said.get().birth(), 0)
              : MetaTable.read(look).said();
    }
    if (said.get().birth() != found.birth()) {
      throw new StoreDamagedException("it is not the file that was here last");
    }
    long missing = said.get().commits() - found.commits();
    if (missing > 0) {
      throw new StoreDamagedException(
          missing
              + " commits that were acknowledged are missing: it is an older copy, or its log ("
              + FILE
              + "-wal) was lost or cut");
    }
  }

  static Path log(Path file) {
    return file.resolveSibling(file.getFileName() + "-wal");
  }

  /** Creates an empty file with mode 0600. */
  static void make(Path file) throws IOException, SQLException {
    if (!Files.exists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    try (Connection empty = DriverManager.getConnection("jdbc:sqlite:" + file)) {
      SpaceReclaimer.prepare(empty);
    }
  }

  /** Returns the name of the database, in messages. */
  public String name() {
    return database.name();
  }

  /** Returns a new reader of the committed state, which the caller must close. */
  public StoreReader reader() throws IOException {
    return new StoreReader(database);
  }

  /** Returns the final states as an SQL list. */
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
