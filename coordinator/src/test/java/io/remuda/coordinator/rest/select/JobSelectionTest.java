package io.remuda.coordinator.rest.select;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;
import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.Store;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.LogEntry;
import io.remuda.worker.job.JobSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs 1 to 4 and 6 of ann, 5 of bob; 1 and 4 have ended, and 2, 3 and 4 are named train. */
class JobSelectionTest {

  @TempDir private Path folder;
  private Store.Opened store;
  private StoreReader reader;

  @BeforeEach
  void fill() throws Exception {
    store = Store.open(folder, CLOCK);
    add(1, "ann", "prepare", TaskState.SUCCEEDED);
    add(2, "ann", "train", TaskState.RUNNING);
    add(3, "ann", "train", TaskState.WAITING);
    add(4, "ann", "train", TaskState.FAILED);
    add(5, "bob", "eval.py", TaskState.WAITING);
    add(6, "ann", "eval.py", TaskState.WAITING);
    reader = store.store().reader();
  }

  private void add(long id, String user, String name, TaskState state) throws Exception {
    JobSpec spec = spec(id, 3);
    JobRow row = row(spec, state, state.isFinal() ? 3000 : 0);
    JobRow own =
        new JobRow(
            row.id(),
            row.uuid(),
            user,
            name,
            state,
            row.first(),
            row.tasks(),
            row.submitted(),
            row.started(),
            row.ended(),
            row.reason(),
            row.exitCode(),
            row.open(),
            row.clientKey() + user,
            row.epochs(),
            row.gang());
    write(store.journal(), new LogEntry.JobAdded(spec, own));
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    store.journal().close();
  }

  private Reply<SelectedJobs> find(String purpose, String... selectors) throws IOException {
    return find(purpose, Map.of(), selectors);
  }

  private Reply<SelectedJobs> find(
      String purpose, Map<String, List<String>> filters, String... selectors) throws IOException {
    Map<String, List<String>> parameters = new HashMap<>(filters);
    parameters.put("select", List.of(selectors));
    if (purpose.equals("look")) {
      parameters.put("all", List.of(""));
    }
    return JobSelection.find(reader, JobListRequest.of(parameters), "ann");
  }

  private static List<String> names(Reply<SelectedJobs> found) {
    Reply.Yes<?> yes = assertInstanceOf(Reply.Yes.class, found);
    return ((SelectedJobs) yes.value())
        .jobs().stream()
            .map(one -> one.row().id() + (one.task() == null ? "" : "." + one.task()))
            .toList();
  }

  private static Rejection refusal(Reply<SelectedJobs> found) {
    return assertInstanceOf(Reply.No.class, found).rejection();
  }

  @Test
  void numbers_and_ranges_are_taken_in_the_order_in_which_they_are_written() throws IOException {
    assertEquals(List.of("5", "1", "2", "3", "4.2"), names(find("look", "5,1-3,4.2", "2", "5")));
    assertEquals(List.of("4.0", "4.1", "4.2", "5"), names(find("look", "4.0-2,5")));
    assertThrows(IllegalArgumentException.class, () -> find("look", "4.2-0"));
  }

  @Test
  void a_range_for_a_change_has_unfinished_jobs_only() throws IOException {
    assertEquals(List.of("2", "3", "5"), names(find("change", "1-5")));
    assertEquals(
        "no unfinished job has a number from 7 to 9", refusal(find("change", "7-9")).message());
  }

  @Test
  void last_is_the_newest_of_the_caller_and_all_are_the_callers_unfinished_ones()
      throws IOException {
    assertEquals(List.of("6"), names(find("look", "last")));
    assertEquals(List.of("6.1"), names(find("change", "last.1")));
    assertEquals(List.of("2", "3", "6"), names(find("change", "all")));
    assertEquals(List.of("5"), names(find("look", Map.of("user", List.of("bob")), "last")));
  }

  @Test
  void a_name_is_the_newest_job_of_the_caller_to_look_at() throws IOException {
    assertEquals(List.of("4"), names(find("look", "train")));
    Reply.Yes<?> found = assertInstanceOf(Reply.Yes.class, find("look", "train"));
    assertEquals(
        List.of("job 4 is the newest named 'train'; unfinished ones of that name: 3, 2"),
        ((SelectedJobs) found.value()).notes());
    assertEquals(List.of("6"), names(find("look", "eval.py")));
    assertEquals(List.of("6.2"), names(find("look", "eval.py.2")));
  }

  @Test
  void a_name_of_several_unfinished_jobs_is_refused_for_a_change() throws IOException {
    Rejection no = refusal(find("change", "train"));
    assertEquals(Rejection.Code.WRONG_STATE, no.code());
    assertEquals("several unfinished jobs are named 'train': 3, 2", no.message());
    assertEquals(List.of("6"), names(find("change", "eval.py")));
    assertEquals(List.of("2", "3"), names(find("change", Map.of("name", List.of("train")), "all")));
  }

  @Test
  void what_is_not_there_is_refused_with_what_can_be_written() throws IOException {
    assertEquals("there is no job 9", refusal(find("look", "9")).message());
    assertEquals("no job of ann is named 'trian'", refusal(find("look", "trian")).message());
    assertTrue(refusal(find("look", "trian")).todo().contains("1,3,5-8"));
    assertEquals(
        "there is no task 2.3: the tasks of job 2 are 2.0 to 2.2",
        refusal(find("look", "2.3")).message());
    assertThrows(IllegalArgumentException.class, () -> find("look", "5-3"));
  }

  @Test
  void filters_hold_for_named_jobs_too() throws IOException {
    assertEquals(
        List.of("3", "5"), names(find("change", Map.of("state", List.of("waiting")), "1-5,2")));
    assertEquals(List.of("4", "6"), names(find("look", Map.of("limit", List.of("2")), "1-4", "6")));
    assertEquals(List.of("4"), names(find("change", Map.of("state", List.of("failed")), "1-6")));
    assertEquals(
        "no state of a job is called 'runing': there are submitted, held, waiting, starting,"
            + " running, unknown, stopping, ending, succeeded, failed, cancelled, lost",
        assertThrows(
                IllegalArgumentException.class,
                () -> find("look", Map.of("state", List.of("runing")), "1"))
            .getMessage());
  }

  @Test
  void without_selectors_it_is_a_list_in_pages() throws IOException {
    SelectedJobs first =
        ((Reply.Yes<SelectedJobs>)
                JobSelection.find(reader, JobListRequest.of(Map.of("limit", List.of("2"))), "ann"))
            .value();
    assertEquals(List.of("6", "5"), names(Reply.of(first)));
    assertEquals(5, first.next());
  }
}
