package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.cli.command.RootCommand;
import io.remuda.coordinator.cli.server.WithComplaints;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said before a server is asked; there is none here. */
class SubmitCommandTest extends WithComplaints {
  private void assertComplaint(int exitCode, String start, String... arguments) {
    assertEquals(exitCode, RootCommand.execute(arguments));
    String complaint = complaint();
    assertTrue(complaint.startsWith(start), complaint);
  }

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("jobs.yaml"), text).toString();
  }

  @Test
  void a_fault_of_a_file_is_told_as_compilers_do_without_asking_a_server() throws IOException {
    String file = file("shell: x\ncpus: many");
    assertComplaint(2, file + ":2:7: cpus must be a number", "submit", file);
  }

  @Test
  void a_file_that_is_not_there_is_bad_usage() {
    String missing = folder.resolve("none").toString();
    assertComplaint(2, missing + ": no such file", "submit", "--file", missing);
  }

  @Test
  void a_good_file_wants_a_server() throws IOException {
    assertComplaint(3, "remuda: no server", "submit", file("shell: x"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--cpus=2", "--hold", "--env=A=b", "--file=other.yaml"})
  void beside_a_file_nothing_is_said_of_a_job(String option) throws IOException {
    assertComplaint(2, "remuda: a job file cannot be", "submit", option, file("shell: x"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--gang-failure=ignore", "--mixed"})
  void what_is_of_gangs_wants_a_gang(String option) {
    assertComplaint(
        2, "remuda: --gang-failure and --mixed require --gang", "submit", option, "true");
  }

  @Test
  void a_job_starts_after_all_of_its_jobs_or_after_one_of_them() {
    String fault = "remuda: --after and --after-one-of exclude each other: a job waits for";
    assertComplaint(2, fault, "submit", "--after=1", "--after-one-of=2,3", "true");
    assertComplaint(2, fault, "submit", "--after-each=1", "--after-one-of=2,3", "true");
  }

  @Test
  void roles_that_all_have_commands_need_no_other() throws IOException {
    String own = "gang: {roles: {A: {shell: x}, B: {argv: [y]}}}";
    assertComplaint(3, "remuda: no server", "submit", file(own));
  }

  @Test
  void a_role_without_a_command_needs_that_of_its_job() throws IOException {
    String one = file("gang: {roles: {A: {shell: x}, B: {cpus: 1}}}");
    assertComplaint(2, one + ":1:1: give the command", "submit", one);
  }

  @Test
  void after_two_dashes_a_file_is_a_program() throws IOException {
    assertComplaint(3, "remuda: no server", "submit", "--", file("no: job"));
  }

  @Test
  void an_option_behind_a_whole_line_for_the_shell_is_refused() {
    assertComplaint(
        2,
        "remuda: --array stands behind the line for the shell: write options before --shell",
        "submit",
        "--shell",
        "for i in 1 2; do echo $i; done",
        "--array",
        "1-2");
  }
}
