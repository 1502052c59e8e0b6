package io.remuda.coordinator.history;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of a tier. Appending and removing are for one thread; reading for any. */
final class HistoryTierFiles implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(HistoryTierFiles.class);

  private final Path folder;
  private final HistoryTier tier;
  private volatile TreeMap<Long, SegmentFile> segments = new TreeMap<>(); // replaced, not changed

  private HistoryTierFiles(Path folder, HistoryTier tier) {
    this.folder = folder;
    this.tier = tier;
  }

  private static String label(HistoryTier tier) {
    return tier.step() + "s-";
  }

  /** Finds the files of a folder; one that cannot be read is left alone and said. */
  static HistoryTierFiles of(Path folder, HistoryTier tier) throws IOException {
    HistoryTierFiles files = new HistoryTierFiles(folder, tier);
    Pattern pattern = Pattern.compile(label(tier) + "(\\d{1,12})\\.points");
    TreeMap<Long, SegmentFile> found = new TreeMap<>();
    List<Path> names;
    try (Stream<Path> listed = Files.list(folder)) {
      names = listed.toList();
    }
    for (Path path : names) {
      Matcher name = pattern.matcher(path.getFileName().toString());
      if (name.matches()) {
        try {
          found.put(Long.parseLong(name.group(1)), SegmentFile.of(path, tier));
        } catch (IOException unreadable) {
          LOG.warn("a part of the history is left out: {}", unreadable.toString());
        }
      }
    }
    files.segments = found;
    return files;
  }

  /** Appends the open frames of all series. */
  void append(long start, Map<SeriesKey, SeriesBuffer> series) throws IOException {
    long first = start - start % tier.segmentSeconds();
    SegmentFile file = segments.get(first);
    if (file == null) {
      close();
      file = SegmentFile.of(folder.resolve(label(tier) + first + ".points"), tier);
      TreeMap<Long, SegmentFile> more = new TreeMap<>(segments);
      more.put(first, file);
      segments = more;
    }
    file.append(start, series);
  }

  /** Returns the bytes of all files. */
  long size() {
    return segments.values().stream().mapToLong(SegmentFile::size).sum();
  }

  /** Removes files all of whose points are older than they are kept. */
  void removeOld(long now) throws IOException {
    long oldest = now - tier.kept().toSeconds();
    while (!segments.isEmpty() && segments.firstKey() + tier.segmentSeconds() <= oldest) {
      removeOldest();
    }
  }

  /** Removes the oldest file, but not the newest. Returns whether there was one. */
  boolean removeOldestOfSeveral() throws IOException {
    if (segments.size() < 2) {
      return false;
    }
    removeOldest();
    return true;
  }

  private void removeOldest() throws IOException {
    TreeMap<Long, SegmentFile> rest = new TreeMap<>(segments);
    SegmentFile oldest = rest.pollFirstEntry().getValue();
    segments = rest;
    oldest.close();
    Files.deleteIfExists(oldest.path());
  }

  /** Returns the time of the first point, in seconds since 1970; the largest long if none is. */
  long since() {
    return segments.values().stream().mapToLong(SegmentFile::first).min().orElse(Long.MAX_VALUE);
  }

  /** Returns the time after the last frame, in seconds since 1970; -1 if there is none. */
  long until() {
    return segments.values().stream()
        .mapToLong(SegmentFile::last)
        .filter(last -> last >= 0)
        .map(last -> last + tier.frameSeconds())
        .max()
        .orElse(-1);
  }

  private Collection<SegmentFile> within(long from, long to) {
    return new ArrayList<>(
        segments.tailMap(from - tier.segmentSeconds(), false).headMap(to, false).values());
  }

  /** Reads series in a time; what has been removed meanwhile is left out. */
  void read(Collection<SeriesKey> wanted, long from, long to, SegmentFile.Reader reader)
      throws IOException {
    for (SegmentFile file : within(from, to)) {
      try {
        file.read(wanted, from, to, reader);
      } catch (NoSuchFileException removed) {
        LOG.debug("{} was removed meanwhile", removed.getFile());
      }
    }
  }

  /** Returns the series that have points in files of a time. */
  Set<SeriesKey> keys(long from, long to) throws IOException {
    Set<SeriesKey> keys = new HashSet<>();
    for (SegmentFile file : within(from, to)) {
      try {
        keys.addAll(file.keys());
      } catch (NoSuchFileException removed) {
        LOG.debug("{} was removed meanwhile", removed.getFile());
      }
    }
    return keys;
  }

  @Override
  public void close() throws IOException {
    for (SegmentFile file : segments.values()) {
      file.close();
    }
  }
}
