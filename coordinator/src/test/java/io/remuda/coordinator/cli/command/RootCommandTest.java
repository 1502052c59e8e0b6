package io.remuda.coordinator.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.settings.RemudaPaths;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RootCommandTest {
  private static final int USAGE = 2;
  private static final int FAILURE = 1;

  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final ByteArrayOutputStream complained = new ByteArrayOutputStream();

  @TempDir private Path folder;

  @BeforeEach
  void listen() {
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
    System.setProperty(RemudaPaths.HOME_PROPERTY, folder.toString());
  }

  @AfterEach
  void restore() {
    System.setOut(out);
    System.setErr(err);
    System.clearProperty(RemudaPaths.HOME_PROPERTY);
  }

  /** Returns the only line of the complaint. */
  private String complaint(int exitCode, String... arguments) throws IOException {
    assertEquals(exitCode, RootCommand.execute(arguments));
    assertEquals("", printed.toString(StandardCharsets.UTF_8));
    List<String> lines = complained.toString(StandardCharsets.UTF_8).lines().toList();
    assertEquals(1, lines.size(), lines.toString());
    assertTrue(lines.get(0).startsWith("remuda: "), lines.get(0));
    assertNothingStarted();
    return lines.get(0);
  }

  private void assertNothingStarted() throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      assertEquals(
          List.of(),
          tree.filter(path -> path.toString().contains("runs")).toList(),
          "a run has a folder");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--mnist-workers 1",
        "--mnist_workers 0",
        "--scipy_workers 0",
        "--size abc",
        "--mem lots",
        "--epochs 1.5",
        "--gamma fast",
        "--unknown 7",
        "--nodes 99",
        "--interval 0"
      })
  void bad_usage_is_one_line_that_names_the_value_and_status_2(String line) throws IOException {
    String[] arguments = line.split(" ");
    String complaint = complaint(USAGE, arguments);
    assertTrue(complaint.contains(arguments[1]) || complaint.contains(arguments[0]), complaint);
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(), files.toList(), "nothing is written for a usage error");
    }
  }

  @Test
  void an_unknown_option_is_named() throws IOException {
    assertTrue(complaint(USAGE, "--mnist-worker", "2").contains("--mnist-worker"));
  }

  @Test
  void a_missing_value_is_named() throws IOException {
    assertTrue(complaint(USAGE, "--epochs").contains("--epochs"));
  }

  @Test
  void a_data_folder_without_good_files_is_a_failure_that_names_it() throws IOException {
    String complaint = complaint(FAILURE, "--data-dir", folder.resolve("none").toString());
    assertTrue(complaint.contains(folder.resolve("none").toString()), complaint);
  }

  @Test
  void a_port_that_is_taken_is_a_failure_that_names_it() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      assertTrue(complaint(FAILURE, "--listen", "127.0.0.1:" + port).contains(port));
    }
  }

  @Test
  void simulated_gpus_that_nobody_knows_are_a_failure_that_names_them() throws IOException {
    assertTrue(complaint(USAGE, "--simulate-gpus", "abacus:8").contains("abacus"));
  }

  @Test
  void a_place_to_listen_of_another_form_is_named() throws IOException {
    assertTrue(complaint(USAGE, "--listen", "::1").contains("'::1'"));
  }

  @Test
  void without_any_option_there_is_help_and_nothing_runs() {
    assertEquals(0, RootCommand.execute(new String[0]));
    String help = printed.toString(StandardCharsets.UTF_8);
    assertTrue(help.startsWith("Usage: remuda "), help);
  }

  private String printedBy(String... arguments) {
    printed.reset();
    assertEquals(0, RootCommand.execute(arguments));
    return printed.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"submit", "state", "user", "user add"})
  void help_of_a_command_is_what_the_command_says_of_itself(String command) {
    assertEquals(
        printedBy((command + " --help").split(" ")), printedBy(("help " + command).split(" ")));
  }

  @Test
  void help_knows_the_program_too_and_the_agent() {
    assertEquals(printedBy("--help"), printedBy("help"));
    String agent = printedBy("help", "agent");
    assertTrue(agent.startsWith("Usage: remuda agent "), agent);
    assertTrue(printedBy("help").contains("state, list, ls, queue, ps, status"));
  }

  @Test
  void help_knows_the_fields_of_job_files_and_schema_prints_their_schema() {
    assertTrue(printedBy("help", "job-file").startsWith("A job file is YAML or JSON:"));
    assertTrue(printedBy("schema", "job").contains("\"title\": \"Jobs for remuda submit\""));
    assertTrue(printedBy("submit", "--help").contains("help job-file"));
  }

  @Test
  void the_options_of_the_ensemble_are_checked_behind_its_name_too() {
    assertEquals(2, RootCommand.execute(new String[] {"ensemble", "--mnist-workers", "-1"}));
    assertEquals(2, RootCommand.execute(new String[] {"ensemble", "--no-such"}));
  }

  @Test
  void help_has_every_option_with_dash_and_underscore() {
    assertEquals(0, RootCommand.execute(new String[] {"--help"}));
    String help = printed.toString(StandardCharsets.UTF_8);
    for (String option :
        List.of(
            "--scipy-workers",
            "--scipy_workers",
            "--mnist-workers",
            "--mnist_workers",
            "--bars",
            "--no-cuda",
            "--size",
            "--mem",
            "--batch-size",
            "--test-batch-size",
            "--epochs",
            "--gamma",
            "--seed",
            "SciPy and MNIST test with telemetry",
            "ensemble")) {
      assertTrue(help.contains(option), option + " is not in " + help);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--help", "help"})
  void its_help_lists_each_command_with_one_sentence(String words) {
    assertEquals(0, RootCommand.execute(words.isEmpty() ? new String[0] : new String[] {words}));
    String help = printed.toString(StandardCharsets.UTF_8);
    assertTrue(help.startsWith("Usage: remuda COMMAND [OPTIONS] [ARGUMENTS]\n"), help);
    assertTrue(
        help.contains("\n  show                        Shows jobs with their tasks\n"), help);
    assertTrue(help.contains("\n  stop                        Ends the server\n"), help);
  }

  private static String printed(String... words) {
    StringWriter out = new StringWriter();
    RootCommand.line().setOut(new PrintWriter(out, true)).execute(words);
    return out.toString();
  }

  @Test
  void help_prints_of_each_command_what_its_own_option_prints() {
    for (String name : CommandList.names()) {
      assertEquals(printed(name, "--help"), printed("help", name), name);
      assertTrue(printed("help", name).contains("Usage: remuda " + name), name);
    }
  }
}
