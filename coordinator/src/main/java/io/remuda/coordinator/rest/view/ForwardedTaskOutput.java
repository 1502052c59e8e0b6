package io.remuda.coordinator.rest.view;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.cluster.ForwardedAnswer;
import io.remuda.coordinator.cluster.RequestForwarder;
import io.remuda.json.PlainJson;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;

/** Output of tasks, as it goes from the leader to other members. */
public final class ForwardedTaskOutput {

  private static final String OFFSET = "Remuda-Offset";
  private static final String SIZE = "Remuda-Size";
  private static final String DROPPED = "Remuda-Dropped";
  private static final String SHARED = "Remuda-Shared";
  private static final String PLACE = "Remuda-Place";

  /** Everybody with a token may read output, and the leader refuses users that it does not know. */
  private static final Caller READER = new Caller("", true);

  private ForwardedTaskOutput() {}

  /** Returns the headers of a response with output. */
  public static HttpResponse headers(HttpResponse response, AgentMessage.Output output) {
    HttpResponse marked =
        output.shared() ? response.addHeader(RawHeader.create(SHARED, "1")) : response;
    HttpResponse placed =
        output.place() == null ? marked : marked.addHeader(RawHeader.create(PLACE, output.place()));
    return placed
        .addHeader(RawHeader.create(OFFSET, Long.toString(output.offset())))
        .addHeader(RawHeader.create(SIZE, Long.toString(output.size())))
        .addHeader(RawHeader.create(DROPPED, Long.toString(output.dropped())));
  }

  /** Has the leader read a part of an attempt's output. */
  static CompletionStage<Reply<AgentMessage.Output>> read(
      RestBackend backend,
      AttemptId attempt,
      OutputStreamName stream,
      long offset,
      int limit,
      String machine) {
    String target =
        "/jobs/"
            + attempt.task().job()
            + "/logs?task="
            + attempt.task().index()
            + "&attempt="
            + attempt.attempt()
            + "&stream="
            + stream.name().toLowerCase(Locale.ROOT)
            + "&offset="
            + offset
            + "&limit="
            + limit
            + (machine == null ? "" : "&machine=" + machine);
    return backend
        .forward(READER, "GET", target, new byte[0], RequestForwarder.Attempt.FIRST)
        .thenApply(
            reply ->
                reply instanceof Reply.Yes<ForwardedAnswer> yes
                    ? output(yes.value())
                    : Reply.no(((Reply.No<ForwardedAnswer>) reply).rejection()));
  }

  private static Reply<AgentMessage.Output> output(ForwardedAnswer answer) {
    if (answer.status() != 200) {
      return Reply.no(
          Rejection.of(
              answer.status() == 404 ? Rejection.Code.NOT_FOUND : Rejection.Code.UNREACHABLE,
              message(answer)));
    }
    return Reply.of(
        new AgentMessage.Output(
            0,
            number(answer, OFFSET),
            answer.body(),
            number(answer, SIZE),
            number(answer, DROPPED),
            null,
            number(answer, SHARED) > 0,
            null,
            answer.headers().get(PLACE)));
  }

  private static long number(ForwardedAnswer answer, String header) {
    return Long.parseLong(answer.headers().getOrDefault(header, "0"));
  }

  private static String message(ForwardedAnswer answer) {
    try {
      return PlainJson.MAPPER.readTree(answer.body()).path("error").path("message").asText();
    } catch (IOException notJson) {
      return "status " + answer.status();
    }
  }
}
