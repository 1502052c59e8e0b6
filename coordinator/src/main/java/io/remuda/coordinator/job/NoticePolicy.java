package io.remuda.coordinator.job;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.settings.NoticeSettings;
import io.remuda.worker.job.NotificationTerms;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Whom a job may tell what happens to it. */
final class NoticePolicy {

  private static final int MOST_PORT = 65_535;
  private static final int LONGEST_HOST = 253;
  private static final int LONGEST_LABEL = 63;

  /** Addresses of many machines or of none: 224.0.0.0 and above, ff00::/8, {@code ::}. */
  private static final Pattern NO_MACHINE =
      Pattern.compile(
          "0\\.0\\.0\\.0|(22[4-9]|2[3-5]\\d)(\\.\\d{1,3}){3}|\\[(ff[0-9a-f]{2}:.*|(0*:)*:0*|0+(:0+){7})\\]");

  private final NoticeSettings settings;

  NoticePolicy(NoticeSettings settings) {
    this.settings = settings;
  }

  /**
   * Returns why a job may not be submitted; empty if it may.
   *
   * @param caller who submits it
   */
  Optional<Rejection> refusal(NewJob job, Caller caller) {
    NotificationTerms notice = job.terms().notice();
    if (notice == null) {
      return Optional.empty();
    }
    return switch (notice.way()) {
      case COMMAND -> caller.mayAll() ? Optional.empty() : Optional.of(noPrograms());
      case MAIL -> settings.mailer().isEmpty() ? Optional.of(noMail(notice)) : Optional.empty();
      case URL -> refusal(URI.create(notice.to()));
    };
  }

  private static Rejection noPrograms() {
    return new Rejection(
        Rejection.Code.NOT_YOURS,
        "notifyTo: only the owner of this server may name a program, which runs beside the server",
        "name a URL or a mail address, or let the job itself run the program");
  }

  private static Rejection noMail(NotificationTerms notice) {
    return new Rejection(
        Rejection.Code.INVALID,
        "notifyTo: this server has no program that would send mail to " + notice.to(),
        "name a URL, or have the server's owner set remuda.coordinator.notices.mail, as"
            + " /usr/sbin/sendmail -i -t");
  }

  private Optional<Rejection> refusal(URI url) {
    String host = url.getHost().toLowerCase(Locale.ROOT);
    if (url.getPort() == 0 || url.getPort() > MOST_PORT) {
      return Optional.of(
          new Rejection(
              Rejection.Code.INVALID,
              "notifyTo: no server listens at port " + url.getPort() + " of '" + url + "'",
              "a port is 1 to " + MOST_PORT));
    }
    if (NO_MACHINE.matcher(host).matches() || isTooLong(host)) {
      return Optional.of(
          new Rejection(
              Rejection.Code.INVALID,
              "notifyTo: '" + host + "' is the address of no machine",
              "name the host that is to be told"));
    }
    if (!settings.mayTell(host)) {
      return Optional.of(
          new Rejection(
              Rejection.Code.NOT_YOURS,
              "notifyTo: this server tells nothing to " + host,
              "it tells "
                  + (settings.hosts().isEmpty() ? "no URL" : String.join(", ", settings.hosts()))
                  + "; its owner changes that with remuda.coordinator.notices.hosts"));
    }
    return Optional.empty();
  }

  private static boolean isTooLong(String host) {
    if (host.length() > LONGEST_HOST) {
      return true;
    }
    for (String label : host.split("\\.")) {
      if (label.length() > LONGEST_LABEL) {
        return true;
      }
    }
    return false;
  }
}
