package io.remuda.coordinator.cli.list;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Jobs in the order of a tree: each stands below the first listed job that it starts after. What
 * starts after none of the listed jobs is a root.
 */
public final class JobTree {

  /** How branches are drawn. */
  public enum Style {
    /** With box-drawing characters. */
    LINES,
    /** By blanks only. */
    BLANKS
  }

  /** Deeper levels than this are numbered in place of an indentation. */
  private static final int MOST_LEVELS = 8;

  /** A job and what stands before and after its first cell. */
  record Branch(JsonNode job, String before, String after) {}

  /** A job that is still to be drawn, with what its line and those of its followers begin with. */
  private record Next(JsonNode job, int level, String line, String below) {}

  private final Style style;
  private final Map<Long, List<JsonNode>> followers = new HashMap<>();
  private final List<Branch> branches = new ArrayList<>();

  /**
   * Arranges jobs.
   *
   * @param jobs as the server lists them with what they asked for; a job that is listed twice, for
   *     two of its tasks, has its followers below the first
   */
  public JobTree(JsonNode jobs, Style style) {
    this.style = style;
    Set<Long> listed = new HashSet<>();
    jobs.forEach(job -> listed.add(job.path("id").asLong()));
    List<JsonNode> roots = new ArrayList<>();
    for (JsonNode job : jobs) {
      List<String> before = before(job).stream().filter(one -> listed.contains(id(one))).toList();
      if (before.isEmpty()) {
        roots.add(job);
      } else {
        followers.computeIfAbsent(id(before.get(0)), id -> new ArrayList<>()).add(job);
      }
    }
    roots.forEach(root -> draw(root, listed));
  }

  /** Returns the dependencies of a job, as {@code 3:ok}. */
  private static List<String> before(JsonNode job) {
    List<String> before = new ArrayList<>();
    job.path("terms").path("after").forEach(one -> before.add(one.asText()));
    job.path("terms").path("afterOneOf").forEach(one -> before.add(one.asText()));
    return before;
  }

  private static long id(String dependency) {
    return Long.parseLong(dependency.replaceFirst(":.*", ""));
  }

  /** Draws a root with all below it, in a loop: chains of jobs may be long. */
  private void draw(JsonNode root, Set<Long> listed) {
    Deque<Next> next = new ArrayDeque<>(List.of(new Next(root, 0, "", "")));
    while (!next.isEmpty()) {
      Next one = next.pop();
      branches.add(new Branch(one.job(), one.line(), others(one.job(), listed)));
      List<JsonNode> below = followers.remove(one.job().path("id").asLong());
      for (int i = below == null ? -1 : below.size() - 1; i >= 0; i--) {
        next.push(below(one, below.get(i), i == below.size() - 1));
      }
    }
  }

  private Next below(Next parent, JsonNode job, boolean last) {
    int level = parent.level() + 1;
    if (level > MOST_LEVELS) {
      return new Next(job, level, parent.below() + "[" + level + "] ", parent.below());
    }
    return style == Style.BLANKS
        ? new Next(job, level, parent.below() + "  ", parent.below() + "  ")
        : new Next(
            job,
            level,
            parent.below() + (last ? "\u2514\u2500 " : "\u251c\u2500 "),
            parent.below() + (last ? "   " : "\u2502  "));
  }

  /** Returns the other listed jobs that it starts after, or may start after in place of the one. */
  private static String others(JsonNode job, Set<Long> listed) {
    List<String> others =
        before(job).stream()
            .filter(one -> listed.contains(id(one)))
            .skip(1)
            .map(one -> one.replaceFirst(":ok$", ""))
            .toList();
    boolean one = !job.path("terms").path("afterOneOf").isEmpty();
    return others.isEmpty()
        ? ""
        : (one ? " or after " : " also after ") + String.join(", ", others);
  }

  /** Returns the jobs, each after the one below which it stands. */
  List<Branch> branches() {
    return List.copyOf(branches);
  }
}
