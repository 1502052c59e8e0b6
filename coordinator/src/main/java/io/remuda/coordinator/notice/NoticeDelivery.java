package io.remuda.coordinator.notice;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.remuda.agent.settings.ProcessArgumentsAndEnvironment;
import io.remuda.coordinator.store.row.JobNotice;
import io.remuda.coordinator.store.row.RowMapping;
import io.remuda.worker.job.NotificationTerms;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One try to tell a receiver: JSON by POST, a mail by the program of the settings, or a program of
 * the server's owner with the JSON as its input. No shell reads anything, no redirect is followed.
 * One thread.
 */
final class NoticeDelivery {

  private static final Duration LONGEST = Duration.ofSeconds(15);

  /** Longer names of receivers are not kept for each notice that waits. */
  private static final int LONGEST_NAME = 100;

  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  private final List<String> mailer;
  private final Supplier<HttpClient> web;

  /** Made for the first notice to a URL: it reads all authorities that Java trusts. */
  private HttpClient client;

  /**
   * @param mailer program and arguments that send a mail from their input; empty for none
   */
  NoticeDelivery(List<String> mailer) {
    this(mailer, NoticeDelivery::client);
  }

  /**
   * @param web makes the client for notices to URLs
   */
  NoticeDelivery(List<String> mailer, Supplier<HttpClient> web) {
    this.mailer = mailer;
    this.web = web;
  }

  private static HttpClient client() {
    return HttpClient.newBuilder()
        .connectTimeout(LONGEST)
        .followRedirects(HttpClient.Redirect.NEVER)
        .build();
  }

  /**
   * Returns what is stored of a notice; empty if it cannot be read.
   *
   * @param content null for what was not what was written
   */
  static Optional<JobNotice> read(String content) {
    try {
      return content == null
          ? Optional.empty()
          : Optional.of(RowMapping.JSON.readValue(content, JobNotice.class));
    } catch (JsonProcessingException damaged) {
      return Optional.empty();
    }
  }

  /** Returns what is slow or away as one: a host with its port, a host of mail, or a program. */
  static String receiver(String to) {
    String name;
    try {
      name =
          switch (new NotificationTerms(to, ANY).way()) {
            case URL -> hostAndPort(URI.create(to));
            case MAIL -> to.substring(to.lastIndexOf('@')).toLowerCase(Locale.ROOT);
            case COMMAND -> to.strip().split("\\s+", 2)[0];
          };
    } catch (IllegalArgumentException unsayable) { // it fails when it is sent
      name = to;
    }
    return name.length() <= LONGEST_NAME ? name : Integer.toHexString(name.hashCode());
  }

  private static String hostAndPort(URI url) {
    int usual = url.getScheme().equalsIgnoreCase("https") ? HTTPS_PORT : HTTP_PORT;
    return url.getHost().toLowerCase(Locale.ROOT)
        + ":"
        + (url.getPort() < 0 ? usual : url.getPort());
  }

  /** Completes when the receiver was told; fails with the reason, for people. */
  CompletionStage<Void> send(String content) {
    try {
      JobNotice notice =
          read(content).orElseThrow(() -> new IOException("it is damaged in the state"));
      return switch (new NotificationTerms(notice.to(), ANY).way()) {
        case URL -> post(notice);
        case MAIL -> mail(notice);
        case COMMAND ->
            run(new NotificationTerms(notice.to(), ANY).argv(), variables(notice), body(notice));
      };
    } catch (IOException | UncheckedIOException | IllegalArgumentException fault) {
      return CompletableFuture.failedFuture(fault);
    }
  }

  private static final TreeSet<NotificationTerms.Occasion> ANY =
      new TreeSet<>(List.of(NotificationTerms.Occasion.END));

  /** Returns what is told: times as instants, and nothing that is not known. */
  private static String body(JobNotice notice) throws JsonProcessingException {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("event", notice.event());
    body.put("at", Instant.ofEpochMilli(notice.at()).toString());
    body.put("job", notice.job());
    body.put("name", notice.name());
    body.put("user", notice.user());
    body.put("state", notice.state());
    body.put("reason", notice.reason());
    body.put("exitCode", notice.exitCode());
    body.put("tasks", notice.tasks());
    body.put("submitted", instant(notice.submitted()));
    body.put("started", instant(notice.started()));
    body.put("ended", instant(notice.ended()));
    body.values().removeIf(value -> value == null);
    return RowMapping.JSON.writeValueAsString(body);
  }

  private static String instant(long millis) {
    return millis == 0 ? null : Instant.ofEpochMilli(millis).toString();
  }

  private CompletionStage<Void> post(JobNotice notice) throws JsonProcessingException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(notice.to()))
            .timeout(LONGEST)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body(notice)))
            .build();
    if (client == null) {
      client = web.get();
    }
    return client
        .sendAsync(request, HttpResponse.BodyHandlers.discarding())
        .thenAccept(
            answer -> {
              if (answer.statusCode() / 100 != 2) {
                throw new IllegalStateException("status " + answer.statusCode());
              }
            });
  }

  private CompletionStage<Void> mail(JobNotice notice) throws IOException {
    if (mailer.isEmpty()) {
      throw new IOException(
          "no program sends mail: set remuda.coordinator.notices.mail, as /usr/sbin/sendmail -i -t");
    }
    String title = "job " + notice.job() + " (" + notice.name() + ") " + said(notice);
    String text =
        "To: "
            + notice.to()
            + "\nSubject: remuda: "
            + title.replaceAll("[\r\n]", " ")
            + "\nContent-Type: text/plain; charset=utf-8\n\n"
            + title
            + (notice.reason() == null ? "" : ": " + notice.reason())
            + "\n"
            + body(notice)
            + "\n";
    List<String> argv = new ArrayList<>(mailer);
    return run(argv, variables(notice), text);
  }

  private static String said(JobNotice notice) {
    return notice.event().equals("start") ? "has started" : notice.state();
  }

  private static Map<String, String> variables(JobNotice notice) {
    return Map.of(
        "REMUDA_EVENT", notice.event(),
        "REMUDA_JOB", Long.toString(notice.job()),
        "REMUDA_JOB_NAME", notice.name(),
        "REMUDA_STATE", notice.state(),
        "REMUDA_EXIT_CODE", notice.exitCode() == null ? "" : notice.exitCode().toString(),
        "REMUDA_REASON", notice.reason() == null ? "" : notice.reason(),
        "REMUDA_USER", notice.user());
  }

  private static CompletionStage<Void> run(
      List<String> argv, Map<String, String> variables, String input) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(argv)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    ProcessArgumentsAndEnvironment.restoreLocale(builder.environment());
    builder.environment().putAll(variables);
    Process process = builder.start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8)); // less than a pipe holds
    } catch (IOException unread) {
      // a program need not read it
    }
    return process
        .onExit()
        .orTimeout(LONGEST.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((end, late) -> process.destroyForcibly())
        .thenAccept(
            end -> {
              if (end.exitValue() != 0) {
                throw new IllegalStateException("exit code " + end.exitValue());
              }
            });
  }
}
