package io.remuda.coordinator.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** File systems that several machines share: slow to sync, and with locks that may not hold. */
public final class NetworkFileSystems {

  private static final Set<String> TYPES =
      Set.of(
          "9p",
          "afs",
          "beegfs",
          "ceph",
          "cifs",
          "fuse.ceph",
          "fuse.ceph-fuse",
          "fuse.glusterfs",
          "fuse.juicefs",
          "fuse.rclone",
          "fuse.s3fs",
          "fuse.sshfs",
          "glusterfs",
          "gpfs",
          "lustre",
          "nfs",
          "nfs4",
          "orangefs",
          "panfs",
          "smb3",
          "smbfs",
          "wekafs");

  private NetworkFileSystems() {}

  /** Returns whether a type of file system, as the kernel lists it, is one. */
  public static boolean isOne(String type) {
    return TYPES.contains(type.toLowerCase(Locale.ROOT));
  }

  /** Returns a warning about a state folder that is on one; empty if it is not, or is not known. */
  public static Optional<String> warningOf(Path state) {
    try {
      String type = Files.getFileStore(state).type();
      return isOne(type) ? Optional.of(warning(state, type)) : Optional.empty();
    } catch (IOException unknown) {
      return Optional.empty();
    }
  }

  static String warning(Path state, String type) {
    return state
        + " is on a network file system ("
        + type
        + "), which makes the state slow and may damage it: set REMUDA_HOME to a folder of a local"
        + " disk";
  }
}
