package io.remuda.coordinator.cli.aichor;

import io.remuda.agent.attempt.ReservedVariables;
import io.remuda.coordinator.cli.jobfile.JobFileFaults;
import io.remuda.worker.job.SizeAndTimeParser;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * Reads manifests of versions 0.2.1 to 0.2.3. Adds what is unknown or contradictory to the faults,
 * each with its place.
 */
final class ManifestReader {

  private static final String KIND = "AIchorManifest";
  private static final Set<String> VERSIONS = Set.of("0.2.1", "0.2.2", "0.2.3");
  private static final String NEWEST = "0.2.3";
  private static final Pattern SET_NAME = Pattern.compile("[a-z][a-z0-9-]*");
  private static final Set<String> BUILDER =
      Set.of("image", "dockerfile", "context", "target", "buildArgs", "registry", "skipBuild");
  private static final Set<String> SPEC =
      Set.of(
          "operator",
          "image",
          "command",
          "timeout",
          "activeDeadlineSeconds",
          "env",
          "types",
          "tensorboard",
          "debug",
          "storage",
          "rayVersion");

  private final JobFileFaults faults;
  private final List<String> unused = new ArrayList<>();
  private Manifest.Builder builder = Manifest.Builder.USUAL;

  private ManifestReader(JobFileFaults faults) {
    this.faults = faults;
  }

  /**
   * Returns whether a document is a manifest: it says so, or says nothing and has an operator, as
   * no other file has.
   */
  static boolean isManifest(Node root) {
    Optional<Node> kind = field(root, "kind");
    return kind.isPresent()
        ? kind.get() instanceof ScalarNode text && text.getValue().equalsIgnoreCase(KIND)
        : field(root, "spec").flatMap(spec -> field(spec, "operator")).isPresent();
  }

  private static Optional<Node> field(Node node, String name) {
    return node instanceof MappingNode map
        ? map.getValue().stream()
            .filter(
                one -> one.getKeyNode() instanceof ScalarNode key && key.getValue().equals(name))
            .map(NodeTuple::getValueNode)
            .findFirst()
        : Optional.empty();
  }

  /** Reads a manifest; what it returns is complete only if there were no faults. */
  static Manifest read(Node root, JobFileFaults faults) {
    return new ManifestReader(faults).read(new ManifestYamlNode("", root, faults));
  }

  private Manifest read(ManifestYamlNode root) {
    Map<String, ManifestYamlNode> fields =
        root.fields(Set.of("kind", "apiVersion", "builder", "clone", "spec"));
    String kind = fields.containsKey("kind") ? fields.get("kind").text() : KIND;
    if (kind != null && !kind.equals(KIND)) {
      fields.get("kind").fault("must be " + KIND + ", got '" + kind + "'");
    }
    String version = NEWEST;
    if (fields.containsKey("apiVersion")) {
      version = fields.get("apiVersion").text();
      if (version != null && !VERSIONS.contains(version)) {
        fields.get("apiVersion").fault("must be 0.2.1, 0.2.2 or 0.2.3, got '" + version + "'");
      }
    }
    Optional<String> built = Optional.empty();
    if (fields.containsKey("builder")) {
      built = builder(fields.get("builder"));
    } else {
      root.fault("has no builder");
    }
    if (fields.containsKey("clone")) {
      cloneOf(fields.get("clone"));
    }
    if (!fields.containsKey("spec")) {
      root.fault("has no spec");
      return new Manifest(
          version, Manifest.Operator.TF, "", "", null, Map.of(), List.of(), builder, unused);
    }
    return spec(fields.get("spec"), version, built);
  }

  /** Reads the builder; returns the image that it builds. */
  private Optional<String> builder(ManifestYamlNode node) {
    Map<String, ManifestYamlNode> fields = node.fields(BUILDER);
    Map<String, String> words = new HashMap<>();
    for (String name : List.of("dockerfile", "context", "target", "registry")) {
      if (fields.containsKey(name)) {
        words.put(name, fields.get(name).word());
      }
    }
    Map<String, String> arguments = new TreeMap<>();
    if (fields.containsKey("buildArgs")) {
      fields
          .get("buildArgs")
          .entries()
          .forEach((name, value) -> arguments.put(name, String.valueOf(value.text())));
    }
    boolean skipped = false;
    if (fields.containsKey("skipBuild")) {
      Map<String, ManifestYamlNode> skip =
          fields.get("skipBuild").fields(Set.of("enabled", "experimentID", "failIfNotFound"));
      skipped = skip.containsKey("enabled") && skip.get("enabled").yesOrNo();
      Optional.ofNullable(skip.get("failIfNotFound")).ifPresent(ManifestYamlNode::yesOrNo);
      Optional.ofNullable(skip.get("experimentID")).ifPresent(ManifestYamlNode::word);
    }
    builder =
        new Manifest.Builder(
            words.get("dockerfile"),
            words.getOrDefault("context", "."),
            words.get("target"),
            arguments,
            skipped);
    return Optional.ofNullable(fields.get("image")).map(ManifestYamlNode::word);
  }

  private void cloneOf(ManifestYamlNode node) {
    Map<String, ManifestYamlNode> fields =
        node.fields(Set.of("includeDotGit", "submodules", "depth"));
    unused.add("clone");
    Optional.ofNullable(fields.get("includeDotGit")).ifPresent(ManifestYamlNode::yesOrNo);
    Optional.ofNullable(fields.get("depth")).ifPresent(depth -> depth.whole(1));
    ManifestYamlNode submodules = fields.get("submodules");
    if (submodules != null
        && !Set.of("false", "true", "recursive").contains(String.valueOf(submodules.text()))) {
      submodules.fault("must be false, true or recursive");
    }
  }

  private Manifest spec(ManifestYamlNode node, String version, Optional<String> built) {
    Map<String, ManifestYamlNode> fields = node.fields(SPEC);
    Optional<Manifest.Operator> operator = operator(node, fields.get("operator"));
    String image = required(node, fields, "image");
    if (image != null && !image.isEmpty() && built.isPresent() && !built.get().equals(image)) {
      fields
          .get("image")
          .fault("must be that of the builder, '" + built.get() + "', got '" + image + "'");
    }
    String command = required(node, fields, "command");
    ignored(fields);
    List<Manifest.MemberType> types = List.of();
    if (!fields.containsKey("types")) {
      node.fault("has no types");
    } else if (operator.isPresent()) { // else what types there may be is not known
      types = types(fields.get("types"), operator.get());
    }
    Manifest.Operator known = operator.orElse(Manifest.Operator.TF);
    return new Manifest(
        version, known, image, command, timeout(fields), env(fields), types, builder, unused);
  }

  private static String required(
      ManifestYamlNode node, Map<String, ManifestYamlNode> fields, String name) {
    if (!fields.containsKey(name)) {
      node.fault("has no " + name);
      return "";
    }
    return fields.get(name).word();
  }

  /** Returns the operator; nothing after a fault. */
  private static Optional<Manifest.Operator> operator(
      ManifestYamlNode spec, ManifestYamlNode node) {
    if (node == null) {
      spec.fault("has no operator");
      return Optional.empty();
    }
    String name = String.valueOf(node.text());
    for (Manifest.Operator one : Manifest.Operator.values()) {
      if (one.name().toLowerCase(Locale.ROOT).equals(name)) {
        return Optional.of(one);
      }
    }
    node.fault(
        name.equals("kuberay")
            ? "kuberay is not supported: Remuda starts no Ray cluster; start one in a gang's first"
                + " member, or use jobset"
            : "must be tf, pytorch, jax, xgboost or jobset, got '" + name + "'");
    return Optional.empty();
  }

  /** Reads what has no meaning here. */
  private void ignored(Map<String, ManifestYamlNode> fields) {
    if (fields.containsKey("tensorboard")) {
      Map<String, ManifestYamlNode> board = fields.get("tensorboard").fields(Set.of("enabled"));
      if (board.containsKey("enabled") && board.get("enabled").yesOrNo()) {
        unused.add("spec.tensorboard");
      }
    }
    if (fields.containsKey("debug")) {
      Map<String, ManifestYamlNode> tools = fields.get("debug").fields(Set.of("vscode", "jupyter"));
      boolean any = false;
      for (ManifestYamlNode tool : tools.values()) {
        any |= tool.yesOrNo();
      }
      if (any) {
        unused.add("spec.debug");
      }
    }
    if (fields.containsKey("storage")) {
      storage(fields.get("storage"));
    }
    if (fields.containsKey("rayVersion")) {
      fields.get("rayVersion").word();
      unused.add("spec.rayVersion");
    }
  }

  private void storage(ManifestYamlNode node) {
    Map<String, ManifestYamlNode> fields =
        node.fields(Set.of("sharedVolume", "attachExistingPVCs"));
    unused.add("spec.storage");
    if (fields.containsKey("sharedVolume")) {
      Map<String, ManifestYamlNode> volume =
          fields
              .get("sharedVolume")
              .fields(Set.of("mountPoint", "sizeGB", "storageClass", "accessMode"));
      Optional.ofNullable(volume.get("sizeGB")).ifPresent(size -> size.number(0, true));
      for (String name : List.of("mountPoint", "storageClass", "accessMode")) {
        Optional.ofNullable(volume.get(name)).ifPresent(ManifestYamlNode::word);
      }
    }
    if (fields.containsKey("attachExistingPVCs")) {
      for (ManifestYamlNode claim : fields.get("attachExistingPVCs").items()) {
        claim.fields(Set.of("name", "mountPoint")).values().forEach(ManifestYamlNode::word);
      }
    }
  }

  private static String timeout(Map<String, ManifestYamlNode> fields) {
    ManifestYamlNode timeout = fields.get("timeout");
    ManifestYamlNode seconds = fields.get("activeDeadlineSeconds");
    if (timeout != null && seconds != null) {
      seconds.fault("and spec.timeout exclude each other");
    }
    if (timeout != null) {
      String text = timeout.word();
      try {
        if (text != null && SizeAndTimeParser.time(text).isZero()) {
          timeout.fault("must be above 0");
        }
        return text;
      } catch (IllegalArgumentException wrong) {
        timeout.fault("is wrong: " + wrong.getMessage());
        return null;
      }
    }
    return seconds == null ? null : seconds.whole(1) + "s";
  }

  private static Map<String, String> env(Map<String, ManifestYamlNode> fields) {
    Map<String, String> env = new LinkedHashMap<>();
    ManifestYamlNode node = fields.get("env");
    if (node == null) {
      return env;
    }
    if (node.isList()) {
      for (ManifestYamlNode item : node.items()) {
        Map<String, ManifestYamlNode> variable = item.fields(Set.of("name", "value"));
        if (!variable.containsKey("name") || !variable.containsKey("value")) {
          item.fault("must have name and value");
        } else {
          put(env, variable.get("name").word(), variable.get("value"));
        }
      }
    } else {
      node.entries().forEach((name, value) -> put(env, name, value));
    }
    return env;
  }

  private static void put(Map<String, String> env, String name, ManifestYamlNode value) {
    String text = value.text();
    if (name == null || text == null) {
      return;
    }
    if (ReservedVariableNames.isOne(name)) {
      value.fault("must not be set: " + name + " is set by Remuda");
    } else if (name.indexOf('=') >= 0 || name.indexOf('\0') >= 0 || text.indexOf('\0') >= 0) {
      value.fault("is no variable");
    } else {
      env.put(name, text);
    }
  }

  private List<Manifest.MemberType> types(ManifestYamlNode node, Manifest.Operator operator) {
    List<Manifest.MemberType> types = new ArrayList<>();
    node.entries()
        .forEach(
            (name, type) -> {
              checkName(name, type, operator);
              types.add(type(name, type, operator));
            });
    if (types.isEmpty()) {
      node.fault("must have a type");
    }
    types.sort(Comparator.comparing(type -> !type.name().equals("Master"))); // it has rank 0
    return types;
  }

  private static void checkName(String name, ManifestYamlNode type, Manifest.Operator operator) {
    switch (operator) {
      case JOBSET -> {
        if (!SET_NAME.matcher(name).matches() || name.length() > 63) {
          type.fault("must be named by small letters, digits and hyphens, a letter first");
        }
      }
      case JAX -> {
        if (!Set.of("Worker", "worker").contains(name)) {
          type.fault("is unknown: jax has Worker");
        }
      }
      default -> {
        if (!Set.of("Master", "Worker").contains(name)) {
          type.fault(
              "is unknown: " + operator.name().toLowerCase(Locale.ROOT) + " has Master and Worker");
        }
      }
    }
  }

  private Manifest.MemberType type(String name, ManifestYamlNode node, Manifest.Operator operator) {
    Map<String, ManifestYamlNode> fields =
        node.fields(
            operator == Manifest.Operator.JOBSET
                ? Set.of("count", "completions", "parallelisms", "resources")
                : Set.of("count", "resources"));
    int count = fields.containsKey("count") ? fields.get("count").whole(1) : 1;
    if (name.equals("Master") && count > 1) {
      fields.get("count").fault("must be 1: there is one master, got " + count);
    }
    return new Manifest.MemberType(
        name,
        count,
        fields.containsKey("completions") ? fields.get("completions").whole(1) : 1,
        fields.containsKey("parallelisms") ? fields.get("parallelisms").whole(1) : 0,
        new ResourcesReader(unused).read(node, fields.get("resources")));
  }

  /** The variables that a manifest must not set, because Remuda sets them. */
  private static final class ReservedVariableNames {

    private static final Pattern FAMILIES = Pattern.compile("(AICHOR|REMUDA|JAXOPERATOR)_.*");

    private ReservedVariableNames() {}

    static boolean isOne(String name) {
      return ReservedVariables.refusal(name, true).isPresent() || FAMILIES.matcher(name).matches();
    }
  }
}
