package io.remuda.examples;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs the main method of an example in this process and returns the lines that it prints. */
public final class PrintedLines {

  /** The main method of an example that does not end its process. */
  public interface Main {
    void run(String[] arguments) throws Exception;
  }

  private PrintedLines() {}

  public static List<String> of(Main main, String... arguments) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      System.setOut(out);
      main.run(arguments);
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
