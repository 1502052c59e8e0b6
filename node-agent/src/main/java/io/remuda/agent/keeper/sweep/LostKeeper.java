package io.remuda.agent.keeper.sweep;

import io.remuda.agent.keeper.proc.KeeperLog;
import io.remuda.agent.keeper.proc.PidScope;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.RlimitProcessMark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A keeper that is gone, read from its {@link KeeperProcessJournal}.
 *
 * @param file the record
 * @param mark PID.STARTTICKS
 * @param keys of tasks by their serial numbers
 * @param leaders keys of tasks by PID.STARTTICKS of their first processes
 */
record LostKeeper(
    Path file, long number, String mark, Map<Long, String> keys, Map<String, String> leaders) {

  /** Returns a node's lost keepers. Deletes the records of earlier boots and containers. */
  static List<LostKeeper> of(Path nodeFolder) {
    List<LostKeeper> lost = new ArrayList<>();
    String[] names = nodeFolder.resolve(KeeperProcessJournal.FOLDER).toFile().list();
    for (String name : names == null ? new String[0] : names) {
      Path file = nodeFolder.resolve(KeeperProcessJournal.FOLDER).resolve(name);
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

  /** Returns null if the keeper lives, or if none of its processes can be left. */
  private static LostKeeper read(Path file) throws IOException {
    String text = Files.readString(file);
    String[] lines = text.substring(0, text.lastIndexOf('\n') + 1).split("\n"); // no partial line
    String[] head = lines[0].split(" ");
    if (head.length < 5 || !head[1].equals(KeeperProcessJournal.VERSION)) {
      throw new IOException(lines[0].isEmpty() ? "it is empty" : "it begins with " + lines[0]);
    }
    String here = PidScope.here();
    if (!head[2].equals("?") && !here.isEmpty() && !head[2].equals(here)) {
      Files.deleteIfExists(file); // an earlier boot or container
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

  int pid() {
    return Integer.parseInt(mark.substring(0, mark.indexOf('.')));
  }

  /** Returns the task key for these limits; empty if unknown, null if not below this keeper. */
  String keyOf(RlimitProcessMark.Mark limits) {
    if (!limits.isBelow(number)) {
      return null;
    }
    return limits.keeper() == number ? keys.getOrDefault(limits.serial(), "") : "";
  }

  /** Deletes the record, since nothing of the keeper is left. */
  void forget() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException stays) {
      KeeperLog.line("keeper: " + file + " stays: " + stays);
    }
  }
}
