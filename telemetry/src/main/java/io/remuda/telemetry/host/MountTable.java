package io.remuda.telemetry.host;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The mounted file systems that have room of their own, from the kernel's list of mounts. */
final class MountTable {

  /** A mount; a remote one may stand still for as long as its server does. */
  record Mount(String folder, String type, boolean remote) {}

  /** Those that are full by their nature, or were mounted for a moment. */
  private static final Set<String> IMAGES = Set.of("squashfs", "iso9660", "udf", "erofs");

  private static final Set<String> REMOTE =
      Set.of(
          "nfs",
          "nfs4",
          "cifs",
          "smb3",
          "lustre",
          "gpfs",
          "beegfs",
          "ceph",
          "afs",
          "wekafs",
          "9p",
          "virtiofs",
          "fuse.ceph",
          "fuse.glusterfs",
          "fuse.juicefs",
          "fuse.beegfs");

  private static final int MOST = 32;
  private static final int FIELDS = 3;

  private MountTable() {}

  /**
   * Returns the file systems, each once, at its shortest folder; local ones first.
   *
   * @param text the content of {@code proc/self/mounts}
   */
  static List<Mount> of(String text) {
    Map<String, Mount> bySource = new HashMap<>();
    text.lines()
        .map(line -> line.split(" ", FIELDS + 1))
        .filter(fields -> fields.length > FIELDS)
        .forEach(fields -> add(bySource, fields[0], folder(fields[1]), fields[2]));
    List<Mount> mounts = new ArrayList<>(bySource.values());
    mounts.sort(Comparator.comparing(Mount::remote).thenComparing(Mount::folder));
    return List.copyOf(mounts.subList(0, Math.min(MOST, mounts.size())));
  }

  private static void add(Map<String, Mount> bySource, String source, String folder, String type) {
    boolean remote = REMOTE.contains(type);
    boolean local =
        source.startsWith("/dev/") && !source.startsWith("/dev/loop") && !IMAGES.contains(type)
            || type.equals("zfs")
            || folder.equals("/") && type.equals("overlay");
    if (remote || local && !type.startsWith("fuse")) {
      bySource.merge(
          source,
          new Mount(folder, type, remote),
          (one, other) -> one.folder().length() <= other.folder().length() ? one : other);
    }
  }

  /** Returns the folder; the kernel writes blanks in it as octal numbers. */
  private static String folder(String field) {
    return field
        .replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }
}
