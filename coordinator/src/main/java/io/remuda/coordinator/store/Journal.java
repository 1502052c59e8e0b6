package io.remuda.coordinator.store;

import io.remuda.agent.settings.DiskRoom;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.io.Closeable;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * The only writer of a store: takes batches from any thread, in order, and makes as many of them
 * durable at once as have come meanwhile (group commit). A batch is durable when its callback runs,
 * on the writer's thread. While the disk takes nothing, batches wait and {@link #trouble} says why;
 * none is dropped. Every commit checks that no other server has taken the file over.
 *
 * <p>Between commits it tidies up, a little at a time, when it is told to.
 */
public final class Journal implements Closeable {

  private static final int MOST_BATCHES = 2000;
  private static final long RETRY_MILLIS = 500;

  /** Between two steps of tidying while there is nothing to commit, so that others get the disk. */
  private static final long PAUSE_MILLIS = 5;

  private record Batch(List<Entry> entries, Runnable committed) {}

  private final Path folder;
  private final Connection connection;
  private final long epoch;
  private final Map<JobId, Long> jobSums = new HashMap<>();
  private final Map<TaskId, Long> taskSums = new HashMap<>();
  private final Deque<Batch> waiting = new ArrayDeque<>();
  private final Thread writer = new Thread(this::write, "journal");
  private Sums sums;
  private boolean closed;

  /** What is to be tidied up, or null; guarded by {@link #waiting}. */
  private Tidying tidying;

  private volatile String trouble;
  private volatile Runnable lost = () -> {};

  Journal(Path folder, Connection connection, Sums sums, StoreState state) throws SQLException {
    this.folder = folder;
    this.connection = connection;
    this.epoch = state.epoch();
    this.sums = sums;
    connection.setAutoCommit(false);
    sums.set("epoch", epoch);
    sums.write(connection);
    connection.commit();
    loadSums();
  }

  private void loadSums() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      try (ResultSet row =
          statement.executeQuery(
              "SELECT id, sum FROM jobs WHERE state NOT IN (" + Store.finalStates() + ")")) {
        while (row.next()) {
          jobSums.put(new JobId(row.getLong(1)), row.getLong(2));
        }
      }
      try (ResultSet row =
          statement.executeQuery(
              "SELECT job, idx, sum FROM tasks WHERE state NOT IN (" + Store.finalStates() + ")")) {
        while (row.next()) {
          taskSums.put(new TaskId(new JobId(row.getLong(1)), row.getInt(2)), row.getLong(3));
        }
      }
    }
    connection.commit();
  }

  void start() {
    writer.setDaemon(true);
    writer.start();
  }

  /** Runs, on the writer's thread, when another server has taken the file over. */
  public void onLost(Runnable action) {
    lost = action;
  }

  /** Why nothing can be written at present, or nothing more should be; nothing if all is well. */
  public Optional<String> trouble() {
    String fault = trouble;
    return fault == null ? DiskRoom.shortage(folder) : Optional.of(fault);
  }

  /** Has these made durable together, then runs {@code committed}. */
  public void append(List<Entry> entries, Runnable committed) {
    synchronized (waiting) {
      waiting.add(new Batch(List.copyOf(entries), committed));
      waiting.notifyAll();
    }
  }

  /**
   * Has what is kept no longer removed, and room given back to the disk, in small transactions
   * between the others.
   *
   * @param nowMillis since 1970
   * @return how many jobs were removed, once that is done; or why it is put off to the next time
   */
  public CompletionStage<Integer> tidy(Retention retention, long nowMillis) {
    synchronized (waiting) {
      if (tidying == null) {
        tidying = new Tidying(retention, nowMillis);
        waiting.notifyAll();
      }
      return tidying.outcome();
    }
  }

  private void write() {
    try {
      while (!isDone()) {
        List<Batch> batches = take();
        if (!batches.isEmpty() && !commit(batches)) {
          return;
        }
        batches.forEach(batch -> batch.committed().run());
        tidyUp();
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error fault) {
      trouble = "the journal has failed: " + fault;
      lost.run();
    }
  }

  private boolean isDone() {
    synchronized (waiting) {
      return closed && waiting.isEmpty();
    }
  }

  /** All that has come, at most so many; empty once closed, and when there is time to tidy up. */
  private List<Batch> take() throws InterruptedException {
    synchronized (waiting) {
      if (waiting.isEmpty() && !closed && tidying != null) {
        waiting.wait(PAUSE_MILLIS);
      }
      while (waiting.isEmpty() && !closed && tidying == null) {
        waiting.wait();
      }
      List<Batch> some = new ArrayList<>();
      while (!waiting.isEmpty() && some.size() < MOST_BATCHES) {
        some.add(waiting.poll());
      }
      return some;
    }
  }

  /** One small transaction; with a fault the rest is left to the next time. */
  private void tidyUp() {
    Tidying pass;
    synchronized (waiting) {
      pass = closed ? null : tidying;
    }
    if (pass == null) {
      return;
    }
    Sums next = sums.copy();
    try {
      if (!leads()) {
        rollback();
        endTidying(); // the next commit says so
      } else if (pass.step(connection, next)) {
        next.write(connection);
        connection.commit();
        sums = next;
      } else {
        rollback();
        FileRoom.cutLog(connection);
        endTidying();
        pass.done();
      }
    } catch (SQLException | StoreDamaged fault) {
      rollback();
      endTidying();
      pass.failed(fault);
    }
  }

  private void endTidying() {
    synchronized (waiting) {
      tidying = null;
    }
  }

  /** Tries until the disk takes it; false if it is closed or lost meanwhile. */
  private boolean commit(List<Batch> batches) throws InterruptedException {
    while (true) {
      Sums next = sums.copy();
      Map<JobId, Long> jobs = new HashMap<>();
      Map<TaskId, Long> tasks = new HashMap<>();
      Set<Object> over = new HashSet<>();
      try {
        if (!leads()) {
          connection.rollback();
          trouble = "another server has taken over the state file";
          lost.run();
          return false;
        }
        try (Writing writing = new Writing(next, jobs, tasks, over)) {
          for (Batch batch : batches) {
            for (Entry entry : batch.entries()) {
              writing.write(entry);
            }
          }
          writing.flush();
        }
        next.write(connection);
        connection.commit();
        sums = next;
        jobSums.putAll(jobs);
        taskSums.putAll(tasks);
        over.forEach(this::forget);
        trouble = null;
        return true;
      } catch (SQLException fault) {
        trouble = fault.getMessage();
        rollback();
        synchronized (waiting) {
          if (closed) {
            return false;
          }
          waiting.wait(RETRY_MILLIS);
        }
      }
    }
  }

  /** Rows of what is over are written no more. */
  private void forget(Object id) {
    jobSums.remove(id);
    taskSums.remove(id);
  }

  /** SQLite has rolled back by itself after some faults, as of a full disk; then JDBC's fails. */
  private void rollback() {
    try {
      connection.rollback();
    } catch (SQLException rolledBack) {
      begin();
    }
  }

  /** JDBC takes for granted that it is within a transaction. */
  private void begin() {
    try (Statement statement = connection.createStatement()) {
      statement.execute("BEGIN");
    } catch (SQLException fault) {
      trouble = fault.getMessage();
    }
  }

  private boolean leads() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT value FROM meta WHERE key = 'epoch'")) {
      return row.next() && row.getString(1).equals(Long.toString(epoch));
    }
  }

  /** Writes what has been appended, if the disk takes it, and closes the file. */
  @Override
  public void close() {
    synchronized (waiting) {
      closed = true;
      waiting.notifyAll();
    }
    try {
      writer.join();
      connection.close();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } catch (SQLException fault) {
      trouble = fault.getMessage(); // all that was acknowledged is on the disk
    }
  }

  /** The statements of one transaction. */
  private final class Writing implements AutoCloseable {
    private final Sums next;
    private final Map<JobId, Long> jobs;
    private final Map<TaskId, Long> tasks;
    private final Set<Object> over;
    private final PreparedStatement job = prepare("jobs", 15);
    private final PreparedStatement task =
        connection.prepareStatement(
            "INSERT OR REPLACE INTO tasks (job, idx, state, attempt, node, devices, started,"
                + " ended, interruptions, crashes, overdue, cause, end, seat, sum) VALUES ("
                + marks(15)
                + ")");
    private final PreparedStatement event = prepare("events", 7);
    private final PreparedStatement spec =
        connection.prepareStatement(
            "INSERT OR REPLACE INTO specs (job, body, environment, sum) VALUES (?, ?, ?, ?)");
    private final PreparedStatement environment =
        connection.prepareStatement("INSERT OR IGNORE INTO environments VALUES (?, ?, ?)");

    Writing(Sums next, Map<JobId, Long> jobs, Map<TaskId, Long> tasks, Set<Object> over)
        throws SQLException {
      this.over = over;
      this.next = next;
      this.jobs = jobs;
      this.tasks = tasks;
    }

    private static String marks(int count) {
      return "?" + ", ?".repeat(count - 1);
    }

    private PreparedStatement prepare(String table, int columns) throws SQLException {
      return connection.prepareStatement(
          "INSERT OR REPLACE INTO " + table + " VALUES (" + marks(columns) + ")");
    }

    void write(Entry entry) throws SQLException {
      if (entry instanceof Entry.JobAdded added) {
        add(added);
      } else if (entry instanceof Entry.JobMoved moved) {
        put(moved.row());
      } else if (entry instanceof Entry.TaskMoved moved) {
        put(moved.row());
      } else if (entry instanceof Entry.Happened happened) {
        put(event, Rows.columns(happened.event()));
      } else if (entry instanceof Entry.UserSet user) {
        user(user.user());
      } else if (entry instanceof Entry.NodeDrained node) {
        drain(node);
      } else if (entry instanceof Entry.UseNoted use) {
        used(use);
      }
    }

    private void add(Entry.JobAdded added) throws SQLException {
      Specs.Text text = Specs.write(added.spec());
      if (text.environment() != null) {
        put(environment, new Object[] {text.environment(), text.variables()});
      }
      long id = added.spec().id().value();
      put(
          spec,
          new Object[] {id, text.body(), text.environment()},
          RowSum.of(id, text.body())); // the body has the environment's hash, too
      put(added.row());
      next.atLeast(Sums.LAST_JOB, id);
    }

    private void put(JobRow row) throws SQLException {
      long before =
          jobs.containsKey(row.id()) ? orZero(jobs.get(row.id())) : orZero(jobSums.get(row.id()));
      long after = put(job, Rows.columns(row));
      next.replaced(Sums.JOBS, before, after);
      jobs.put(row.id(), after);
      if (row.state().isFinal()) {
        over.add(row.id());
      }
    }

    private void put(TaskRow row) throws SQLException {
      long before =
          tasks.containsKey(row.id())
              ? orZero(tasks.get(row.id()))
              : orZero(taskSums.get(row.id()));
      long after = put(task, Rows.columns(row), Rows.sum(row));
      next.replaced(Sums.TASKS, before, after);
      tasks.put(row.id(), after);
      if (row.state().isFinal()) {
        over.add(row.id());
      }
    }

    private static long orZero(Long sum) {
      return sum == null ? 0 : sum;
    }

    private long put(PreparedStatement statement, Object[] columns) throws SQLException {
      return put(statement, columns, RowSum.of(columns));
    }

    private static long put(PreparedStatement statement, Object[] columns, long sum)
        throws SQLException {
      for (int i = 0; i < columns.length; i++) {
        statement.setObject(i + 1, columns[i]);
      }
      statement.setLong(columns.length + 1, sum);
      statement.addBatch();
      return sum;
    }

    private void user(UserRow user) throws SQLException {
      try (PreparedStatement put =
          connection.prepareStatement(
              "INSERT INTO users (name, share, token_hash, sum) VALUES (?, ?, ?, ?)"
                  + " ON CONFLICT (name) DO UPDATE SET share = excluded.share,"
                  + " token_hash = excluded.token_hash, sum = excluded.sum")) {
        put.setString(1, user.name());
        put.setDouble(2, user.share());
        put.setString(3, user.tokenHash());
        put.setLong(4, RowSum.of(user.name(), user.share(), user.tokenHash()));
        put.executeUpdate();
      }
    }

    private void drain(Entry.NodeDrained node) throws SQLException {
      String sql =
          node.drained()
              ? "INSERT OR REPLACE INTO drained (sum, node) VALUES (" + sum(node) + ", ?)"
              : "DELETE FROM drained WHERE node = ?";
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.setString(1, node.node());
        statement.executeUpdate();
      }
    }

    private static long sum(Entry.NodeDrained node) {
      return RowSum.of(node.node());
    }

    private void used(Entry.UseNoted use) throws SQLException {
      try (PreparedStatement update =
          connection.prepareStatement("UPDATE users SET used = ? WHERE name = ?")) {
        update.setDouble(1, use.coreSeconds());
        update.setString(2, use.user());
        update.executeUpdate();
      }
    }

    void flush() throws SQLException {
      for (PreparedStatement statement : List.of(environment, spec, job, task, event)) {
        statement.executeBatch();
      }
    }

    @Override
    public void close() throws SQLException {
      for (PreparedStatement statement : List.of(environment, spec, job, task, event)) {
        statement.close();
      }
    }
  }
}
