package io.remuda.coordinator.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A PostgreSQL server with a folder of its own, which may be killed and started again. It listens
 * where it is told to, and each commit is on the disk when it is acknowledged. As root it runs in a
 * user namespace, since it refuses to run as root.
 */
public final class PostgresProcess implements AutoCloseable {

  private static final String ARCHIVE = "/postgres-linux-x86_64.txz";
  private static final Duration START = Duration.ofSeconds(60);
  private static final int SECONDS = 60;

  private final Path folder;
  private final Path data;
  private final List<String> before;
  private final String address;
  private final int port;

  /**
   * Unpacks a server and makes a database; it is not started yet.
   *
   * @param before words of a command that runs it elsewhere
   * @param address that it listens on
   * @param clients addresses that are let in, as {@code ADDRESS/BITS}
   */
  public PostgresProcess(Path folder, List<String> before, String address, int port, String clients)
      throws IOException {
    this.folder = Files.createDirectories(folder);
    this.data = folder.resolve("data");
    this.before = before;
    this.address = address;
    this.port = port;
    unpack();
    List<String> initdb = new ArrayList<>(asOther());
    initdb.addAll(List.of(bin("initdb"), "-D", data.toString(), "-U", "postgres"));
    initdb.addAll(List.of("-A", "trust", "-E", "UTF8", "--locale=C"));
    run(new ProcessBuilder(initdb));
    Files.writeString(
        data.resolve("pg_hba.conf"),
        "host all all " + clients + " trust\n",
        StandardOpenOption.APPEND);
  }

  private void unpack() throws IOException {
    try (InputStream archive = PostgresProcess.class.getResourceAsStream(ARCHIVE)) {
      Path file = folder.resolve("postgres.txz");
      Files.copy(archive, file);
      run(new ProcessBuilder("tar", "-xJf", file.toString(), "-C", folder.toString()));
      Files.delete(file);
    }
  }

  private String bin(String program) {
    return folder.resolve("bin").resolve(program).toString();
  }

  private static List<String> asOther() throws IOException {
    boolean root = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    return root ? List.of("unshare", "-U") : List.of();
  }

  private static void run(ProcessBuilder builder) throws IOException {
    Process process = builder.redirectErrorStream(true).start();
    try {
      String said = new String(process.getInputStream().readAllBytes());
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(builder.command() + ": " + said);
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IOException(stop);
    }
  }

  /** Starts it and does not wait for it. */
  public void launch() throws IOException {
    List<String> command = new ArrayList<>(before);
    command.addAll(asOther());
    command.addAll(List.of(bin("postgres"), "-D", data.toString(), "-p", Integer.toString(port)));
    command.addAll(List.of("-c", "listen_addresses=" + address));
    command.addAll(List.of("-c", "unix_socket_directories=", "-c", "synchronous_commit=on"));
    new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
        .start();
  }

  /** Starts it and waits until it answers. */
  public PostgresProcess start() throws IOException {
    launch();
    long deadline = System.nanoTime() + START.toNanos();
    while (true) {
      try {
        number("SELECT 1");
        return this;
      } catch (SQLException notYet) {
        if (System.nanoTime() - deadline > 0) {
          throw new IOException(Files.readString(log()), notYet);
        }
      }
    }
  }

  /** What it has said. */
  public Path log() {
    return folder.resolve("postgres.out");
  }

  /** Returns the address of its database, in a schema. */
  public String url(String schema) {
    return "jdbc:postgresql://%s:%d/postgres?user=postgres&currentSchema=%s"
        .formatted(address, port, schema);
  }

  /** Runs a statement. */
  public void run(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Returns the number that a question has as its only answer. */
  public long number(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Returns the first column of an answer. */
  public List<String> column(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (row.next()) {
        values.add(row.getString(1));
      }
      return values;
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(url("public") + "&connectTimeout=3&socketTimeout=30");
  }

  /** Kills the server and all of its sessions at once; its folder stays as it is. */
  public void kill() throws IOException {
    for (List<ProcessHandle> all = processes(); !all.isEmpty(); all = processes()) {
      all.forEach(ProcessHandle::destroyForcibly);
    }
  }

  /** They all work in the folder of the data, and so only they. */
  private List<ProcessHandle> processes() throws IOException {
    List<ProcessHandle> own = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        if (worksIn(process)) {
          ProcessHandle.of(Long.parseLong(process.getFileName().toString())).ifPresent(own::add);
        }
      }
    }
    return own;
  }

  private boolean worksIn(Path process) {
    try {
      return Files.readSymbolicLink(process.resolve("cwd")).equals(data.toRealPath());
    } catch (IOException gone) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    kill();
  }
}
