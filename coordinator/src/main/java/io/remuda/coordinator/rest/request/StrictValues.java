package io.remuda.coordinator.rest.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.remuda.coordinator.jobfield.FieldLimit;
import io.remuda.coordinator.jobfield.ShortenedValues;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the values of requests without conversion: a text is not a number, and 1.5 is not 1. Each
 * is compared with its field's {@link RequestLimits} before the next one is read.
 */
final class StrictValues {

  private StrictValues() {}

  /** Thrown for a value that is not accepted; the message is for users. */
  static final class BadValueException extends JsonMappingException {
    private static final long serialVersionUID = 1;

    private BadValueException(JsonParser in, String message) {
      super(in, message);
    }
  }

  /** The number of values that one request may still have. */
  static final class Count {
    private int left = RequestLimits.VALUES;

    private void one(JsonParser in) throws BadValueException {
      if (--left < 0) {
        throw new BadValueException(
            in,
            "a request has at most " + RequestLimits.VALUES + " values: send the jobs in several");
      }
    }
  }

  /** Returns a Jackson module that reads texts, lists of texts, numbers, booleans and jobs. */
  static SimpleModule module() {
    SimpleModule module = new SimpleModule("strict values");
    module.addDeserializer(JobRequest.class, new JobRequestDeserializer());
    module.addDeserializer(
        String.class, limited((in, to, field, most) -> text(in, to, field, most.text())));
    module.addDeserializer(List.class, limited(StrictValues::texts));
    module.addDeserializer(Integer.class, free((in, to, field, none) -> integer(in, field)));
    module.addDeserializer(
        Long.class,
        free(
            (in, to, field, none) ->
                number(in, field, "a whole number", JsonParser::getLongValue, false)));
    module.addDeserializer(Double.class, free((in, to, field, none) -> number(in, field)));
    module.addDeserializer(Boolean.class, free((in, to, field, none) -> flag(in, field)));
    return module;
  }

  private static <T> OfField<T> limited(ValueReading<T> reading) {
    return new OfField<>("", FieldLimit.NONE, true, reading);
  }

  private static <T> OfField<T> free(ValueReading<T> reading) {
    return new OfField<>("", FieldLimit.NONE, false, reading);
  }

  /** Returns the current value for a message, shortened. */
  static String got(JsonParser in) throws IOException {
    return switch (in.currentToken()) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "a list";
      case VALUE_NULL -> "null";
      case VALUE_STRING -> "the text " + ShortenedValues.quoted(in.getText());
      default -> ShortenedValues.quoted(in.getText());
    };
  }

  /** Returns the fault of a value that is not accepted. */
  static BadValueException bad(JsonParser in, String message) {
    return new BadValueException(in, message);
  }

  private static BadValueException tooLong(JsonParser in, String field, int most, String got) {
    return new BadValueException(in, field + " has at most " + most + " characters, got " + got);
  }

  /** Returns the current value, a text of at most {@code most} characters. */
  static String text(JsonParser in, DeserializationContext context, String field, int most)
      throws IOException {
    count(in, context);
    if (!in.hasToken(JsonToken.VALUE_STRING)) {
      throw new BadValueException(in, field + " must be a text, got " + got(in));
    }
    String text;
    try {
      text = in.getText();
    } catch (StreamConstraintsException huge) {
      throw tooLong(in, field, most, "more than " + FieldLimit.COMMAND);
    }
    checkLength(in, field, text, most);
    if (!UnicodeCheck.isWhole(text)) {
      throw new BadValueException(
          in, "half of a surrogate pair stands alone in a text: it has no UTF-8");
    }
    return text;
  }

  /** Returns the current value, a list of texts. */
  static List<String> texts(
      JsonParser in, DeserializationContext context, String field, FieldLimit limit)
      throws IOException {
    checkStart(in, JsonToken.START_ARRAY, field, "a list of texts");
    List<String> texts = new ArrayList<>();
    while (in.nextToken() != JsonToken.END_ARRAY) {
      checkItems(in, field, limit, texts.size() + 1);
      texts.add(text(in, context, field, limit.text()));
    }
    return texts;
  }

  /** Returns the current value, an object with texts as values. */
  static Map<String, String> map(
      JsonParser in, DeserializationContext context, String field, FieldLimit limit)
      throws IOException {
    checkStart(in, JsonToken.START_OBJECT, field, "an object of texts");
    Map<String, String> entries = new LinkedHashMap<>();
    for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      checkEntry(in, context, field, name, entries.size() + 1, limit);
      in.nextToken();
      entries.put(name, text(in, context, field + "." + name, limit.text()));
    }
    return entries;
  }

  /** Counts an entry of an object, and checks its number and its name. */
  static void checkEntry(
      JsonParser in,
      DeserializationContext context,
      String field,
      String name,
      int number,
      FieldLimit limit)
      throws BadValueException {
    count(in, context);
    checkItems(in, field, limit, number);
    checkLength(in, "each name in " + field, name, limit.name());
  }

  private static void checkItems(JsonParser in, String field, FieldLimit limit, int items)
      throws BadValueException {
    if (items > limit.items()) {
      throw new BadValueException(
          in, field + " has at most " + limit.items() + " entries, got more");
    }
  }

  /** Checks with what the current value begins. */
  static void checkStart(JsonParser in, JsonToken start, String field, String wanted)
      throws IOException {
    if (!in.hasToken(start)) {
      throw new BadValueException(in, field + " must be " + wanted + ", got " + got(in));
    }
  }

  /** Returns the current value, a whole number. */
  static Integer integer(JsonParser in, String field) throws IOException {
    return number(in, field, "a whole number", JsonParser::getIntValue, false);
  }

  /** Returns the current value, a number. */
  static Double number(JsonParser in, String field) throws IOException {
    return number(in, field, "a number", JsonParser::getDoubleValue, true);
  }

  private interface NumberParser<T> {
    T from(JsonParser in) throws IOException;
  }

  private static <T> T number(
      JsonParser in, String field, String wanted, NumberParser<T> read, boolean fractions)
      throws IOException {
    boolean whole = in.hasToken(JsonToken.VALUE_NUMBER_INT);
    if (whole || (fractions && in.hasToken(JsonToken.VALUE_NUMBER_FLOAT))) {
      try {
        return read.from(in);
      } catch (com.fasterxml.jackson.core.exc.InputCoercionException tooLarge) {
        throw new BadValueException(in, field + " is too large: " + got(in));
      }
    }
    throw new BadValueException(in, field + " must be " + wanted + ", got " + got(in));
  }

  /** Returns the current value, true or false. */
  static Boolean flag(JsonParser in, String field) throws IOException {
    if (in.hasToken(JsonToken.VALUE_TRUE) || in.hasToken(JsonToken.VALUE_FALSE)) {
      return in.getBooleanValue();
    }
    throw new BadValueException(in, field + " must be true or false, got " + got(in));
  }

  private static void checkLength(JsonParser in, String what, String text, int most)
      throws BadValueException {
    int length = text.length() <= most ? 0 : text.codePointCount(0, text.length());
    if (length > most) {
      throw tooLong(in, what, most, length + ": " + ShortenedValues.quoted(text));
    }
  }

  private static void count(JsonParser in, DeserializationContext context)
      throws BadValueException {
    if (context.getAttribute(Count.class) instanceof Count count) {
      count.one(in);
    }
  }

  /** Returns the current value of a field. */
  private interface ValueReading<T> {
    T read(JsonParser in, DeserializationContext context, String field, FieldLimit limit)
        throws IOException;
  }

  /** A deserializer that is specialised for each field of a record. */
  private static final class OfField<T> extends JsonDeserializer<T>
      implements ContextualDeserializer {
    private final String field;
    private final FieldLimit limit;
    private final boolean limited;
    private final ValueReading<T> reading;

    private OfField(String field, FieldLimit limit, boolean limited, ValueReading<T> reading) {
      this.field = field;
      this.limit = limit;
      this.limited = limited;
      this.reading = reading;
    }

    @Override
    public JsonDeserializer<?> createContextual(
        DeserializationContext context, BeanProperty property) {
      if (property == null) {
        return this;
      }
      Class<?> request = property.getMember().getDeclaringClass();
      String name = property.getName();
      FieldLimit its = limited ? RequestLimits.of(request, name) : limit;
      return new OfField<>(name, its, limited, reading);
    }

    @Override
    public T deserialize(JsonParser in, DeserializationContext context) throws IOException {
      return reading.read(in, context, field, limit);
    }
  }
}
