package io.remuda.coordinator.cli.aichor;

import io.remuda.worker.job.SizeAndTimeParser;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads what each member of a type needs. */
final class ResourcesReader {

  private static final Set<String> FIELDS =
      Set.of("cpus", "cpuLimitRatio", "ramRatio", "memory", "shmSizeGB", "accelerators", "rdma");

  private static final double USUAL_LIMIT_RATIO = 2;

  private final List<String> unused;

  /**
   * @param unused gets what has no meaning here
   */
  ResourcesReader(List<String> unused) {
    this.unused = unused;
  }

  /**
   * Reads the resources of a type.
   *
   * @param node null if there are none, which is a fault
   */
  Manifest.Resources read(ManifestYamlNode type, ManifestYamlNode node) {
    if (node == null) {
      type.fault("has no resources");
      return new Manifest.Resources(1, USUAL_LIMIT_RATIO, "1GB", 0, 0, null);
    }
    Map<String, ManifestYamlNode> fields = node.fields(FIELDS);
    double cpus = fields.containsKey("cpus") ? fields.get("cpus").number(0, true) : 1;
    double ratio = USUAL_LIMIT_RATIO;
    if (fields.containsKey("cpuLimitRatio")) {
      ratio = fields.get("cpuLimitRatio").number(1, false);
    }
    double shared = 0;
    if (fields.containsKey("shmSizeGB")) {
      shared = fields.get("shmSizeGB").number(0, false);
    }
    if (fields.containsKey("rdma")) {
      Map<String, ManifestYamlNode> rdma = fields.get("rdma").fields(Set.of("devices"));
      Optional.ofNullable(rdma.get("devices")).ifPresent(ManifestYamlNode::items);
      note(node.path() + ".rdma");
    }
    Map<String, ManifestYamlNode> gpu = gpu(fields.get("accelerators"));
    return new Manifest.Resources(
        cpus,
        ratio,
        memory(node, fields, cpus),
        shared,
        gpu.containsKey("count") ? gpu.get("count").whole(0) : 0,
        gpu.containsKey("product") ? gpu.get("product").word() : null);
  }

  private void note(String path) {
    if (!unused.contains(path)) {
      unused.add(path);
    }
  }

  private static String memory(
      ManifestYamlNode node, Map<String, ManifestYamlNode> fields, double cpus) {
    ManifestYamlNode ratio = fields.get("ramRatio");
    ManifestYamlNode memory = fields.get("memory");
    if (ratio != null && memory != null) {
      memory.fault("and ramRatio exclude each other");
      return "1GB";
    }
    if (ratio != null) {
      return gigabytes(ratio.number(0, true) * cpus);
    }
    if (memory == null) {
      node.fault("must have ramRatio or memory");
      return "1GB";
    }
    if (memory.isNumber()) {
      return gigabytes(memory.number(0, true));
    }
    String text = String.valueOf(memory.text());
    try {
      if (SizeAndTimeParser.bytes(text) == 0) {
        memory.fault("must be above 0");
      }
    } catch (IllegalArgumentException wrong) {
      memory.fault("is wrong: " + wrong.getMessage());
    }
    return text;
  }

  static String gigabytes(double number) {
    String text = String.format(Locale.ROOT, "%.3f", number);
    String plain = text.replaceFirst("\\.?0+$", "");
    return (plain.equals("0") ? "0.001" : plain) + "GB"; // so little is not no limit
  }

  private static Map<String, ManifestYamlNode> gpu(ManifestYamlNode accelerators) {
    if (accelerators == null) {
      return Map.of();
    }
    Map<String, ManifestYamlNode> kinds = accelerators.fields(Set.of("gpu"));
    if (!kinds.containsKey("gpu")) {
      return Map.of();
    }
    ManifestYamlNode node = kinds.get("gpu");
    Map<String, ManifestYamlNode> gpu = node.fields(Set.of("count", "type", "product"));
    if (!gpu.containsKey("count")) {
      node.fault("has no count");
    }
    if (gpu.containsKey("type") && !"gpu".equals(gpu.get("type").text())) {
      gpu.get("type").fault("must be gpu");
    }
    return gpu;
  }
}
