package io.remuda.coordinator.cli.jobfile;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.json.PlainJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;

/** The fields of job files for people, from the schema that editors read. */
public final class JobFileHelp {

  private static final String RESOURCE = "/job-file.schema.json";
  private static final int NAME_WIDTH = 18;

  private static final String BEGINNING =
      """
      A job file is YAML or JSON: one job, or several under jobs. All of them are
      accepted, or none. Submit it with: remuda submit -f FILE

      jobs:
        - name: prepare
          argv: [python, prepare.py]
        - name: train
          argv: [python, train.py, --lr, "0.1"]
          gpus: 1
          timeLimit: 6h
          after: [prepare]

      Fields of a job, of which argv or shell is required:

      """;

  private JobFileHelp() {}

  /**
   * Returns the JSON schema of job files.
   *
   * @throws IOException if this program is incomplete
   */
  public static String schema() throws IOException {
    try (InputStream in = JobFileHelp.class.getResourceAsStream(RESOURCE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /**
   * Returns an example and all fields, each with its meaning, default and choices.
   *
   * @param width columns of the text
   * @throws IOException if this program is incomplete
   */
  public static String text(int width) throws IOException {
    JsonNode defs = PlainJson.MAPPER.readTree(schema()).path("$defs");
    return BEGINNING
        + table(defs.path("job"), width)
        + "\nFields of gang, if it is a map:\n\n"
        + table(defs.path("gang"), width)
        + "\nFields of each of its roles, by their names:\n\n"
        + table(defs.path("role"), width)
        + "\nremuda schema job prints the JSON schema, by which editors check such files.\n";
  }

  private static String table(JsonNode type, int width) {
    TextTable table =
        TextTable.forColumns(
            Help.defaultColorScheme(Ansi.OFF),
            new Column(NAME_WIDTH, 2, Overflow.SPAN),
            new Column(width - NAME_WIDTH, 2, Overflow.WRAP));
    type.path("properties")
        .properties()
        .forEach(field -> table.addRowValues(field.getKey(), words(field.getValue())));
    return table.toString();
  }

  private static String words(JsonNode field) {
    StringBuilder words = new StringBuilder(field.path("description").asText());
    List<String> choices = new ArrayList<>();
    field.path("enum").forEach(choice -> choices.add(choice.asText()));
    if (!choices.isEmpty()) {
      words.append(" One of ").append(String.join(", ", choices)).append('.');
    }
    if (field.has("default")) {
      words.append(" Default: ").append(field.path("default").asText()).append('.');
    }
    return words.toString();
  }
}
