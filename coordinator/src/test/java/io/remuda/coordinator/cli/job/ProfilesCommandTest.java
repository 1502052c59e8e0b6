package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProfilesCommandTest {

  private static List<String> notes(String profile) throws Exception {
    String whole = "{\"type\": \"train\", \"user\": \"ann\", " + profile + "}";
    return JobTypeProfileNotes.of(JsonMapper.builder().build().readTree(whole));
  }

  @Test
  void a_type_that_used_no_memory_of_its_gpu_is_told_of() throws Exception {
    assertEquals(List.of(), notes("\"unusedRuns\": 0, \"reservationBytes\": 5"));
    assertEquals(
        List.of(
            "'train' of ann used no memory of its GPU in a run: its next run has a GPU to itself"
                + " again, until one uses memory or 3 in a row have not; what needs no GPU does"
                + " without --gpus"),
        notes("\"unusedRuns\": 1, \"reservationBytes\": null"));
    assertEquals(
        List.of(
            "'train' of ann used no memory of its GPU in 3 runs in a row: it is promised 64 MiB and"
                + " shares GPUs; what needs none does without --gpus"),
        notes("\"unusedRuns\": 3, \"reservationBytes\": 67108864"));
  }

  @Test
  void a_type_that_took_nearly_all_of_a_device_is_told_of_with_what_to_set() throws Exception {
    assertEquals(
        List.of(
            "'train' of ann took 92 % of a GPU, so hardly anything shares one with it: if its"
                + " framework takes memory beforehand, set TF_FORCE_GPU_ALLOW_GROWTH=true"
                + " (TensorFlow), XLA_PYTHON_CLIENT_PREALLOCATE=false (JAX) or what it has of its"
                + " own, then remuda profiles forget 'train'"),
        notes("\"unusedRuns\": 0, \"nearlyAllPercent\": 92"));
  }

  @Test
  void there_is_a_line_for_each_two_types_that_do_not_share() throws Exception {
    String profiles =
        """
        [{"type": "eval", "user": "bob",
          "slowWith": [{"type": "train", "user": "ann", "togetherPercent": 96}]},
         {"type": "other", "user": "bob", "slowWith": []},
         {"type": "train", "user": "ann",
          "slowWith": [{"type": "eval", "user": "bob", "togetherPercent": 96},
                       {"type": "train", "user": "ann", "togetherPercent": 104}]}]\
        """;
    assertEquals(
        List.of(
            "'eval' of bob and 'train' of ann do not share a GPU: together they are 0.96 times as"
                + " fast as one after the other",
            "two of 'train' of ann do not share a GPU: together they are 1.04 times as fast as one"
                + " after the other"),
        List.copyOf(ProfilesCommand.apart(JsonMapper.builder().build().readTree(profiles))));
  }

  @Test
  void there_is_a_line_on_what_epochs_took() throws Exception {
    String times =
        "[{'model': 'NVIDIA H200', 'gpus': 1, 'millis': 61000},"
            + " {'model': 'NVIDIA H200', 'gpus': 2, 'millis': 33000}]";
    JsonNode profile =
        new JsonMapper()
            .readTree(
                ("{'type': 'train', 'user': 'ann', 'epochs': " + times + "}").replace('\'', '"'));
    assertEquals(
        Optional.of(
            "an epoch of 'train' of ann takes 61 s on 1 × NVIDIA H200, 33 s on 2 × NVIDIA H200"),
        ProfilesCommand.epochs(profile));
    JsonNode none = new JsonMapper().readTree("{}");
    assertEquals(Optional.empty(), ProfilesCommand.epochs(none));
  }
}
