package io.remuda.coordinator.settings;

import com.typesafe.config.Config;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How and to whom the server sends notices of jobs.
 *
 * @param mailer program and arguments that send a mail from their input; empty for none
 * @param hosts which hosts the URLs of notices may name, in lower case: names or addresses, {@code
 *     *.} and a domain for all below it, {@code *} for all
 */
public record NoticeSettings(List<String> mailer, List<String> hosts) {

  /** No mail, and any host. */
  public static final NoticeSettings USUAL = new NoticeSettings(List.of(), List.of("*"));

  public NoticeSettings {
    mailer = List.copyOf(mailer);
    hosts = List.copyOf(hosts);
    for (String host : hosts) {
      if (!host.matches("\\*|(\\*\\.)?[a-z0-9]([a-z0-9._-]*[a-z0-9])?|\\[[0-9a-f:.]+\\]")) {
        throw new IllegalArgumentException(
            "notices.hosts must be names of hosts, as hooks.example.org or *.example.org, without"
                + " ports, or *, got '"
                + host
                + "'");
      }
    }
  }

  /** Reads the settings under {@code remuda.coordinator.notices}. */
  static NoticeSettings from(Config config) {
    return new NoticeSettings(mailer(config.getString("mail")), hosts(config.getString("hosts")));
  }

  private static List<String> mailer(String text) {
    if (!text.isBlank() && !text.strip().startsWith("/")) {
      throw new IllegalArgumentException(
          "notices.mail must be a program with its whole path, got '" + text + "'");
    }
    return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+"));
  }

  private static List<String> hosts(String text) {
    return Arrays.stream(text.toLowerCase(Locale.ROOT).split("[,\\s]+"))
        .filter(host -> !host.isEmpty())
        .toList();
  }

  /**
   * Returns whether URLs may name a host.
   *
   * @param host in lower case, an address of IPv6 in brackets
   */
  public boolean mayTell(String host) {
    String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    return hosts.stream()
        .anyMatch(
            one ->
                one.equals("*")
                    || one.equals(name)
                    || one.startsWith("*.") && name.endsWith(one.substring(1)));
  }
}
