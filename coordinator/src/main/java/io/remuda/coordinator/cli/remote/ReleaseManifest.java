package io.remuda.coordinator.cli.remote;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files of a release with their SHA-256.
 *
 * @param hashes hexadecimal digest by path in the release
 */
record ReleaseManifest(Map<String, String> hashes) {

  private static final int ID_LETTERS = 16;
  private static final int BLOCK = 1 << 16;

  ReleaseManifest {
    hashes = java.util.Collections.unmodifiableMap(new TreeMap<>(hashes));
  }

  /** Reads all files of a folder. */
  static ReleaseManifest of(Path release) throws IOException {
    Map<String, String> hashes = new TreeMap<>();
    try (Stream<Path> files = Files.walk(release)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        hashes.put(release.relativize(file).toString(), hash(file));
      }
    } catch (UncheckedIOException fault) {
      throw fault.getCause();
    }
    return new ReleaseManifest(hashes);
  }

  private static String hash(Path file) throws IOException {
    MessageDigest digest = sha256();
    byte[] block = new byte[BLOCK];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(block); read >= 0; read = in.read(block)) {
        digest.update(block, 0, read);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }

  /** Returns the lines that {@code sha256sum -c} reads. */
  String text() {
    return hashes.entrySet().stream()
        .map(one -> one.getValue() + "  " + one.getKey() + "\n")
        .collect(Collectors.joining());
  }

  /** Returns a short name of exactly this content. */
  String id() {
    byte[] digest = sha256().digest(text().getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest).substring(0, ID_LETTERS);
  }

  /**
   * Returns which files are there already.
   *
   * @param there lines {@code HASH RELEASE/PATH} of what another machine has
   * @return path of the equal file there, by path in this release
   */
  Map<String, String> among(String there) {
    Map<String, String> byHash =
        there
            .lines()
            .map(line -> line.split("  ", 2))
            .filter(parts -> parts.length == 2)
            .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1], (one, same) -> one));
    Map<String, String> found = new TreeMap<>();
    hashes.forEach(
        (path, hash) -> {
          if (byHash.containsKey(hash)) {
            found.put(path, byHash.get(hash));
          }
        });
    return found;
  }
}
