package io.remuda.agent.keeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExitLogTest {
  @TempDir Path node;
  private ExitLog log;

  @BeforeEach
  void begin() throws IOException {
    log = ExitLog.open(node, 7);
  }

  private static ExitRecord exit(String key, int code) {
    return new ExitRecord(key, 5, 6, new ExitStatus.Code(code), 1, 2, 3, 4, false, true, 7);
  }

  private Path folder(String name) throws IOException {
    return Files.createDirectories(node.resolve("tasks").resolve(name));
  }

  private void write(String name) throws IOException {
    log.write(folder(name), exit("c/n/" + name, 3));
  }

  private List<Path> files() throws IOException {
    Path all = node.resolve(ExitLog.FOLDER);
    if (!Files.exists(all)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(all)) {
      return files.sorted().toList();
    }
  }

  @Test
  void what_was_written_is_read_and_found_until_it_is_forgotten() throws IOException {
    ExitRecord signal =
        new ExitRecord("ü", 5, 6, new ExitStatus.Signal(11, true), 1, 2, 3, 4, true, false, 0);
    write("1.0.1");
    log.write(folder("2.0.1"), signal);
    assertEquals(Map.of("c/n/1.0.1", exit("c/n/1.0.1", 3), "ü", signal), ExitLog.read(node));
    assertEquals(Optional.of(signal), log.find("ü"));
    log.forget(List.of("ü"));
    log.removeForgotten();
    assertEquals(Optional.empty(), log.find("ü"));
  }

  @Test
  void a_node_without_a_log_has_no_records() throws IOException {
    assertEquals(Map.of(), ExitLog.read(node));
  }

  @Test
  void a_file_cut_anywhere_has_the_whole_lines_before_the_cut() throws IOException {
    write("1.0.1");
    long first = Files.size(files().get(0));
    write("2.0.1");
    byte[] whole = Files.readAllBytes(files().get(0));
    for (int length = 0; length < whole.length - 1; length++) {
      Files.write(files().get(0), java.util.Arrays.copyOf(whole, length));
      Set<String> keys = length < first - 1 ? Set.of() : Set.of("c/n/1.0.1");
      assertEquals(keys, ExitLog.read(node).keySet(), "cut at " + length);
    }
  }

  @Test
  void a_line_that_was_changed_on_the_disk_is_none_and_the_others_stay() throws IOException {
    write("1.0.1");
    write("2.0.1");
    String text = Files.readString(files().get(0));
    Files.writeString(files().get(0), text.replaceFirst("code=3", "code=0"));
    assertEquals(Set.of("c/n/2.0.1"), ExitLog.read(node).keySet());
  }

  @Test
  void a_line_of_a_later_build_is_left_out() throws IOException {
    write("1.0.1");
    String line = "x\tversion=2\tend=1";
    java.util.zip.CRC32C sum = new java.util.zip.CRC32C();
    sum.update(line.getBytes());
    Files.writeString(
        files().get(0).resolveSibling("9.0"), "%08x\t%s%n".formatted(sum.getValue(), line));
    assertEquals(Set.of("c/n/1.0.1"), ExitLog.read(node).keySet());
  }

  @Test
  void a_file_goes_when_all_its_records_are_forgotten_and_the_last_one_stays_open()
      throws IOException {
    List<String> keys = new ArrayList<>();
    for (int i = 0; files().size() < 2; i++) {
      write(i + ".0.1");
      keys.add("c/n/" + i + ".0.1");
    }
    String last = keys.remove(keys.size() - 1); // the first of the second file
    String stays = keys.remove(17);
    log.forget(keys);
    log.removeForgotten();
    assertEquals(2, files().size(), "one record is needed yet");
    log.forget(List.of(stays));
    log.removeForgotten();
    assertEquals(Set.of(last), ExitLog.read(node).keySet());
    log.sync();
    write("more");
    assertEquals(Set.of(last, "c/n/more"), ExitLog.read(node).keySet());
  }

  @Test
  void what_a_write_finds_forgotten_it_removes() throws IOException {
    write("1.0.1");
    log.forget(List.of("c/n/1.0.1"));
    assertTrue(log.hasForgotten());
    write("2.0.1");
    assertFalse(log.hasForgotten());
    assertEquals(Optional.empty(), log.find("c/n/1.0.1"));
  }

  @Test
  void the_next_keeper_goes_on_with_the_records_whose_tasks_have_their_folders()
      throws IOException {
    write("1.0.1");
    write("2.0.1");
    Files.delete(folder("2.0.1")); // its end is known
    ExitLog next = ExitLog.open(node, 8);
    assertEquals(Optional.of(exit("c/n/1.0.1", 3)), next.find("c/n/1.0.1"));
    assertEquals(Optional.empty(), next.find("c/n/2.0.1"));
    next.write(folder("3.0.1"), exit("c/n/3.0.1", 0));
    assertEquals(2, files().size());
    next.forget(List.of("c/n/1.0.1"));
    next.removeForgotten();
    assertEquals(Set.of("c/n/3.0.1"), ExitLog.read(node).keySet());
  }

  @Test
  void a_keeper_of_the_same_number_writes_into_no_file_of_an_earlier_one() throws IOException {
    write("1.0.1");
    ExitLog next = ExitLog.open(node, 7);
    next.write(folder("2.0.1"), exit("c/n/2.0.1", 0));
    assertEquals(Set.of("c/n/1.0.1", "c/n/2.0.1"), ExitLog.read(node).keySet());
  }

  @Test
  void nothing_is_left_of_a_keeper_whose_agent_needs_nothing_more() throws IOException {
    write("1.0.1");
    log.forget(List.of("c/n/1.0.1"));
    log.close();
    assertEquals(List.of(), files());
  }

  @Test
  void what_was_not_forgotten_stays_when_the_keeper_ends() throws IOException {
    write("1.0.1");
    log.close();
    assertEquals(Set.of("c/n/1.0.1"), ExitLog.read(node).keySet());
  }

  @Test
  void beyond_the_limit_a_record_is_a_file_in_the_folder_of_its_task() throws IOException {
    Path one = folder("1.0.1");
    for (int i = 0; i < ExitLog.MOST; i++) {
      log.write(one, exit("c/n/" + i, 0));
    }
    log.write(one, exit("c/n/beyond", 3));
    assertEquals(ExitLog.MOST, ExitLog.read(node).size());
    assertEquals(Optional.of(exit("c/n/beyond", 3)), ExitFile.read(one));
  }

  @Test
  void a_folder_with_a_line_break_gets_a_file_of_its_own() throws IOException {
    Path odd = folder("a\nb");
    log.write(odd, exit("k", 3));
    assertEquals(Map.of(), ExitLog.read(node));
    assertEquals(Optional.of(exit("k", 3)), ExitFile.read(odd));
  }

  @Test
  void a_folder_elsewhere_is_found_by_the_next_keeper(@TempDir Path elsewhere) throws IOException {
    log.write(elsewhere, exit("k", 3));
    assertEquals(Optional.of(exit("k", 3)), ExitLog.open(node, 8).find("k"));
  }
}
