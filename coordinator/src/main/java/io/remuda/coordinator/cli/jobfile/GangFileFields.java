package io.remuda.coordinator.cli.jobfile;

import io.remuda.coordinator.jobfield.FieldTable;
import io.remuda.coordinator.jobfield.GangRows;
import io.remuda.coordinator.jobfield.JobField;
import io.remuda.coordinator.jobfield.WorkRows;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** The field {@code gang} of a job: true or false, or a map that may have roles. */
final class GangFileFields {

  private GangFileFields() {}

  /** Returns the value of the field; adds what is wrong to {@code faults}. */
  static Object value(Node node, JobFileFaults faults) {
    if (node.getTag().equals(Tag.BOOL)) {
      return Boolean.valueOf(((ScalarNode) node).getValue());
    }
    int before = faults.count();
    Map<String, Object> gang = fields("gang", FieldTable.GANG, node, faults);
    if (faults.count() == before) {
      JobFields.fault(WorkRows.GANG, gang).ifPresent(fault -> faults.add(node, fault));
    }
    return gang;
  }

  private static Map<String, Object> fields(
      String at, FieldTable table, Node node, JobFileFaults faults) {
    Map<String, Object> values = new LinkedHashMap<>();
    if (!(node instanceof MappingNode map)) {
      String wanted = table == FieldTable.GANG ? "true, false or a map" : "a map";
      faults.add(node, at + " must be " + wanted + ", got " + JobFields.said(node));
      return values;
    }
    for (NodeTuple field : map.getValue()) {
      String name = field.getKeyNode() instanceof ScalarNode key ? key.getValue() : "";
      Node value = field.getValueNode();
      Optional<JobField<?>> known = table.find(name);
      if (known.isEmpty()) {
        faults.add(
            field.getKeyNode(),
            "unknown field '" + at + "." + name + "': it has " + String.join(", ", table.names()));
      } else if (values.containsKey(name)) {
        faults.add(field.getKeyNode(), at + "." + name + " is given twice");
      } else if (known.get() == GangRows.ROLES) {
        values.put(name, roles(value, faults));
      } else if (known.get().type() == JobField.Type.MAP) {
        values.put(name, JobFields.texts(at + "." + name, value, (entry, text, key) -> {}, faults));
      } else {
        values.put(name, JobFields.plainValue(at + "." + name, known.get(), value, faults));
      }
    }
    return values;
  }

  private static Map<String, Object> roles(Node node, JobFileFaults faults) {
    Map<String, Object> roles = new LinkedHashMap<>();
    if (!(node instanceof MappingNode map)) {
      faults.add(
          node, "gang.roles must be a map, as {Worker: {count: 2}}, got " + JobFields.said(node));
      return roles;
    }
    for (NodeTuple entry : map.getValue()) {
      String name = JobFields.text("gang.roles", entry.getKeyNode(), faults);
      int before = faults.count();
      Map<String, Object> role =
          fields("gang.roles." + name, FieldTable.ROLE, entry.getValueNode(), faults);
      if (name != null && roles.containsKey(name)) {
        faults.add(entry.getKeyNode(), "gang.roles." + name + " is given twice");
      } else if (name != null) {
        roles.put(name, role);
        if (faults.count() == before) {
          JobFields.fault(WorkRows.GANG, Map.of("together", false, "roles", Map.of(name, role)))
              .ifPresent(fault -> faults.add(entry.getValueNode(), fault));
        }
      }
    }
    return roles;
  }
}
