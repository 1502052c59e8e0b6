package io.remuda.coordinator.ui;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of the page, from the jar. They contain no secret. Any thread. */
final class PageFiles {

  private static final Pattern NAME =
      Pattern.compile("[a-z0-9-]+(?:/[a-z0-9-]+)*\\.(html|css|js|svg)");
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml");

  /**
   * A file.
   *
   * @param type for {@code Content-Type}
   * @param tag for {@code ETag}; others for other content
   */
  record PageFile(String type, String tag, byte[] content) {}

  private final Map<String, PageFile> read = new ConcurrentHashMap<>();

  /**
   * Returns a file; empty if there is none.
   *
   * @param path of the request, as it was sent
   */
  Optional<PageFile> find(String path) throws IOException {
    String name = path.equals("/") ? "index.html" : path.replaceFirst("^/", "");
    Matcher parts = NAME.matcher(name);
    if (!parts.matches()) {
      return Optional.empty();
    }
    PageFile known = read.get(name);
    if (known != null) {
      return Optional.of(known);
    }
    try (InputStream in = PageFiles.class.getResourceAsStream("page/" + name)) {
      if (in == null) {
        return Optional.empty();
      }
      byte[] content = in.readAllBytes();
      PageFile file = new PageFile(TYPES.get(parts.group(1)), tag(content), content);
      read.put(name, file);
      return Optional.of(file);
    }
  }

  private static String tag(byte[] content) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
      return '"' + HexFormat.of().formatHex(hash, 0, 16) + '"';
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException(missing); // every Java has it
    }
  }
}
