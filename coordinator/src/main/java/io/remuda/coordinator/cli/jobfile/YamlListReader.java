package io.remuda.coordinator.cli.jobfile;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Reads a list of any values. */
final class YamlListReader {

  private YamlListReader() {}

  /** Returns the values; adds a fault and returns null if the node is no list. */
  static List<Object> of(String field, Node node, JobFileFaults faults) {
    if (!(node instanceof SequenceNode list)) {
      faults.add(node, field + " must be a list, as [{lr: 0.1}], got " + JobFields.said(node));
      return null;
    }
    return list(field, list, faults);
  }

  private static List<Object> list(String field, SequenceNode list, JobFileFaults faults) {
    List<Object> values = new ArrayList<>();
    list.getValue().forEach(item -> values.add(value(field, item, faults)));
    return values;
  }

  private static Object value(String field, Node node, JobFileFaults faults) {
    if (node instanceof SequenceNode list) {
      return list(field, list, faults);
    }
    if (!(node instanceof MappingNode map)) {
      return scalar((ScalarNode) node);
    }
    Map<String, Object> values = new LinkedHashMap<>();
    for (NodeTuple entry : map.getValue()) {
      String name = JobFields.text(field, entry.getKeyNode(), faults);
      if (name != null && values.containsKey(name)) {
        faults.add(entry.getKeyNode(), field + "." + name + " is given twice");
      } else if (name != null) {
        values.put(name, value(field + "." + name, entry.getValueNode(), faults));
      }
    }
    return values;
  }

  /** Returns a number as it is written, true, false, null or a text. */
  private static Object scalar(ScalarNode node) {
    if (node.getTag().equals(Tag.NULL)) {
      return null;
    }
    if (node.getTag().equals(Tag.BOOL)) {
      return Boolean.valueOf(node.getValue());
    }
    boolean number = node.getTag().equals(Tag.INT) || node.getTag().equals(Tag.FLOAT);
    try {
      return number ? new BigDecimal(node.getValue()) : node.getValue();
    } catch (NumberFormatException special) { // as .inf and 0x1f, which JSON does not have
      return node.getValue();
    }
  }
}
