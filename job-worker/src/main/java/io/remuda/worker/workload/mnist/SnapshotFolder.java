package io.remuda.worker.workload.mnist;

import io.remuda.file.AtomicFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder with the snapshots of one training: {@code epoch-000003.snapshot} is the state after
 * epoch 3. The newest two whole ones stay, so that damage to one costs one epoch. Only one training
 * may use a folder at a time. Used by one thread; every method blocks on the disk.
 */
public final class SnapshotFolder {

  private static final Pattern NAME = Pattern.compile("epoch-\\d{6,10}\\.snapshot");
  private static final String DRAFT = ".draft";

  /** Longer files are not read; a snapshot has 14.4 MB. */
  private static final long MOST_BYTES = 256L << 20;

  private static final FileAttribute<Set<PosixFilePermission>> OWNER_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path folder;

  /** The newest file known to be whole; null while there is none. */
  private Path newestWhole;

  private SnapshotFolder(Path folder) {
    this.folder = folder;
  }

  /** A snapshot and the file that it is from. */
  record Found(Path file, TrainingSnapshot snapshot) {}

  /**
   * Opens a folder, makes it with mode 0700 if it is missing, and deletes drafts that a killed
   * process has left.
   *
   * @throws IOException if the folder cannot be made or read
   */
  public static SnapshotFolder open(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder, OWNER_FOLDER);
    }
    for (Path file : files(folder)) {
      if (file.getFileName().toString().endsWith(DRAFT)) {
        Files.deleteIfExists(file);
      }
    }
    return new SnapshotFolder(folder);
  }

  /**
   * Returns the newest whole snapshot; empty if there is none.
   *
   * @param says receives a sentence for each damaged snapshot
   * @throws SnapshotRefusedException if the newest whole snapshot is of a version that this build
   *     cannot read
   * @throws IOException if a file cannot be read
   */
  Optional<Found> newest(Consumer<String> says) throws IOException, SnapshotRefusedException {
    for (Path file : newestFirst()) {
      try {
        Found found = new Found(file, read(file));
        newestWhole = file;
        return Optional.of(found);
      } catch (SnapshotDamagedException damage) {
        says.accept("snapshot " + file + " is damaged and not used: " + damage.getMessage());
      }
    }
    return Optional.empty();
  }

  private static TrainingSnapshot read(Path file)
      throws IOException, SnapshotDamagedException, SnapshotRefusedException {
    long size = Files.size(file);
    if (size > MOST_BYTES) {
      throw new SnapshotDamagedException("it has " + size + " bytes, more than " + MOST_BYTES);
    }
    TrainingSnapshot snapshot;
    try {
      snapshot = SnapshotFormat.decode(Files.readAllBytes(file));
    } catch (SnapshotRefusedException refusal) {
      throw new SnapshotRefusedException("snapshot " + file + " " + refusal.getMessage());
    }
    if (!file.getFileName().toString().equals(name(snapshot.epochsDone()))) {
      throw new SnapshotDamagedException("it is the snapshot of epoch " + snapshot.epochsDone());
    }
    return snapshot;
  }

  /**
   * Writes a snapshot with mode 0600; it is durable when this returns. A crash at any point leaves
   * the snapshots before it whole. Afterwards all but this one and the newest whole one before it
   * are deleted.
   *
   * @throws IOException if it could not be written; the snapshots before it are as they were
   */
  void write(TrainingSnapshot snapshot) throws IOException {
    Path file = folder.resolve(name(snapshot.epochsDone()));
    Path draft = Files.createTempFile(folder, file.getFileName() + "-", DRAFT, OWNER_FILE);
    try {
      writeDurably(draft, SnapshotFormat.encode(snapshot));
      AtomicFile.replace(draft, file);
      forceFolder();
    } finally {
      Files.deleteIfExists(draft);
    }
    keepOnly(file, newestWhole);
    newestWhole = file;
  }

  private static void writeDurably(Path file, byte[] bytes) throws IOException {
    try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer left = ByteBuffer.wrap(bytes);
      while (left.hasRemaining()) {
        out.write(left);
      }
      out.force(true);
    }
  }

  private void forceFolder() throws IOException {
    try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
      entries.force(true);
    }
  }

  private void keepOnly(Path newest, Path before) throws IOException {
    for (Path file : newestFirst()) {
      if (!file.equals(newest) && !file.equals(before)) {
        Files.deleteIfExists(file);
      }
    }
  }

  private List<Path> newestFirst() throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path file : files(folder)) {
      if (NAME.matcher(file.getFileName().toString()).matches() && Files.isRegularFile(file)) {
        found.add(file);
      }
    }
    Comparator<Path> byEpoch = Comparator.comparingLong(SnapshotFolder::epoch);
    found.sort(byEpoch.reversed());
    return found;
  }

  private static long epoch(Path file) {
    String name = file.getFileName().toString();
    return Long.parseLong(name.substring(name.indexOf('-') + 1, name.indexOf('.')));
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> inside = Files.list(folder)) {
      return inside.toList();
    }
  }

  private static String name(int epoch) {
    return String.format(Locale.ROOT, "epoch-%06d.snapshot", epoch);
  }
}
