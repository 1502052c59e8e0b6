package io.remuda.coordinator.cli.script;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A script that is read from stdin, as {@code sbatch} reads it. Its text becomes an argument of the
 * program in its first line, so that it needs no file.
 */
public final class PipedScript {

  /** Most bytes of an argument without its end: {@code MAX_ARG_STRLEN} of Linux is 32 pages. */
  static final int MOST_BYTES = (128 << 10) - 1;

  private static final Path NAME = Path.of("stdin");
  private static final String TEXT_FOLLOWS = "-c";
  private static final Set<String> TAKE_TEXT =
      Set.of("sh", "bash", "dash", "ksh", "zsh", "fish", "python", "python3");

  private PipedScript() {}

  /**
   * Reads a stream to its end; empty if there is nothing in it.
   *
   * @throws IllegalArgumentException if it is no script that can be run so; the message says why
   */
  public static Optional<ScriptInvocation> read(InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(MOST_BYTES + 1);
    if (bytes.length == 0) {
      return Optional.empty();
    }
    if (bytes.length > MOST_BYTES) {
      throw new IllegalArgumentException(
          "the script on stdin has more than " + MOST_BYTES + " bytes: submit it as a file");
    }
    String text = text(bytes);
    JobScript script = JobScript.of(NAME, bytes);
    List<String> command = new ArrayList<>(interpreter(script));
    command.addAll(List.of(TEXT_FOLLOWS, text));
    return Optional.of(new ScriptInvocation(script, command));
  }

  private static String text(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      if (text.indexOf('\0') < 0) {
        return text;
      }
    } catch (CharacterCodingException noText) {
      // told below
    }
    throw new IllegalArgumentException("stdin has no script: it is not text in UTF-8");
  }

  private static List<String> interpreter(JobScript script) {
    List<String> words = script.interpreter();
    boolean named = words.stream().map(PipedScript::fileName).anyMatch(TAKE_TEXT::contains);
    if (!named) {
      throw new IllegalArgumentException(
          "a script on stdin begins with #! and a shell or Python, such as #!/bin/bash"
              + (words.isEmpty() ? "" : "; got #!" + String.join(" ", words))
              + ": submit it as a file, or give a command after --");
    }
    return words;
  }

  private static String fileName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
