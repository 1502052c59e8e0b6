package io.remuda.coordinator.store;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;
import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.task;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.UserRow;
import io.remuda.worker.job.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The two files of a store as a server leaves them that was killed.
 *
 * @param main the state file
 * @param log its write-ahead log, with several transactions that are not in it
 */
record StoreFiles(byte[] main, byte[] log) {

  static final int PAGE = 4096;

  /** A page in the log, with its header. */
  static final int FRAME = PAGE + 24;

  private static final String LOG = StoreOpener.FILE + "-wal";

  /** Writes jobs, tasks, a user and a node; in the end, one job in a transaction of its own. */
  static StoreFiles write(Path folder) throws Exception {
    Path live = Files.createDirectories(folder.resolve("live"));
    StoreOpener.Opened opened = StoreOpener.open(live, CLOCK);
    StoreSamples.write(
        opened.journal(),
        new StoreChange.UserSet(new UserRow("ann", 3, "00ff")),
        new StoreChange.NodeDrained("n1", ""));
    for (int i = 1; i <= 3; i++) {
      job(opened.journal(), i);
    }
    opened
        .journal()
        .tidy(new Retention(Duration.ofDays(1), 1000), 0) // all of the log goes to the file
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS);
    for (int i = 4; i <= 6; i++) {
      job(opened.journal(), i);
    }
    StoreFiles files =
        new StoreFiles(
            Files.readAllBytes(live.resolve(StoreOpener.FILE)),
            Files.readAllBytes(live.resolve(LOG)));
    opened.journal().close();
    return files;
  }

  private static void job(JournalWriter journal, int id) throws InterruptedException {
    JobSpec job = spec(id, 3, Map.of("A", "1"));
    StoreSamples.write(
        journal,
        new StoreChange.JobAdded(job, row(job, TaskState.RUNNING, 0)),
        new StoreChange.TaskMoved(task(id, 0, TaskState.RUNNING)));
  }

  int size() {
    return main.length + log.length;
  }

  StoreFiles withLogCutBy(int bytes) {
    return new StoreFiles(main, Arrays.copyOf(log, log.length - bytes));
  }

  StoreFiles withMainCutBy(int bytes) {
    return new StoreFiles(Arrays.copyOf(main, main.length - bytes), log);
  }

  /**
   * With some bits of one byte turned over.
   *
   * @param at counts through the state file, then through the log
   */
  StoreFiles withFlipped(int at, int bits) {
    byte[] otherMain = main.clone();
    byte[] otherLog = log.clone();
    if (at < main.length) {
      otherMain[at] ^= (byte) bits;
    } else {
      otherLog[at - main.length] ^= (byte) bits;
    }
    return new StoreFiles(otherMain, otherLog);
  }

  /** These files after a server was ended in order: all is in the state file. */
  StoreFiles closed(Path folder) throws Exception {
    put(folder);
    StoreOpener.open(folder, CLOCK).journal().close();
    return new StoreFiles(Files.readAllBytes(folder.resolve(StoreOpener.FILE)), new byte[0]);
  }

  /** Writes the files into the folder of a store. */
  void put(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.write(folder.resolve(StoreOpener.FILE), main);
    Files.setPosixFilePermissions(
        folder.resolve(StoreOpener.FILE), PosixFilePermissions.fromString("rw-------"));
    Files.write(folder.resolve(LOG), log);
  }
}
