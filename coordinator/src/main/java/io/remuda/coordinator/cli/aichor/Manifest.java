package io.remuda.coordinator.cli.aichor;

import java.util.List;
import java.util.Map;

/**
 * A manifest, as it was written; what it does not say has AIchor's default.
 *
 * @param version of its format
 * @param operator which decides how its members find each other
 * @param image of its containers
 * @param command one line
 * @param timeout of the whole, as {@code 6h}, or null
 * @param env variables of all members
 * @param types kinds of members, in the order of their ranks
 * @param builder how its image is made
 * @param unused what was read and has no meaning here, as paths
 */
record Manifest(
    String version,
    Operator operator,
    String image,
    String command,
    String timeout,
    Map<String, String> env,
    List<MemberType> types,
    Builder builder,
    List<String> unused) {

  /**
   * How an image is made.
   *
   * @param dockerfile path from the manifest's folder, or null
   * @param context folder that is sent to the engine, from the manifest's folder
   * @param target of a build in several stages, or null
   * @param arguments of the build
   * @param skipped whether an image is taken that is there
   */
  record Builder(
      String dockerfile,
      String context,
      String target,
      Map<String, String> arguments,
      boolean skipped) {
    /** With the usual file and folder. */
    static final Builder USUAL = new Builder(null, ".", null, Map.of(), false);
  }

  /** A way to start the members. */
  enum Operator {
    TF,
    PYTORCH,
    JAX,
    XGBOOST,
    JOBSET;

    /** Returns whether all members start together or none. */
    boolean startsTogether() {
      return this != JOBSET;
    }
  }

  Manifest {
    env = Map.copyOf(env);
    types = List.copyOf(types);
    unused = List.copyOf(unused);
  }

  /**
   * One kind of members.
   *
   * @param completions number of tasks of each, of a job set
   * @param parallelism how many of these run at once; 0 for all
   */
  record MemberType(
      String name, int count, int completions, int parallelism, Resources resources) {}

  /**
   * What each member needs.
   *
   * @param cpuLimitRatio its CPU limit divided by {@code cpus}
   * @param memory in GB, as text with its unit
   * @param shmSizeGb size of its shared memory
   * @param gpuModel Kubernetes' label of the model, or null
   */
  record Resources(
      double cpus,
      double cpuLimitRatio,
      String memory,
      double shmSizeGb,
      int gpus,
      String gpuModel) {}
}
