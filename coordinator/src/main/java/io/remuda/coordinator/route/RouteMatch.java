package io.remuda.coordinator.route;

import io.remuda.agent.commandline.SimilarWords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the table says of the method and path of a request.
 *
 * @param found its row; empty if there is none
 * @param values of the parameters in the path
 * @param methods that the path has, in alphabetical order; empty if there is no such path
 * @param near a path that may have been meant; empty if none is similar
 * @param label the first part of the path, or {@code other} if no path begins so
 */
public record RouteMatch(
    Optional<ApiRoute> found,
    List<String> values,
    List<String> methods,
    Optional<String> near,
    String label) {

  private static final String OTHER = "other";

  /** What the table says of a path that begins as none does. */
  public static final RouteMatch NONE =
      new RouteMatch(Optional.empty(), List.of(), List.of(), Optional.empty(), OTHER);

  private static final RoutePart ROOT = new RoutePart("", 0);

  static {
    for (ApiRoute route : ApiRoute.values()) {
      ROOT.add(route);
    }
  }

  /** A part of paths, and what follows. */
  private static final class RoutePart {

    /** Longer words are similar to none. */
    private static final int MOST_LETTERS = 50;

    private final String path;

    /** Of a number in its place; 0 for any text. */
    private final int mostDigits;

    private final Map<String, ApiRoute> methods = new TreeMap<>();
    private final Map<String, RoutePart> words = new HashMap<>();
    private RoutePart parameter;

    private RoutePart(String path, int mostDigits) {
      this.path = path;
      this.mostDigits = mostDigits;
    }

    private void add(ApiRoute route) {
      RoutePart at = this;
      for (String part : parts(route.path())) {
        at = at.child(part);
      }
      at.methods.put(route.method(), route);
    }

    private RoutePart child(String part) {
      String below = path.concat("/").concat(part); // commands load this: no bootstrap of +
      if (!part.startsWith("{")) {
        words.putIfAbsent(part, new RoutePart(below, 0));
        return words.get(part);
      }
      if (parameter == null) {
        parameter = new RoutePart(below, part.equals("{id}") ? 18 : part.equals("{index}") ? 9 : 0);
      }
      return parameter;
    }

    /** Returns what follows by a part of a request's path, or null. */
    private RoutePart next(String part) {
      RoutePart word = words.get(part);
      return word != null || parameter == null || !parameter.takes(part) ? word : parameter;
    }

    private boolean takes(String value) {
      if (mostDigits > 0 && value.length() > mostDigits) {
        return false;
      }
      for (int i = 0; mostDigits > 0 && i < value.length(); i++) {
        if (value.charAt(i) < '0' || value.charAt(i) > '9') {
          return false;
        }
      }
      return !value.isEmpty();
    }

    /** Returns whether a slash may follow. */
    private boolean isFolder() {
      return parameter != null || !words.isEmpty();
    }

    private Optional<String> near(String part) {
      return part.length() > MOST_LETTERS
          ? Optional.empty()
          : SimilarWords.to(part, words.keySet()).stream()
              .findFirst()
              .map(word -> path + "/" + word);
    }
  }

  /**
   * Looks up a request.
   *
   * @param target path and query below {@code /api/v1}, as they are sent
   */
  public static RouteMatch of(String method, String target) {
    int query = target.indexOf('?');
    return of(method, parts(query < 0 ? target : target.substring(0, query)));
  }

  /**
   * Looks up a request.
   *
   * @param path the parts of its path below {@code /api/v1}; the last is empty if it ends in a
   *     slash
   */
  public static RouteMatch of(String method, List<String> path) {
    List<String> values = new ArrayList<>();
    RoutePart at = ROOT;
    String label = OTHER;
    for (int i = 0; i < path.size(); i++) {
      String part = path.get(i);
      if (part.isEmpty() && i > 0 && i == path.size() - 1 && at.isFolder()) {
        break;
      }
      RoutePart next = at.next(part);
      if (next == null) {
        return new RouteMatch(Optional.empty(), values, List.of(), at.near(part), label);
      }
      if (next == at.parameter) {
        values.add(part);
      }
      label = at == ROOT ? part : label;
      at = next;
    }
    return new RouteMatch(
        Optional.ofNullable(at.methods.get(method)),
        values,
        List.copyOf(at.methods.keySet()),
        Optional.empty(),
        label);
  }

  private static List<String> parts(String path) {
    if (!path.startsWith("/")) {
      return List.of("");
    }
    List<String> parts = new ArrayList<>();
    int begin = 1;
    for (int end = path.indexOf('/', 1); end >= 0; end = path.indexOf('/', begin)) {
      parts.add(path.substring(begin, end));
      begin = end + 1;
    }
    parts.add(path.substring(begin));
    return parts;
  }
}
