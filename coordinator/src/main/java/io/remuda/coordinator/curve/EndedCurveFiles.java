package io.remuda.coordinator.curve;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The curves of ended attempts, a file for each job. An attempt that is written again replaces what
 * it had. Not thread-safe.
 */
final class EndedCurveFiles {

  private static final Logger LOG = LoggerFactory.getLogger(EndedCurveFiles.class);
  private static final Pattern NAME = Pattern.compile("(\\d{1,18})\\.curves");

  /** Bytes of the file of a job; the curves of its later attempts are not kept. */
  private static final long MOST_OF_JOB = 64 << 20;

  /** A file; those that were written longest ago come first. */
  private static final class OfJob {
    private long size;
    private long written;

    /** Whether its last record is whole, which is known of one that was written since the start. */
    private boolean whole;

    private boolean full;
  }

  private final Path folder;
  private final long mostBytes;
  private final Map<Long, OfJob> files = new HashMap<>();
  private long total;

  private EndedCurveFiles(Path folder, long mostBytes) {
    this.folder = folder;
    this.mostBytes = mostBytes;
  }

  /** Finds the files of a folder. */
  static EndedCurveFiles of(Path folder, long mostBytes) throws IOException {
    EndedCurveFiles found = new EndedCurveFiles(folder, mostBytes);
    List<Path> paths;
    try (Stream<Path> listed = Files.list(folder)) {
      paths = listed.toList();
    }
    for (Path path : paths) {
      Matcher name = NAME.matcher(path.getFileName().toString());
      if (name.matches()) {
        OfJob file = new OfJob();
        file.size = Files.size(path);
        file.written = Files.getLastModifiedTime(path).toMillis();
        found.files.put(Long.parseLong(name.group(1)), file);
        found.total += file.size;
      }
    }
    found.limit();
    return found;
  }

  /** Returns the job of an attempt. */
  static long job(String attempt) {
    return Long.parseLong(attempt.substring(0, attempt.indexOf('.')));
  }

  private Path path(long job) {
    return folder.resolve(job + ".curves");
  }

  /**
   * Appends attempts of a job.
   *
   * @throws IOException if they could not be written
   */
  void append(long job, Map<String, CurveCodec.Kept> attempts) throws IOException {
    OfJob file = files.computeIfAbsent(job, none -> new OfJob());
    boolean whole = file.whole && Files.exists(path(job));
    try (FileChannel to =
        whole ? RecordFile.open(path(job), file.size) : RecordFile.open(path(job))) {
      for (Map.Entry<String, CurveCodec.Kept> attempt : attempts.entrySet()) {
        if (to.position() < MOST_OF_JOB) {
          RecordFile.append(
              to,
              attempt.getKey(),
              CurveCodec.bytes(attempt.getValue(), Deflater.DEFAULT_COMPRESSION));
        } else if (!file.full) {
          file.full = true;
          LOG.warn("job {} has curves of {} bytes: no more are kept", job, to.position());
        }
      }
      total += to.position() - file.size;
      file.size = to.position();
      file.written = System.currentTimeMillis();
      file.whole = true;
    }
    limit();
  }

  /** Removes the files that were written longest ago while all are too large. */
  private void limit() {
    while (total > mostBytes && files.size() > 1) {
      long oldest =
          files.entrySet().stream()
              .min(Comparator.comparingLong(file -> file.getValue().written))
              .orElseThrow()
              .getKey();
      remove(oldest);
    }
  }

  private void remove(long job) {
    try {
      Files.deleteIfExists(path(job));
    } catch (IOException fault) {
      LOG.warn("curves of job {} are not removed: {}", job, fault.toString());
    }
    forget(job);
  }

  private void forget(long job) {
    total -= files.remove(job).size;
  }

  Set<Long> jobs() {
    return new TreeSet<>(files.keySet());
  }

  /** Removes the curves of jobs that are no longer there. */
  void retain(Predicate<Long> isThere) {
    jobs().stream().filter(isThere.negate()).forEach(this::remove);
  }

  /** Returns what is kept of an attempt. */
  Optional<CurveCodec.Kept> read(String attempt) throws IOException {
    return Optional.ofNullable(read(job(attempt), attempt::equals).get(attempt));
  }

  /** Returns what is kept of attempts of a job. */
  Map<String, CurveCodec.Kept> read(long job, Predicate<String> wanted) throws IOException {
    Map<String, CurveCodec.Kept> found = new TreeMap<>();
    if (has(job)) {
      try {
        records(job, wanted, kept -> found.put(kept.curves().attempt(), kept));
      } catch (NoSuchFileException gone) {
        LOG.warn("{} was removed by somebody: what it had is lost", gone.getFile());
        forget(job);
      }
    }
    return found;
  }

  /** Returns whether something is kept of a job. */
  boolean has(long job) {
    return files.containsKey(job);
  }

  /**
   * Reads what is kept of attempts of a job, one after the other; of an attempt that was written
   * again the newest comes last. Any thread.
   *
   * @throws IOException if the file cannot be read; one that was removed has nothing
   */
  void read(long job, Predicate<String> wanted, Consumer<TaskCurves> into) throws IOException {
    try {
      records(job, wanted, kept -> into.accept(kept.curves()));
    } catch (NoSuchFileException removed) {
      LOG.debug("{} was removed meanwhile", removed.getFile());
    }
  }

  private void records(long job, Predicate<String> wanted, Consumer<CurveCodec.Kept> into)
      throws IOException {
    RecordFile.read(
        path(job),
        new RecordFile.Reader() {
          @Override
          public boolean wants(String name) {
            return wanted.test(name);
          }

          @Override
          public void take(String name, byte[] content) throws IOException {
            into.accept(CurveCodec.kept(name, content));
          }
        });
  }
}
