package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.protocol.WorkerEvent.ItemFailure;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunResultsTest {
  private static final AttemptId WORKER = AttemptId.parse("2.0.1");
  private final RunResults results = new RunResults();

  private static ItemPool finished(int items) {
    ItemPool pool = new ItemPool(items, 1);
    for (var next = pool.next(WORKER); next.isPresent(); next = pool.next(WORKER)) {
      pool.done(WORKER, next.get().from(), next.get().to());
    }
    return pool;
  }

  @Test
  void the_final_lines_are_those_of_the_example() {
    results.trained(0, 0.5, 0.02791020164489746, 99.1);
    assertEquals(
        List.of("Final test for learning rate 0.5: loss: 0.02791020164489746 accuracy: 99.1"),
        results.finalLines());
  }

  @Test
  void figures_are_written_as_python_writes_them() {
    results.trained(0, 0.5, 1e-5, 100.0);
    results.trained(1, 0.8333333333333333, 2.302585092994046, 9.8);
    results.trained(2, 1.0, 1e16, 0.0);
    results.trained(3, 1.5, Double.NaN, 98.97);
    assertEquals(
        List.of(
            "Final test for learning rate 0.5: loss: 1e-05 accuracy: 100.0",
            "Final test for learning rate 0.8333333333333333: loss: 2.302585092994046"
                + " accuracy: 9.8",
            "Final test for learning rate 1.0: loss: 1e+16 accuracy: 0.0",
            "Final test for learning rate 1.5: loss: nan accuracy: 98.97"),
        results.finalLines());
  }

  @Test
  void the_order_is_that_of_the_learning_rates_and_not_of_the_arrival() {
    results.trained(10, 1.5, 0.25, 97.5);
    results.trained(2, 0.7, 0.5, 95.0);
    results.trained(0, 0.5, 0.75, 90.5);
    assertEquals(
        List.of(
            "Final test for learning rate 0.5: loss: 0.75 accuracy: 90.5",
            "Final test for learning rate 0.7: loss: 0.5 accuracy: 95.0",
            "Final test for learning rate 1.5: loss: 0.25 accuracy: 97.5"),
        results.finalLines());
  }

  @Test
  void a_failed_training_is_no_final_line_but_a_failure() {
    results.trained(0, 0.5, 0.25, 97.5);
    results.failed(1, 1.5, "DataException: no file");
    assertEquals(1, results.finalLines().size());
    assertEquals(
        List.of("learning rate 1.5 failed: DataException: no file"),
        results.failureLines(finished(3)));
  }

  @Test
  void failed_images_and_images_without_a_worker_are_told() {
    results.failedItems(List.of(new ItemFailure(4, "a result that is not finite")));
    ItemPool pool = new ItemPool(8, 1);
    pool.next(WORKER).ifPresent(range -> pool.done(WORKER, range.from(), range.to()));
    assertEquals(
        List.of("image 4 failed: a result that is not finite", "6 images were not processed"),
        results.failureLines(pool));
  }

  @Test
  void nothing_failed_is_no_line() {
    assertEquals(List.of(), results.failureLines(finished(5)));
  }

  @Test
  void the_report_for_programs_has_it_all() throws Exception {
    results.trained(0, 0.5, 0.25, 97.5);
    results.failed(1, 1.5, "killed");
    results.failedItems(List.of(new ItemFailure(4, "NaN")));
    JsonNode report =
        new JsonMapper()
            .readTree(results.json("20260101-000000-1", List.of("n1", "n2"), finished(8), 12.5));
    assertEquals("20260101-000000-1", report.path("run").asText());
    assertEquals("n2", report.path("nodes").path(1).asText());
    assertEquals(97.5, report.path("mnist").path(0).path("accuracy").asDouble());
    assertEquals(false, report.path("mnist").path(0).has("cause"));
    assertEquals("killed", report.path("mnist").path(1).path("cause").asText());
    assertEquals(false, report.path("mnist").path(1).has("accuracy"));
    assertEquals(8, report.path("scipy").path("done").asInt());
    assertEquals(4, report.path("scipy").path("failed").path(0).path("item").asInt());
    assertEquals(12.5, report.path("seconds").asDouble());
  }
}
