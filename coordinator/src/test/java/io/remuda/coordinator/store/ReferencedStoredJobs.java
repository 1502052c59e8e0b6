package io.remuda.coordinator.store;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;
import static io.remuda.coordinator.store.StoreSamples.plain;
import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.write;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.row.EventLogEntry;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.TaskRow;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskId;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A store with jobs as tests of other packages want them. */
public final class ReferencedStoredJobs implements AutoCloseable {

  private final StoreOpener.Opened opened;

  private ReferencedStoredJobs(StoreOpener.Opened opened) {
    this.opened = opened;
  }

  /** Opens a new store in a folder. */
  public static ReferencedStoredJobs open(Path folder) throws Exception {
    return new ReferencedStoredJobs(StoreOpener.open(folder, CLOCK));
  }

  public StoreReader reader() throws Exception {
    return opened.store().reader();
  }

  /**
   * Returns a reader of which the queries are counted.
   *
   * @param folder of the store
   */
  public static StoreReader counting(Path folder, AtomicInteger queries) {
    Connection[] real = new Connection[1];
    Connection counted =
        proxy(
            Connection.class,
            (method, values) -> {
              if (method.getName().equals("prepareStatement")) {
                queries.incrementAndGet();
              }
              return method.invoke(real[0], values);
            });
    return StoreReader.later(
        proxy(
            DatabaseBackend.class,
            (method, values) -> {
              assertEquals("connectToRead", method.getName());
              real[0] = SqliteDatabase.connect(folder.resolve(StoreOpener.FILE));
              return counted;
            }));
  }

  private interface Call {
    Object of(Method method, Object[] values) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, values) -> call.of(method, values)));
  }

  /** A job in the state of its row. */
  public void add(JobSpec spec, JobRow row) throws InterruptedException {
    write(opened.journal(), new StoreChange.JobAdded(spec, row));
  }

  /** A job whose tasks were over at once, on node {@code n1}. */
  public void ended(JobId job, int tasks) throws InterruptedException {
    JobSpec spec = spec(job.value(), tasks);
    List<StoreChange> entries = new ArrayList<>();
    entries.add(new StoreChange.JobAdded(spec, row(spec, TaskState.SUCCEEDED, CLOCK.millis())));
    for (int i = 0; i < tasks; i++) {
      entries.add(new StoreChange.TaskMoved(task(job, i, 1, "n1", TaskState.SUCCEEDED)));
    }
    write(opened.journal(), entries.toArray(StoreChange[]::new));
  }

  /** An attempt of the only task of a job is placed. */
  public void runs(JobId job, int index, int attempt, String node) throws InterruptedException {
    JobSpec spec = spec(job.value(), 1);
    JobRow row = row(spec, TaskState.RUNNING, 0);
    write(
        opened.journal(),
        attempt == 1 ? new StoreChange.JobAdded(spec, row) : new StoreChange.JobMoved(row),
        new StoreChange.Happened(started(job, index, attempt, node)),
        new StoreChange.TaskMoved(task(job, index, attempt, node, TaskState.RUNNING)));
  }

  private static EventLogEntry started(JobId job, int index, int attempt, String node) {
    return new EventLogEntry(
        100 * job.value() + attempt,
        CLOCK.millis(),
        job.value(),
        index,
        "task-starting",
        RowMapping.json(Map.of("attempt", attempt, "node", node)));
  }

  /** A task ends, and with it the job. */
  public void ends(JobId job, int index, int attempt, String node, TaskState how)
      throws InterruptedException {
    write(
        opened.journal(),
        new StoreChange.TaskMoved(task(job, index, attempt, node, how)),
        new StoreChange.JobMoved(row(spec(job.value(), 1), how, CLOCK.millis())));
  }

  @Override
  public void close() {
    opened.journal().close();
  }

  private static TaskRow task(JobId job, int index, int attempt, String node, TaskState state) {
    long ended = state.isFinal() ? CLOCK.millis() : 0;
    return plain(new TaskId(job, index), state, attempt, node, ended, null);
  }
}
