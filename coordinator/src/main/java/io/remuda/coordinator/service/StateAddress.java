package io.remuda.coordinator.service;

import io.remuda.coordinator.store.DatabaseBackend;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.postgres.PostgresDatabase;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a state is, as a user names it. */
public sealed interface StateAddress {

  /** A state file in the folder of a service. */
  record InFolder(Path folder) implements StateAddress {}

  /** A database. */
  record InDatabase(DatabaseBackend database) implements StateAddress {}

  /**
   * Reads the address of a database, or the path of a folder or of the state file in it.
   *
   * @param folder absolute path of the folder that a relative path starts from
   * @throws IllegalArgumentException if it is none of these, or has a password
   */
  static StateAddress parse(String text, Path folder) {
    if (text.startsWith("jdbc:") || text.contains("://")) {
      if (PostgresDatabase.hasPassword(text)) {
        throw new IllegalArgumentException(
            "other users see the arguments of programs: put the password into ~/.pgpass");
      }
      return new InDatabase(new PostgresDatabase(text));
    }
    Path path = folder.resolve(text).normalize();
    if (path.endsWith(StoreOpener.FILE) && !Files.isDirectory(path)) {
      return new InFolder(path.getParent());
    }
    if (text.isBlank() || (Files.exists(path) && !Files.isDirectory(path))) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is neither a folder nor a "
              + StoreOpener.FILE
              + " nor the address of a database; remuda restore FILE puts a backup into a folder");
    }
    return new InFolder(path);
  }
}
