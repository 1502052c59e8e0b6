package io.remuda.coordinator.cli.jobfile;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * As much of JSON Schema 2020-12 as our schema uses. A keyword that it does not know is an error,
 * so that nothing is left unchecked in silence.
 */
public final class SchemaCheck {
  private static final Set<String> NOTES =
      Set.of("$schema", "$defs", "title", "description", "default");

  private final JsonNode root;

  public SchemaCheck(JsonNode root) {
    this.root = root;
  }

  /** What is wrong with a value; empty if it is valid. */
  public List<String> faults(JsonNode value) {
    return faults(root, value, "");
  }

  private List<String> faults(JsonNode schema, JsonNode value, String at) {
    List<String> faults = new ArrayList<>();
    for (Map.Entry<String, JsonNode> rule : schema.properties()) {
      if (!NOTES.contains(rule.getKey())) {
        check(schema, rule.getKey(), rule.getValue(), value, at, faults);
      }
    }
    return faults;
  }

  private void check(
      JsonNode schema,
      String keyword,
      JsonNode rule,
      JsonNode value,
      String at,
      List<String> faults) {
    boolean good =
        switch (keyword) {
          case "$ref" -> add(faults, faults(root.at(rule.asText().substring(1)), value, at));
          case "oneOf" -> count(rule, value, at) == 1;
          case "not" -> !faults(rule, value, at).isEmpty();
          case "minProperties" -> !value.isObject() || value.size() >= rule.asInt();
          case "type" -> isOfType(rule, value);
          case "enum" -> contains(rule, value);
          case "required" -> !value.isObject() || has(rule, value);
          case "properties" -> !value.isObject() || properties(rule, value, at, faults);
          case "additionalProperties" ->
              !value.isObject() || others(schema, rule, value, at, faults);
          case "propertyNames" -> !value.isObject() || names(rule, value, at, faults);
          case "items" -> !value.isArray() || items(rule, value, at, faults);
          case "minItems" -> !value.isArray() || value.size() >= rule.asInt();
          case "maxItems" -> !value.isArray() || value.size() <= rule.asInt();
          case "maxProperties" -> !value.isObject() || value.size() <= rule.asInt();
          case "minLength" -> !value.isTextual() || length(value) >= rule.asInt();
          case "maxLength" -> !value.isTextual() || length(value) <= rule.asInt();
          case "pattern" -> !value.isTextual() || matches(rule, value);
          case "exclusiveMinimum" -> !value.isNumber() || number(value).compareTo(number(rule)) > 0;
          case "minimum" -> !value.isNumber() || number(value).compareTo(number(rule)) >= 0;
          case "maximum" -> !value.isNumber() || number(value).compareTo(number(rule)) <= 0;
          default -> throw new AssertionError("the check knows no " + keyword);
        };
    if (!good) {
      faults.add(at + ": " + keyword + " " + rule + ", got " + value);
    }
  }

  private static boolean add(List<String> faults, List<String> more) {
    faults.addAll(more);
    return true;
  }

  private int count(JsonNode schemas, JsonNode value, String at) {
    int valid = 0;
    for (JsonNode schema : schemas) {
      valid += faults(schema, value, at).isEmpty() ? 1 : 0;
    }
    return valid;
  }

  private static boolean isOfType(JsonNode rule, JsonNode value) {
    if (!rule.isArray()) {
      return isOfType(rule.asText(), value);
    }
    for (JsonNode one : rule) {
      if (isOfType(one.asText(), value)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOfType(String type, JsonNode value) {
    return switch (type) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isTextual();
      case "boolean" -> value.isBoolean();
      case "number" -> value.isNumber();
      case "integer" -> value.isNumber() && number(value).stripTrailingZeros().scale() <= 0;
      default -> throw new AssertionError("the check knows no type " + type);
    };
  }

  private static BigDecimal number(JsonNode value) {
    return value.decimalValue();
  }

  private static boolean contains(JsonNode rule, JsonNode value) {
    for (JsonNode one : rule) {
      if (one.equals(value)) {
        return true;
      }
    }
    return false;
  }

  private static boolean has(JsonNode rule, JsonNode value) {
    for (JsonNode name : rule) {
      if (!value.has(name.asText())) {
        return false;
      }
    }
    return true;
  }

  private boolean properties(JsonNode rule, JsonNode value, String at, List<String> faults) {
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      if (rule.has(field.getKey())) {
        faults.addAll(
            faults(rule.get(field.getKey()), field.getValue(), at + "/" + field.getKey()));
      }
    }
    return true;
  }

  private boolean others(
      JsonNode schema, JsonNode rule, JsonNode value, String at, List<String> faults) {
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      if (!schema.path("properties").has(field.getKey())) {
        if (rule.isBoolean() && !rule.asBoolean()) {
          faults.add(at + ": there is no " + field.getKey());
        } else {
          faults.addAll(faults(rule, field.getValue(), at + "/" + field.getKey()));
        }
      }
    }
    return true;
  }

  private boolean names(JsonNode rule, JsonNode value, String at, List<String> faults) {
    Iterator<String> names = value.fieldNames();
    while (names.hasNext()) {
      faults.addAll(
          faults(rule, com.fasterxml.jackson.databind.node.TextNode.valueOf(names.next()), at));
    }
    return true;
  }

  private boolean items(JsonNode rule, JsonNode value, String at, List<String> faults) {
    for (int i = 0; i < value.size(); i++) {
      faults.addAll(faults(rule, value.get(i), at + "/" + i));
    }
    return true;
  }

  private static int length(JsonNode value) {
    return value.asText().codePointCount(0, value.asText().length());
  }

  private static boolean matches(JsonNode rule, JsonNode value) {
    return java.util.regex.Pattern.compile(rule.asText()).matcher(value.asText()).find();
  }
}
