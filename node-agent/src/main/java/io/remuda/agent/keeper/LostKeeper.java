package io.remuda.agent.keeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A keeper that is gone, as its {@link KeeperRecord} tells of it.
 *
 * @param file the record
 * @param mark PID.STARTTICKS
 * @param keys of tasks by their serial numbers
 * @param leaders keys of tasks by PID.STARTTICKS of their first processes
 */
record LostKeeper(
    Path file, long number, String mark, Map<Long, String> keys, Map<String, String> leaders) {

  /** Those of a node's folder. Records from before the machine was started are removed. */
  static List<LostKeeper> of(Path nodeFolder) {
    List<LostKeeper> lost = new ArrayList<>();
    String[] names = nodeFolder.resolve(KeeperRecord.FOLDER).toFile().list();
    for (String name : names == null ? new String[0] : names) {
      Path file = nodeFolder.resolve(KeeperRecord.FOLDER).resolve(name);
      try {
        LostKeeper keeper = name.matches("\\d{1,9}") ? read(file) : null;
        if (keeper != null) {
          lost.add(keeper);
        }
      } catch (IOException | RuntimeException unreadable) {
        KeeperLog.line("keeper: cannot read " + file + ": " + unreadable);
      }
    }
    return lost;
  }

  /** Null if it lives, or if nothing of it can. */
  private static LostKeeper read(Path file) throws IOException {
    String text = Files.readString(file);
    String[] lines = text.substring(0, text.lastIndexOf('\n') + 1).split("\n"); // one may be torn
    String[] head = lines[0].split(" ");
    if (head.length < 5 || !head[1].equals(KeeperRecord.VERSION)) {
      throw new IOException(lines[0].isEmpty() ? "it is empty" : "it begins with " + lines[0]);
    }
    String here = ProcessSpace.here();
    if (!head[2].equals("?") && !here.isEmpty() && !head[2].equals(here)) {
      Files.deleteIfExists(file); // another start of the machine or of the container
      return null;
    }
    int pid = Integer.parseInt(head[3]);
    ProcStat now = ProcFiles.stat(pid);
    if (now == null && ProcFiles.exists(pid)) {
      throw new IOException("its process " + pid + " cannot be looked at");
    }
    if (now != null && !now.dead() && now.startTicks() == Long.parseLong(head[4])) {
      return null;
    }
    LostKeeper keeper =
        new LostKeeper(
            file,
            Long.parseLong(file.getFileName().toString()),
            head[3] + "." + head[4],
            new HashMap<>(),
            new HashMap<>());
    for (int i = 1; i < lines.length; i++) {
      keeper.take(lines[i].split(" "));
    }
    return keeper;
  }

  private void take(String[] fields) {
    long serial = Long.parseLong(fields[1]);
    if (fields[0].equals("s")) {
      keys.put(serial, fields[2]);
    } else if (fields[0].equals("p")) {
      leaders.put(fields[2] + "." + fields[3], keys.getOrDefault(serial, ""));
    }
  }

  /** Its number in the marks that it was started with. */
  int pid() {
    return Integer.parseInt(mark.substring(0, mark.indexOf('.')));
  }

  /** The key of the task that the limits of a process name; empty for an unknown task, or null. */
  String keyOf(LockLimit.Mark limits) {
    if (!limits.isBelow(number)) {
      return null;
    }
    return limits.keeper() == number ? keys.getOrDefault(limits.serial(), "") : "";
  }

  /** Nothing of it is left. */
  void forget() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException stays) {
      KeeperLog.line("keeper: " + file + " stays: " + stays);
    }
  }
}
