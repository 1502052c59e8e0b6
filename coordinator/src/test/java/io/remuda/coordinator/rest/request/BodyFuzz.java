package io.remuda.coordinator.rest.request;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.api.LeaseAsk;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.jobfield.FieldValues;
import io.remuda.worker.job.CommandWorkload;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The body of a submission or of a request for a lease: it is refused in words for people, or means
 * the same when it is written again, and all of its texts are such as a node and the state file can
 * take. The first byte says which it is.
 */
public final class BodyFuzz {

  private static final ObjectMapper JSON =
      JsonMapper.builder().serializationInclusion(JsonInclude.Include.NON_NULL).build();

  private BodyFuzz() {}

  /** One input of a fuzzer. */
  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length == 0) {
      return;
    }
    byte[] body = Arrays.copyOfRange(data, 1, data.length);
    try {
      if ((data[0] & 1) == 0) {
        new SubmissionReader((data[0] & 2) == 0).read(body, "user").forEach(BodyFuzz::checkTexts);
        checkFieldsAgain(RequestBodyParser.read(body, JobRequest.class).fields());
      } else {
        LeaseAsk ask = RequestBodyParser.read(body, LeaseRequest.class).toAsk("user");
        List.of(ask.type(), ask.processSpace(), ask.program().program())
            .forEach(BodyFuzz::checkText);
        checkAgain(body, LeaseRequest.class);
      }
    } catch (IllegalArgumentException refused) {
      if (refused.getMessage() == null || refused.getMessage().isBlank()) {
        throw new AssertionError("refused without a word", refused);
      }
    }
  }

  private static void checkFieldsAgain(FieldValues given) {
    Map<String, Object> own = new LinkedHashMap<>(given.all());
    own.keySet().removeAll(List.of("lines", "entries"));
    FieldValues read = new FieldValues(own);
    FieldValues again = JobRequest.of(plain(own)).fields();
    if (!again.equals(read)) {
      throw new AssertionError("means something else when it is written again: " + read);
    }
  }

  /** Returns fields as the body of a request has them. */
  private static Map<String, Object> plain(Map<?, ?> fields) {
    Map<String, Object> plain = new LinkedHashMap<>();
    fields.forEach((name, value) -> plain.put((String) name, plain(value)));
    return plain;
  }

  private static Object plain(Object value) {
    if (value instanceof FieldValues fields) {
      return plain(fields.all());
    }
    return value instanceof Map<?, ?> map ? plain(map) : value;
  }

  /** A list of jobs is none of these and refused. */
  private static <T> void checkAgain(byte[] body, Class<T> kind) {
    T read = RequestBodyParser.read(body, kind);
    try {
      if (!read.equals(RequestBodyParser.read(JSON.writeValueAsBytes(read), kind))) {
        throw new AssertionError("means something else when it is written again: " + read);
      }
    } catch (JsonProcessingException fault) {
      throw new AssertionError(fault);
    }
  }

  private static void checkTexts(NewJob job) {
    CommandWorkload command = (CommandWorkload) job.workload();
    command.argv().forEach(BodyFuzz::checkText);
    command.environment().forEach((name, value) -> checkText(name + value));
    List.of(job.name(), command.folder()).forEach(BodyFuzz::checkText);
  }

  private static void checkText(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (!text.equals(new String(bytes, StandardCharsets.UTF_8)) || text.indexOf('\0') >= 0) {
      throw new AssertionError("a text that cannot be passed on: " + text);
    }
  }
}
