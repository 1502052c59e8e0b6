package io.remuda.coordinator.store;

import io.remuda.agent.settings.FolderOwnershipCheck;
import io.remuda.coordinator.store.row.PreparedStatements;
import io.remuda.coordinator.store.row.StoreDamagedException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Stream;

/**
 * Backs up and restores a state file, and moves it aside, always together with its write-ahead log
 * and its mark. Never removes a state. Blocks.
 */
public final class StateFileOperations {

  /** Whether a backup may replace an existing file. */
  public enum Existing {
    REFUSE,
    REPLACE
  }

  private static final String LOG = StoreOpener.FILE + "-wal";
  private static final List<String> ALL =
      List.of(StoreOpener.FILE, LOG, StoreOpener.FILE + "-shm", StateCommitCountFile.FILE);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private StateFileOperations() {}

  /**
   * Copies the state of a folder to a file with mode 0600, which is checked and durable when this
   * returns. A server may run meanwhile.
   *
   * @throws FileAlreadyExistsException if the file exists and is not to be replaced
   * @throws StoreDamagedException if the state is damaged
   */
  public static void backUp(Path folder, Path to, Existing existing)
      throws IOException, StoreDamagedException {
    if (existing == Existing.REFUSE && Files.exists(to)) {
      throw new FileAlreadyExistsException(to.toString());
    }
    requireState(folder.resolve(StoreOpener.FILE));
    Path target = to.toAbsolutePath();
    Path draft = newFolder(target.getParent(), ".remuda-backup-");
    try {
      Path copy = draft.resolve(StoreOpener.FILE);
      copy(folder, draft, copy);
      check(copy);
      Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-------"));
      sync(copy);
      if (existing == Existing.REFUSE) {
        Files.createLink(target, copy); // of two concurrent backups one is refused
      } else {
        Files.move(copy, target, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (SQLException fault) {
      throw damage(folder.resolve(StoreOpener.FILE), fault);
    } finally {
      remove(draft);
    }
  }

  /**
   * Takes the state file of a folder, as a server does that has it for itself.
   *
   * @return the file; the caller closes it
   * @throws NoSuchFileException if there is none
   * @throws StateInUseException if a server uses it
   * @throws StoreDamagedException if acknowledged commits are missing
   */
  public static DatabaseBackend take(Path folder) throws IOException, StoreDamagedException {
    requireState(folder.resolve(StoreOpener.FILE));
    return held(folder);
  }

  /** Takes the state file of a folder, as {@link #take}; creates an empty one if there is none. */
  public static DatabaseBackend takeOrMake(Path folder) throws IOException, StoreDamagedException {
    FolderOwnershipCheck.create(folder);
    DatabaseBackend database = held(folder);
    Path file = folder.resolve(StoreOpener.FILE);
    try {
      if (WalCheck.isUnfinished(StoreOpener.log(file))) {
        try (Connection connection = SqliteDatabase.connect(file)) {
          SpaceReclaimer.cutLog(connection); // removes the rest of the log
        }
      }
      return database;
    } catch (SQLException fault) {
      database.close();
      throw damage(file, fault);
    }
  }

  private static DatabaseBackend held(Path folder) throws IOException, StoreDamagedException {
    Path file = folder.resolve(StoreOpener.FILE);
    StateCommitCountFile mark = StateCommitCountFile.take(folder);
    try {
      if (StoreOpener.isNew(file, mark)) {
        StoreOpener.make(file);
      }
      WalCheck.isUnfinished(StoreOpener.log(file)); // throws if more than the last write is damaged
      StoreOpener.requireAllOf(mark, file);
      return new SqliteDatabase(OpenedStateFileCheck.of(file), mark);
    } catch (SQLException fault) {
      mark.close();
      throw damage(file, fault);
    } catch (StoreDamagedException fault) {
      mark.close();
      throw new StoreDamagedException(file + ": " + fault.getMessage(), fault);
    } catch (IOException | RuntimeException fault) {
      mark.close();
      throw fault;
    }
  }

  /** Checks the log before the copy, unless a server runs: then SQLite knows what is committed. */
  private static void copy(Path folder, Path draft, Path copy)
      throws IOException, SQLException, StoreDamagedException {
    Path file = folder.resolve(StoreOpener.FILE);
    StateCommitCountFile mark;
    try {
      mark = StateCommitCountFile.take(folder);
    } catch (StateInUseException served) {
      vacuum(file, copy);
      return;
    }
    try (mark) {
      Path still = Files.createDirectory(draft.resolve("still")).resolve(StoreOpener.FILE);
      copyWithLog(file, still);
      WalCheck.isUnfinished(StoreOpener.log(still));
      StoreOpener.requireAllOf(mark, still);
      vacuum(still, copy);
    }
  }

  private static void requireState(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new NoSuchFileException(file.toString(), null, "there is no state");
    }
  }

  private static void vacuum(Path from, Path to) throws SQLException {
    try (Connection connection = SqliteDatabase.connectToRead(from);
        PreparedStatement vacuum = connection.prepareStatement("VACUUM INTO ?")) {
      vacuum.setString(1, to.toString());
      vacuum.execute();
    }
  }

  /** Reads the whole file, as a starting server does. */
  private static void check(Path file) throws IOException, SQLException, StoreDamagedException {
    try (Connection connection = SqliteDatabase.connect(file)) {
      if (Schema.isNewest(connection)) {
        StateLoader.load(
            new SqliteDatabase(OpenedStateFileCheck.of(file), null),
            connection,
            MetaTable.read(connection),
            0,
            Runtime.getRuntime().maxMemory());
      } else {
        SqliteDatabase.checkPages(connection);
      }
      settle(connection);
    }
  }

  /** Moves the contents of the log into the file. */
  private static void settle(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }
  }

  private static void copyWithLog(Path from, Path to) throws IOException {
    Files.copy(from, to);
    if (Files.exists(StoreOpener.log(from))) {
      Files.copy(StoreOpener.log(from), StoreOpener.log(to));
    }
    Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rw-------"));
  }

  private static void sync(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /**
   * Replaces a folder's state by a copy with a new birth, which distinguishes job numbers that are
   * assigned again. Moves the previous state aside.
   *
   * @param from a backup, or any state file; its log is included if there is one
   * @param now names the folder of the previous state
   * @return the folder of the previous state
   * @throws StateInUseException if a server uses the folder
   * @throws StoreDamagedException if the copy is damaged; then nothing has changed
   */
  public static Path restore(Path folder, Path from, Instant now)
      throws IOException, StoreDamagedException {
    requireState(from);
    FolderOwnershipCheck.create(folder);
    StateCommitCountFile mark = StateCommitCountFile.take(folder);
    Path draft = newFolder(folder, ".restoring-");
    try (mark) {
      Path copy = draft.resolve(StoreOpener.FILE);
      copyWithLog(from, copy);
      StateCommitCountFile.MarkContent said = renew(copy);
      sync(copy);
      Path aside = newFolder(folder, "state-before-" + TIME.format(now) + "-");
      move(folder, aside);
      Files.move(copy, folder.resolve(StoreOpener.FILE), StandardCopyOption.ATOMIC_MOVE);
      StateCommitCountFile.put(folder, said); // last: until then a server refuses to start
      return aside;
    } catch (SQLException fault) {
      throw damage(from, fault);
    } finally {
      remove(draft);
    }
  }

  private static StateCommitCountFile.MarkContent renew(Path copy)
      throws IOException, SQLException, StoreDamagedException {
    WalCheck.isUnfinished(StoreOpener.log(copy)); // an unfinished last write is left out
    try (Connection connection = SqliteDatabase.connect(copy)) {
      SqliteDatabase.checkPages(connection);
      Schema.prepare(connection);
      MetaTable checksums = MetaTable.read(connection);
      SqliteDatabase database = new SqliteDatabase(OpenedStateFileCheck.of(copy), null);
      StateLoader.load(database, connection, checksums, 0, Runtime.getRuntime().maxMemory());
      connection.setAutoCommit(false);
      StateFileIdentity.renew(connection, checksums);
      PreparedStatements statements = new PreparedStatements(connection, database.locked());
      checksums.write(statements);
      statements.run();
      connection.commit();
      connection.setAutoCommit(true);
      settle(connection);
      return checksums.said();
    }
  }

  /**
   * Moves the state aside, so that the next server starts with an empty one.
   *
   * @param now names the folder that it is moved to
   * @return that folder
   * @throws StateInUseException if a server uses the state
   */
  public static Path putAside(Path folder, Instant now) throws IOException {
    if (ALL.stream().map(folder::resolve).noneMatch(Files::exists)) {
      throw new NoSuchFileException(
          folder.resolve(StoreOpener.FILE).toString(), null, "there is no state");
    }
    try (StateCommitCountFile mark = StateCommitCountFile.take(folder)) {
      Path aside = newFolder(folder, "state-before-" + TIME.format(now) + "-");
      move(folder, aside);
      Files.move(
          mark.path(),
          aside.resolve(StateCommitCountFile.FILE),
          StandardCopyOption.REPLACE_EXISTING);
      return aside;
    }
  }

  /** Moves the files but copies the mark: with only a mark a server reports a missing state. */
  private static void move(Path folder, Path aside) throws IOException {
    Files.copy(folder.resolve(StateCommitCountFile.FILE), aside.resolve(StateCommitCountFile.FILE));
    for (String name : ALL) {
      if (!name.equals(StateCommitCountFile.FILE) && Files.exists(folder.resolve(name))) {
        Files.move(folder.resolve(name), aside.resolve(name), StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  private static Path newFolder(Path parent, String prefix) throws IOException {
    return Files.createTempDirectory(parent, prefix); // has mode 0700
  }

  private static void remove(Path draft) throws IOException {
    try (Stream<Path> tree = Files.walk(draft)) {
      for (Path one : tree.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(one);
      }
    }
  }

  private static StoreDamagedException damage(Path file, SQLException fault) {
    return new StoreDamagedException(file + ": " + fault.getMessage(), fault);
  }
}
