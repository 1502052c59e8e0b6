package io.remuda.coordinator.service;

import io.remuda.agent.settings.FolderOwnershipCheck;
import io.remuda.agent.settings.LockFile;
import io.remuda.agent.settings.PrivateFileWriter;
import io.remuda.coordinator.store.StoreOpener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The folder of a job service, held by one server at a time. */
public final class ServiceFolder implements AutoCloseable {

  /** Names the database that holds the state; there is none if it is a file. */
  private static final String DATABASE = "database";

  private final Path path;
  private final LockFile lock;

  private ServiceFolder(Path path, LockFile lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Takes the folder; creates it if it is missing.
   *
   * @throws IOException if another server uses it, or it cannot be created
   */
  public static ServiceFolder take(Path path) throws IOException {
    FolderOwnershipCheck.create(path);
    Optional<LockFile> lock = LockFile.take(path.resolve("serve.lock"));
    if (lock.isPresent()) {
      return new ServiceFolder(path, lock.get());
    }
    throw new FolderInUseException("another server uses " + path + ": use it, or set REMUDA_HOME");
  }

  public Path path() {
    return path;
  }

  /**
   * Checks that a server does not begin with an empty state while that of this folder is elsewhere.
   *
   * @param database its name; empty for a file in this folder
   * @throws IOException if the state of this folder is elsewhere
   */
  void requireStateIn(Optional<String> database) throws IOException {
    Path note = path.resolve(DATABASE);
    String before = stateIn();
    Path file = path.resolve(StoreOpener.FILE);
    if (database.isEmpty() && !before.isEmpty()) {
      throw new IOException(
          "the state of "
              + path
              + " is in "
              + before
              + ": give --store with its address, or remove "
              + note
              + " to begin anew with a file");
    }
    if (database.isPresent() && before.isEmpty() && Files.exists(file)) {
      throw new IOException(
          "the state of "
              + path
              + " is in "
              + file
              + ": leave out --store, bring it into the database with remuda store copy, or set"
              + " REMUDA_HOME to another folder");
    }
  }

  /** Returns the name of the database that holds the state; empty if it is a file. */
  String stateIn() throws IOException {
    Path note = path.resolve(DATABASE);
    return Files.exists(note) ? Files.readString(note).strip() : "";
  }

  /** Notes that the state is a file of this folder. */
  void noteStateHere() throws IOException {
    Files.deleteIfExists(path.resolve(DATABASE));
  }

  /** Notes that the state is in a database. */
  void noteStateIn(String database) throws IOException {
    byte[] line = (database + "\n").getBytes(StandardCharsets.UTF_8);
    PrivateFileWriter.write(path.resolve(DATABASE), line);
  }

  /** Returns the folder of a node on this machine, with its tasks and its log. */
  public Path node(String name) {
    return nodes(path).resolve(name);
  }

  /** Returns the folder of the folders of nodes. */
  public static Path nodes(Path home) {
    return home.resolve("nodes");
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
