package io.remuda.coordinator.rest.answer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ConvolutionWorkload;
import io.remuda.worker.job.LeasedProgramWorkload;
import io.remuda.worker.job.Workload;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkloadAnswerTest {
  private static final CommandWorkload COMMAND =
      new CommandWorkload(List.of("train", "--lr", "1"), Map.of("KEY", "secret"), "/work", 022);

  private static String json(Workload work, boolean own) throws JsonProcessingException {
    return JsonMapper.builder().build().writeValueAsString(WorkloadAnswer.of(work, own));
  }

  @Test
  void a_user_sees_the_environment_of_an_own_job() throws JsonProcessingException {
    assertEquals(
        "{\"workload\":\"command\",\"argv\":[\"train\",\"--lr\",\"1\"],"
            + "\"environment\":{\"KEY\":\"secret\"},\"folder\":\"/work\",\"umask\":18}",
        json(COMMAND, true));
  }

  @Test
  void of_somebody_elses_all_but_the_environment_is_shown() throws JsonProcessingException {
    assertEquals(json(COMMAND.in(Map.of()), true), json(COMMAND, false), "all but the environment");
  }

  @Test
  void of_somebody_elses_lease_the_program_is_not_shown() throws JsonProcessingException {
    assertEquals(
        "{\"workload\":\"lease\",\"pid\":7,\"startTicks\":8,\"program\":\"\"}",
        json(new LeasedProgramWorkload(7, 8, "python train.py --key secret"), false));
  }

  @Test
  void what_has_no_environment_is_shown_by_its_kind() throws JsonProcessingException {
    assertEquals("{\"workload\":\"convolution\"}", json(new ConvolutionWorkload(4, 1), false));
  }
}
