package io.remuda.coordinator.cli.jobfile;

import io.remuda.coordinator.rest.request.GangRequest;
import io.remuda.coordinator.rest.request.GangRoleRequest;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** The field {@code gang} of a job: true or false, or a map that may have roles. */
final class GangFileFields {

  private static final String GANG = "gang";

  private GangFileFields() {}

  /** Returns the value of the field; adds what is wrong to {@code faults}. */
  static Object value(Node node, JobFileFaults faults) {
    if (node.getTag().equals(Tag.BOOL)) {
      return Boolean.valueOf(((ScalarNode) node).getValue());
    }
    int before = faults.count();
    Map<String, Object> gang = record(GANG, GangRequest.class, node, faults);
    if (faults.count() == before) {
      JobFields.fault(GANG, gang).ifPresent(fault -> faults.add(node, fault));
    }
    return gang;
  }

  private static Map<String, Object> record(
      String at, Class<?> kind, Node node, JobFileFaults faults) {
    Map<String, Object> values = new LinkedHashMap<>();
    if (!(node instanceof MappingNode map)) {
      String wanted = kind == GangRequest.class ? "true, false or a map" : "a map";
      faults.add(node, at + " must be " + wanted + ", got " + JobFields.said(node));
      return values;
    }
    Map<String, Class<?>> types =
        Arrays.stream(kind.getRecordComponents())
            .collect(Collectors.toMap(RecordComponent::getName, RecordComponent::getType));
    for (NodeTuple field : map.getValue()) {
      String name = field.getKeyNode() instanceof ScalarNode key ? key.getValue() : "";
      Node value = field.getValueNode();
      if (!types.containsKey(name)) {
        faults.add(
            field.getKeyNode(), "unknown field '" + at + "." + name + "': it has " + names(kind));
      } else if (values.containsKey(name)) {
        faults.add(field.getKeyNode(), at + "." + name + " is given twice");
      } else if (kind == GangRequest.class && name.equals("roles")) {
        values.put(name, roles(value, faults));
      } else if (types.get(name) == Map.class) {
        values.put(name, JobFields.texts(at + "." + name, value, (entry, text, key) -> {}, faults));
      } else {
        values.put(name, JobFields.plainValue(at + "." + name, types.get(name), value, faults));
      }
    }
    return values;
  }

  private static String names(Class<?> kind) {
    return Arrays.stream(kind.getRecordComponents())
        .map(RecordComponent::getName)
        .collect(Collectors.joining(", "));
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
          record("gang.roles." + name, GangRoleRequest.class, entry.getValueNode(), faults);
      if (name != null && roles.containsKey(name)) {
        faults.add(entry.getKeyNode(), "gang.roles." + name + " is given twice");
      } else if (name != null) {
        roles.put(name, role);
        if (faults.count() == before) {
          JobFields.fault(GANG, Map.of("together", false, "roles", Map.of(name, role)))
              .ifPresent(fault -> faults.add(entry.getValueNode(), fault));
        }
      }
    }
    return roles;
  }
}
