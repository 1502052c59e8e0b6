package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.ClusterMetrics;
import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.cluster.ForwardedAnswer;
import io.remuda.coordinator.cluster.KnownLeader;
import io.remuda.coordinator.cluster.MembershipPort;
import io.remuda.coordinator.cluster.NoLeaderHereException;
import io.remuda.coordinator.cluster.RequestForwarder;
import io.remuda.coordinator.metrics.DcgmPage;
import io.remuda.coordinator.metrics.HttpRequestCounts;
import io.remuda.coordinator.metrics.MetricsFormat;
import io.remuda.coordinator.metrics.MetricsPage;
import io.remuda.coordinator.metrics.MetricsSources;
import io.remuda.coordinator.rest.query.ApiRequest;
import io.remuda.coordinator.rest.query.RouteHandlers;
import io.remuda.coordinator.rest.view.JsonResponses;
import io.remuda.coordinator.rest.view.RestBackend;
import io.remuda.coordinator.route.ApiRoute;
import io.remuda.coordinator.settings.MetricsSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.model.headers.ContentEncoding;
import org.apache.pekko.http.javadsl.model.headers.HttpEncodings;

/**
 * The routes of metrics, outside of the prefix of the others, where Prometheus looks for them. The
 * leader makes a page, compressed, when it is asked for; other members have it do so.
 */
final class MetricsRoutes {

  private static final String FORMAT = "format";
  private static final String HOSTNAME = "hostname";
  private static final String HOSTNAME_BEFORE = "Hostname";

  /** A page that is asked for. */
  private record Page(boolean dcgm, String hostname, MetricsFormat format) {

    /** Returns the path and query by which a member asks the leader. */
    private String target() {
      return (dcgm ? ApiRoute.DCGM_PAGE : ApiRoute.METRICS_PAGE).path()
          + "?"
          + FORMAT
          + "="
          + format.name().toLowerCase(Locale.ROOT)
          + "&"
          + HOSTNAME
          + "="
          + hostname;
    }
  }

  private final RestBackend backend;
  private final KnownLeader leader;
  private final MembershipPort membership;
  private final MetricsSettings settings;
  private final HttpRequestCounts requests;

  MetricsRoutes(
      RestBackend backend,
      KnownLeader leader,
      MembershipPort membership,
      MetricsSettings settings,
      HttpRequestCounts requests) {
    this.backend = backend;
    this.leader = leader;
    this.membership = membership;
    this.settings = settings;
    this.requests = requests;
  }

  void add(RouteHandlers routes) {
    routes
        .on(ApiRoute.METRICS_PAGE, request -> answer(request, false))
        .on(ApiRoute.DCGM_PAGE, request -> answer(request, true));
  }

  /** Answers; another member always gets a compressed page. */
  private CompletionStage<HttpResponse> answer(ApiRequest request, boolean dcgm) {
    Page page =
        new Page(
            dcgm, label(request.query(HOSTNAME)), format(request.query(FORMAT), request.http()));
    return request.forwarded()
        ? page(page).thenApply(bytes -> response(bytes, page))
        : answer(request.caller(), page, takes(request.http(), "gzip"));
  }

  private static String label(Optional<String> asked) {
    String label = asked.orElse(HOSTNAME);
    if (!label.equals(HOSTNAME) && !label.equals(HOSTNAME_BEFORE)) {
      throw new IllegalArgumentException(
          "hostname is the name of a label, hostname or Hostname, got '" + label + "'");
    }
    return label;
  }

  private static MetricsFormat format(Optional<String> asked, HttpRequest request) {
    if (asked.isEmpty()) {
      return MetricsFormat.of(request.getHeader("Accept").map(HttpHeader::value).orElse(null));
    }
    for (MetricsFormat format : MetricsFormat.values()) {
      if (format.name().toLowerCase(Locale.ROOT).equals(asked.get())) {
        return format;
      }
    }
    throw new IllegalArgumentException(
        "format must be text or open_metrics, got '" + asked.get() + "'");
  }

  private static boolean takes(HttpRequest request, String encoding) {
    return request
        .getHeader("Accept-Encoding")
        .map(header -> header.value().contains(encoding))
        .orElse(false);
  }

  private CompletionStage<HttpResponse> answer(Caller caller, Page page, boolean compressed) {
    Function<byte[], HttpResponse> told =
        bytes -> compressed ? response(bytes, page) : response(plain(bytes), page, false);
    if (!backend.leads()) {
      return forward(caller, page, told, RequestForwarder.Attempt.FIRST);
    }
    return page(page)
        .thenApply(told)
        .exceptionallyCompose(
            fault -> {
              Throwable cause = fault instanceof CompletionException ? fault.getCause() : fault;
              return cause instanceof NoLeaderHereException
                  ? forward(caller, page, told, RequestForwarder.Attempt.REPEATED)
                  : CompletableFuture.failedStage(cause);
            });
  }

  private CompletionStage<HttpResponse> forward(
      Caller caller,
      Page page,
      Function<byte[], HttpResponse> told,
      RequestForwarder.Attempt attempt) {
    return backend
        .forward(caller, "GET", page.target(), new byte[0], attempt)
        .thenApply(reply -> JsonResponses.of(reply, answer -> forwarded(answer, told)));
  }

  private static HttpResponse forwarded(
      ForwardedAnswer answer, Function<byte[], HttpResponse> told) {
    return answer.status() == StatusCodes.OK.intValue()
        ? told.apply(answer.body())
        : HttpResponse.create()
            .withStatus(answer.status())
            .withEntity(ContentTypes.APPLICATION_JSON, answer.body());
  }

  private CompletionStage<byte[]> page(Page page) {
    return backend
        .metrics(page.dcgm() ? 0 : settings.jobs())
        .thenCompose(cluster -> backend.query(reader -> bytes(cluster, page)));
  }

  private byte[] bytes(ClusterMetrics cluster, Page page) {
    return page.dcgm()
        ? DcgmPage.of(cluster, page.hostname(), page.format())
        : MetricsPage.of(
            new MetricsSources(
                cluster,
                membership.members(),
                leader.notice().orElse(null),
                requests.counts(),
                settings.users()),
            page.format());
  }

  private static HttpResponse response(byte[] compressed, Page page) {
    return response(compressed, page, true);
  }

  private static HttpResponse response(byte[] bytes, Page page, boolean compressed) {
    String type = page.format().type() + "; version=" + page.format().version() + "; charset=utf-8";
    HttpResponse response = HttpResponse.create().withEntity(ContentTypes.parse(type), bytes);
    return compressed ? response.addHeader(ContentEncoding.create(HttpEncodings.GZIP)) : response;
  }

  private static byte[] plain(byte[] compressed) {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
      return in.readAllBytes();
    } catch (IOException damaged) {
      throw new UncheckedIOException(damaged);
    }
  }
}
