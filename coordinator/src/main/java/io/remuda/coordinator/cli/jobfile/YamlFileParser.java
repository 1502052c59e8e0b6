package io.remuda.coordinator.cli.jobfile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.parser.Parser;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** Parses a file as YAML, which includes JSON, into nodes that have line and column. */
final class YamlFileParser {

  /** The server's limit, also used for the number of characters. */
  private static final int MOST_BYTES = 16 << 20;

  private YamlFileParser() {}

  /** Opens a file. */
  interface Opening {
    InputStream open() throws IOException;
  }

  /**
   * Returns the document of a file; empty if there is none or if faults were added.
   *
   * @param file as it was typed
   */
  static Optional<Node> read(Path file, Opening opening, JobFileFaults faults)
      throws BadJobFileException {
    if (file.toString().endsWith(".toml")) {
      throw new BadJobFileException(List.of(file + ": a job file is YAML or JSON, not TOML"));
    }
    String text = decode(bytes(file, opening), faults);
    if (faults.count() == 0) {
      checkCharacters(text, faults);
    }
    return faults.count() == 0 ? compose(text, faults) : Optional.empty();
  }

  private static byte[] bytes(Path file, Opening opening) throws BadJobFileException {
    try (InputStream in = opening.open()) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw new BadJobFileException(List.of(file + ": has more than " + MOST_BYTES + " bytes"));
      }
      return bytes;
    } catch (NoSuchFileException missing) {
      throw new BadJobFileException(List.of(file + ": no such file"));
    } catch (IOException fault) {
      throw new BadJobFileException(List.of(file + ": cannot be read: " + fault.getMessage()));
    }
  }

  private static String decode(byte[] bytes, JobFileFaults faults) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    CharBuffer text = CharBuffer.allocate(bytes.length + 1);
    CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), text, true);
    text.flip();
    if (result.isError()) {
      noteAtEnd(text, "this is not UTF-8", faults);
    }
    return text.toString();
  }

  private static void checkCharacters(String text, JobFileFaults faults) {
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      if (!StreamReader.isPrintable(text.codePointAt(i))) {
        String name = String.format("U+%04X", text.codePointAt(i));
        noteAtEnd(text.substring(0, i), "the character " + name + " is not allowed", faults);
        return;
      }
    }
  }

  /** Adds a fault at the place right after {@code before}. */
  private static void noteAtEnd(CharSequence before, String fault, JobFileFaults faults) {
    int line = (int) before.chars().filter(c -> c == '\n').count();
    String last = before.toString().substring(before.toString().lastIndexOf('\n') + 1);
    faults.add(line, last.codePointCount(0, last.length()), fault);
  }

  private static Optional<Node> compose(String text, JobFileFaults faults) {
    LoadSettings settings = LoadSettings.builder().setCodePointLimit(MOST_BYTES).build();
    try {
      Parser parser = new ParserImpl(settings, new StreamReader(settings, text));
      return new Composer(settings, new DepthLimitedParser(parser)).getSingleNode();
    } catch (MarkedYamlEngineException fault) {
      faults.add(fault.getProblemMark().orElseThrow(), inWords(fault));
    } catch (YamlEngineException fault) {
      faults.add(0, 0, fault.getMessage());
    } catch (NumberFormatException cutOff) { // the library looks for no end of the file there
      noteAtEnd(text, "an escape lacks its hexadecimal digits", faults);
    } catch (IllegalArgumentException fault) { // of its own values, such as a tag
      faults.add(0, 0, "this is not YAML that can be read: " + fault.getMessage());
    }
    return Optional.empty();
  }

  /** Describes a fault, with the line where it begins: an unclosed quote is found at the end. */
  private static String inWords(MarkedYamlEngineException fault) {
    String problem = fault.getProblem();
    if (fault.getContext() == null) {
      return problem;
    }
    if (problem.startsWith("but ")) {
      return fault.getContext() + " " + problem;
    }
    int line = fault.getProblemMark().map(Mark::getLine).orElse(0);
    String begin =
        fault
            .getContextMark()
            .map(Mark::getLine)
            .filter(first -> first != line)
            .map(first -> ", which begins in line " + (first + 1))
            .orElse("");
    return problem + " " + fault.getContext() + begin;
  }
}
