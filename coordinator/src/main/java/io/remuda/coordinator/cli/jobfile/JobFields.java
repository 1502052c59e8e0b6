package io.remuda.coordinator.cli.jobfile;

import io.remuda.agent.commandline.SimilarWords;
import io.remuda.coordinator.cli.option.BeginTime;
import io.remuda.coordinator.jobfield.FieldTable;
import io.remuda.coordinator.jobfield.JobField;
import io.remuda.coordinator.jobfield.SubmissionRows;
import io.remuda.coordinator.jobfield.SweepRows;
import io.remuda.coordinator.jobfield.TrainingRows;
import io.remuda.coordinator.jobfield.WorkRows;
import io.remuda.coordinator.rest.request.JobRequest;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * The fields of a job: names and types are those of {@link FieldTable}, rules those of {@link
 * JobRequest}, so that a file is refused here for the server's reasons, but with line and column.
 *
 * <p>A text keeps its spelling: {@code [sleep, 1.50]} has the argument {@code 1.50}.
 */
final class JobFields {

  /** What a field may need beside it, so that it can be checked by itself. */
  private static final Map<String, Object> ANY_JOB = Map.of("shell", ":", "timeLimit", "5000w");

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

  private JobFields() {}

  /** Returns the field that an unknown name probably means, or the list of all fields. */
  static String advice(String field) {
    List<String> meant =
        OTHERS.containsKey(field)
            ? List.of(OTHERS.get(field))
            : SimilarWords.to(field, FieldTable.JOB.names());
    return meant.isEmpty()
        ? "a job has " + String.join(", ", FieldTable.JOB.names())
        : "did you mean " + String.join(" or ", meant) + "?";
  }

  /** Returns the value of a field; adds a fault and returns null if it has another type. */
  static Object value(JobField<?> field, Node node, JobFileFaults faults) {
    return switch (field.type()) {
      case GANG -> GangFileFields.value(node, faults);
      case MAP -> map(field, node, faults);
      case ENTRIES -> YamlListReader.of(field.name(), node, faults);
      default -> plainValue(field.name(), field, node, faults);
    };
  }

  /**
   * Returns a list, a text, a number, or true or false; adds a fault for another type.
   *
   * @param at the field's name with what it is in
   */
  static Object plainValue(String at, JobField<?> field, Node node, JobFileFaults faults) {
    if (field == SubmissionRows.BEGIN || field == SweepRows.FIRST_UNTIL) {
      return time(field.name(), node, faults);
    }
    return switch (field.type()) {
      case TEXTS, LINES -> list(at, node, faults);
      case TEXT -> text(at, node, faults);
      default -> number(at, field.type(), node, faults);
    };
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

  private static Object map(JobField<?> field, Node node, JobFileFaults faults) {
    return texts(
        field.name(),
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
  private static Object time(String field, Node node, JobFileFaults faults) {
    String text = text(field, node, faults);
    try {
      return text == null ? null : BeginTime.parse(text, ZonedDateTime.now()).toString();
    } catch (IllegalArgumentException wrong) {
      faults.add(node, field + ": " + wrong.getMessage());
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

  private static Object number(String field, JobField.Type type, Node node, JobFileFaults faults) {
    try {
      if (type == JobField.Type.FLAG && node.getTag().equals(Tag.BOOL)) {
        return Boolean.valueOf(((ScalarNode) node).getValue());
      } else if (type == JobField.Type.INTEGER && node.getTag().equals(Tag.INT)) {
        return Integer.valueOf(((ScalarNode) node).getValue());
      } else if (type == JobField.Type.NUMBER
          && (node.getTag().equals(Tag.INT) || node.getTag().equals(Tag.FLOAT))) {
        return Double.valueOf(((ScalarNode) node).getValue());
      }
    } catch (NumberFormatException tooLarge) {
      // reported below like a value of another type
    }
    String wanted =
        type == JobField.Type.FLAG
            ? "true or false"
            : type == JobField.Type.INTEGER
                ? "a whole number up to " + Integer.MAX_VALUE
                : "a number";
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
  static Optional<String> fault(JobField<?> field, Object value) {
    Map<String, Object> alone = new LinkedHashMap<>(ANY_JOB);
    if (field == WorkRows.ARGV) {
      alone.remove("shell");
    }
    alone.putAll(field.beside());
    String name = field.name();
    boolean folder = TrainingRows.FOLDERS.contains(field) && value instanceof String;
    Object later = below("", name, value); // the file's folder is before it
    alone.put(name, folder ? "/" + value : later);
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

  /** Returns the value of any field, with the relative paths of a container below a folder. */
  static Object below(String folder, String field, Object value) {
    if (field.equals("container") && value instanceof String image) {
      return image.startsWith("./") || image.startsWith("../") ? folder + "/" + image : image;
    }
    if (field.equals("mounts") && value instanceof List<?> mounts) {
      return mounts.stream().map(mount -> mount(folder, (String) mount)).toList();
    }
    return value;
  }

  private static String mount(String folder, String text) {
    return text.isEmpty() || text.startsWith("/") || text.startsWith(":")
        ? text
        : folder + "/" + text;
  }
}
