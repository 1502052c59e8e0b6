package io.remuda.agent.keeper.proc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The scope in which a pid names one process: one boot of one machine, one container. */
public final class PidScope {

  private PidScope() {}

  /**
   * Returns the scope of this process as {@code BOOT-ID/NUMBER}: the kernel's {@code
   * random/boot_id} and the inode of the pid namespace; empty if it is not known.
   */
  public static String here() {
    try {
      String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
      String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
      return boot + "/" + link.replaceAll("\\D", ""); // such as pid:[4026531836]
    } catch (IOException | UnsupportedOperationException untold) {
      return "";
    }
  }
}
