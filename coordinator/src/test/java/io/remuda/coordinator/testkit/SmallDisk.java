package io.remuda.coordinator.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A file system of a few MB, in memory, mounted on a folder; only root may have one. */
public final class SmallDisk implements AutoCloseable {

  private static final int STEP = 4096;

  private final Path folder;

  private SmallDisk(Path folder) {
    this.folder = folder;
  }

  /** Mounts one; nothing, where that is not allowed. */
  public static Optional<SmallDisk> mount(Path folder, int megabytes) throws IOException {
    return mount(folder, "size=" + megabytes + "m");
  }

  /** A disk with enough bytes, and a limit of files and folders. */
  public static Optional<SmallDisk> withFiles(Path folder, int files) throws IOException {
    return mount(folder, "size=256m,nr_inodes=" + files);
  }

  private static Optional<SmallDisk> mount(Path folder, String options) throws IOException {
    Files.createDirectories(folder);
    boolean mounted =
        run("mount", "-t", "tmpfs", "-o", "mode=0700," + options, "remuda-test", "" + folder);
    return mounted ? Optional.of(new SmallDisk(folder)) : Optional.empty();
  }

  /** From now on it can have so many files and folders. */
  public void allowFiles(int files) throws IOException {
    if (!run("mount", "-o", "remount,nr_inodes=" + files, folder.toString())) {
      throw new IOException("cannot change the number of files of " + folder);
    }
  }

  private static boolean run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).inheritIO().start();
    try {
      return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private Path ballast() {
    return folder.resolve("ballast");
  }

  /** Fills it to the last byte. */
  public void fill() throws IOException {
    try (FileChannel file =
        FileChannel.open(
            ballast(),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.APPEND)) {
      while (true) {
        file.write(ByteBuffer.allocate(STEP));
      }
    } catch (IOException full) {
      if (folder.toFile().getUsableSpace() >= STEP) {
        throw full;
      }
    }
  }

  /** Fills it but for so many blocks of 4,096 bytes. */
  public void fillBut(int blocks) throws IOException {
    fill();
    try (FileChannel file = FileChannel.open(ballast(), StandardOpenOption.WRITE)) {
      file.truncate(file.size() / STEP * STEP - (long) blocks * STEP);
    }
  }

  /** Makes room again. */
  public void empty() throws IOException {
    Files.delete(ballast());
  }

  /** A process that was just killed may still hold it for a moment. */
  @Override
  public void close() throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (!run("umount", folder.toString())) {
      if (System.nanoTime() > deadline) {
        throw new IOException("cannot unmount " + folder + ", open are " + holders());
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
  }

  /** Returns the open files on it of all processes, each as {@code /proc/PID/fd/N -> FILE}. */
  private List<String> holders() throws IOException {
    List<String> found = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
          for (Path file : files) {
            Path target = Files.readSymbolicLink(file);
            if (target.startsWith(folder)) {
              found.add(file + " -> " + target);
            }
          }
        } catch (IOException gone) {
          // it has ended, or is another user's
        }
      }
    }
    return found;
  }
}
