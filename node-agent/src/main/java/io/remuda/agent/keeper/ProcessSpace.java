package io.remuda.agent.keeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Within what process numbers mean the same process: one start of one machine, one container. */
public final class ProcessSpace {

  private ProcessSpace() {}

  /**
   * That of this process, as {@code BOOT-ID/NUMBER}: the kernel's {@code random/boot_id} and the
   * inode of the pid namespace; empty if that cannot be told.
   */
  public static String here() {
    try {
      String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
      String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
      return boot + "/" + link.replaceAll("\\D", ""); // as pid:[4026531836]
    } catch (IOException | UnsupportedOperationException untold) {
      return "";
    }
  }
}
