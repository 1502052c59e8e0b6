package io.remuda.coordinator.cli.server;

import io.remuda.coordinator.access.ClusterCertificate;
import io.remuda.coordinator.access.ServerAccessFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The part of Prometheus' configuration that reads a server. */
final class ScrapeConfigText {

  private ScrapeConfigText() {}

  /**
   * Returns its lines.
   *
   * @param token file with the token
   * @param certificate file with the certificates that are trusted; null for plain HTTP
   */
  static List<String> lines(ServerAccessFile access, Path token, Path certificate)
      throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("# The account of Prometheus must be able to read the files that are named here.");
    if (access.others() != null && !access.others().isEmpty()) {
      lines.add(
          "# Each coordinator answers for all of the cluster: name one of them, or a proxy. Others: "
              + String.join(" ", access.others()));
    }
    lines.add("scrape_configs:");
    lines.addAll(job("remuda", "/metrics", access, token, certificate));
    lines.addAll(job("remuda-dcgm", "/metrics/dcgm", access, token, certificate));
    return lines;
  }

  private static List<String> job(
      String name, String path, ServerAccessFile access, Path token, Path certificate)
      throws IOException {
    URI server = URI.create(access.rest());
    List<String> lines = new ArrayList<>();
    lines.add("  - job_name: " + name);
    lines.add("    metrics_path: " + path);
    lines.add("    scheme: " + server.getScheme());
    lines.add("    authorization:");
    lines.add("      credentials_file: " + quoted(token));
    if (certificate != null) {
      lines.add("    tls_config:");
      lines.addAll(trust(access, certificate));
    }
    lines.add("    static_configs:");
    lines.add("      - targets: ['" + server.getAuthority() + "']");
    return lines;
  }

  private static List<String> trust(ServerAccessFile access, Path certificate) throws IOException {
    for (String pin : access.pins()) {
      if (!ClusterCertificate.of(pin).isForLoopback()) {
        return List.of(
            "      # The key of this server is from an earlier build: its certificate names no host,",
            "      # which Prometheus refuses. A new key names some: remuda cluster renew-key, or, for",
            "      # a single server, stop it, remove access.json and start it; then print this again.",
            "      insecure_skip_verify: true");
      }
    }
    return List.of(
        "      ca_file: " + quoted(certificate),
        "      # whatever the address: the certificate itself is trusted, and no other",
        "      server_name: " + ClusterCertificate.LOOPBACK);
  }

  /** Returns a path as a YAML text in single quotes. */
  private static String quoted(Path path) {
    return "'" + path.toString().replace("'", "''") + "'";
  }
}
