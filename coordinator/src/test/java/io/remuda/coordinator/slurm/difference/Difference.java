package io.remuda.coordinator.slurm.difference;

import java.util.Map;
import java.util.TreeMap;

/**
 * One aspect in which a script under Slurm and here differs.
 *
 * @param slurm value there, null if there is none
 * @param remuda value here, in Slurm's numbers and names; null if there is none
 * @param all what the script left under Slurm
 */
record Difference(
    SbatchHead head, Aspect aspect, String slurm, String remuda, Map<Aspect, String> all) {

  private static final Aspect ACCEPTED = new Aspect(Aspect.Kind.ACCEPTED, "", "");

  /** Returns all of a script; of one that only one side accepts or starts, that alone. */
  static Map<Aspect, Difference> of(
      SbatchHead head, Map<Aspect, String> slurm, Map<Aspect, String> remuda) {
    if (!slurm.get(ACCEPTED).equals(remuda.get(ACCEPTED))) {
      Difference one =
          new Difference(head, ACCEPTED, slurm.get(ACCEPTED), remuda.get(ACCEPTED), slurm);
      return Map.of(ACCEPTED, one);
    }
    Map<Aspect, String> aspects = new TreeMap<>(slurm);
    aspects.putAll(remuda);
    Map<Aspect, Difference> found = new TreeMap<>();
    for (Aspect aspect : aspects.keySet()) {
      String there = slurm.get(aspect);
      String here = remuda.get(aspect);
      if (there == null || !there.equals(here)) {
        found.put(aspect, new Difference(head, aspect, there, here, slurm));
      }
    }
    return found;
  }

  boolean isOfVariable(String pattern) {
    return aspect.kind() == Aspect.Kind.VARIABLE && aspect.name().matches(pattern);
  }

  /** Returns whether Slurm has put the script's tasks on several nodes. */
  boolean isOnSeveralNodes() {
    String nodes = beside("SLURM_NNODES");
    return nodes != null && !nodes.equals("1");
  }

  /** Returns whether it is a variable that counts nodes, or what is on one of several. */
  boolean isOfNodes() {
    return isOfVariable(
        "SLURM_(NNODES|JOB_NUM_NODES|(JOB_)?NODELIST|TOPOLOGY_ADDR|NTASKS|NPROCS"
            + "|(N?TASKS|JOB_CPUS|MEM)_PER_NODE|CPUS_ON_NODE|GPUS_ON_NODE|JOB_GPUS)"
            + "|CUDA_VISIBLE_DEVICES");
  }

  /** Returns the path of the script under Slurm. */
  String script() {
    String folder = beside("SLURM_SUBMIT_DIR");
    if (folder == null) { // of a file: that of any process
      folder =
          all.entrySet().stream()
              .filter(entry -> entry.getKey().name().equals("SLURM_SUBMIT_DIR"))
              .map(Map.Entry::getValue)
              .findFirst()
              .orElse("");
    }
    return folder + ".sh";
  }

  boolean isOf(Aspect.Kind kind, String heads) {
    return aspect.kind() == kind && head.name().matches(heads);
  }

  /** Returns a variable that the same process had under Slurm, or null. */
  String beside(String variable) {
    return all.get(new Aspect(Aspect.Kind.VARIABLE, aspect.of(), variable));
  }

  @Override
  public String toString() {
    return head.name() + ": " + aspect + ": Slurm " + told(slurm) + ", here " + told(remuda);
  }

  private static String told(String value) {
    return value == null ? "none" : "'" + value.replace("\n", "\\n") + "'";
  }
}
