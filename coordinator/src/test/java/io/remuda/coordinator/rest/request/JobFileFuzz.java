package io.remuda.coordinator.rest.request;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.agent.commandline.OwnProcess;
import io.remuda.coordinator.cli.jobfile.BadJobFileException;
import io.remuda.coordinator.cli.jobfile.JobFileReader;
import io.remuda.coordinator.cli.jobfile.SubmittingShellEnvironment;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A file of jobs: its faults are told, a line each, or the server accepts what it asks for. The
 * file lies in memory.
 */
public final class JobFileFuzz {

  private static final Path FILE = file();
  private static final SubmittingShellEnvironment SHELL =
      new SubmittingShellEnvironment(Map.of("PATH", "/bin"), "0022");
  private static final ObjectMapper JSON = JsonMapper.builder().build();
  private static final SubmissionReader SERVER = new SubmissionReader(false);

  private JobFileFuzz() {}

  private static Path file() {
    try {
      Path memory = Path.of("/dev/shm");
      Path folder = Files.isWritable(memory) ? memory : Path.of("target").toAbsolutePath();
      Path file = Files.createTempFile(folder, "fuzz", ".yaml");
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** One input of a fuzzer. */
  public static void fuzzerTestOneInput(byte[] data) {
    Map<String, Object> submission;
    try {
      Files.write(FILE, data);
      submission = JobFileReader.read(FILE, new OwnProcess(), SHELL);
    } catch (BadJobFileException refused) {
      checkWords(refused);
      return;
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
    try {
      SERVER.read(JSON.writeValueAsBytes(submission), "user");
    } catch (IOException | IllegalArgumentException no) {
      throw new AssertionError("accepted here, and refused by the server: " + submission, no);
    }
  }

  private static void checkWords(BadJobFileException refused) {
    if (refused.faults().isEmpty()) {
      throw new AssertionError("refused without a word", refused);
    }
    for (String line : refused.faults()) {
      if (!line.equals(PrintableText.of(line))) {
        throw new AssertionError("a fault that commands terminals: " + PrintableText.of(line));
      }
    }
  }
}
