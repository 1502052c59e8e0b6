package io.remuda.coordinator.rest.select;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;
import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.TaskArrayTerms;
import io.remuda.worker.job.sweep.IndexRanges;
import io.remuda.worker.job.sweep.Sweep;
import io.remuda.worker.job.sweep.SweepAxis;
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
class RequestedJobsFinderTest {

  @TempDir private Path folder;
  private StoreOpener.Opened store;
  private StoreReader reader;

  @BeforeEach
  void fill() throws Exception {
    store = StoreOpener.open(folder, CLOCK);
    add(1, "ann", "prepare", TaskState.SUCCEEDED);
    add(2, "ann", "train", TaskState.RUNNING);
    add(3, "ann", "train", TaskState.WAITING);
    add(4, "ann", "train", TaskState.FAILED);
    add(5, "bob", "eval.py", TaskState.WAITING);
    add(6, "ann", "eval.py", TaskState.WAITING);
    reader = store.store().reader();
  }

  private void add(long id, String user, String name, TaskState state) throws Exception {
    add(spec(id, 3), user, name, state);
  }

  /** Adds an unfinished array of ann with these indices. */
  private void addArray(long id, String name, String indices) throws Exception {
    IndexRanges given = IndexRanges.parse(indices);
    JobSpec spec = spec(id, given.size());
    Sweep sweep = Sweep.of(List.of(new SweepAxis.Indices(given)));
    add(
        spec.withTerms(spec.terms().withArray(new TaskArrayTerms(sweep, 0, 0, 0))),
        "ann",
        name,
        TaskState.RUNNING);
  }

  private void add(JobSpec spec, String user, String name, TaskState state) throws Exception {
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
    write(store.journal(), new StoreChange.JobAdded(spec, own));
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
    return RequestedJobsFinder.find(reader, JobListRequest.of(parameters), "ann");
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
  void a_number_after_that_of_an_array_for_sbatch_is_one_of_its_tasks() throws Exception {
    JobSpec spec = spec(10, 3);
    Sweep sweep = Sweep.of(List.of(new SweepAxis.Indices(IndexRanges.parse("4,6,8"))));
    TaskArrayTerms numbered = new TaskArrayTerms(sweep, 0, 0, 0, true);
    add(spec.withTerms(spec.terms().withArray(numbered)), "ann", "array", TaskState.RUNNING);
    assertEquals(List.of("10", "10.0", "10.2"), names(find("change", "10,11", "13")));
    assertEquals("there is no job 14", refusal(find("look", "14")).message());
    add(14, "ann", "next", TaskState.RUNNING);
    assertEquals(List.of("14"), names(find("look", "14")));
    assertEquals("there is no job 15", refusal(find("look", "15")).message());
  }

  /** Those above the limit were left out, and the change was told as done. */
  @Test
  void more_than_can_be_taken_at_once_are_refused_and_not_left_out() throws Exception {
    addArray(10, "large", "0-19999");
    Map<String, List<String>> all = Map.of("limit", List.of("10000"));
    assertEquals(10_000, names(find("change", all, "10_0-9999")).size());
    assertEquals(
        "20000 jobs and tasks are named, and at most 10000 are taken at once: name them in several"
            + " commands",
        refusal(find("change", all, "10_0-9999", "10_10000-19999")).message());
    Map<String, List<String>> few = Map.of("limit", List.of("3"));
    assertEquals(3, names(find("look", few, "10_0-9")).size());
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
    assertEquals("remuda state --all lists your jobs", refusal(find("look", "trian")).todo());
    assertEquals(
        "there is no task 2.3: the tasks of job 2 are 2.0 to 2.2",
        refusal(find("look", "2.3")).message());
    assertThrows(IllegalArgumentException.class, () -> find("look", "5-3"));
  }

  @Test
  void tasks_are_chosen_by_their_numbers_with_a_dot_and_by_array_index_with_an_underscore()
      throws Exception {
    addArray(47, "grid", "1-6");
    assertEquals(List.of("47.2", "47.3", "47.4"), names(find("change", "47.2-4")));
    assertEquals(List.of("47.1", "47.2", "47.3"), names(find("change", "47_2-4")));
    assertEquals(List.of("47.1", "47.2", "47.3"), names(find("change", "47_[2-4]")));
    assertEquals(List.of("47.0", "47.4", "47.5", "6"), names(find("look", "47_[1,5-6],6")));
    assertEquals(List.of("47.2"), names(find("change", "47_3")));
    assertEquals(List.of("47.2"), names(find("change", "last_3")));
    assertEquals(List.of("47.2", "47.3"), names(find("change", "grid_3-4")));
    assertEquals(List.of("47.1", "47.2"), names(find("change", "grid.1-2")));
    assertEquals(
        List.of(2, 3),
        ((SelectedJobs) ((Reply.Yes<?>) find("look", "47.1-2")).value())
            .jobs().stream().map(SelectedJobs.Selected::arrayIndex).toList());
  }

  @Test
  void an_array_index_that_no_task_has_is_refused_and_a_range_may_have_gaps() throws Exception {
    addArray(47, "grid", "10-30:10");
    assertEquals(List.of("47.0", "47.1"), names(find("change", "47_5-25")));
    assertEquals(
        "job 47 has no task of array index 3: its indices are 10-30",
        refusal(find("change", "47_3")).message());
    assertEquals(
        "'4-2' is not a range of tasks: write 2-4", refusal(find("change", "grid_4-2")).message());
    assertThrows(IllegalArgumentException.class, () -> find("look", "47_4-2"));
  }

  @Test
  void the_array_index_of_alike_tasks_is_their_number() throws IOException {
    assertEquals(List.of("2.1"), names(find("change", "2_1")));
    Reply.Yes<?> found = assertInstanceOf(Reply.Yes.class, find("change", "2_1"));
    assertNull(((SelectedJobs) found.value()).jobs().get(0).arrayIndex());
  }

  @Test
  void a_job_with_the_whole_word_as_its_name_is_meant_and_no_task_of_another() throws Exception {
    addArray(47, "grid", "1-6");
    addArray(48, "grid_3", "1-6");
    addArray(49, "run_2025-11", "1-2");
    addArray(50, "a,b", "1-2");
    assertEquals(List.of("48"), names(find("change", "grid_3")));
    assertEquals(List.of("48.0"), names(find("change", "grid_3_1")));
    assertEquals(List.of("47.1"), names(find("change", "grid_2")));
    assertEquals(List.of("49"), names(find("change", "run_2025-11")));
    assertEquals(List.of("50"), names(find("change", "a,b")));
  }

  @Test
  void names_are_in_lists_with_numbers_and_with_tasks() throws Exception {
    addArray(47, "grid", "1-6");
    assertEquals(
        List.of("47", "6", "5", "47.0", "47.3"),
        names(find("change", "grid,eval.py,5,grid_[1,4]")));
    assertEquals("no job of ann is named 'foo'", refusal(find("change", "grid,foo")).message());
    assertEquals(
        "between two commas there is no job", refusal(find("change", "grid,,6")).message());
  }

  @Test
  void filters_hold_for_named_jobs_too() throws IOException {
    assertEquals(
        List.of("3", "5"), names(find("change", Map.of("state", List.of("waiting")), "1-5,2")));
    assertEquals(List.of("4", "6"), names(find("look", Map.of("limit", List.of("2")), "1-4", "6")));
    assertEquals(List.of("4"), names(find("change", Map.of("state", List.of("failed")), "1-6")));
    assertEquals(List.of("3", "5"), names(find("change", Map.of("state", List.of("PD")), "1-5")));
    assertEquals(List.of("1"), names(find("look", Map.of("state", List.of("completed")), "1-5")));
    assertEquals(
        "no state of a job is called 'runing': there are submitted, held, waiting, starting,"
            + " running, unknown, stopping, ending, succeeded, failed, cancelled, lost; pending is"
            + " whatever has not started: submitted, held and waiting",
        assertThrows(
                IllegalArgumentException.class,
                () -> find("look", Map.of("state", List.of("runing")), "1"))
            .getMessage());
  }

  @Test
  void without_selectors_it_is_a_list_in_pages() throws IOException {
    SelectedJobs first =
        ((Reply.Yes<SelectedJobs>)
                RequestedJobsFinder.find(
                    reader, JobListRequest.of(Map.of("limit", List.of("2"))), "ann"))
            .value();
    assertEquals(List.of("6", "5"), names(Reply.of(first)));
    assertEquals(5, first.next());
  }
}
