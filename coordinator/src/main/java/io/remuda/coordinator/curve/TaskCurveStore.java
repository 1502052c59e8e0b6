package io.remuda.coordinator.curve;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.file.AtomicFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.zip.Deflater;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What programs of running attempts report, and the small curves of ended ones.
 *
 * <p>What is reported is appended to the file {@code journal} before it is acknowledged, so that a
 * server that is killed loses nothing of it; now and then, all live curves are written to {@code
 * live} and the journal begins anew. The curves of ended attempts are in {@link EndedCurveFiles}.
 * If a file cannot be written, nothing is acknowledged, and agents send it again. Any thread.
 */
public final class TaskCurveStore implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(TaskCurveStore.class);
  private static final String JOURNAL = "journal";
  private static final String LIVE = "live";

  /**
   * Bytes of the journal after which it begins anew: so many times those that all live curves had
   * when they were written last, so that writing them costs no more than what is reported, and
   * never less or more than these.
   */
  private static final int JOURNAL_TIMES = 4;

  private static final long LEAST_JOURNAL = 8 << 20;
  private static final long MOST_JOURNAL = 256 << 20;

  /** Part of the heap that live curves may have. */
  private static final int HEAP_PART = 16;

  /** Part of that which is only for what is late of ended attempts; these are live for seconds. */
  private static final int LATE_PART = 4;

  /** An attempt that was not seen for so many looks has ended: its last report may be late. */
  private static final int UNSEEN = 3;

  private final Path folder;
  private final EndedCurveFiles ended;
  private final long mostPoints;
  private final Map<String, LiveTask> live = new HashMap<>();
  private final Map<String, Integer> unseen = new HashMap<>();
  private FileChannel journal;
  private long points; // for which live curves have memory
  private final long leastJournal;
  private long mostJournal;
  private boolean failing;

  private TaskCurveStore(Path folder, EndedCurveFiles ended, long mostPoints, long leastJournal) {
    this.folder = folder;
    this.ended = ended;
    this.mostPoints = mostPoints;
    this.leastJournal = leastJournal;
  }

  /**
   * Opens the curves of a folder, which is made if it is missing.
   *
   * @param mostBytes that the curves of ended attempts may have; those of the job that was written
   *     longest ago go first
   * @throws IOException if the folder cannot be used
   */
  public static TaskCurveStore open(Path folder, long mostBytes) throws IOException {
    return open(
        folder,
        mostBytes,
        Runtime.getRuntime().maxMemory() / HEAP_PART / TaskCurve.POINT_BYTES,
        LEAST_JOURNAL);
  }

  /**
   * Opens them with other bounds.
   *
   * @param mostPoints for which live curves have memory
   * @param leastJournal bytes of the journal before it begins anew
   */
  static TaskCurveStore open(Path folder, long mostBytes, long mostPoints, long leastJournal)
      throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    TaskCurveStore store =
        new TaskCurveStore(folder, EndedCurveFiles.of(folder, mostBytes), mostPoints, leastJournal);
    store.restore();
    return store;
  }

  /** Returns the points for which live curves have memory. */
  synchronized long points() {
    return points;
  }

  private void restore() throws IOException {
    Path lives = folder.resolve(LIVE);
    if (Files.exists(lives)) {
      RecordFile.read(
          lives, (name, content) -> live.put(name, new LiveTask(CurveCodec.kept(name, content))));
      count();
      limitJournal(Files.size(lives));
    } else {
      limitJournal(0);
    }
    Path path = folder.resolve(JOURNAL);
    if (Files.exists(path)) {
      replay(path);
    }
    journal = RecordFile.open(path);
    count();
  }

  /** Adds what a journal has. What is late of an ended attempt goes on with what it has. */
  private void replay(Path path) throws IOException {
    Map<Long, Set<String>> byJob = new TreeMap<>();
    live.keySet().forEach(attempt -> put(attempt, byJob));
    RecordFile.readNames(path, attempt -> put(attempt, byJob));
    Map<String, CurveCodec.Kept> before = new HashMap<>();
    for (Map.Entry<Long, Set<String>> job : byJob.entrySet()) {
      before.putAll(ended.read(job.getKey(), job.getValue()::contains));
    }
    RecordFile.read(
        path,
        (attempt, content) -> {
          CurveCodec.Kept kept = before.get(attempt);
          if (kept != null && !live.containsKey(attempt)) {
            goOn(attempt, new LiveTask(kept));
          }
          apply(attempt, CurveCodec.reported(content));
        });
    live.entrySet()
        .removeIf(
            task -> {
              CurveCodec.Kept kept = before.get(task.getKey());
              return kept != null && kept.until() >= task.getValue().until();
            });
  }

  private static void put(String attempt, Map<Long, Set<String>> byJob) {
    byJob.computeIfAbsent(EndedCurveFiles.job(attempt), job -> new TreeSet<>()).add(attempt);
  }

  private void goOn(String attempt, LiveTask task) {
    live.put(attempt, task);
    points += task.room();
  }

  private void limitJournal(long liveBytes) {
    mostJournal = Math.min(MOST_JOURNAL, Math.max(leastJournal, JOURNAL_TIMES * liveBytes));
  }

  private void count() {
    points = live.values().stream().mapToLong(LiveTask::room).sum();
  }

  private void apply(String attempt, AgentMessage.Metrics message) {
    LiveTask task = live.computeIfAbsent(attempt, LiveTask::new);
    if (!task.has(message)) {
      long before = task.room();
      task.add(message, mostPoints - mostPoints / LATE_PART - points);
      points += task.room() - before;
    }
  }

  /**
   * Keeps what an attempt has reported.
   *
   * @return the place up to which all of it is kept; empty if it could not be written, or if there
   *     is no memory for what is late of an ended attempt
   */
  public synchronized OptionalLong add(AgentMessage.Metrics message) {
    String attempt = message.attempt().numbers();
    try {
      LiveTask task = live.get(attempt);
      if (task == null) { // what comes after its end is added to what it has
        task = ended.read(attempt).map(LiveTask::new).orElse(null);
        if (task != null && !task.has(message)) {
          if (points + task.room() > mostPoints) {
            return OptionalLong.empty(); // it comes again
          }
          goOn(attempt, task);
        }
      }
      if (task == null || !task.has(message)) {
        RecordFile.append(journal, attempt, CurveCodec.bytes(message));
        apply(attempt, message);
      }
      unseen.remove(attempt);
      if (journal.position() > mostJournal) {
        tryCheckpoint();
      }
      written();
      return OptionalLong.of(live.getOrDefault(attempt, task).until());
    } catch (IOException fault) {
      failed(fault);
      return OptionalLong.empty();
    }
  }

  private void written() {
    if (failing) {
      failing = false;
      LOG.info("what programs report is written again");
    }
  }

  private void failed(IOException fault) {
    if (!failing) {
      failing = true;
      LOG.warn("what programs report is not written: {}", fault.toString());
    }
  }

  /** Does so, or goes on with the journal, which has everything. */
  private void tryCheckpoint() throws IOException {
    try {
      checkpoint();
    } catch (IOException fault) {
      mostJournal = journal.position() + leastJournal;
      LOG.warn("the journal of what programs report goes on to grow: {}", fault.toString());
    }
  }

  /** Writes all live curves, and begins a new journal. */
  private void checkpoint() throws IOException {
    Path draft = folder.resolve(LIVE + ".tmp");
    Files.deleteIfExists(draft);
    long bytes;
    try (FileChannel to = RecordFile.open(draft)) {
      for (Map.Entry<String, LiveTask> task : live.entrySet()) {
        RecordFile.append(
            to,
            task.getKey(),
            CurveCodec.bytes(task.getValue().kept(List.of()), Deflater.BEST_SPEED));
      }
      to.force(true); // before the journal, which has it, too, is emptied
      bytes = to.position();
    }
    AtomicFile.replace(draft, folder.resolve(LIVE));
    journal.truncate(0);
    journal.position(0);
    limitJournal(bytes);
  }

  /**
   * Learns which attempts have a place.
   *
   * @param placed as {@code JOB.TASK.ATTEMPT}
   * @return those that have reported something and have ended
   */
  public synchronized Set<String> ended(Set<String> placed) {
    unseen.keySet().retainAll(live.keySet());
    Set<String> over = new TreeSet<>();
    for (String attempt : live.keySet()) {
      if (placed.contains(attempt)) {
        unseen.remove(attempt);
      } else if (unseen.merge(attempt, 1, Integer::sum) >= UNSEEN) {
        over.add(attempt);
      }
    }
    return over;
  }

  /**
   * Keeps what there is of ended attempts. One that is kept already keeps what it has besides.
   *
   * @param readings of each attempt; those of which there is nothing are left out
   * @return the attempts of which all is kept; the others are of jobs that could not be written
   */
  public synchronized Set<String> end(Map<String, List<TaskCurves.Reading>> readings) {
    Map<Long, Set<String>> byJob = new TreeMap<>();
    readings.keySet().forEach(attempt -> put(attempt, byJob));
    Set<String> kept = new TreeSet<>();
    for (Map.Entry<Long, Set<String>> job : byJob.entrySet()) {
      try {
        end(job.getKey(), job.getValue(), readings);
        kept.addAll(job.getValue());
      } catch (IOException fault) {
        LOG.warn("curves of job {} are not written: {}", job.getKey(), fault.toString());
      }
    }
    count();
    try {
      if (live.isEmpty() && journal.position() > 0) {
        checkpoint(); // which is nothing
      }
    } catch (IOException fault) {
      LOG.debug("the journal stays", fault);
    }
    return kept;
  }

  private void end(long job, Set<String> attempts, Map<String, List<TaskCurves.Reading>> readings)
      throws IOException {
    Map<String, CurveCodec.Kept> before = ended.read(job, attempts::contains);
    Map<String, CurveCodec.Kept> news = new TreeMap<>();
    for (String attempt : attempts) {
      List<TaskCurves.Reading> its = readings.get(attempt);
      CurveCodec.Kept known = before.get(attempt);
      LiveTask task = live.get(attempt);
      if (its.isEmpty() && known != null) {
        its = known.curves().readings();
      }
      if (task != null) {
        news.put(attempt, task.kept(its));
      } else if (known == null && !its.isEmpty()) {
        news.put(attempt, new LiveTask(attempt).kept(its));
      } else if (known != null && known.curves().readings().isEmpty() && !its.isEmpty()) {
        news.put(attempt, new LiveTask(known).kept(its));
      }
    }
    if (!news.isEmpty()) {
      ended.append(job, news);
      live.keySet().removeAll(news.keySet());
    }
  }

  /** Removes the curves of jobs that are no longer there. */
  public synchronized void retain(Predicate<Long> isThere) {
    ended.retain(isThere);
  }

  /** Returns the jobs with curves of ended attempts. */
  public synchronized Set<Long> jobs() {
    return ended.jobs();
  }

  /**
   * Returns the curves of attempts by their names. Nothing waits for a file that is read.
   *
   * @param job of which they are
   * @param wanted which of its attempts
   * @param part makes of each attempt what is needed, one after the other
   * @throws IOException if a file cannot be read
   */
  public List<TaskCurves> read(long job, Predicate<String> wanted, UnaryOperator<TaskCurves> part)
      throws IOException {
    Map<String, TaskCurves> lives = new TreeMap<>();
    boolean hasFile;
    synchronized (this) {
      live.forEach(
          (name, task) -> {
            if (EndedCurveFiles.job(name) == job && wanted.test(name)) {
              lives.put(name, part.apply(task.curves(List.of())));
            }
          });
      hasFile = ended.has(job);
    }
    Map<String, TaskCurves> found = new TreeMap<>();
    if (hasFile) {
      ended.read(job, wanted, kept -> found.put(kept.attempt(), part.apply(kept)));
    }
    lives.forEach(
        (name, task) ->
            found.merge(
                name,
                task,
                (old, now) -> new TaskCurves(name, now.reported(), old.readings(), now.notes())));
    return new ArrayList<>(found.values());
  }

  /** Writes what is not written yet. */
  @Override
  public synchronized void close() throws IOException {
    if (journal != null && journal.isOpen()) {
      try {
        checkpoint();
      } finally {
        journal.close();
      }
    }
  }
}
