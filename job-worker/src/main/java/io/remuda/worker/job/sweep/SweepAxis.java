package io.remuda.worker.job.sweep;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;

/** One thing in which the tasks of a sweep differ, with its values in order. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "by")
@JsonSubTypes({
  @JsonSubTypes.Type(value = SweepAxis.Indices.class, name = "index"),
  @JsonSubTypes.Type(value = SweepAxis.Lines.class, name = "line"),
  @JsonSubTypes.Type(value = SweepAxis.Entries.class, name = "entry"),
  @JsonSubTypes.Type(value = SweepAxis.Parameter.class, name = "parameter")
})
public sealed interface SweepAxis {

  /** Beginning of the variable of a parameter. */
  String PREFIX = "REMUDA_PARAM_";

  /** The variable with the index that the user has given. */
  String INDEX = "REMUDA_ARRAY_INDEX";

  /** Returns what its values are, in a word. */
  String by();

  /** Returns the number of values, at least 1. */
  @JsonIgnore
  int size();

  /** Returns about how many bytes it takes in memory. */
  @JsonIgnore
  long bytes();

  /** Adds what stands for one of its values, from 0, in texts and in the environment. */
  void add(int value, Map<String, String> values, Map<String, String> variables);

  /**
   * Returns the variable of a parameter: upper case, with {@code _} for all but letters and digits.
   */
  static String variable(String name) {
    return PREFIX + name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
  }

  /** Indices that the user has given. */
  record Indices(IndexRanges indices) implements SweepAxis {
    /** What stands for the index in braces. */
    public static final String NAME = "index";

    private static final int RANGE = 40;

    @Override
    public String by() {
      return "index";
    }

    @Override
    public int size() {
      return indices.size();
    }

    @Override
    public long bytes() {
      return (long) RANGE * indices.parts();
    }

    @Override
    public void add(int value, Map<String, String> values, Map<String, String> variables) {
      String index = Integer.toString(indices.get(value));
      values.put(NAME, index);
      variables.put(INDEX, index);
    }
  }

  /** The lines of a file. */
  record Lines(CompactTextList lines) implements SweepAxis {
    /** What stands for the line in braces. */
    public static final String NAME = "line";

    @Override
    public String by() {
      return "line";
    }

    @Override
    public int size() {
      return lines.size();
    }

    @Override
    public long bytes() {
      return lines.bytes();
    }

    @Override
    public void add(int value, Map<String, String> values, Map<String, String> variables) {
      String line = lines.get(value);
      values.put(NAME, line);
      variables.put("REMUDA_LINE", line);
    }
  }

  /** The values of a list in JSON, each in a line. The fields of an object are parameters, too. */
  record Entries(CompactTextList entries) implements SweepAxis {
    /** What stands for the whole entry in braces. */
    public static final String NAME = "entry";

    private static final ObjectReader READER =
        JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES) // 0.10 stays 0.10
            .build()
            .reader();

    @Override
    public String by() {
      return "entry";
    }

    @Override
    public int size() {
      return entries.size();
    }

    @Override
    public long bytes() {
      return entries.bytes();
    }

    @Override
    public void add(int value, Map<String, String> values, Map<String, String> variables) {
      JsonNode entry = entry(value);
      String whole = entry.isTextual() ? entry.textValue() : entries.get(value);
      values.put(NAME, whole);
      variables.put("REMUDA_ENTRY", whole);
      for (Iterator<Map.Entry<String, JsonNode>> fields = entry.fields(); fields.hasNext(); ) {
        Map.Entry<String, JsonNode> field = fields.next();
        values.put(field.getKey(), text(field.getValue()));
        variables.put(variable(field.getKey()), text(field.getValue()));
      }
    }

    /** Returns an entry, from 0. */
    public JsonNode entry(int value) {
      try {
        return READER.readTree(entries.get(value));
      } catch (JsonProcessingException noJson) {
        throw new IllegalStateException("an entry is not JSON: " + entries.get(value), noJson);
      }
    }

    /** Returns a text without quotes, and any other value as JSON. */
    private static String text(JsonNode value) {
      return value.isTextual() ? value.textValue() : value.toString();
    }
  }

  /** A parameter with a name. */
  record Parameter(String name, CompactTextList values) implements SweepAxis {
    @Override
    public String by() {
      return "parameter";
    }

    @Override
    public int size() {
      return values.size();
    }

    @Override
    public long bytes() {
      return values.bytes();
    }

    @Override
    public void add(int value, Map<String, String> texts, Map<String, String> variables) {
      texts.put(name, values.get(value));
      variables.put(variable(name), values.get(value));
    }
  }
}
