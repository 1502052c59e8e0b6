package io.remuda.agent.keeper.proc;

import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Numbers of CPUs, as the kernel writes them: {@code 0-3,8}.
 *
 * @param numbers in order, each 0 to {@value #HIGHEST}
 */
public record CpuSet(SortedSet<Integer> numbers) {

  /** The highest number of a CPU. */
  public static final int HIGHEST = 8191;

  /** No CPU. */
  public static final CpuSet NONE = new CpuSet(new TreeSet<>());

  public CpuSet {
    numbers = Collections.unmodifiableSortedSet(new TreeSet<>(numbers));
    if (!numbers.isEmpty() && (numbers.first() < 0 || numbers.last() > HIGHEST)) {
      throw new IllegalArgumentException("CPUs must be 0 to " + HIGHEST + ", got " + numbers);
    }
  }

  /** Returns a set of these numbers. */
  public static CpuSet of(Collection<Integer> numbers) {
    return new CpuSet(new TreeSet<>(numbers));
  }

  /**
   * Reads a list as the kernel writes it; an empty text is no CPU.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static CpuSet parse(String text) {
    TreeSet<Integer> numbers = new TreeSet<>();
    if (text.isBlank()) {
      return NONE;
    }
    for (String part : text.strip().split(",", -1)) {
      if (!part.matches("\\d{1,4}(-\\d{1,4})?")) {
        throw new IllegalArgumentException("'" + text + "' is not a list of CPUs, such as 0-3,8");
      }
      int dash = part.indexOf('-');
      int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
      int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
      for (int number = first; number <= last; number++) {
        numbers.add(number);
      }
    }
    return new CpuSet(numbers);
  }

  public int size() {
    return numbers.size();
  }

  public boolean isEmpty() {
    return numbers.isEmpty();
  }

  /** Returns the CPUs that are in both. */
  public CpuSet and(CpuSet other) {
    TreeSet<Integer> both = new TreeSet<>(numbers);
    both.retainAll(other.numbers);
    return new CpuSet(both);
  }

  /** Returns the CPUs that are not in the other. */
  public CpuSet without(CpuSet other) {
    TreeSet<Integer> rest = new TreeSet<>(numbers);
    rest.removeAll(other.numbers);
    return new CpuSet(rest);
  }

  /** Returns the CPUs that are in one of both. */
  public CpuSet or(CpuSet other) {
    TreeSet<Integer> all = new TreeSet<>(numbers);
    all.addAll(other.numbers);
    return new CpuSet(all);
  }

  /** Returns the list as the kernel writes it. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    Iterator<Integer> left = numbers.iterator();
    Integer next = left.hasNext() ? left.next() : null;
    while (next != null) {
      int first = next;
      int last = first;
      next = left.hasNext() ? left.next() : null;
      while (next != null && next == last + 1) {
        last = next;
        next = left.hasNext() ? left.next() : null;
      }
      text.append(text.isEmpty() ? "" : ",").append(first);
      text.append(last > first ? "-" + last : "");
    }
    return text.toString();
  }
}
