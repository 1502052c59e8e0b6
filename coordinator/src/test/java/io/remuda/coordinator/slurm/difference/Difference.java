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

  /** Returns all of a script. */
  static Map<Aspect, Difference> of(
      SbatchHead head, Map<Aspect, String> slurm, Map<Aspect, String> remuda) {
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
