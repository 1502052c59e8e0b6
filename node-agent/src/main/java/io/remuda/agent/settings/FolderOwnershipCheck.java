package io.remuda.agent.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** Checks and creates folders and files that no other user may change. */
public final class FolderOwnershipCheck {

  private static final int WRITABLE_BY_OTHERS = 0022;
  private static final int WRITABLE_BY_ALL = 0002;
  private static final int STICKY = 01000;

  private FolderOwnershipCheck() {}

  /**
   * Rejects a folder that another user created, and a symbolic link.
   *
   * @throws IOException naming the owner's user id
   */
  public static void requireOwn(Path folder) throws IOException {
    Object owner = Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    Object self = self();
    if (Files.isSymbolicLink(folder) || !owner.equals(self)) {
      throw new IOException(
          folder + " belongs to user " + owner + ", not to you (" + self + "): have it removed");
    }
  }

  /**
   * Rejects a folder in which another user could replace files: it belongs to another user, others
   * may write in it, or a folder above it is writable by all and has no sticky bit. Members of a
   * group that may write in a folder above it are trusted. Does nothing if the folder does not
   * exist.
   *
   * @param name name of the environment variable or option that sets the folder
   * @throws IOException with advice
   */
  public static void requirePrivate(Path folder, String name) throws IOException {
    if (!folder.toFile().exists()) {
      return;
    }
    Map<String, Object> status = Files.readAttributes(folder, "unix:uid,mode");
    String todo = ", or give " + name + " a folder of yours";
    if (!status.get("uid").equals(self())) {
      throw new IOException(
          String.format(
              "%s belongs to user %s, not to you (%s): use your own account%s",
              folder, status.get("uid"), self(), todo));
    }
    if (((int) status.get("mode") & WRITABLE_BY_OTHERS) != 0) {
      throw new IOException(
          folder + " may be written by others: chmod go-w it, and look at what is in it" + todo);
    }
    for (Path above = folder.toRealPath().getParent(); above != null; above = above.getParent()) {
      int mode = (int) Files.getAttribute(above, "unix:mode");
      if ((mode & WRITABLE_BY_ALL) != 0 && (mode & STICKY) == 0) {
        throw new IOException(
            folder
                + " can be replaced by any user, because all may write in "
                + above
                + ": chmod +t that"
                + todo);
      }
    }
  }

  /**
   * Rejects a file of another user.
   *
   * @throws IOException naming the owner
   */
  public static void requireOwnFile(Path file) throws IOException {
    Object owner = Files.getAttribute(file, "unix:uid");
    if (!owner.equals(self())) {
      throw new IOException(
          file + " belongs to user " + owner + ", not to you (" + self() + "): it is not used");
    }
  }

  private static Object self() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid");
  }

  /** Creates a folder and its missing parents with mode 0700. */
  public static void create(Path folder) throws IOException {
    if (folder.toFile().isDirectory()) { // else an exception, which is expensive
      return;
    }
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }
}
