package io.remuda.coordinator.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.worker.job.PlacementPolicy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShareSimulationTest {

  private static final ShareSimulation.Settings USUAL =
      new ShareSimulation.Settings(PlacementPolicy.SHARE, 2, true);
  private static final ShareSimulation.Settings ALONE =
      new ShareSimulation.Settings(PlacementPolicy.SHARE, 2, false);

  /** Returns what starts after the last event: job and GPUs, with a comma between jobs. */
  private static String last(ShareSimulation.Settings settings, String... events)
      throws IOException, BadTableException {
    StringWriter out = new StringWriter();
    new ShareSimulation(settings)
        .run(
            new BufferedReader(new StringReader(String.join("\n", events).replace('\'', '"'))),
            new PrintWriter(out));
    List<String> lines = out.toString().lines().toList();
    assertEquals(events.length, lines.size(), "one answer for each event");
    return lines
        .get(lines.size() - 1)
        .replaceAll(".\"job\":\"(\\w+)\",\"node\":\"n\",\"gpus\":.([0-9,]+)]}", "$1@$2")
        .replaceAll("^.\"start\":.|]}$", "");
  }

  private static String gpus(int count) {
    return "{'t':0,'event':'cluster','nodes':[{'node':'n','gpus':"
        + count
        + ",'gpu_mem_mib':30000}]}";
  }

  private static String comes(String job, int gpus, int mib) {
    return "{'t':1,'event':'arrival','job':'"
        + job
        + "','gpus':"
        + gpus
        + ",'user':'u','gpu_mem_mib':"
        + mib
        + "}";
  }

  private static String comes(String job, String type) {
    return "{'t':1,'event':'arrival','job':'"
        + job
        + "','gpus':1,'user':'u','type':'"
        + type
        + "'}";
  }

  private static String seen(String job, int mib) {
    return "{'t':61,'event':'observed','job':'" + job + "','gpu_mem_mib':" + mib + "}";
  }

  private static String event(String name, String job) {
    return "{'t':99,'event':'" + name + "','job':'" + job + "'}";
  }

  @Test
  void a_job_gets_the_gpu_with_the_fewest_jobs_then_the_most_free_memory() throws Exception {
    assertEquals("c@1", last(USUAL, gpus(2), comes("a", 1, 9000), comes("c", 1, 5000)));
    assertEquals(
        "d@1", last(USUAL, gpus(2), comes("a", 1, 9000), comes("c", 1, 5000), comes("d", 1, 100)));
  }

  @Test
  void beside_a_job_of_several_gpus_a_job_comes_last() throws Exception {
    assertEquals(
        "d@2", last(USUAL, gpus(3), comes("a", 2, 100), comes("c", 1, 9000), comes("d", 1, 200)));
  }

  /** The example of docs/scheduling.md. */
  @Test
  void a_gpu_with_one_job_is_filled_by_the_largest_that_fits_and_a_first_job_finds_two_thirds_free()
      throws Exception {
    String cluster =
        "{'t':0,'event':'cluster','nodes':[{'node':'n','gpus':2,'gpu_mem_mib':40000}]}";
    String[] known = {cluster, comes("a", "vit"), comes("b", "gpt"), seen("a", 10_000)};
    assertEquals("c@0", last(USUAL, known[0], known[1], known[2], known[3], comes("c", "vit")));
    String[] next = {
      cluster,
      comes("a", "vit"),
      comes("b", "gpt"),
      seen("a", 10_000),
      seen("b", 26_000),
      comes("c", "vit"),
      comes("e", "eval"),
      event("finished", "a"),
      seen("c", 10_000),
    };
    assertEquals("c@0", last(USUAL, java.util.Arrays.copyOf(next, 6)), "most free memory");
    assertEquals("", last(USUAL, java.util.Arrays.copyOf(next, 7)), "two jobs on one, 14 GB left");
  }

  @Test
  void no_more_jobs_share_a_gpu_than_allowed_and_the_largest_is_next() throws Exception {
    String[] events = {
      gpus(1),
      comes("a", 1, 100),
      comes("b", 1, 100),
      comes("small", 1, 200),
      comes("large", 1, 900),
      event("finished", "a")
    };
    assertEquals("large@0", last(USUAL, events));
    ShareSimulation.Settings three = new ShareSimulation.Settings(PlacementPolicy.SHARE, 3, true);
    assertEquals("small@0", last(three, gpus(1), events[1], events[2], events[3]));
  }

  @Test
  void the_first_job_of_a_type_is_alone_and_others_of_the_type_wait_until_its_memory_is_known()
      throws Exception {
    String[] events = {gpus(2), comes("a", "x"), comes("b", "x"), seen("a", 1000)};
    assertEquals("", last(USUAL, gpus(2), comes("a", "x"), comes("b", "x")));
    assertEquals("b@1", last(USUAL, events));
  }

  @Test
  void a_type_that_is_known_shares_by_what_it_took() throws Exception {
    assertEquals("b@0", last(USUAL, gpus(1), comes("a", "x"), comes("b", "x"), seen("a", 14_000)));
    assertEquals(
        "", // 5 % more are promised than were seen
        last(USUAL, gpus(1), comes("a", "x"), comes("b", "x"), seen("a", 15_000)));
  }

  /** Three types are known, and one job of 100 MiB is on the only GPU. */
  private static String[] knownThree(int largest, String next) {
    return new String[] {
      gpus(1),
      comes("a", "x"),
      seen("a", largest),
      event("finished", "a"),
      comes("b", "y"),
      seen("b", 100),
      event("finished", "b"),
      comes("c", "z"),
      seen("c", 100),
      next
    };
  }

  @Test
  void a_first_job_shares_where_two_thirds_of_a_gpu_are_free_once_three_types_are_known()
      throws Exception {
    assertEquals("d@0", last(USUAL, knownThree(100, comes("d", "new"))));
    assertEquals("", last(ALONE, knownThree(100, comes("d", "new"))));
    assertEquals("", last(USUAL, gpus(1), comes("c", "z"), seen("c", 100), comes("d", "new")));
  }

  @Test
  void a_first_job_is_never_guessed_to_need_less_than_the_largest_known_type() throws Exception {
    assertEquals("", last(USUAL, knownThree(28_500, comes("d", "new"))));
  }

  @Test
  void a_job_that_did_not_fit_is_tried_with_half_as_much_again() throws Exception {
    String[] events = {
      gpus(2), comes("a", 1, 15_000), comes("b", 2, 15_000), event("oom", "b"), seen("a", 1)
    };
    assertEquals("b@1,0", last(USUAL, gpus(2), events[1], events[2]));
    assertEquals("", last(USUAL, gpus(2), events[1], events[2], events[3]), "22.5 GB do not fit");
    assertEquals(
        "b@0,1", last(USUAL, gpus(2), events[1], events[2], events[3], event("finished", "a")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nonsense | stdin:2: it is not JSON, got 'nonsense'",
        "{'event':'later'} | event must be cluster, arrival, observed, finished or oom",
        "{'event':'finished','job':'q'} | job must be one that has arrived",
        "{'event':'arrival','job':'q','gpus':0} | gpus must be a whole number of at least 1",
        "{'event':'arrival','gpus':1} | job must be given",
      })
  void a_line_that_is_no_event_is_refused_with_its_number(String line, String message) {
    BadTableException refused =
        assertThrows(BadTableException.class, () -> last(USUAL, gpus(1), line));
    assertEquals(
        message.startsWith("stdin")
            ? message
            : "stdin:2: " + message + ", got '" + line.replace('\'', '"') + "'",
        refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"oom", "finished", "observed"})
  void what_happens_to_a_job_that_does_not_run_is_refused(String name) {
    String third =
        name.equals("observed") ? seen("b", 5) : event(name, "b"); // it waits: there is one GPU
    BadTableException refused =
        assertThrows(
            BadTableException.class,
            () -> last(USUAL, gpus(1), comes("a", 1, 20_000), comes("b", 1, 20_000), third));
    assertEquals(
        "stdin:4: job must be one that runs: an answer has started it, and it has not ended since,"
            + " got '"
            + third.replace('\'', '"')
            + "'",
        refused.getMessage());
  }
}
