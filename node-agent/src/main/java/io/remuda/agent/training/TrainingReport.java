package io.remuda.agent.training;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import java.io.IOException;
import java.util.UUID;

/** What a training posts, checked. */
sealed interface TrainingReport {

  /** Longest time in seconds that is believed: about three years. */
  double MOST_SECONDS = 1e8;

  /** Most memory of a GPU in MiB that is believed: one pebibyte. */
  long MOST_MIB = 1L << 30;

  /** Greatest number of iterations, GPUs and ranks that is believed. */
  long MOST_COUNT = 1L << 53;

  JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  /** A body that is not what the protocol says; nothing of it is used. */
  final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedException(String message) {
      super(message);
    }
  }

  /**
   * The means of the steps of an epoch.
   *
   * @param stepSeconds mean duration of a step
   * @param gpuMiB memory of one GPU that the training has seen in use
   * @param epochSeconds duration of the epoch that ends with this message, or null
   */
  record Measurement(double stepSeconds, long gpuMiB, Double epochSeconds)
      implements TrainingReport {

    /** Reads the body of {@code POST /profiling/ID}. */
    static Measurement of(byte[] body, UUID id) throws MalformedException {
      JsonNode json = object(body);
      if (!text(json, "jobid").equalsIgnoreCase(id.toString())) {
        throw new MalformedException("jobid is not that of the address");
      }
      text(json, "timestamp");
      text(json, "nodelist");
      count(json, "iternum", 0);
      count(json, "numgpu", 0);
      count(json, "rank", 0);
      long memory = count(json, "gpumem", 0);
      if (memory > MOST_MIB) {
        throw new MalformedException("gpumem must be at most " + MOST_MIB + ", got " + memory);
      }
      Double epoch = json.has("epochDur") ? Double.valueOf(seconds(json, "epochDur")) : null;
      return new Measurement(seconds(json, "meandur"), memory, epoch);
    }
  }

  /**
   * The end of an epoch.
   *
   * @param done number of epochs done by all attempts together
   */
  record EpochEnd(int done) implements TrainingReport {

    /** Reads the body of {@code POST /end_epoch/ID}. */
    static EpochEnd of(byte[] body) throws MalformedException {
      long done = count(object(body), "done", 0);
      if (done > Integer.MAX_VALUE) {
        throw new MalformedException("done must be at most " + Integer.MAX_VALUE + ", got " + done);
      }
      return new EpochEnd((int) done);
    }
  }

  private static JsonNode object(byte[] body) throws MalformedException {
    try {
      JsonNode json = JSON.readTree(body);
      if (json == null || !json.isObject()) {
        throw new MalformedException("the body must be a JSON object");
      }
      return json;
    } catch (JsonProcessingException wrong) {
      throw new MalformedException("invalid JSON: " + wrong.getOriginalMessage());
    } catch (IOException wrong) {
      throw new MalformedException("invalid JSON: " + wrong.getMessage());
    }
  }

  private static JsonNode field(JsonNode json, String name, JsonNodeType type)
      throws MalformedException {
    JsonNode value = json.get(name);
    if (value == null || value.getNodeType() != type) {
      throw new MalformedException(
          name + " must be a " + type.name().toLowerCase(java.util.Locale.ROOT) + ", got " + value);
    }
    return value;
  }

  private static String text(JsonNode json, String name) throws MalformedException {
    return field(json, name, JsonNodeType.STRING).asText();
  }

  private static long count(JsonNode json, String name, long least) throws MalformedException {
    JsonNode value = field(json, name, JsonNodeType.NUMBER);
    double number = value.asDouble();
    if (number != Math.rint(number) || number < least || number > MOST_COUNT) {
      throw new MalformedException(
          name + " must be a whole number of at least " + least + ", got " + value);
    }
    return (long) number;
  }

  private static double seconds(JsonNode json, String name) throws MalformedException {
    double seconds = field(json, name, JsonNodeType.NUMBER).asDouble();
    if (!(seconds >= 0 && seconds <= MOST_SECONDS)) {
      throw new MalformedException(
          name + " must be 0 to " + (long) MOST_SECONDS + " seconds, got " + json.get(name));
    }
    return seconds;
  }
}
