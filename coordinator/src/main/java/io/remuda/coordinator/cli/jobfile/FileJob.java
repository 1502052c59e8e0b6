package io.remuda.coordinator.cli.jobfile;

import io.remuda.coordinator.jobfield.FieldTable;
import io.remuda.coordinator.jobfield.JobField;
import io.remuda.coordinator.jobfield.TrainingRows;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * One job of a file.
 *
 * @param at its node in the file
 * @param values its valid fields
 * @param sound whether all fields were valid
 */
record FileJob(MappingNode at, Map<String, Object> values, boolean sound) {

  /** Fields with the names of other jobs. */
  private static final Set<String> AFTER = Set.of("after", "afterOneOf");

  private static final String WORKDIR = "workdir";
  private static final int MOST_SAID = 10;

  /** Reads the fields of a job, each by itself; adds what is wrong to {@code faults}. */
  static FileJob read(MappingNode job, JobFileFaults faults) {
    int before = faults.count();
    Map<String, Object> values = new LinkedHashMap<>();
    for (NodeTuple field : job.getValue()) {
      Node key = field.getKeyNode();
      String name = key instanceof ScalarNode scalar ? scalar.getValue() : "";
      Optional<JobField<?>> known = FieldTable.JOB.find(name);
      if (known.isEmpty()) {
        faults.add(key, "unknown field '" + name + "': " + JobFields.advice(name));
      } else if (values.containsKey(name)) {
        faults.add(key, name + " is given twice");
      } else {
        values.put(name, value(known.get(), field.getValueNode(), faults));
      }
    }
    FileVariables.check(job, values.get("gang"), faults);
    return new FileJob(job, values, faults.count() == before);
  }

  /**
   * Reads and checks a field. {@link #check} checks dependencies, when all names are known; maps
   * are checked entry by entry.
   */
  private static Object value(JobField<?> field, Node node, JobFileFaults faults) {
    int before = faults.count();
    String name = field.name();
    Object value = JobFields.value(field, node, faults);
    if (faults.count() == before && !AFTER.contains(name) && !(value instanceof Map)) {
      Object meant = name.equals(WORKDIR) ? resolved("/", (String) value) : value;
      JobFields.fault(field, meant).ifPresent(fault -> faults.add(node, fault));
    }
    return value;
  }

  String name() {
    return JobFields.name(values);
  }

  /**
   * Adds the faults that concern the other jobs of the file.
   *
   * @param names of all jobs of the file
   * @param position index of this job in {@code names}
   */
  void check(List<String> names, int position, JobFileFaults faults) {
    int before = faults.count();
    List<String> earlier = names.subList(0, position);
    for (NodeTuple field : at.getValue()) {
      if (field.getKeyNode() instanceof ScalarNode key
          && AFTER.contains(key.getValue())
          && field.getValueNode() instanceof SequenceNode list) {
        list.getValue().forEach(item -> checkAfter(key.getValue(), item, earlier, names, faults));
      }
    }
    if (sound && faults.count() == before) {
      JobFields.fault(values, earlier).ifPresent(fault -> faults.add(at, fault));
    }
  }

  private static void checkAfter(
      String field, Node item, List<String> earlier, List<String> names, JobFileFaults faults) {
    if (!(item instanceof ScalarNode scalar) || item.getTag().equals(Tag.NULL)) {
      return; // reported already
    }
    String text = scalar.getValue();
    String target = text.replaceFirst(":[^:]*$", "");
    if (earlier.contains(target) || target.matches("[1-9]\\d{0,17}")) {
      JobFields.fault(Map.of("shell", ":", field, List.of(text)), earlier)
          .ifPresent(fault -> faults.add(item, fault));
    } else if (names.contains(target)) {
      faults.add(item, field + " '" + target + "': that job must come before this one");
    } else {
      faults.add(item, field + " '" + target + "': no job above has that name" + said(earlier));
    }
  }

  private static String said(List<String> names) {
    boolean few = !names.isEmpty() && names.size() <= MOST_SAID;
    return few ? " (there are " + String.join(", ", names) + ")" : "";
  }

  /** Returns the job with the defaults of the shell and a working folder below the file's. */
  FileJob completed(Path folder, SubmittingShellEnvironment shell) {
    Map<String, Object> complete = new LinkedHashMap<>(values);
    if (complete.get("container") != null && complete.get("env") instanceof Map<?, ?> own) {
      complete.putIfAbsent("containerEnv", own.keySet().stream().map(String::valueOf).toList());
    }
    complete.putIfAbsent("env", shell.environment());
    if (shell.umask() != null) {
      complete.putIfAbsent("umask", shell.umask());
    }
    complete.putIfAbsent(WORKDIR, "");
    complete.computeIfPresent(
        WORKDIR, (field, given) -> resolved(folder.toString(), (String) given));
    for (JobField<?> training : TrainingRows.FOLDERS) {
      complete.computeIfPresent(
          training.name(), (field, given) -> resolved(folder.toString(), (String) given));
    }
    complete.replaceAll((field, given) -> JobFields.below(folder.toString(), field, given));
    if (complete.get("type") == null && complete.get(WORKDIR) instanceof String workdir) {
      complete.putIfAbsent("project", shell.projectOf(workdir));
    }
    return new FileJob(at, complete, sound);
  }

  /** Resolves a path as text, which this locale may not be able to encode as a {@code Path}. */
  private static String resolved(String folder, String given) {
    if (given.startsWith("/")) {
      return given;
    }
    return given.isEmpty() ? folder : folder + "/" + given;
  }
}
