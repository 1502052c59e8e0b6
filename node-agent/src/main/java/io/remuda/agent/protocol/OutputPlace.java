package io.remuda.agent.protocol;

import io.remuda.agent.output.FileIdentity;
import io.remuda.worker.job.AttemptId;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a stream of an attempt lies, for a client on the node's machine.
 *
 * @param folder of the node
 * @param attempt with the tag that its folder has
 * @param file which file has the stream
 */
public record OutputPlace(String folder, AttemptId attempt, FileIdentity file) {

  private static final Pattern FORM =
      Pattern.compile("(\\d{1,19}) (\\d{1,19}) ([0-9.]{5,50}(?:-[0-9a-f]{16})?) (/\\S*)");

  /** Returns it in printable ASCII. */
  public String text() {
    String path = URLEncoder.encode(folder, StandardCharsets.UTF_8).replace("%2F", "/");
    return file.device() + " " + file.inode() + " " + attempt + " " + path;
  }

  /** Reads what {@link #text} returns; empty if it is null or something else. */
  public static Optional<OutputPlace> parse(String text) {
    Matcher parts = FORM.matcher(text == null ? "" : text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    try {
      FileIdentity file =
          new FileIdentity(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)));
      String folder = Path.of(URLDecoder.decode(parts.group(4), StandardCharsets.UTF_8)).toString();
      return Optional.of(new OutputPlace(folder, AttemptId.parse(parts.group(3)), file));
    } catch (IllegalArgumentException wrong) { // also InvalidPathException, NumberFormatException
      return Optional.empty();
    }
  }
}
