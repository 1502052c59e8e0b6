package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** What the training of the script {@code training_client.py} has noted in its working folder. */
record TrainingLog(Path folder) {

  /** Runs it in its working folder. */
  static final String COMMAND = "exec python3 train.py";

  /** Puts the script into the folder in which it is to run. */
  static TrainingLog prepare(Path folder) throws IOException {
    try (InputStream script = TrainingLog.class.getResourceAsStream("/training_client.py")) {
      Files.copy(script, folder.resolve("train.py"));
    }
    return new TrainingLog(folder);
  }

  List<String> lines() throws IOException {
    return Files.readAllLines(folder.resolve("log"));
  }

  /** Asserts that it has done these epochs, each once and in order, and then ended. */
  void assertEachOnce(int epochs) throws IOException {
    List<String> lines = lines();
    assertEquals(
        IntStream.range(0, epochs).mapToObj(epoch -> "epoch " + epoch).toList(),
        lines.stream().filter(line -> line.startsWith("epoch ")).toList(),
        this::text);
    assertEquals("done", lines.get(lines.size() - 1));
  }

  String text() {
    try {
      return String.join("\n", lines());
    } catch (IOException unreadable) {
      return unreadable.toString();
    }
  }
}
