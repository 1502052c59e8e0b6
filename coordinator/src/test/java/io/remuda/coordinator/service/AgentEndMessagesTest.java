package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentEndMessagesTest {

  private static final int FAILURE = 1;
  private static final int KILLED = 128 + 9;
  private static final int TERMINATED = 128 + 15;

  @TempDir private Path folder;
  private Path log;
  private AgentEndMessages ends;

  @BeforeEach
  void open() {
    log = folder.resolve("agent.log");
    ends = new AgentEndMessages(log);
  }

  private Optional<String> lifeOf(String output, int exitCode) throws IOException {
    ends.begins();
    Files.writeString(log, output, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    return ends.ended(exitCode, 500);
  }

  @Test
  void the_word_has_the_last_line_and_the_file() throws IOException {
    String word = lifeOf("NOTE: x\nnode-agent: no GPU model 'foo'\n\tat Y\n\n", FAILURE).get();
    assertTrue(word.contains("exit code 1: node-agent: no GPU model 'foo' (see " + log), word);
  }

  @Test
  void a_cause_is_told_once_whatever_its_time_and_another_one_too() throws IOException {
    assertTrue(lifeOf("10:00:00.123 no memory\n", FAILURE).isPresent());
    assertEquals(Optional.empty(), lifeOf("10:00:01.456 no memory\n", FAILURE));
    assertTrue(lifeOf("10:00:02.789 no disk\n", FAILURE).isPresent());
    assertEquals(Optional.empty(), lifeOf("10:00:03.001 no memory\n", FAILURE));
    assertTrue(lifeOf("", KILLED).isPresent());
    assertTrue(lifeOf("", TERMINATED).isPresent());
  }

  @Test
  void what_an_agent_before_it_has_said_is_not_its_cause() throws IOException {
    lifeOf("no memory\n", FAILURE);
    String word = lifeOf("", FAILURE).get();
    assertTrue(word.contains("exit code 1: it printed nothing"), word);
  }

  @Test
  void of_one_that_was_killed_the_signal_is_told_and_not_what_it_said_last() throws IOException {
    String word = lifeOf("node n1 has joined\n", KILLED).get();
    assertTrue(word.contains("signal 9"), word);
    assertFalse(word.contains("joined"), word);
  }

  @Test
  void the_last_line_of_a_long_log_is_found() throws IOException {
    String word = lifeOf("a line\n".repeat(100_000) + "no memory\n", FAILURE).get();
    assertTrue(word.contains("exit code 1: no memory (see"), word);
  }

  @Test
  void nothing_is_said_of_one_that_was_told_to_end() throws IOException {
    assertEquals(Optional.empty(), lifeOf("the run ends\n", 0));
  }

  @Test
  void one_that_does_not_stay_up_is_told_once_until_it_has() {
    ends.ended(FAILURE, 500);
    String word = ends.ended(FAILURE, AgentEndMessages.LONG_MILLIS).get();
    assertTrue(word.contains("does not stay up: it is started again in 8 s"), word);
    assertEquals(Optional.empty(), ends.ended(FAILURE, 2 * AgentEndMessages.LONG_MILLIS));
    ends.ended(FAILURE, 500);
    assertTrue(ends.ended(FAILURE, AgentEndMessages.LONG_MILLIS).isPresent());
  }

  @Test
  void the_cause_is_found_in_a_log_that_has_been_emptied_since_the_start() throws IOException {
    lifeOf("a long line of an agent before it\n", FAILURE);
    ends.begins();
    Files.writeString(log, "no disk\n"); // the rest went aside, as of a log beyond its size
    String word = ends.ended(FAILURE, 500).get();
    assertTrue(word.contains("exit code 1: no disk"), word);
  }
}
