package io.remuda.coordinator.cli.jobfile;

import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.rest.request.RequestLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A file with one job or several; docs/job-file.schema.json describes it. The fields are those of
 * the HTTP interface; {@link FileJob#completed} adds defaults from the shell and the file's folder.
 */
public final class JobFileReader {

  private static final String JOBS = "jobs";
  private static final Path STDIN = Path.of("/dev/stdin");

  /** Returns the file that is meant as it was typed; {@code -} means stdin. */
  public static Path named(Path file) {
    return file.equals(Path.of("-")) ? STDIN : file;
  }

  private JobFileReader() {}

  /**
   * Reads a file and returns the submission that it describes.
   *
   * @throws BadJobFileException with all faults of the file
   */
  public static Map<String, Object> read(Path file, Caller caller, SubmittingShellEnvironment shell)
      throws BadJobFileException {
    JobFileFaults faults = new JobFileFaults(file);
    return read(file, document(file, caller, faults), caller, shell, faults);
  }

  /**
   * Parses a file as YAML; empty if there is nothing in it.
   *
   * @throws BadJobFileException if it is not YAML, or cannot be read
   */
  public static Optional<Node> document(Path file, Caller caller, JobFileFaults faults)
      throws BadJobFileException {
    Optional<Node> root = YamlFileParser.read(file, () -> open(file, caller), faults);
    faults.check();
    return root;
  }

  private static InputStream open(Path file, Caller caller) throws IOException {
    return file.equals(STDIN) && !caller.isOwnProcess()
        ? caller.in()
        : Files.newInputStream(caller.resolve(file));
  }

  /**
   * Returns the submission that a parsed file describes.
   *
   * @throws BadJobFileException with all faults of the file
   */
  public static Map<String, Object> read(
      Path file,
      Optional<Node> root,
      Caller caller,
      SubmittingShellEnvironment shell,
      JobFileFaults faults)
      throws BadJobFileException {
    List<FileJob> jobs = new ArrayList<>();
    for (Node node : nodes(root, faults)) {
      if (node instanceof MappingNode job) {
        jobs.add(FileJob.read(job, faults));
      } else {
        faults.add(node, "a job is a map of fields, as name: value");
      }
    }
    Path folder = folderOf(file, caller);
    List<FileJob> complete = jobs.stream().map(job -> job.completed(folder, shell)).toList();
    List<String> names = complete.stream().map(FileJob::name).toList();
    for (int i = 0; i < complete.size(); i++) {
      complete.get(i).check(names, i, faults);
    }
    faults.check();
    return Map.of(JOBS, complete.stream().map(FileJob::values).toList());
  }

  /** Returns the folder of a file; for a pipe or stdin, that of the caller. */
  public static Path folderOf(Path file, Caller caller) {
    Path here = Path.of(caller.folder());
    return Files.isRegularFile(caller.resolve(file)) && !file.equals(STDIN)
        ? here.resolve(file).normalize().getParent()
        : here;
  }

  private static List<Node> nodes(Optional<Node> root, JobFileFaults faults) {
    if (root.isEmpty()) {
      faults.add(0, 0, "there is no job in it");
      return List.of();
    }
    if (!(root.get() instanceof MappingNode map)) {
      faults.add(
          root.get(), "a job is a map of fields, as name: value, or there is a list of jobs:");
      return List.of();
    }
    Optional<NodeTuple> jobs = map.getValue().stream().filter(JobFileReader::isJobs).findFirst();
    return jobs.map(list -> several(map, list, faults)).orElse(List.of(map));
  }

  private static boolean isJobs(NodeTuple field) {
    return field.getKeyNode() instanceof ScalarNode key && key.getValue().equals(JOBS);
  }

  private static List<Node> several(MappingNode root, NodeTuple jobs, JobFileFaults faults) {
    for (NodeTuple other : root.getValue()) {
      if (other != jobs) {
        faults.add(other.getKeyNode(), "no other field is allowed beside jobs:");
      }
    }
    if (!(jobs.getValueNode() instanceof SequenceNode list)) {
      faults.add(jobs.getValueNode(), "jobs must be a list of jobs");
      return List.of();
    }
    int count = list.getValue().size();
    if (count == 0 || count > RequestLimits.JOBS) {
      faults.add(list, "jobs must have 1 to " + RequestLimits.JOBS + " jobs, got " + count);
      return List.of();
    }
    return list.getValue();
  }
}
