package io.remuda.coordinator.store;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.JobId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
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
        quickCheck(connection);
        Schema.prepare(connection);
        Sums sums = Sums.read(connection);
        StoreState state = read(connection, sums, clock.millis());
        Journal journal = new Journal(folder, connection, sums, state);
        journal.start();
        return new Opened(new Store(file), isNew, state, journal);
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

  private static void quickCheck(Connection connection) throws SQLException, StoreDamaged {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("PRAGMA quick_check(1)")) {
      String verdict = result.getString(1);
      if (!"ok".equals(verdict)) {
        throw new StoreDamaged("SQLite says: " + verdict);
      }
    }
  }

  private static StoreState read(Connection connection, Sums sums, long nowMillis)
      throws SQLException, StoreDamaged {
    Specs specs = new Specs();
    List<StoreState.LiveJob> jobs = new ArrayList<>();
    Map<JobId, List<TaskRow>> tasks = new HashMap<>();
    long last = 0;
    long jobSum = 0;
    Set<JobId> live = new HashSet<>();
    List<JobRow> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT * FROM jobs ORDER BY id")) {
      while (result.next()) {
        JobRow row = Rows.job(result);
        jobSum += result.getLong("sum");
        last = row.id().value();
        if (!row.state().isFinal()) {
          rows.add(row);
          live.add(row.id());
        }
      }
    }
    sums.compare(Sums.JOBS, jobSum);
    readSpecs(connection, specs, rows, jobs);
    long taskSum = 0;
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT * FROM tasks ORDER BY job, idx")) {
      while (result.next()) {
        taskSum += result.getLong("sum");
        TaskRow row = Rows.task(result);
        if (live.contains(row.id().job())) {
          tasks.computeIfAbsent(row.id().job(), id -> new ArrayList<>()).add(row);
        }
      }
    }
    sums.compare(Sums.TASKS, taskSum);
    Map<String, Double> used = new HashMap<>();
    return new StoreState(
        Math.max(sums.number("epoch") + 1, nowMillis), // above those of a lost file
        Math.max(last, sums.number(Sums.LAST_JOB)) + 1,
        Math.max(lastEvent(connection), sums.number(Sums.LAST_EVENT)) + 1,
        jobs,
        tasks,
        users(connection, used),
        used,
        drained(connection));
  }

  private static void readSpecs(
      Connection connection, Specs specs, List<JobRow> rows, List<StoreState.LiveJob> jobs)
      throws SQLException, StoreDamaged {
    Map<JobId, String> bodies = new HashMap<>();
    String live =
        "SELECT specs.job, specs.body, specs.sum FROM specs JOIN jobs ON jobs.id = specs.job"
            + " WHERE jobs.state NOT IN ("
            + finalStates()
            + ")";
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(live)) {
      while (row.next()) {
        JobId id = new JobId(row.getLong("job"));
        String body = row.getString("body");
        Rows.check(row, "spec " + id, id.value(), body);
        bodies.put(id, body);
      }
    }
    for (JobRow row : rows) {
      if (!bodies.containsKey(row.id())) {
        throw new StoreDamaged("what job " + row.id() + " was asked for is missing");
      }
    }
    List<Specs.Alike> parsed = parseAll(rows.stream().map(row -> bodies.get(row.id())).toList());
    for (int i = 0; i < parsed.size(); i++) {
      jobs.add(new StoreState.LiveJob(specs.whole(parsed.get(i), connection), rows.get(i)));
    }
  }

  /** On all processors, for it is most of what a start with many jobs takes. */
  private static List<Specs.Alike> parseAll(List<String> bodies) throws StoreDamaged {
    Specs.Alike[] parsed = new Specs.Alike[bodies.size()];
    StoreDamaged[] damage = new StoreDamaged[1];
    IntStream.range(0, parsed.length)
        .parallel()
        .forEach(
            i -> {
              try {
                parsed[i] = Specs.parse(bodies.get(i));
              } catch (StoreDamaged fault) {
                damage[0] = fault; // one of them is enough
              }
            });
    if (damage[0] != null) {
      throw damage[0];
    }
    return Arrays.asList(parsed);
  }

  private static long lastEvent(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT max(sequence) FROM events")) {
      return result.getLong(1);
    }
  }

  private static List<UserRow> users(Connection connection, Map<String, Double> used)
      throws SQLException, StoreDamaged {
    List<UserRow> users = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT * FROM users ORDER BY name")) {
      while (row.next()) {
        UserRow user =
            new UserRow(row.getString("name"), row.getDouble("share"), row.getString("token_hash"));
        Rows.check(row, "user " + user.name(), user.name(), user.share(), user.tokenHash());
        users.add(user);
        used.put(user.name(), row.getDouble("used"));
      }
    }
    return users;
  }

  private static Set<String> drained(Connection connection) throws SQLException, StoreDamaged {
    Set<String> nodes = new HashSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT * FROM drained")) {
      while (row.next()) {
        String node = row.getString("node");
        Rows.check(row, "drained node " + node, node);
        nodes.add(node);
      }
    }
    return nodes;
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
