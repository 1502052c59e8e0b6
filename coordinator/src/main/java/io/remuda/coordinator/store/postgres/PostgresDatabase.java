package io.remuda.coordinator.store.postgres;

import io.remuda.coordinator.store.DatabaseBackend;
import io.remuda.coordinator.store.StateInUseException;
import io.remuda.coordinator.store.row.StoreDamagedException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * A state in PostgreSQL. Each transaction locks the row of the epoch and compares it, so that a
 * server that was taken over cannot commit, however late it notices. A server that stops in the
 * middle of a transaction holds that lock for {@value #IDLE_SECONDS} s at most: then PostgreSQL
 * ends its session.
 */
public final class PostgresDatabase implements DatabaseBackend {

  /** How the addresses of such databases begin. */
  public static final String SCHEME = "jdbc:postgresql:";

  static final int IDLE_SECONDS = 5;
  private static final int CONNECT_SECONDS = 5;

  /** Longer than any statement may take, so that a lost network is noticed. */
  private static final int SOCKET_SECONDS = 40;

  /** Settings of each session. */
  private static final String OPTIONS =
      "-c synchronous_commit=on"
          + " -c idle_in_transaction_session_timeout="
          + IDLE_SECONDS
          + "s -c lock_timeout=10s -c statement_timeout=30s";

  private static final int ROWS_AT_ONCE = 2000;
  private static final Duration SESSION_ENDS_WITHIN = Duration.ofSeconds(2);
  private static final long LOCK_AGAIN_MILLIS = 50;

  private static final String SHARED_LOCK = "pg_try_advisory_lock_shared";

  /** Any number that other programs do not use. */
  private static final int WRITER_LOCK = 0x52656d75; // "Remu"

  /** How many servers may write. */
  public enum Writers {
    /** A second one is refused. */
    ONE_SERVER,
    /** A server takes over from the one before, as coordinators of a cluster do. */
    ONE_AT_A_TIME
  }

  /** What the address says, and what it does not. */
  private final Properties properties;

  private final Writers writers;

  private final String name;

  /**
   * @param url as JDBC has it; a password may also come from {@code PGPASSFILE} or {@code
   *     ~/.pgpass}
   * @throws IllegalArgumentException if it is none
   */
  public PostgresDatabase(String url) {
    this(url, Writers.ONE_SERVER);
  }

  /**
   * @param url as JDBC has it
   * @throws IllegalArgumentException if it is none
   */
  public PostgresDatabase(String url, Writers writers) {
    this.writers = writers;
    Properties parsed = url.startsWith(SCHEME) ? Driver.parseURL(url, new Properties()) : null;
    if (parsed == null) {
      throw new IllegalArgumentException(
          "a database is jdbc:postgresql://HOST[:PORT]/NAME[?user=USER]");
    }
    this.properties = parsed;
    this.name = "postgresql://" + hosts(parsed) + "/" + PGProperty.PG_DBNAME.getOrDefault(parsed);
    String own = PGProperty.OPTIONS.getOrDefault(parsed);
    PGProperty.OPTIONS.set(parsed, own == null ? OPTIONS : own + " " + OPTIONS); // the last counts
    PGProperty.REWRITE_BATCHED_INSERTS.set(parsed, true);
    PGProperty.DEFAULT_ROW_FETCH_SIZE.set(parsed, ROWS_AT_ONCE);
    usual(PGProperty.APPLICATION_NAME, "remuda");
    usual(PGProperty.CONNECT_TIMEOUT, Integer.toString(CONNECT_SECONDS));
    usual(PGProperty.SOCKET_TIMEOUT, Integer.toString(SOCKET_SECONDS));
    usual(PGProperty.TCP_KEEP_ALIVE, "true");
    usual(PGProperty.TARGET_SERVER_TYPE, "primary");
  }

  /** Sets what the address has not set itself. */
  private void usual(PGProperty property, String value) {
    if (!property.isPresent(properties)) {
      property.set(properties, value);
    }
  }

  /** Returns whether an address has a password, which others can read among the processes. */
  public static boolean hasPassword(String url) {
    Properties parsed = Driver.parseURL(url, new Properties());
    return parsed != null
        && (PGProperty.PASSWORD.isPresent(parsed) || PGProperty.SSL_PASSWORD.isPresent(parsed));
  }

  private static String hosts(Properties parsed) {
    String[] hosts = PGProperty.PG_HOST.getOrDefault(parsed).split(",");
    String[] ports = PGProperty.PG_PORT.getOrDefault(parsed).split(",");
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < hosts.length; i++) {
      all.append(i == 0 ? "" : ",").append(hosts[i]).append(':').append(ports[i]);
    }
    return all.toString();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String medium() {
    return "the database " + name;
  }

  @Override
  public Connection connect() throws SQLException {
    return DriverManager.getConnection("jdbc:" + name, properties);
  }

  @Override
  public Connection connectToRead() throws SQLException {
    Connection connection = connect();
    connection.setReadOnly(true);
    return connection;
  }

  @Override
  public int version(Connection connection) throws SQLException {
    return PostgresSchema.found(connection);
  }

  @Override
  public int newestVersion() {
    return PostgresSchema.version();
  }

  @Override
  public boolean isNewest(Connection connection) throws SQLException {
    return PostgresSchema.found(connection) == PostgresSchema.version();
  }

  @Override
  public void prepareTables(Connection connection) throws SQLException, StoreDamagedException {
    PostgresSchema.prepare(connection);
  }

  /** Does nothing: PostgreSQL looks after its own pages. */
  @Override
  public void check(Connection connection) {
    // see above
  }

  @Override
  public String locked() {
    return " FOR UPDATE";
  }

  /**
   * Takes the lock of the only writer, which PostgreSQL frees when the session ends. Coordinators
   * of a cluster share it, so that a server that is in no cluster is refused beside them. A session
   * that was closed just now may hold it for a moment more, so the lock is tried for two seconds.
   */
  @Override
  public void prepareWriter(Connection connection) throws SQLException, StateInUseException {
    long deadline = System.nanoTime() + SESSION_ENDS_WITHIN.toNanos();
    while (!hasTakenLock(connection)) {
      if (System.nanoTime() - deadline > 0) {
        throw new StateInUseException("another server uses " + name);
      }
      try {
        Thread.sleep(LOCK_AGAIN_MILLIS);
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
        throw new SQLException("interrupted while waiting for the lock of the state", stop);
      }
    }
  }

  private boolean hasTakenLock(Connection connection) throws SQLException {
    String lock = writers == Writers.ONE_SERVER ? "pg_try_advisory_lock" : SHARED_LOCK;
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT " + lock + "(hashtext(current_schema()), " + WRITER_LOCK + ")")) {
      row.next();
      return row.getBoolean(1);
    }
  }

  @Override
  public void requireWritable() {
    // a transaction says so itself
  }

  @Override
  public Optional<String> trouble() {
    return Optional.empty(); // the journal has that of its last transaction
  }

  /** The driver closes a connection after a fault of the network or of the server. */
  @Override
  public boolean isLost(Connection connection) {
    try {
      return connection.isClosed();
    } catch (SQLException unknown) {
      return true;
    }
  }

  @Override
  public void committed(long birth, long commits) {
    // an older copy is for the database's owner to notice
  }

  @Override
  public boolean shrink(Connection connection) {
    return false; // autovacuum does
  }

  @Override
  public void tidied(Connection connection) {
    // autovacuum does
  }

  @Override
  public void close() {
    // holds nothing
  }
}
