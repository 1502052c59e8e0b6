package io.remuda.coordinator.doctor;

import io.remuda.agent.keeper.limit.DeviceLocks;
import io.remuda.agent.settings.FolderOwnershipCheck;
import io.remuda.agent.settings.NativeLibraryUnpacker;
import io.remuda.agent.training.TrainingFolderMounts;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** Checks the folders that runs write in. */
final class FolderChecks {

  private static final long LEAST_CACHE = 1L << 30; // libtorch unpacked is 350 MB, CUDA's 2 GB
  private static final long LEAST_STATE = 100L << 20;
  private static final double GIB = 1L << 30;

  private FolderChecks() {}

  /** Checks the cache, from which native libraries and class archives are loaded. */
  static DoctorFinding cache(Path folder) {
    return folder("cache", folder, "REMUDA_CACHE", LEAST_CACHE);
  }

  /** Checks the folder in which runs keep their logs and, outside Slurm, their sockets. */
  static DoctorFinding state(Path folder) {
    return folder("state", folder, "REMUDA_HOME", LEAST_STATE);
  }

  /** Checks where trainings find their folders; both ways are good. */
  static DoctorFinding ofTrainings(Path state) {
    String by = "by REMUDA_SNAPSHOTS, REMUDA_CUSTOM and REMUDA_DATA";
    try {
      Path trial = Files.createTempDirectory(state, "trial-");
      try {
        boolean fixed = TrainingFolderMounts.in(trial).arePossible();
        return DoctorFinding.good(
            "trainings",
            fixed
                ? "folders at /snapshots, /custom and /data, and " + by
                : "folders only " + by + ": no user namespaces here");
      } finally {
        Files.deleteIfExists(trial.resolve("root"));
        Files.deleteIfExists(trial.resolve("with-folders.sh"));
        Files.deleteIfExists(trial);
      }
    } catch (IOException fault) {
      return DoctorFinding.warning(
          "trainings", "folders cannot be tried: " + fault, "see the finding on state");
    }
  }

  private static DoctorFinding folder(String subject, Path folder, String variable, long least) {
    try {
      FolderOwnershipCheck.requirePrivate(folder, variable);
    } catch (IOException stranger) {
      return DoctorFinding.broken(subject, stranger.getMessage(), "follow this advice");
    }
    try {
      FolderOwnershipCheck.create(folder);
      Files.delete(Files.createTempFile(folder, ".write", ".check"));
      FileStore store = Files.getFileStore(folder);
      String found =
          String.format(
              Locale.ROOT,
              "%s on %s, %.1f GiB free",
              folder,
              store.type(),
              store.getUsableSpace() / GIB);
      if (store.getUsableSpace() < least) {
        return DoctorFinding.warning(
            subject, found, "free some space, or set " + variable + " to another folder");
      }
      return NetworkFileSystems.isOne(store.type())
          ? DoctorFinding.warning(
              subject,
              found + ", which is shared by machines",
              "set " + variable + " to a folder of a local disk, unless Slurm's nodes must see it")
          : DoctorFinding.good(subject, found);
    } catch (IOException fault) {
      return DoctorFinding.broken(
          subject,
          "cannot write in " + folder + " (" + fault.getMessage() + ")",
          "set " + variable + " to a folder that you may write in");
    }
  }

  /** Checks that code may run in the cache: SQLite, JNA and libtorch are loaded from there. */
  static DoctorFinding programs(Path cache) {
    try {
      NativeLibraryUnpacker.requireExecutable(cache);
      Path probe = Files.createTempFile(cache, "remuda", ".sh");
      try {
        Files.writeString(probe, "#!/bin/sh\nexit 0\n");
        if (!probe.toFile().setExecutable(true) || !runs(probe)) {
          return DoctorFinding.broken(
              "code in the cache",
              cache + " does not allow programs to run",
              "set REMUDA_CACHE to a folder on another disk");
        }
      } finally {
        Files.delete(probe);
      }
      return DoctorFinding.good("code in the cache", cache + " allows programs to run");
    } catch (IOException fault) {
      return DoctorFinding.broken(
          "code in the cache",
          String.valueOf(fault.getMessage()),
          "set REMUDA_CACHE to a folder on another disk");
    }
  }

  private static boolean runs(Path script) throws IOException {
    try {
      return new ProcessBuilder(script.toString()).start().waitFor() == 0;
    } catch (IOException notPermitted) {
      return false;
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Checks the folder of device locks, without which one device could be lent twice. */
  static DoctorFinding deviceLocks(Map<String, String> environment) {
    Path folder = DeviceLocks.folder(environment);
    if (Files.notExists(folder, LinkOption.NOFOLLOW_LINKS)) {
      Path above = folder.toAbsolutePath().getParent();
      return Files.isDirectory(above) && Files.isWritable(above)
          ? DoctorFinding.good("device locks", folder + " will be created at the first use")
          : noDeviceLocks(folder + " cannot be created: its parent is not a writable folder");
    }
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return noDeviceLocks(folder + " is not a folder");
    }
    return Files.isWritable(folder)
        ? DoctorFinding.good("device locks", folder + " is writable")
        : DoctorFinding.broken(
            "device locks",
            folder + " is not writable",
            "as its owner or root: chmod 1777 " + folder);
  }

  private static DoctorFinding noDeviceLocks(String found) {
    return DoctorFinding.broken("device locks", found, "set REMUDA_DEVICE_LOCKS to another folder");
  }
}
