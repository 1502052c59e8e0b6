package io.remuda.agent.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Folders that are closed to other users. */
public final class OwnFolders {

  private OwnFolders() {}

  /** Makes a folder, and those above it that are missing, with mode 0700. */
  public static void create(Path folder) throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }
}
