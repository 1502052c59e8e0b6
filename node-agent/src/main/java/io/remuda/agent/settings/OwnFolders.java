package io.remuda.agent.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Folders that are closed to other users. */
public final class OwnFolders {

  private OwnFolders() {}

  /**
   * Refuses a folder, or a link to one, that another user has made.
   *
   * @throws IOException naming its owner's user id
   */
  public static void requireOwn(Path folder) throws IOException {
    Object owner = Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    if (Files.isSymbolicLink(folder) || !owner.equals(self)) {
      throw new IOException(
          folder + " was made by user " + owner + ", not by us (" + self + "): have it removed");
    }
  }

  /** Makes a folder, and those above it that are missing, with mode 0700. */
  public static void create(Path folder) throws IOException {
    if (folder.toFile().isDirectory()) { // to find it there by an exception is dear
      return;
    }
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }
}
