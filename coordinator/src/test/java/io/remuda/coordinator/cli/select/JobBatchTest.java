package io.remuda.coordinator.cli.select;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JobBatchTest {

  private static ChosenJob job(long id, Integer task) {
    return new ChosenJob(id, task, null);
  }

  @Test
  void runs_of_numbers_are_written_as_ranges() {
    List<ChosenJob> all = new ArrayList<>(List.of(job(5, null)));
    IntStream.rangeClosed(7, 12).forEach(id -> all.add(job(id, null)));
    IntStream.range(0, 3000).forEach(task -> all.add(job(20, task)));
    all.add(job(20, 4000));
    all.add(job(21, 4001));
    all.add(job(22, null));
    assertEquals("5,7-12,20.0-2999,20.4000,21.4001,22", JobBatch.numbers(all));
  }
}
