package io.remuda.coordinator.jobfield;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What documents say of the fields of a job is written from their rows: the requests in the
 * description of the HTTP interface, the schema of job files, and a page. What only a schema says,
 * such as the pattern of a time, stands in {@code job-field-schemas.json}.
 */
class JobFieldDocumentsTest {
  private static final Path NOW = Path.of("target", "job-fields");
  private static final JsonMapper JSON = new JsonMapper();
  private static final Pattern OPTION = Pattern.compile("--[a-z]+(?:-[a-z]+)*");

  private static final Map<String, List<JobField<?>>> GROUPS = new LinkedHashMap<>();

  static {
    GROUPS.put("What runs, and how many tasks", WorkRows.ROWS.fields());
    GROUPS.put("Gangs: fields of `gang`", GangRows.ROWS.fields());
    GROUPS.put("What a task needs, and which node gets it", NeedsRows.ROWS.fields());
    GROUPS.put("When it starts and ends", TimeRows.ROWS.fields());
    GROUPS.put("Trainings", TrainingRows.ROWS.fields());
    GROUPS.put("Containers", ContainerRows.ROWS.fields());
    GROUPS.put("Where and when it may run, who is told", SubmissionRows.ROWS.fields());
    GROUPS.put("Sweeps", SweepRows.ROWS.fields());
    GROUPS.put("Standard streams", StreamRows.ROWS.fields());
  }

  /** Where a schema is read. */
  private enum Place {
    HTTP("#/components/schemas/GangRequest", "#/components/schemas/RoleRequest"),
    FILE("#/$defs/gang", "#/$defs/role");

    private final String gang;
    private final String role;

    Place(String gang, String role) {
      this.gang = gang;
      this.role = role;
    }
  }

  private static JsonNode more() throws IOException {
    return JSON.readTree(
        Files.readString(Path.of("src", "test", "resources", "job-field-schemas.json")));
  }

  private static void compare(Path path, String now) throws IOException {
    Path written = Files.createDirectories(NOW).resolve(path.getFileName());
    Files.writeString(written, now);
    assertEquals(
        Files.readString(path),
        now,
        () -> "if this is meant: cp coordinator/" + written + " coordinator/" + path);
  }

  /** Returns a document in which the properties of schemas are those of their tables. */
  private static String rewritten(String text, Place place, Map<String, FieldTable> tables)
      throws IOException {
    String now = text;
    for (Map.Entry<String, FieldTable> one : tables.entrySet()) {
      Matcher block =
          Pattern.compile(
                  "(?s)(\n( *)\""
                      + one.getKey()
                      + "\": \\{\n(?:(?!\n\\2\\}).)*?\n\\2  \"properties\": \\{\n)(.*?)(\n\\2  \\})")
              .matcher(now);
      assertTrue(block.find(), one.getKey());
      String indent = block.group(2) + "    ";
      List<String> lines = new ArrayList<>();
      for (JobField<?> field : one.getValue().fields()) {
        lines.add(indent + "\"" + field.name() + "\": " + line(property(field, place, one)));
      }
      now =
          now.substring(0, block.start(3))
              + String.join(",\n", lines)
              + now.substring(block.end(3));
    }
    return now;
  }

  private static String line(JsonNode node) {
    if (node.isObject()) {
      return node.properties().stream()
          .map(one -> "\"" + one.getKey() + "\": " + line(one.getValue()))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    if (node.isArray()) {
      List<String> items = new ArrayList<>();
      node.forEach(item -> items.add(line(item)));
      return "[" + String.join(", ", items) + "]";
    }
    return node.toString();
  }

  private static ObjectNode property(
      JobField<?> field, Place place, Map.Entry<String, FieldTable> of) throws IOException {
    ObjectNode schema = JSON.createObjectNode();
    schema.put("description", description(field));
    describe(schema, field, place);
    FieldDoc doc = field.doc();
    if (field.type() == JobField.Type.FLAG && doc.usual() == null) {
      schema.put("default", false);
    } else if (doc.usual() != null && !isOfJobInRole(field, of.getValue())) {
      schema.set(
          "default",
          field.type() == JobField.Type.TEXT
              ? JSON.getNodeFactory().textNode(doc.usual())
              : JSON.readTree(doc.usual()));
    }
    for (String key : List.of(field.name(), of.getKey() + "." + field.name())) {
      for (String where : List.of("both", place.name())) {
        more()
            .path(where)
            .path(key)
            .properties()
            .forEach(
                one -> {
                  if (one.getValue().isNull()) {
                    schema.remove(one.getKey());
                  } else {
                    schema.set(one.getKey(), one.getValue());
                  }
                });
      }
    }
    return schema;
  }

  /** Returns whether a role is as the job says if it does not say itself. */
  private static boolean isOfJobInRole(JobField<?> field, FieldTable table) {
    return table == FieldTable.ROLE && FieldTable.JOB.fields().contains(field);
  }

  private static void describe(ObjectNode schema, JobField<?> field, Place place) {
    FieldLimit limit = field.limit();
    FieldDoc doc = field.doc();
    switch (field.type()) {
      case TEXT -> {
        if (doc.words().isEmpty()) {
          text(schema, limit.text(), place);
        } else {
          doc.words().forEach(schema.putArray("enum")::add);
        }
      }
      case INTEGER, NUMBER -> {
        schema.put("type", field.type() == JobField.Type.INTEGER ? "integer" : "number");
        if (doc.least() == FieldDoc.ABOVE_ZERO) {
          schema.put("exclusiveMinimum", 0);
        } else {
          schema.set("minimum", bound(doc.least()));
        }
        if (doc.most() != Integer.MAX_VALUE) {
          schema.set("maximum", bound(doc.most()));
        }
      }
      case FLAG -> schema.put("type", "boolean");
      case TEXTS, LINES, ENTRIES -> {
        schema.put("type", "array").put("maxItems", limit.items());
        if (field.type() == JobField.Type.ENTRIES) {
          schema.putObject("items").put("maxLength", limit.text());
        } else {
          text(schema.putObject("items"), limit.text(), place);
        }
      }
      case MAP, ROLES -> {
        schema.put("type", "object").put("maxProperties", limit.items());
        schema.putObject("propertyNames").put("maxLength", limit.name());
        if (field.type() == JobField.Type.MAP) {
          text(schema.putObject("additionalProperties"), limit.text(), place);
        } else {
          schema.putObject("additionalProperties").put("$ref", place.role);
        }
      }
      case GANG -> {
        schema.putArray("oneOf").addObject().put("type", "boolean");
        schema.withArray("oneOf").addObject().put("$ref", place.gang);
      }
    }
  }

  private static void text(ObjectNode schema, int characters, Place place) {
    if (place == Place.HTTP) {
      schema.put("type", "string");
    } else {
      schema.put("$ref", "#/$defs/text");
    }
    schema.put("maxLength", characters);
  }

  /** Returns what a field does: the help of its option, with names of fields, unless it says. */
  private static String description(JobField<?> field) {
    if (field.doc().says() != null) {
      return field.doc().says();
    }
    String help = field.options().get(0).help().replace("%%", "%");
    if (field.doc().usual() != null) {
      help = help.replaceFirst(" \\(default: [^)]*\\)| \\((30s|TERM|1m|1000|default)\\)", "");
    }
    help = help.replaceFirst("[;,] (?:it )?may be repeated", "");
    String words = OPTION.matcher(help).replaceAll(option -> nameOf(option.group()));
    return words.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + words.substring(1) + ".";
  }

  private static String nameOf(String option) {
    return Stream.of(FieldTable.JOB, FieldTable.GANG)
        .flatMap(table -> table.fields().stream())
        .filter(
            field ->
                !field.options().isEmpty()
                    && field.options().get(0).whole()
                    && field.options().get(0).name().equals(option))
        .map(JobField::name)
        .findFirst()
        .orElse(option);
  }

  @Test
  void the_requests_of_the_HTTP_interface() throws IOException {
    Path path = Path.of("src", "main", "resources", "openapi.json");
    Map<String, FieldTable> tables = new LinkedHashMap<>();
    tables.put("GangRequest", FieldTable.GANG);
    tables.put("RoleRequest", FieldTable.ROLE);
    tables.put("JobRequest", FieldTable.JOB);
    compare(path, rewritten(Files.readString(path), Place.HTTP, tables));
  }

  @Test
  void the_schema_of_job_files() throws IOException {
    Path path = Path.of("..", "docs", "job-file.schema.json");
    Map<String, FieldTable> tables = new LinkedHashMap<>();
    tables.put("job", FieldTable.JOB);
    tables.put("gang", FieldTable.GANG);
    tables.put("role", FieldTable.ROLE);
    compare(path, rewritten(Files.readString(path), Place.FILE, tables));
  }

  @Test
  void the_page() throws IOException {
    Path path = Path.of("..", "docs", "job-fields.md");
    String text = Files.readString(path);
    StringBuilder page = new StringBuilder(text.substring(0, text.indexOf("\n## ") + 1));
    GROUPS.forEach(
        (title, fields) -> {
          page.append("## ").append(title).append("\n\n");
          page.append("| field | option | value | default | changes | since | |\n");
          page.append("|---|---|---|---|---|---|---|\n");
          fields.forEach(field -> page.append(row(field)));
          page.append('\n');
        });
    page.append("## Roles: fields of each role of `gang.roles`\n\n");
    page.append(
        "A role has these fields of the job, where it differs: "
            + FieldTable.ROLE.fields().stream()
                .filter(field -> FieldTable.JOB.fields().contains(field))
                .map(field -> "`" + field.name() + "`")
                .collect(Collectors.joining(", "))
            + ". `count` is the number of its members. And of its own:\n\n");
    page.append("| field | option | value | default | changes | since | |\n");
    page.append("|---|---|---|---|---|---|---|\n");
    FieldTable.ROLE.fields().stream()
        .filter(field -> !FieldTable.JOB.fields().contains(field))
        .forEach(field -> page.append(row(field)));
    compare(path, page.toString());
  }

  private static String row(JobField<?> field) {
    String options =
        field.options().stream()
            .map(option -> "`" + String.join("`, `", option.names()) + "`")
            .collect(Collectors.joining(", "));
    String usual = field.doc().usual();
    return "| "
        + String.join(
            " | ",
            "`" + field.name() + "`",
            options,
            value(field),
            usual == null ? "" : "`" + usual + "`",
            changes(field),
            field.doc().since(),
            description(field).replace("|", "\\|"))
        + " |\n";
  }

  private static String changes(JobField<?> field) {
    String how = field.set() == null ? "" : ", `remuda set`";
    return switch (field.changes()) {
      case NEVER -> "no";
      case WAITING -> "while all its tasks wait" + how;
      case ALWAYS -> "yes" + how;
    };
  }

  private static String value(JobField<?> field) {
    FieldLimit limit = field.limit();
    FieldDoc doc = field.doc();
    return switch (field.type()) {
      case TEXT ->
          doc.words().isEmpty()
              ? "text, " + number(limit.text()) + " characters"
              : doc.words().stream()
                  .map(word -> "`" + word + "`")
                  .collect(Collectors.joining(", "));
      case INTEGER -> "whole number" + bounds(doc);
      case NUMBER -> "number" + bounds(doc);
      case FLAG -> "true or false";
      case TEXTS, LINES ->
          "list of "
              + number(limit.items())
              + " texts, each "
              + number(limit.text())
              + " characters";
      case ENTRIES -> "list of " + number(limit.items()) + " values";
      case MAP -> "map of " + number(limit.items()) + " texts, each " + number(limit.text());
      case GANG -> "true, false or a map";
      case ROLES -> "map of " + number(limit.items()) + " roles";
    };
  }

  private static String bounds(FieldDoc doc) {
    String least = doc.least() == FieldDoc.ABOVE_ZERO ? "above 0" : number(doc.least());
    return doc.most() == Integer.MAX_VALUE
        ? ", " + least + (doc.least() == FieldDoc.ABOVE_ZERO ? "" : " or more")
        : ", " + least + " to " + number(doc.most());
  }

  private static String number(double number) {
    return isWhole(number)
        ? String.format(Locale.ROOT, "%,d", (long) number)
        : Double.toString(number);
  }

  private static ValueNode bound(double number) {
    return isWhole(number) ? LongNode.valueOf((long) number) : DoubleNode.valueOf(number);
  }

  private static boolean isWhole(double number) {
    return number == Math.rint(number);
  }
}
