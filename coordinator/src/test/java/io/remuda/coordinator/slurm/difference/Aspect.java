package io.remuda.coordinator.slurm.difference;

import java.util.Comparator;

/**
 * One thing that is compared.
 *
 * @param of what it is a part of: a task by its array index, {@code -} without one, with its
 *     attempt and its place in a step; empty for the whole job
 * @param name of the variable, of the file, or empty
 */
record Aspect(Kind kind, String of, String name) implements Comparable<Aspect> {

  /** What kinds of things are compared. */
  enum Kind {
    ACCEPTED,
    NUMBERS,
    EXIT,
    VARIABLE,
    PROCESS,
    FILE
  }

  private static final Comparator<Aspect> ORDER =
      Comparator.comparing(Aspect::kind).thenComparing(Aspect::of).thenComparing(Aspect::name);

  @Override
  public int compareTo(Aspect other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return (kind + " " + of + " " + name).replaceAll(" +", " ").strip();
  }
}
