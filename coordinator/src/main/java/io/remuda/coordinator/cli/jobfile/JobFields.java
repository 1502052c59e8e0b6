package io.remuda.coordinator.cli.jobfile;

import io.remuda.agent.commandline.SimilarWords;
import io.remuda.coordinator.cli.placement.BeginTime;
import io.remuda.coordinator.rest.request.GangRequest;
import io.remuda.coordinator.rest.request.JobRequest;
import io.remuda.worker.job.sweep.CompactTextList;
import java.lang.reflect.RecordComponent;
import java.time.ZonedDateTime;
import java.util.ArrayList;
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
 * The fields of a job: names, types and rules are those of {@link JobRequest}, so that a file is
 * refused here for the server's reasons, but with line and column.
 *
 * <p>A text keeps its spelling: {@code [sleep, 1.50]} has the argument {@code 1.50}.
 */
final class JobFields {

  private static final Map<String, Class<?>> TYPES = types();

  /** What a field may need beside it, so that it can be checked by itself. */
  private static final Map<String, Object> ANY_JOB = Map.of("shell", ":", "timeLimit", "5000w");

  /** Fields that only trainings have. */
  private static final Set<String> OF_TRAININGS =
      Set.of("batchSize", "trainingSetSize", "maxGpus", "estHours");

  /** Fields that only preemptible jobs have. */
  private static final Set<String> OF_PREEMPTIBLE =
      Set.of("preemptSignal", "onPreempt", "preemptAfter", "maxPreemptions");

  /** Fields that only jobs in containers have. */
  private static final Set<String> OF_CONTAINERS =
      Set.of("engine", "mounts", "ports", "shmSize", "cpuLimit", "pull", "containerEnv");

  /** What other programs call fields. */
  private static final Map<String, String> OTHERS =
      Map.of(
          "command",
          "argv",
          "cmd",
          "argv",
          "args",
          "argv",
          "script",
          "shell",
          "run",
          "shell",
          "memory",
          "mem",
          "time",
          "timeLimit",
          "walltime",
          "timeLimit",
          "gpu",
          "gpus",
          "cpu",
          "cpus");

  /** What each field of a frozen tree needs beside it. */
  private static final Map<String, Object> OF_FROZEN =
      Map.of("frozenTree", "0".repeat(64), "frozenArchive", "/", "frozenRoot", "/");

  /** Folders of trainings; relative ones are below the file's folder. */
  static final Set<String> FOLDERS = Set.of("snapshots", "custom", "data");

  private JobFields() {}

  private static Map<String, Class<?>> types() {
    Map<String, Class<?>> types = new LinkedHashMap<>();
    for (RecordComponent component : JobRequest.class.getRecordComponents()) {
      types.put(component.getName(), component.getType());
    }
    return types;
  }

  static boolean isKnown(String field) {
    return TYPES.containsKey(field);
  }

  /** Returns the field that an unknown name probably means, or the list of all fields. */
  static String advice(String field) {
    List<String> meant =
        OTHERS.containsKey(field)
            ? List.of(OTHERS.get(field))
            : SimilarWords.to(field, TYPES.keySet());
    return meant.isEmpty()
        ? "a job has " + String.join(", ", TYPES.keySet())
        : "did you mean " + String.join(" or ", meant) + "?";
  }

  /** Returns the value of a field; adds a fault and returns null if it has another type. */
  static Object value(String field, Node node, JobFileFaults faults) {
    Class<?> type = TYPES.get(field);
    if (type == GangRequest.class) {
      return GangFileFields.value(node, faults);
    } else if (type == Map.class) {
      return map(field, node, faults);
    } else if (type == CompactTextList.class && field.equals("entries")) {
      return YamlListReader.of(field, node, faults);
    }
    return plainValue(field, type, node, faults);
  }

  /** Returns a list, a text, a number, or true or false; adds a fault for another type. */
  static Object plainValue(String field, Class<?> type, Node node, JobFileFaults faults) {
    if (type == List.class || type == CompactTextList.class) {
      return list(field, node, faults);
    } else if (field.equals("begin")) {
      return begin(node, faults);
    } else if (type == String.class) {
      return text(field, node, faults);
    }
    return number(field, type, node, faults);
  }

  private static Object list(String field, Node node, JobFileFaults faults) {
    if (!(node instanceof SequenceNode list)) {
      faults.add(node, field + " must be a list, as [one, two], got " + said(node));
      return null;
    }
    List<String> texts = new ArrayList<>();
    list.getValue().forEach(item -> texts.add(text(field, item, faults)));
    return texts.contains(null) ? null : texts;
  }

  private static Object map(String field, Node node, JobFileFaults faults) {
    return texts(
        field,
        node,
        (name, value, key) ->
            fault(field, Map.of(name, value)).ifPresent(fault -> faults.add(key, fault)),
        faults);
  }

  /** Checks an entry of a map. */
  interface EntryCheck {
    /** Adds what is wrong with an entry. */
    void check(String name, String value, Node key);
  }

  /** Returns a map of texts; adds a fault and returns null if the node is no map. */
  static Map<String, String> texts(String field, Node node, EntryCheck each, JobFileFaults faults) {
    if (!(node instanceof MappingNode map)) {
      faults.add(node, field + " must be a map, as {NAME: value}, got " + said(node));
      return null;
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (NodeTuple entry : map.getValue()) {
      String name = text(field, entry.getKeyNode(), faults);
      String value = text(field + "." + name, entry.getValueNode(), faults);
      if (name != null && values.containsKey(name)) {
        faults.add(entry.getKeyNode(), field + "." + name + " is given twice");
      } else if (name != null && value != null) {
        values.put(name, value);
        each.check(name, value, entry.getKeyNode());
      }
    }
    return values;
  }

  /** Returns the time to begin as the server reads it, from one of this machine. */
  private static Object begin(Node node, JobFileFaults faults) {
    String text = text("begin", node, faults);
    try {
      return text == null ? null : BeginTime.parse(text, ZonedDateTime.now()).toString();
    } catch (IllegalArgumentException wrong) {
      faults.add(node, "begin: " + wrong.getMessage());
      return null;
    }
  }

  /** Returns a text; adds a fault and returns null if the node is not a text. */
  static String text(String field, Node node, JobFileFaults faults) {
    if (!(node instanceof ScalarNode scalar)) {
      faults.add(node, field + " must be a text, got " + said(node));
      return null;
    }
    if (node.getTag().equals(Tag.NULL)) {
      faults.add(node, field + " has no value");
      return null;
    }
    return scalar.getValue();
  }

  private static Object number(String field, Class<?> type, Node node, JobFileFaults faults) {
    try {
      if (type == Boolean.class && node.getTag().equals(Tag.BOOL)) {
        return Boolean.valueOf(((ScalarNode) node).getValue());
      } else if (type == Integer.class && node.getTag().equals(Tag.INT)) {
        return Integer.valueOf(((ScalarNode) node).getValue());
      } else if (type == Double.class
          && (node.getTag().equals(Tag.INT) || node.getTag().equals(Tag.FLOAT))) {
        return Double.valueOf(((ScalarNode) node).getValue());
      }
    } catch (NumberFormatException tooLarge) {
      // reported below like a value of another type
    }
    String wanted =
        type == Boolean.class
            ? "true or false"
            : type == Integer.class ? "a whole number up to " + Integer.MAX_VALUE : "a number";
    faults.add(node, field + " must be " + wanted + ", got " + said(node));
    return null;
  }

  static String said(Node node) {
    if (!(node instanceof ScalarNode scalar)) {
      return node instanceof SequenceNode ? "a list" : "a map";
    }
    if (node.getTag().equals(Tag.NULL)) {
      return "nothing";
    }
    String value = scalar.getValue();
    return (scalar.isPlain() ? "'" : "the text '") + value + "'";
  }

  /** Returns the server's message about a value by itself, or empty if it is valid. */
  static Optional<String> fault(String field, Object value) {
    Map<String, Object> alone = new LinkedHashMap<>();
    alone.putAll(ANY_JOB);
    if (field.equals("argv")) {
      alone.remove("shell");
    }
    if (OF_TRAININGS.contains(field) || FOLDERS.contains(field)) {
      alone.put("epochs", 1);
    }
    if (OF_PREEMPTIBLE.contains(field)) {
      alone.put("preemptible", true);
    }
    if (field.equals("notifyOn")) {
      alone.put("notifyTo", "https://localhost");
    }
    if (OF_CONTAINERS.contains(field)) {
      alone.put("container", "image");
    }
    if (field.equals("openMode")) {
      alone.put("output", "x");
    }
    if (field.startsWith("frozen")) {
      alone.putAll(OF_FROZEN);
    }
    boolean folder = FOLDERS.contains(field) && value instanceof String;
    Object later =
        ContainerPathResolver.below("", field, value); // the file's own folder is before it
    alone.put(field, folder ? "/" + value : later);
    return fault(alone, List.of());
  }

  /** Returns the server's message about a job, or empty if it is valid. */
  static Optional<String> fault(Map<String, Object> values, List<String> earlier) {
    try {
      JobRequest.of(values).toNewJob("", earlier);
      return Optional.empty();
    } catch (IllegalArgumentException wrong) {
      return Optional.of(wrong.getMessage());
    }
  }

  /** Returns the name that a job will have; empty if it is not known because of a fault. */
  static String name(Map<String, Object> values) {
    Map<String, Object> naming = new LinkedHashMap<>(values);
    naming.keySet().retainAll(List.of("name", "argv", "shell"));
    try {
      return JobRequest.of(naming).toNewJob("", List.of()).name();
    } catch (IllegalArgumentException wrong) {
      return values.get("name") instanceof String name ? name : "";
    }
  }
}
