package io.remuda.coordinator.cli.placement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options that choose nodes, which become the fields of the HTTP interface. */
public final class PlacementOptions {

  @Option(
      names = "--node",
      paramLabel = "NAME",
      split = ",",
      description = "run only on this node or these, as a1,a2; may be repeated")
  private List<String> nodes = new ArrayList<>();

  @Option(
      names = "--exclude",
      paramLabel = "NAME",
      split = ",",
      description = "run on none of these nodes; may be repeated")
  private List<String> excluded = new ArrayList<>();

  @Option(
      names = "--resource",
      paramLabel = "NAME=N",
      description =
          "N of a counted resource of its node or of the cluster for each task, as lic=2; may be"
              + " repeated")
  private List<String> resources = new ArrayList<>();

  /** Returns the fields that were given. */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    put(fields, "nodes", nodes);
    put(fields, "excludeNodes", excluded);
    put(fields, "resources", resources);
    return fields;
  }

  private static void put(Map<String, Object> fields, String field, List<String> values) {
    if (!values.isEmpty()) {
      fields.put(field, values);
    }
  }
}
