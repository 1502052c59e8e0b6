package io.remuda.coordinator.cli.aichor;

import io.remuda.coordinator.cli.jobfile.JobFileFaults;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A value of a manifest with its place and its path, as {@code spec.types.Worker.count}. What is
 * wrong is added to the faults; the value is then a default, so that reading goes on.
 */
final class ManifestYamlNode {

  private final String path;
  private final Node node;
  private final JobFileFaults faults;

  ManifestYamlNode(String path, Node node, JobFileFaults faults) {
    this.path = path;
    this.node = node;
    this.faults = faults;
  }

  String path() {
    return path;
  }

  void fault(String text) {
    faults.add(node, (path.isEmpty() ? "the manifest" : path) + " " + text);
  }

  private ManifestYamlNode child(String name, Node value) {
    return new ManifestYamlNode(path.isEmpty() ? name : path + "." + name, value, faults);
  }

  /** Returns the fields of a map, of which only these are known. */
  Map<String, ManifestYamlNode> fields(Set<String> known) {
    Map<String, ManifestYamlNode> fields = entries();
    if (node instanceof MappingNode map) {
      for (NodeTuple entry : map.getValue()) {
        if (entry.getKeyNode() instanceof ScalarNode key && !known.contains(key.getValue())) {
          child(key.getValue(), key)
              .fault("is unknown: there are " + String.join(", ", new TreeSet<>(known)));
        }
      }
    }
    fields.keySet().retainAll(known);
    return fields;
  }

  /** Returns the entries of a map with any names. */
  Map<String, ManifestYamlNode> entries() {
    Map<String, ManifestYamlNode> entries = new LinkedHashMap<>();
    if (!(node instanceof MappingNode map)) {
      fault("must be a map, got " + said());
      return entries;
    }
    for (NodeTuple entry : map.getValue()) {
      String name = entry.getKeyNode() instanceof ScalarNode key ? key.getValue() : "";
      ManifestYamlNode at = child(name, entry.getKeyNode());
      if (name.isEmpty()) {
        at.fault("has no name");
      } else if (entries.putIfAbsent(name, child(name, entry.getValueNode())) != null) {
        at.fault("is given twice");
      }
    }
    return entries;
  }

  private String said() {
    if (!(node instanceof ScalarNode scalar)) {
      return node instanceof SequenceNode ? "a list" : "a map";
    }
    return node.getTag().equals(Tag.NULL) ? "nothing" : "'" + scalar.getValue() + "'";
  }

  /** Returns a text, or null. */
  String text() {
    if (!(node instanceof ScalarNode scalar) || node.getTag().equals(Tag.NULL)) {
      fault("must be a text, got " + said());
      return null;
    }
    return scalar.getValue();
  }

  /** Returns a text that is not empty, or null. */
  String word() {
    String text = text();
    if (text != null && text.isBlank()) {
      fault("must not be empty");
      return null;
    }
    return text;
  }

  /** Returns a whole number from {@code least} on. */
  int whole(int least) {
    try {
      if (node instanceof ScalarNode scalar && node.getTag().equals(Tag.INT)) {
        int number = Integer.parseInt(scalar.getValue());
        if (number >= least) {
          return number;
        }
      }
    } catch (NumberFormatException tooLarge) {
      // told below
    }
    fault("must be a whole number from " + least + ", got " + said());
    return least;
  }

  /** Returns a number from {@code least} on, or above it. */
  double number(double least, boolean above) {
    if (node instanceof ScalarNode scalar
        && (node.getTag().equals(Tag.INT) || node.getTag().equals(Tag.FLOAT))) {
      try {
        double number = Double.parseDouble(scalar.getValue());
        if ((number > least || !above && number == least) && !Double.isInfinite(number)) {
          return number;
        }
      } catch (NumberFormatException notDecimal) {
        // told below
      }
    }
    fault(
        "must be a number "
            + (above ? "above " : "from ")
            + (least == Math.rint(least) ? Long.toString((long) least) : Double.toString(least))
            + ", got "
            + said());
    return above ? 1 : least;
  }

  boolean yesOrNo() {
    if (node instanceof ScalarNode scalar && node.getTag().equals(Tag.BOOL)) {
      return Boolean.parseBoolean(scalar.getValue());
    }
    fault("must be true or false, got " + said());
    return false;
  }

  /** Returns whether it is a number. */
  boolean isNumber() {
    return node.getTag().equals(Tag.INT) || node.getTag().equals(Tag.FLOAT);
  }

  /** Returns the items of a list. */
  List<ManifestYamlNode> items() {
    if (!(node instanceof SequenceNode list)) {
      fault("must be a list, got " + said());
      return List.of();
    }
    List<ManifestYamlNode> items = new ArrayList<>();
    for (Node item : list.getValue()) {
      items.add(new ManifestYamlNode(path + "[" + items.size() + "]", item, faults));
    }
    return items;
  }

  boolean isList() {
    return node instanceof SequenceNode;
  }
}
