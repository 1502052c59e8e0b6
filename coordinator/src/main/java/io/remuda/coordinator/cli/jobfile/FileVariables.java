package io.remuda.coordinator.cli.jobfile;

import io.remuda.agent.attempt.ReservedVariables;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** The variables that a file chooses for a job and for the roles of its gang. */
final class FileVariables {

  private static final String ENV = "env";

  private FileVariables() {}

  /**
   * Adds a fault for each variable that nobody may choose. It looks at the whole job, since whether
   * that is a gang may stand behind its variables.
   *
   * @param gang the value of the field {@code gang}; null without one
   */
  static void check(MappingNode job, Object gang, JobFileFaults faults) {
    boolean together =
        gang instanceof Map<?, ?> terms
            ? !Boolean.FALSE.equals(terms.get("together"))
            : Boolean.TRUE.equals(gang);
    check(ENV, fields(job, ENV), together, faults);
    for (NodeTuple terms : fields(job, "gang")) {
      if (name(terms).equals("roles")) {
        for (NodeTuple role : fields(terms.getValueNode())) {
          String at = "gang.roles." + name(role) + "." + ENV;
          check(at, fields(role.getValueNode(), ENV), together, faults);
        }
      }
    }
  }

  private static void check(
      String at, List<NodeTuple> variables, boolean gang, JobFileFaults faults) {
    for (NodeTuple variable : variables) {
      String name = name(variable);
      ReservedVariables.refusal(name, gang)
          .ifPresent(why -> faults.add(variable.getKeyNode(), at + "." + name + ": " + why));
    }
  }

  /** Returns the fields of the map that is the value of a field; none if there is none. */
  private static List<NodeTuple> fields(Node map, String field) {
    return fields(map).stream()
        .filter(entry -> name(entry).equals(field))
        .flatMap(entry -> fields(entry.getValueNode()).stream())
        .toList();
  }

  private static List<NodeTuple> fields(Node map) {
    return map instanceof MappingNode fields ? fields.getValue() : List.of();
  }

  private static String name(NodeTuple field) {
    return field.getKeyNode() instanceof ScalarNode name ? name.getValue() : "";
  }
}
