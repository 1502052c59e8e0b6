package io.remuda.coordinator.slurm.difference;

import io.remuda.coordinator.testkit.SlurmCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real Slurm. */
final class SlurmSystem implements BatchSystem {

  /** What waits for ever. */
  private static final String STUCK = "DependencyNeverSatisfied|JobHeldUser";

  private static final Pattern FIELD = Pattern.compile("(\\w+)=(\\S*)");

  private final SlurmCluster cluster;
  private final Map<String, String> environment;

  /**
   * @param environment of the shell that submits
   */
  SlurmSystem(SlurmCluster cluster, Map<String, String> environment) {
    this.cluster = cluster;
    this.environment = environment;
  }

  @Override
  public String name() {
    return "slurm";
  }

  @Override
  public Submission submit(Path folder, Path script, boolean piped) throws IOException {
    List<String> words = new ArrayList<>(List.of("sbatch", "--parsable"));
    if (!piped) {
      words.add(script.toString());
    }
    ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.environment().putAll(cluster.environment());
    builder.redirectInput(piped ? script.toFile() : Path.of("/dev/null").toFile());
    Path said = Files.createTempFile("sbatch", ".err");
    Process process = builder.redirectError(said.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes()).strip();
    String err = Files.readString(said).strip();
    Files.delete(said);
    return new Submission(
        out.matches("\\d+") ? Optional.of(Long.parseLong(out)) : Optional.empty(), err);
  }

  @Override
  public void requeue(long job) {
    cluster.command("scontrol", "requeue", Long.toString(job));
  }

  @Override
  public void signal(long job, String signal) {
    cluster.command("scancel", "--signal=" + signal, Long.toString(job));
  }

  @Override
  public boolean isOver() {
    return cluster
        .command("squeue", "--noheader", "--format=%i %r")
        .lines()
        .allMatch(line -> line.matches(".* (" + STUCK + ")"));
  }

  @Override
  public Map<String, String> ends(long job, boolean array) {
    Map<String, String> ends = new TreeMap<>();
    for (String line :
        cluster.command("scontrol", "--oneliner", "show", "job", "" + job).lines().toList()) {
      Map<String, String> fields = new TreeMap<>();
      Matcher field = FIELD.matcher(line);
      while (field.find()) {
        fields.putIfAbsent(field.group(1), field.group(2));
      }
      if (fields.containsKey("JobState")) {
        boolean over = !fields.get("JobState").equals("PENDING");
        ends.put(
            fields.getOrDefault("ArrayTaskId", "-"), over ? fields.get("ExitCode") : "not started");
      }
    }
    return ends;
  }
}
