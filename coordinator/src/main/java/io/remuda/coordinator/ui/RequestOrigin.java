package io.remuda.coordinator.ui;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * From where a request comes, by what a browser says of it: names that point to the loopback, pages
 * of others and frames are refused.
 *
 * @param host header {@code Host}
 * @param origin header {@code Origin}, which browsers send with what may change something
 * @param site header {@code Sec-Fetch-Site}
 * @param mode header {@code Sec-Fetch-Mode}
 * @param target header {@code Sec-Fetch-Dest}
 */
record RequestOrigin(
    Optional<String> host,
    Optional<String> origin,
    Optional<String> site,
    Optional<String> mode,
    Optional<String> target) {

  private static final List<String> NAMES = List.of("127.0.0.1", "localhost", "[::1]");
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  /**
   * Returns why a request is refused; empty if it is not.
   *
   * @param port that the browser was told
   */
  Optional<String> refusal(int port) {
    String name = host.orElse("").toLowerCase(Locale.ROOT);
    if (!names(port).contains(name)) {
      return Optional.of(
          "this page is at 127.0.0.1:"
              + port
              + " alone; with ssh -L take the same port on both sides, or choose it with remuda ui"
              + " --port");
    }
    if (origin.filter(from -> !from.equals("http://" + name)).isPresent()) {
      return Optional.of("another page may send no request here");
    }
    boolean foreign = site.filter(from -> !OWN_SITES.contains(from)).isPresent();
    return foreign && !isOpenedByLink()
        ? Optional.of("another page may load nothing from here")
        : Optional.empty();
  }

  private static Set<String> names(int port) {
    Stream<String> names = NAMES.stream().map(name -> name + ":" + port);
    return (port == 80 ? Stream.concat(names, NAMES.stream()) : names).collect(Collectors.toSet());
  }

  private boolean isOpenedByLink() {
    return mode.filter("navigate"::equals).isPresent()
        && target.filter("document"::equals).isPresent();
  }
}
