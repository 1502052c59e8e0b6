package io.remuda.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Replaces files at once: whoever reads one meanwhile sees all of the old or all of the new. */
public final class AtomicFile {

  private AtomicFile() {}

  /** Gives a file or folder another name, which a file may have that is then gone. */
  public static void replace(Path draft, Path target) throws IOException {
    Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Writes a file. It need not be on the disk when this returns. The draft is {@code FILE.tmp}, so
   * only one thread may write a file at a time.
   */
  public static void write(Path target, byte[] content) throws IOException {
    Path draft = target.resolveSibling(target.getFileName() + ".tmp");
    Files.write(draft, content);
    replace(draft, target);
  }
}
