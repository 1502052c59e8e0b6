package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Objects;

/**
 * How the process of a command is started.
 *
 * @param pinned whether it is bound to CPUs of its own, as many as it asks for
 * @param tree of which it gets a copy as its working folder; null for the folder itself
 */
public record PinAndFreezeTerms(
    boolean pinned, @JsonInclude(JsonInclude.Include.NON_NULL) FrozenTree tree) {

  /** Bound to CPUs of its own. */
  public static final PinAndFreezeTerms PINNED = new PinAndFreezeTerms(true, null);

  /**
   * A working tree as it was at the submission, of which each attempt gets a copy.
   *
   * @param hash of its content, 64 hexadecimal digits
   * @param archive absolute path of the file that has it
   * @param root absolute path of the folder that was frozen; the working folder is in it
   */
  public record FrozenTree(String hash, String archive, String root) {

    public FrozenTree {
      Objects.requireNonNull(hash, "hash");
      if (!hash.matches("[0-9a-f]{64}")) {
        throw new IllegalArgumentException(
            "hash must be 64 hexadecimal digits, got '" + hash + "'");
      }
      requireAbsolute("archive", archive);
      requireAbsolute("root", root);
    }

    private static void requireAbsolute(String field, String path) {
      RecordChecks.noNul(field, path);
      if (!path.startsWith("/")) {
        throw new IllegalArgumentException(field + " must be absolute, got '" + path + "'");
      }
    }

    /** Returns the path of a folder relative to the root; null if it is not in it. */
    public String below(String folder) {
      String inside = root.endsWith("/") ? root : root + "/";
      return folder.equals(root)
          ? ""
          : folder.startsWith(inside) ? folder.substring(inside.length()) : null;
    }
  }
}
