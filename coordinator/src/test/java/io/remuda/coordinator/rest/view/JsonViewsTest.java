package io.remuda.coordinator.rest.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ConvolutionWorkload;
import io.remuda.worker.job.Workload;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonViewsTest {
  private static final CommandWorkload COMMAND =
      new CommandWorkload(List.of("train", "--lr", "1"), Map.of("KEY", "secret"), "/work", 022);

  @Test
  void a_user_sees_the_environment_of_an_own_job() {
    assertEquals(COMMAND, JsonViews.workload(COMMAND, true));
  }

  @Test
  void of_somebody_elses_all_but_the_environment_is_shown() {
    assertEquals(
        new CommandWorkload(COMMAND.argv(), Map.of(), "/work", 022),
        JsonViews.workload(COMMAND, false));
  }

  @Test
  void what_has_no_environment_is_shown_as_it_is() {
    Workload convolution = new ConvolutionWorkload(4, 1);
    assertEquals(convolution, JsonViews.workload(convolution, false));
  }
}
