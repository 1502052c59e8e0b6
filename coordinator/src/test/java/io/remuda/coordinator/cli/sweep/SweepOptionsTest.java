package io.remuda.coordinator.cli.sweep;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.coordinator.cli.option.FieldOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The options of sweeps and the files that they name. */
class SweepOptionsTest {
  @TempDir Path folder;

  /** A command with these options alone. */
  @CommandLine.Command
  static final class OnlySweep {
    private final FieldOptions given = FieldOptions.ofJob();
    @CommandLine.Mixin private final CommandSpec fields = given.mixin();
    private final SweepOptions sweep = new SweepOptions(given);
  }

  private static SweepOptions parsed(String... args) {
    OnlySweep command = new OnlySweep();
    new CommandLine(command).parseArgs(args);
    return command.sweep;
  }

  private static String fault(String... args) {
    return assertThrows(ParameterException.class, () -> parsed(args).fields()).getMessage();
  }

  private String file(String content) throws Exception {
    return Files.writeString(folder.resolve("file"), content).toString();
  }

  @Test
  void options_are_fields_of_the_same_meaning() {
    assertEquals(
        Map.of("params", Map.of("lr", "0.1,0.2")),
        parsed("--array", "1-3", "--param", "lr=0.1,0.2", "--max-fails", "2", "--first").fields());
    assertEquals(Map.of(), parsed().fields());
  }

  @Test
  void names_in_braces_of_what_all_tasks_have_stay_and_that_is_said() {
    SweepOptions sweep = parsed("--param", "lr=1,2", "--param", "seed=1..3");
    assertEquals(
        Optional.of("the name is that of all tasks: {lr} stays as it is"),
        sweep.kept("name", "lr{lr}{x}"));
    assertEquals(
        Optional.of("the folder is that of all tasks: {lr}, {seed} stay as they are"),
        sweep.kept("folder", "/r/{seed}/{lr}"));
    assertEquals(Optional.empty(), sweep.kept("name", null));
    assertEquals(Optional.empty(), sweep.kept("name", "{x}lr"));
    assertEquals(Optional.empty(), parsed().kept("name", "{lr}"));
  }

  @Test
  void words_in_braces_that_are_probably_misspelt_names_are_told() throws Exception {
    SweepOptions params = parsed("--param", "lr=1,2", "--param", "seed=1..3");
    assertEquals(
        Optional.of("{sede} stays as it is: this sweep has {lr}, {seed}"),
        params.unknown(List.of("train", "{lr}", "--seed={sede}")));
    assertEquals(
        Optional.of("{a}, {b} stay as they are: this sweep has {lr}, {seed}"),
        params.unknown(List.of("train", "{a}", "{b}")));
    assertEquals(Optional.empty(), params.unknown(List.of("awk", "{print}", "{lr}")));
    assertEquals(
        Optional.of("{indx} stays as it is: this sweep has {index}"),
        parsed("--array", "1-3").unknown(List.of("echo", "{indx}")));
    assertEquals(Optional.empty(), parsed("--array", "1-3").unknown(List.of("awk", "{print}")));
    assertEquals(Optional.empty(), parsed().unknown(List.of("echo", "{indx}")));
  }

  @Test
  void a_file_has_a_line_for_each_task() throws Exception {
    assertEquals(
        List.of("a b", "", "c"),
        parsed("--each-line", file("a b\n\r\nc\r\n")).fields().get("lines"));
    assertEquals(List.of("a"), parsed("--each-line", file("a")).fields().get("lines"));
  }

  @Test
  void numbers_of_a_json_file_are_passed_on_as_they_are_written() throws Exception {
    assertEquals(
        "[{\"lr\":0.10}, \"a\", [1,null]]",
        parsed("--from-json", file("[{\"lr\": 0.10}, \"a\", [1, null]]"))
            .fields()
            .get("entries")
            .toString());
  }

  @Test
  void values_of_json_lines_are_entries_as_those_of_a_list() throws Exception {
    for (String content : List.of("{\"a\":1}\n[2]\n\n\"c\"\n", "[{\"a\":1},[2],\"c\"]")) {
      assertEquals(
          "[{\"a\":1}, [2], \"c\"]",
          parsed("--from-json", file(content)).fields().get("entries").toString());
    }
    assertEquals(
        "[[1], [2]]", parsed("--from-json", file("[1]\n[2]")).fields().get("entries").toString());
    assertEquals(
        "[{\"a\":1}]",
        parsed("--from-json", file("{\"a\":1}\n")).fields().get("entries").toString());
  }

  @Test
  void rows_of_a_table_are_entries_with_the_columns_as_fields() throws Exception {
    assertEquals(
        "[{\"lr\":\"0.10\",\"name\":\"a, b\"}, {\"lr\":\"0.2\",\"name\":\"\"}]",
        parsed("--from-csv", file("\uFEFFlr, name\r\n0.10,\"a, b\"\r\n\r\n0.2,\r\n"))
            .fields()
            .get("entries")
            .toString());
  }

  @Test
  void what_is_no_table_is_refused() throws Exception {
    Map.of(
            "lr,name\n0.1,a\n0.2\n",
            "a row has a value for each column of the first row: see line 3",
            "lr\n0.1,a\n",
            "a row has a value for each column of the first row: see line 2",
            "lr,name\n",
            "it has no row below the names of its columns",
            "0.1,32\n0.2,64\n",
            "its first row has the names of the columns, which begin with a letter, got '0.1'",
            "lr,,x\n1,2,3\n",
            "its first row has the names of the columns, which begin with a letter, got ''",
            "lr,lr\n1,2\n",
            "two columns are named 'lr'",
            "\n",
            "it is empty: its first row has the names of the columns")
        .forEach(
            (content, words) -> {
              String file = assertDoesNotThrow(() -> file(content));
              assertEquals("--from-csv " + file + ": " + words, fault("--from-csv", file));
            });
    assertEquals(
        "--from-csv and --from-json exclude each other: give one of them",
        fault("--from-csv", "a", "--from-json", "b"));
  }

  @Test
  void faults_of_json_have_a_place_and_our_words() throws Exception {
    Map.of(
            "{\"a\": 1}\n{\"a\": x}\n",
            "it is not JSON in line 2, column 7: x}",
            "[1, 2]]",
            "it is not JSON in line 1, column 7: ]",
            "1\n[1, 2",
            "it ends within a value, in line 2, column 6",
            "[".repeat(1001),
            "a value is nested too deep, or a number too long, in line 1, column 1002")
        .forEach(
            (content, words) -> {
              try {
                String file = file(content);
                assertEquals("--from-json " + file + ": " + words, fault("--from-json", file));
              } catch (Exception impossible) {
                throw new AssertionError(impossible);
              }
            });
  }

  @Test
  void what_is_inherited_is_not_filled() throws Exception {
    SweepOptions sweep = parsed("--param", "lr=1", "--from-json", file("[{\"x\": 1}]"));
    assertEquals(
        Map.of("A", "{{lr}} {y}", "B", "{{entry}}{{x}}"),
        sweep.kept(Map.of("A", "{lr} {y}", "B", "{entry}{x}")));
    assertEquals(Map.of("A", "{lr}"), parsed().kept(Map.of("A", "{lr}")));
  }

  @Test
  void faults_name_the_option_the_file_and_what_to_do() throws Exception {
    String missing = folder.resolve("missing").toString();
    assertEquals(
        "--each-line " + missing + " cannot be read: there is no such file",
        fault("--each-line", missing));
    String empty = file("");
    assertEquals(
        "--each-line " + empty + ": it is empty, so the job would have no task",
        fault("--each-line", empty));
    for (String none : List.of("", "[]", "\n")) {
      assertEquals(
          "--from-json "
              + file(none)
              + ": it must have a value for each task: a list, as [{\"lr\": 0.1}], or a value on"
              + " each line",
          fault("--from-json", file(none)));
    }
    assertEquals(
        "--param is NAME=VALUES, as lr=0.1,0.2 or seed=1..5, got 'lr'", fault("--param", "lr"));
    assertEquals(
        "--param lr is given twice: write all its values in one",
        fault("--param", "lr=1", "--param", "lr=2"));
    for (String entries : List.of("--from-json", "--from-csv")) {
      assertEquals(
          "two options cannot both read stdin: give one of them a file",
          fault("--each-line", "-", entries, "-"));
    }
  }
}
