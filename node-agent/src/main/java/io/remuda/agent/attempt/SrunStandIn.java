package io.remuda.agent.attempt;

import io.remuda.agent.protocol.SbatchScriptVariables;
import io.remuda.file.AtomicFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * The program {@code srun} for the scripts of sbatch: in a folder of the node that is last in the
 * PATH of their tasks, so that an srun of Slurm wins. A running script reads its parts one by one,
 * so each build has a folder of its own.
 */
public final class SrunStandIn {

  /** Name of the folder with one folder a build; the keeper knows the program by it. */
  public static final String FOLDER = "srun-stand-in";

  private static final String PROGRAM = "srun";
  private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

  /** The program is last: what it reads is there before it. */
  private static final List<String> FILES =
      List.of(
          "options.sh",
          "arguments.sh",
          "step.sh",
          "streams.sh",
          "tasks.sh",
          "ends.sh",
          "scontrol",
          PROGRAM);

  private static final Map<String, byte[]> TEXTS = texts();
  private static final String BUILD = build();

  private SrunStandIn() {}

  /** Returns whether the tasks of a job have it. */
  static boolean isFor(Map<String, String> job) {
    return job.containsKey(SbatchScriptVariables.BATCH)
        || job.containsKey(SbatchScriptVariables.SRUN);
  }

  /**
   * Returns the folder to which the program is written.
   *
   * @param home folder of the agent
   */
  public static Path folder(Path home) {
    return home.toAbsolutePath().resolve(FOLDER).resolve(BUILD);
  }

  /** Writes the program unless it is there. */
  public static void write(Path home) throws IOException {
    Path folder = folder(home);
    if (Files.exists(folder.resolve(PROGRAM))) {
      return;
    }
    Files.createDirectories(folder);
    for (String name : FILES) {
      Path draft = Files.createTempFile(folder, name, ".tmp");
      Files.write(draft, TEXTS.get(name));
      Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rwxr-xr-x"));
      AtomicFile.replace(draft, folder.resolve(name));
    }
  }

  /**
   * Appends its folder to the PATH of a task of a job that has it.
   *
   * @param job variables of the job
   * @param task variables of the task, which win
   */
  static void addTo(Map<String, String> job, Map<String, String> task, Path home) {
    if (isFor(job)) {
      String path = task.getOrDefault("PATH", job.getOrDefault("PATH", USUAL_PATH));
      task.put("PATH", path + ":" + folder(home));
    }
  }

  private static Map<String, byte[]> texts() {
    Map<String, byte[]> texts = new LinkedHashMap<>();
    for (String name : FILES) {
      try (InputStream in = SrunStandIn.class.getResourceAsStream("srun/" + name)) {
        texts.put(name, in.readAllBytes());
      } catch (IOException unreadable) {
        throw new IllegalStateException("this build has no " + name, unreadable);
      }
    }
    return texts;
  }

  private static String build() {
    CRC32 sum = new CRC32();
    TEXTS.values().forEach(sum::update);
    return String.format("%08x", sum.getValue());
  }
}
