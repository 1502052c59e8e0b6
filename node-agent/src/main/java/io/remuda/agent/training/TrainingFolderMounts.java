package io.remuda.agent.training;

import io.remuda.file.AtomicFile;
import io.remuda.worker.job.TrainingTerms;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Lets trainings find their folders at {@code /snapshots}, {@code /custom} and {@code /data}, where
 * the kernel lets an ordinary user make a mount namespace: by a script that their command is put
 * behind. Elsewhere they find them only by variables.
 */
public final class TrainingFolderMounts {

  private static final String SCRIPT = "with-folders.sh";
  private static final int SECONDS = 10;

  /** What the kernel has let this process do; it is asked once. Null until then. */
  private static Boolean allowed;

  private final Path script;
  private final Path root;
  private final boolean possible;

  private TrainingFolderMounts(Path script, Path root, boolean possible) {
    this.script = script;
    this.root = root;
    this.possible = possible;
  }

  /**
   * Writes the script. The first call in a process tries it, which takes up to {@value #SECONDS} s.
   *
   * @param folder of the agent, for the script
   */
  public static TrainingFolderMounts in(Path folder) throws IOException {
    Path script = folder.resolve(SCRIPT);
    Path root = Files.createDirectories(folder.resolve("root"));
    try (InputStream text = TrainingFolderMounts.class.getResourceAsStream(SCRIPT)) {
      Path draft = folder.resolve(SCRIPT + ".tmp");
      Files.copy(text, draft, StandardCopyOption.REPLACE_EXISTING);
      AtomicFile.replace(draft, script);
    }
    TrainingFolderMounts trial = new TrainingFolderMounts(script, root, true);
    return new TrainingFolderMounts(script, root, isAllowed(trial, folder));
  }

  private static synchronized boolean isAllowed(TrainingFolderMounts trial, Path folder)
      throws IOException {
    if (allowed == null) {
      allowed = runs(trial.prefix(Map.of("/snapshots", folder)));
    }
    return allowed;
  }

  private static boolean runs(List<String> prefix) throws IOException {
    List<String> trial = new ArrayList<>(prefix);
    trial.add("true");
    Process process =
        new ProcessBuilder(trial)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.DISCARD)
            .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
            .start();
    try {
      boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
      return ended && process.exitValue() == 0;
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      process.destroyForcibly();
    }
  }

  /** Returns whether trainings find their folders at fixed paths. */
  public boolean arePossible() {
    return possible;
  }

  /**
   * Returns the words before a training's command.
   *
   * @throws FileNotFoundException if one of its folders is not there; the message names it
   */
  List<String> prefix(TrainingTerms terms) throws FileNotFoundException {
    Map<String, Path> folders = new LinkedHashMap<>();
    put(folders, "/snapshots", terms.snapshots());
    put(folders, "/custom", terms.custom());
    put(folders, "/data", terms.data());
    return possible && !folders.isEmpty() ? prefix(folders) : List.of();
  }

  private static void put(Map<String, Path> folders, String inside, String path)
      throws FileNotFoundException {
    if (path == null) {
      return;
    }
    if (!Files.isDirectory(Path.of(path))) {
      throw new FileNotFoundException(
          "there is no folder " + path + " on this node, for " + inside);
    }
    folders.put(inside, Path.of(path));
  }

  private List<String> prefix(Map<String, Path> folders) {
    List<String> words = new ArrayList<>(List.of("/bin/sh", script.toString(), root.toString()));
    folders.forEach((inside, folder) -> words.add(inside + "=" + folder));
    words.add("--");
    return words;
  }
}
