package io.remuda.coordinator.rest.request;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.jobfield.FieldLimit;
import io.remuda.coordinator.jobfield.ShortenedValues;
import io.remuda.coordinator.route.ApiRoute;
import java.io.IOException;
import java.util.Map;

/**
 * Parses request bodies token by token and within {@link RequestLimits}, so that they never take
 * much more memory than they have bytes. Unknown fields, duplicate fields and text after the object
 * are errors.
 */
public final class RequestBodyParser {

  private static final StreamReadConstraints CONSTRAINTS =
      StreamReadConstraints.builder()
          .maxDocumentLength(ApiRoute.Body.LARGE.bytes())
          .maxNestingDepth(RequestLimits.DEPTH)
          .maxNumberLength(RequestLimits.NUMBER)
          .maxNameLength(2 * FieldLimit.NAME)
          .maxStringLength(FieldLimit.COMMAND)
          .build();

  private static final ObjectMapper STRICT =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(CONSTRAINTS)
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .disable(JsonFactory.Feature.INTERN_FIELD_NAMES) // users choose names in maps
                  .build())
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .addModule(StrictValues.module())
          .build();

  private static final String TWICE = "Duplicate field ";

  /** A parse step. */
  interface Reading<T> {
    T run() throws IOException;
  }

  private RequestBodyParser() {}

  /**
   * Parses one JSON object as a record.
   *
   * @throws IllegalArgumentException if it is wrong; the message is for users
   */
  public static <T> T read(byte[] body, Class<T> kind) {
    return told(
        () -> {
          try (JsonParser in = open(body)) {
            T value = reader(kind).readValue(in);
            end(in);
            return value;
          }
        });
  }

  /** Returns a reader for the records of one body; it counts the values of all of them. */
  static ObjectReader reader(Class<?> kind) {
    return STRICT.readerFor(kind).withAttribute(StrictValues.Count.class, new StrictValues.Count());
  }

  /** Converts fields that were read elsewhere to a record, by the rules of a body. */
  static <T> T as(Map<String, Object> fields, Class<T> kind) {
    return told(() -> reader(kind).readValue(STRICT.treeAsTokens(STRICT.valueToTree(fields))));
  }

  /**
   * Returns a parser at the beginning of a body's object.
   *
   * @throws IllegalArgumentException if the body is not an object
   */
  static JsonParser open(byte[] body) throws IOException {
    JsonParser in = STRICT.createParser(body);
    if (in.nextToken() != JsonToken.START_OBJECT) {
      in.close();
      throw new IllegalArgumentException("the body must be a JSON object");
    }
    return in;
  }

  /**
   * Checks that nothing follows the last token of the object.
   *
   * @throws IllegalArgumentException if something does
   */
  static void end(JsonParser in) throws IOException {
    JsonToken more;
    try {
      more = in.nextToken();
    } catch (JsonProcessingException noToken) {
      throw new IllegalArgumentException("there is text behind the JSON object", noToken);
    }
    if (more != null) {
      throw new IllegalArgumentException("there is text behind the JSON object");
    }
  }

  /**
   * Runs a parse step.
   *
   * @throws IllegalArgumentException if it fails; the message is for users
   */
  static <T> T told(Reading<T> reading) {
    try {
      return reading.run();
    } catch (StrictValues.BadValueException unfit) {
      throw new IllegalArgumentException(unfit.getOriginalMessage(), unfit);
    } catch (UnrecognizedPropertyException unknown) {
      throw new IllegalArgumentException(
          "unknown field " + ShortenedValues.quoted(unknown.getPropertyName()), unknown);
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(inWords(wrong), wrong);
    } catch (IOException fault) {
      throw new IllegalArgumentException("the body cannot be read: " + fault.getMessage(), fault);
    }
  }

  /** Returns the parser's message without its remarks about its own settings. */
  private static String inWords(JsonProcessingException wrong) {
    String first = String.valueOf(wrong.getOriginalMessage()).lines().findFirst().orElse("");
    if (first.startsWith(TWICE)) {
      String name = first.substring(TWICE.length()).replaceAll("^'|'$", "");
      return "field " + ShortenedValues.quoted(name) + " is given twice";
    }
    return "invalid JSON: " + first.replaceAll(", from `[^`]*`", "");
  }
}
