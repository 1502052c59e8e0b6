package io.remuda.agent.settings;

import com.sun.jna.Platform;
import io.remuda.file.AtomicFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * Unpacks native libraries from jars into the cache folder, once. By default a JVM unpacks them
 * into {@code /tmp}, which is mounted noexec on some machines, and leaves them there when it is
 * killed. Must be called before the first use of a library.
 */
public final class NativeLibraryUnpacker {

  /**
   * System property with the folder that JNA searches first; also passed to JVMs that this one
   * starts.
   */
  static final String JNA_FOLDER = "jna.boot.library.path";

  private static final String FOLDER = "native";
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

  private NativeLibraryUnpacker() {}

  /** Returns the folder of the libraries in the cache. */
  public static Path folder(Path cache) {
    return cache.resolve(FOLDER);
  }

  /**
   * Makes JNA load its library from the cache.
   *
   * @throws IOException if the cache cannot be used; the message has advice
   */
  public static void useJna(Path cache) throws IOException {
    if (System.getProperty(JNA_FOLDER) == null) {
      String name = System.mapLibraryName("jnidispatch");
      URL packed =
          Platform.class.getResource("/com/sun/jna/" + Platform.RESOURCE_PREFIX + "/" + name);
      if (packed != null) {
        System.setProperty(JNA_FOLDER, unpack(cache, "jna", packed).getParent().toString());
      }
    }
  }

  /**
   * Unpacks a library unless it is already there.
   *
   * @param name name of the library's owner; its folder is named by it and the size
   * @return the file
   * @throws IOException if the cache cannot be used; the message has advice
   */
  public static Path unpack(Path cache, String name, URL packed) throws IOException {
    requireExecutable(cache);
    URLConnection source = packed.openConnection();
    long size = source.getContentLengthLong();
    String file = packed.getPath().substring(packed.getPath().lastIndexOf('/') + 1);
    Path folder = folder(cache).resolve(name + "-" + size);
    Path target = folder.resolve(file);
    try (InputStream bytes = source.getInputStream()) {
      if (target.toFile().length() != size) {
        FolderOwnershipCheck.create(folder);
        Path draft = Files.createTempFile(folder, file, ".tmp");
        Files.copy(bytes, draft, StandardCopyOption.REPLACE_EXISTING);
        AtomicFile.replace(draft, target);
      }
    }
    FolderOwnershipCheck.requireOwn(folder);
    return target;
  }

  /**
   * Rejects a cache folder that is mounted noexec.
   *
   * @throws IOException if it is; the message has advice
   */
  public static void requireExecutable(Path cache) throws IOException {
    FolderOwnershipCheck.create(cache);
    Optional<String> mount = noexecMount(cache.toRealPath(), Files.readString(MOUNTS));
    if (mount.isPresent()) {
      throw new IOException(
          "no native library can be loaded from the cache folder "
              + cache
              + ", because "
              + mount.get()
              + " is mounted noexec: set REMUDA_CACHE to a folder on another disk");
    }
  }

  /**
   * Returns the mount point of a folder if it is mounted noexec; {@code mounts} is in the format of
   * /proc/self/mountinfo.
   */
  static Optional<String> noexecMount(Path folder, String mounts) {
    String found = "";
    boolean noexec = false;
    for (String line : mounts.lines().toList()) {
      String[] fields = line.split(" ");
      if (fields.length > 5 && folder.startsWith(unescaped(fields[4]))) {
        String point = unescaped(fields[4]);
        if (point.length() >= found.length()) { // a later mount hides an earlier one
          found = point;
          noexec = ("," + fields[5] + ",").contains(",noexec,");
        }
      }
    }
    return noexec ? Optional.of(found) : Optional.empty();
  }

  /** Decodes octal escapes: blanks and some other characters are written as three octal digits. */
  private static String unescaped(String field) {
    if (field.indexOf('\\') < 0) {
      return field;
    }
    byte[] raw = field.getBytes(StandardCharsets.UTF_8);
    byte[] text = new byte[raw.length];
    int length = 0;
    for (int i = 0; i < raw.length; i++) {
      if (raw[i] == '\\' && i + 3 < raw.length) {
        text[length++] =
            (byte) Integer.parseInt(new String(raw, i + 1, 3, StandardCharsets.US_ASCII), 8);
        i += 3;
      } else {
        text[length++] = raw[i];
      }
    }
    return new String(text, 0, length, StandardCharsets.UTF_8);
  }
}
