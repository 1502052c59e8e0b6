package io.remuda.coordinator.rest.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.remuda.worker.job.sweep.CompactTextList;
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

  /** Returns a Jackson module that reads texts, lists and maps of texts, numbers and booleans. */
  static SimpleModule module() {
    SimpleModule module = new SimpleModule("strict values");
    module.addDeserializer(String.class, new Text("", new RequestLimits.FieldLimit(1, 0, 0)));
    module.addDeserializer(List.class, new TextList("", new RequestLimits.FieldLimit(0, 0, 0)));
    module.addDeserializer(CompactTextList.class, new TextLinesDeserializer());
    module.addDeserializer(Map.class, new TextMap("", new RequestLimits.FieldLimit(0, 0, 0)));
    module.addDeserializer(
        Integer.class, new Number<>("a whole number", JsonParser::getIntValue, false));
    module.addDeserializer(
        Long.class, new Number<>("a whole number", JsonParser::getLongValue, false));
    module.addDeserializer(
        Double.class, new Number<>("a number", JsonParser::getDoubleValue, true));
    module.addDeserializer(Boolean.class, new YesOrNo());
    return module;
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
  private static String text(JsonParser in, DeserializationContext context, String field, int most)
      throws IOException {
    count(in, context);
    if (!in.hasToken(JsonToken.VALUE_STRING)) {
      throw new BadValueException(in, field + " must be a text, got " + got(in));
    }
    String text;
    try {
      text = in.getText();
    } catch (StreamConstraintsException huge) {
      throw tooLong(in, field, most, "more than " + RequestLimits.COMMAND);
    }
    checkLength(in, field, text, most);
    if (!UnicodeCheck.isWhole(text)) {
      throw new BadValueException(
          in, "half of a surrogate pair stands alone in a text: it has no UTF-8");
    }
    return text;
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

  /** A deserializer that is specialised for each field. */
  private abstract static class OfField<T> extends JsonDeserializer<T>
      implements ContextualDeserializer {
    final String field;
    final RequestLimits.FieldLimit limit;

    OfField(String field, RequestLimits.FieldLimit limit) {
      this.field = field;
      this.limit = limit;
    }

    abstract JsonDeserializer<T> of(String name, RequestLimits.FieldLimit most);

    @Override
    public JsonDeserializer<?> createContextual(
        DeserializationContext context, BeanProperty property) {
      if (property == null) {
        return this;
      }
      Class<?> request = property.getMember().getDeclaringClass();
      return of(property.getName(), RequestLimits.of(request, property.getName()));
    }

    void checkItems(JsonParser in, int items) throws BadValueException {
      if (items > limit.items()) {
        throw new BadValueException(
            in, field + " has at most " + limit.items() + " entries, got more");
      }
    }

    void checkStart(JsonParser in, JsonToken start, String wanted) throws IOException {
      if (!in.hasToken(start)) {
        throw new BadValueException(in, field + " must be " + wanted + ", got " + got(in));
      }
    }
  }

  private static final class Text extends OfField<String> {
    Text(String field, RequestLimits.FieldLimit limit) {
      super(field, limit);
    }

    @Override
    JsonDeserializer<String> of(String name, RequestLimits.FieldLimit most) {
      return new Text(name, most);
    }

    @Override
    public String deserialize(JsonParser in, DeserializationContext context) throws IOException {
      return text(in, context, field, limit.text());
    }
  }

  /** A list of texts. */
  private static final class TextList extends OfField<List<String>> {
    TextList(String field, RequestLimits.FieldLimit limit) {
      super(field, limit);
    }

    @Override
    JsonDeserializer<List<String>> of(String name, RequestLimits.FieldLimit most) {
      return new TextList(name, most);
    }

    @Override
    public List<String> deserialize(JsonParser in, DeserializationContext context)
        throws IOException {
      checkStart(in, JsonToken.START_ARRAY, "a list of texts");
      List<String> texts = new ArrayList<>();
      while (in.nextToken() != JsonToken.END_ARRAY) {
        checkItems(in, texts.size() + 1);
        texts.add(text(in, context, field, limit.text()));
      }
      return texts;
    }
  }

  /** An object with texts as values. */
  private static final class TextMap extends OfField<Map<String, String>> {
    @Override
    public JsonDeserializer<?> createContextual(
        DeserializationContext context, BeanProperty property) {
      boolean texts =
          property == null || property.getType().getContentType().hasRawClass(String.class);
      return texts
          ? super.createContextual(context, property)
          : new RecordMap(
              property.getName(),
              RequestLimits.of(property.getMember().getDeclaringClass(), property.getName()),
              property.getType().getContentType());
    }

    TextMap(String field, RequestLimits.FieldLimit limit) {
      super(field, limit);
    }

    @Override
    JsonDeserializer<Map<String, String>> of(String name, RequestLimits.FieldLimit most) {
      return new TextMap(name, most);
    }

    @Override
    public Map<String, String> deserialize(JsonParser in, DeserializationContext context)
        throws IOException {
      checkStart(in, JsonToken.START_OBJECT, "an object of texts");
      Map<String, String> entries = new LinkedHashMap<>();
      for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
        count(in, context);
        checkItems(in, entries.size() + 1);
        checkLength(in, "each name in " + field, name, limit.name());
        in.nextToken();
        String where = field + "." + name;
        entries.put(name, text(in, context, where, limit.text()));
      }
      return entries;
    }
  }

  /** An object with objects as values. */
  private static final class RecordMap extends JsonDeserializer<Map<String, Object>> {
    private final String field;
    private final RequestLimits.FieldLimit limit;
    private final JavaType kind;

    RecordMap(String field, RequestLimits.FieldLimit limit, JavaType kind) {
      this.field = field;
      this.limit = limit;
      this.kind = kind;
    }

    @Override
    public Map<String, Object> deserialize(JsonParser in, DeserializationContext context)
        throws IOException {
      if (!in.hasToken(JsonToken.START_OBJECT)) {
        throw new BadValueException(in, field + " must be an object of objects, got " + got(in));
      }
      Map<String, Object> entries = new LinkedHashMap<>();
      for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
        count(in, context);
        if (entries.size() == limit.items()) {
          throw new BadValueException(
              in, field + " has at most " + limit.items() + " entries, got more");
        }
        checkLength(in, "each name in " + field, name, limit.name());
        if (in.nextToken() != JsonToken.START_OBJECT) {
          throw new BadValueException(
              in, field + "." + name + " must be an object, got " + got(in));
        }
        entries.put(name, context.findRootValueDeserializer(kind).deserialize(in, context));
      }
      return entries;
    }
  }

  /** Returns the current value as a number. */
  private interface NumberParser<T> {
    T from(JsonParser in) throws IOException;
  }

  private static final class Number<T> extends JsonDeserializer<T>
      implements ContextualDeserializer {
    private final String field;
    private final String wanted;
    private final NumberParser<T> read;
    private final boolean fractions;

    Number(String wanted, NumberParser<T> read, boolean fractions) {
      this("", wanted, read, fractions);
    }

    private Number(String field, String wanted, NumberParser<T> read, boolean fractions) {
      this.field = field;
      this.wanted = wanted;
      this.read = read;
      this.fractions = fractions;
    }

    @Override
    public JsonDeserializer<?> createContextual(
        DeserializationContext context, BeanProperty property) {
      return property == null ? this : new Number<>(property.getName(), wanted, read, fractions);
    }

    @Override
    public T deserialize(JsonParser in, DeserializationContext context) throws IOException {
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
  }

  private static final class YesOrNo extends JsonDeserializer<Boolean>
      implements ContextualDeserializer {
    private final String field;

    YesOrNo() {
      this("");
    }

    private YesOrNo(String field) {
      this.field = field;
    }

    @Override
    public JsonDeserializer<?> createContextual(
        DeserializationContext context, BeanProperty property) {
      return property == null ? this : new YesOrNo(property.getName());
    }

    @Override
    public Boolean deserialize(JsonParser in, DeserializationContext context) throws IOException {
      if (in.hasToken(JsonToken.VALUE_TRUE) || in.hasToken(JsonToken.VALUE_FALSE)) {
        return in.getBooleanValue();
      }
      throw new BadValueException(in, field + " must be true or false, got " + got(in));
    }
  }
}
