package io.remuda.agent.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** A file that its owner alone may use. */
public final class SecretFile {

  private static final Set<PosixFilePermission> OWNER_ONLY =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private SecretFile() {}

  /**
   * Reads a file; returns nothing if there is none.
   *
   * @throws IOException if it belongs to another user or others may use it
   */
  public static Optional<byte[]> read(Path file) throws IOException {
    try {
      requireOwnerOnly(file);
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
    FolderOwnershipCheck.requireOwnFile(file);
    return Optional.of(Files.readAllBytes(file));
  }

  /**
   * Checks the mode of a file.
   *
   * @throws NoSuchFileException if there is none
   * @throws IOException if others than its owner may use it
   */
  public static void requireOwnerOnly(Path file) throws IOException {
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
    if (!OWNER_ONLY.containsAll(permissions)) {
      throw new IOException(
          file
              + " may be used by others ("
              + PosixFilePermissions.toString(permissions)
              + "): chmod 600 it");
    }
  }
}
