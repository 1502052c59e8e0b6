package io.remuda.worker.job.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.TaskArrayTerms;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each task of a sweep has for itself. */
class SweepTest {
  private static final ObjectMapper JSON = JsonMapper.builder().build();
  private static final Sweep GRID =
      Sweep.of(
          List.of(
              new SweepAxis.Parameter("lr", CompactTextList.of(List.of("0.1", "0.2"))),
              new SweepAxis.Parameter("seed", CompactTextList.of(List.of("1", "2", "3")))));

  private static List<Integer> indices(String text) {
    IndexRanges ranges = IndexRanges.parse(text);
    List<Integer> all = new ArrayList<>();
    for (int position = 0; position < ranges.size(); position++) {
      all.add(ranges.get(position));
    }
    return all;
  }

  @Test
  void indices_are_numbers_and_ranges_in_the_order_given() {
    assertEquals(List.of(3, 7, 9, 11, 13, 15, 17, 19), indices("3,7-20:2"));
    assertEquals(List.of(9, 0, 1, 2), indices("9,0-2"));
    assertEquals(List.of(4), indices("4-6:3"));
    assertEquals("3,7-19:2", IndexRanges.parse("3,7-20:2").toString());
    assertEquals("0-2,5,7-8", IndexRanges.of(new int[] {0, 1, 2, 5, 7, 8}).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "3-", "5-3", "1-5:0", "1,,2", "1,1", "0-5,5", "-1", "0-1000000"})
  void what_are_no_indices_is_refused(String text) {
    assertThrows(IllegalArgumentException.class, () -> IndexRanges.parse(text));
  }

  @Test
  void the_last_parameter_changes_fastest() {
    assertEquals(6, GRID.size());
    assertEquals(Map.of("lr", "0.1", "seed", "3"), GRID.values(2));
    assertEquals(Map.of("lr", "0.2", "seed", "1"), GRID.values(3));
    assertEquals(
        Map.of("REMUDA_PARAM_LR", "0.2", "REMUDA_PARAM_SEED", "1"), GRID.parameters(3).variables());
  }

  @Test
  void a_task_finds_the_index_that_was_given_beside_its_own() {
    Sweep array = Sweep.of(List.of(new SweepAxis.Indices(IndexRanges.parse("3,7-9"))));
    assertEquals(
        new TaskParameters(Map.of("index", "8"), Map.of("REMUDA_ARRAY_INDEX", "8")),
        array.parameters(2));
    assertEquals(8, array.arrayIndex(2));
    assertEquals(2, GRID.arrayIndex(2));
  }

  @Test
  void an_entry_is_a_text_or_json_and_its_fields_are_parameters() {
    Sweep sweep =
        Sweep.of(
            List.of(
                new SweepAxis.Entries(
                    CompactTextList.of(
                        List.of("\"a b\"", "{\"net.size\":0.10,\"tags\":[1,\"x\"]}", "null")))));
    assertEquals(Map.of("REMUDA_ENTRY", "a b"), sweep.parameters(0).variables());
    assertEquals(
        Map.of(
            "REMUDA_ENTRY", "{\"net.size\":0.10,\"tags\":[1,\"x\"]}",
            "REMUDA_PARAM_NET_SIZE", "0.10",
            "REMUDA_PARAM_TAGS", "[1,\"x\"]"),
        sweep.parameters(1).variables());
    assertEquals(Map.of("entry", "null"), sweep.values(2));
  }

  @Test
  void some_tasks_of_a_sweep_keep_their_values_and_their_index() {
    Sweep some = GRID.of(new int[] {1, 4, 5}).of(new int[] {1, 2});
    assertEquals(2, some.size());
    assertEquals(GRID.values(4), some.values(0));
    assertEquals("5", some.parameters(1).variables().get("REMUDA_TASK_INDEX"));
    assertEquals("6", some.parameters(1).variables().get("REMUDA_TASK_COUNT"));
    Sweep alike = Sweep.some(IndexRanges.parse("17,80"), 100);
    assertEquals("80", alike.parameters(1).variables().get("REMUDA_TASK_INDEX"));
    assertEquals("100", alike.parameters(1).variables().get("REMUDA_TASK_COUNT"));
  }

  @Test
  void a_sweep_has_at_most_a_million_tasks() {
    CompactTextList many = CompactTextList.of("a\n".repeat(999) + "a");
    List<SweepAxis> axes =
        List.of(
            new SweepAxis.Parameter("a", many),
            new SweepAxis.Parameter("b", many),
            new SweepAxis.Parameter("c", CompactTextList.of("1\n2")));
    assertThrows(IllegalArgumentException.class, () -> Sweep.of(axes));
    assertEquals(1_000_000, Sweep.of(axes.subList(0, 2)).size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--lr={lr}|--lr=0.1",
        "{lr}{lr}x|0.10.1x",
        "{seed}|{seed}",
        "{{lr}}|{lr}",
        "{{{lr}}}|{{lr}}",
        "{ lr }|{ lr }",
        "${lr} {}|$0.1 {}",
        "{lr|{lr",
        "a{b{lr}|a{b0.1"
      })
  void a_name_in_braces_is_replaced_and_nothing_else(String text, String filled) {
    assertEquals(filled, PlaceholderSubstitution.filled(text, Map.of("lr", "0.1")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{lr}", "{{lr}}", "{{{lr}}}", "a {lr} {x} }", "{}"})
  void a_text_that_is_kept_stays_as_it_is(String text) {
    assertEquals(
        text,
        PlaceholderSubstitution.filled(
            PlaceholderSubstitution.kept(text, Set.of("lr")), Map.of("lr", "1")));
  }

  @Test
  void a_command_is_filled_in_arguments_and_values_of_variables() {
    CommandWorkload command =
        new CommandWorkload(
            List.of("train", "--lr", "{lr}"), Map.of("OUT", "run-{seed}", "A", "b"), "/", 022);
    CommandWorkload own = command.filled(GRID.parameters(5));
    assertEquals(List.of("train", "--lr", "0.2"), own.argv());
    assertEquals(Map.of("OUT", "run-3", "A", "b"), own.environment());
    CommandWorkload plain = new CommandWorkload(List.of("true"), Map.of("A", "b"), "/", 022);
    assertSame(plain, plain.filled(GRID.parameters(0)));
  }

  @Test
  void terms_are_read_as_they_were_written_and_cost_nothing_without_a_sweep() throws Exception {
    assertEquals(-1, JSON.writeValueAsString(JobTerms.USUAL).indexOf("array"));
    assertEquals(
        TaskArrayTerms.NONE,
        JSON.readValue(JSON.writeValueAsString(JobTerms.USUAL), JobTerms.class).array());
    assertNull(JobTerms.USUAL.array().sweep());
    Sweep all =
        Sweep.of(
            List.of(
                new SweepAxis.Indices(IndexRanges.parse("1-3")),
                new SweepAxis.Lines(CompactTextList.of("x\ny")),
                new SweepAxis.Entries(CompactTextList.of("1\n{\"a\":2}")),
                GRID.axes().get(0)));
    JobTerms terms =
        JobTerms.USUAL.withArray(
            new TaskArrayTerms(null, 3, 0, 7).again(new JobId(17), all.of(new int[] {0, 23})));
    String text = JSON.writeValueAsString(terms);
    assertEquals(terms, JSON.readValue(text, JobTerms.class), text);
  }

  @Test
  void a_sweep_renumbers_its_tasks_if_an_array_index_may_be_another_number() {
    assertEquals(false, GRID.renumbers());
    assertEquals(false, ofIndices("0-5").renumbers());
    assertEquals(true, ofIndices("1-6").renumbers());
    assertEquals(true, ofIndices("0-4:2").renumbers());
    assertEquals(true, GRID.of(new int[] {1, 2}).renumbers());
    assertEquals(false, GRID.of(new int[] {0, 1}).renumbers());
  }

  @Test
  void its_array_indices_are_a_text_unless_they_are_the_numbers_or_repeated() {
    assertEquals("1-6", ofIndices("1-6").indices().orElseThrow().toString());
    assertEquals("3,5", ofIndices("1-6").of(new int[] {2, 4}).indices().orElseThrow().toString());
    assertEquals("3,7", Sweep.some(IndexRanges.of(new int[] {3, 7}), 9).indices().get().toString());
    assertEquals(true, ofIndices("0-6").indices().isEmpty());
    assertEquals("1-2", GRID.of(new int[] {1, 2}).indices().orElseThrow().toString());
    Sweep repeated =
        Sweep.of(List.of(new SweepAxis.Indices(IndexRanges.parse("1-3")), GRID.axes().get(0)));
    assertEquals(true, repeated.of(new int[] {1, 2}).indices().isEmpty());
  }

  @Test
  void a_task_is_named_with_its_array_index_if_that_is_another_number() {
    TaskId task = TaskId.parse("47.2");
    assertEquals("47.2 (index 3)", new TaskArrayTerms(ofIndices("1-6"), 0, 0, 0).words(task));
    assertEquals("47.2", new TaskArrayTerms(ofIndices("0-6"), 0, 0, 0).words(task));
    assertEquals("47.2", TaskArrayTerms.NONE.words(task));
  }

  private static Sweep ofIndices(String text) {
    return Sweep.of(List.of(new SweepAxis.Indices(IndexRanges.parse(text))));
  }
}
