package io.remuda.coordinator.service;

import io.remuda.agent.settings.FolderOwnershipCheck;
import io.remuda.coordinator.store.DatabaseBackend;
import io.remuda.coordinator.store.StateFileOperations;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.copy.CopyProgressListener;
import io.remuda.coordinator.store.copy.StateCopy;
import io.remuda.coordinator.store.row.StoreDamagedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Copies the state of a job service between its folder and a database, or between two databases,
 * while no server runs on either. The folder's note of where its state is changes before the copy
 * becomes a state of its own, so that at no moment a server can begin with the earlier one by
 * mistake.
 */
public final class OfflineStateMigration {

  private final CopyProgressListener progress;

  public OfflineStateMigration(CopyProgressListener progress) {
    this.progress = progress;
  }

  /**
   * Copies a state. Blocks.
   *
   * @param from remains as it is
   * @param to empty, or the unfinished copy of {@code from}
   * @throws IllegalArgumentException if both are folders
   * @throws FolderInUseException if a server uses the folder
   * @throws io.remuda.coordinator.store.StateInUseException if a server uses one of the states
   * @throws StoreDamagedException if one of them is damaged, or of a newer build
   * @throws IOException if {@code to} has another state, or one of them cannot be reached
   */
  public StateCopy.Summary run(StateAddress from, StateAddress to)
      throws IOException, StoreDamagedException {
    if (from instanceof StateAddress.InFolder folder) {
      if (to instanceof StateAddress.InDatabase other) {
        return intoDatabase(folder.folder(), other.database());
      }
      throw new IllegalArgumentException(
          "both are folders: remuda backup FILE, and remuda restore FILE with the other REMUDA_HOME");
    }
    DatabaseBackend database = ((StateAddress.InDatabase) from).database();
    if (to instanceof StateAddress.InDatabase other) {
      return StateCopy.run(database, other.database(), progress, () -> {});
    }
    return intoFolder(database, ((StateAddress.InFolder) to).folder());
  }

  private StateCopy.Summary intoDatabase(Path from, DatabaseBackend to)
      throws IOException, StoreDamagedException {
    Path file = from.resolve(StoreOpener.FILE);
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString(), null, "there is no state");
    }
    FolderOwnershipCheck.requirePrivate(from, "--from");
    try (ServiceFolder folder = ServiceFolder.take(from)) {
      requireNoteOf(folder, to.name(), "copy it from there");
      try (DatabaseBackend state = StateFileOperations.take(from)) {
        return StateCopy.run(state, to, progress, () -> folder.noteStateIn(to.name()));
      }
    }
  }

  private StateCopy.Summary intoFolder(DatabaseBackend from, Path to)
      throws IOException, StoreDamagedException {
    FolderOwnershipCheck.requirePrivate(to, "--to");
    try (ServiceFolder folder = ServiceFolder.take(to)) {
      requireNoteOf(folder, from.name(), "give another folder");
      try (DatabaseBackend state = StateFileOperations.takeOrMake(to)) {
        return StateCopy.run(from, state, progress, folder::noteStateHere);
      }
    }
  }

  /** Refuses a folder whose state is in a third place. */
  private static void requireNoteOf(ServiceFolder folder, String database, String advice)
      throws IOException {
    String noted = folder.stateIn();
    if (!noted.isEmpty() && !noted.equals(database)) {
      throw new IOException("the state of " + folder.path() + " is in " + noted + ": " + advice);
    }
  }
}
