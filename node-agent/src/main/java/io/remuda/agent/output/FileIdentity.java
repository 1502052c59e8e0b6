package io.remuda.agent.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Which file it is, while the machine runs, by any name and in any container.
 *
 * @param device number of its file system
 * @param inode its number there
 */
public record FileIdentity(long device, long inode) {

  /** Returns that of the file to which a path leads. */
  public static FileIdentity of(Path file) throws IOException {
    Map<String, Object> status = Files.readAttributes(file, "unix:dev,ino");
    return new FileIdentity(
        ((Number) status.get("dev")).longValue(), ((Number) status.get("ino")).longValue());
  }
}
