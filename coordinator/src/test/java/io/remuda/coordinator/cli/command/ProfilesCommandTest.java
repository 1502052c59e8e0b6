package io.remuda.coordinator.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProfilesCommandTest {

  @Test
  void there_is_a_line_for_each_two_types_that_do_not_share() throws Exception {
    String profiles =
        """
        [{"type": "eval", "user": "bob",
          "slowWith": [{"type": "train", "user": "ann", "togetherPercent": 96}]},
         {"type": "other", "user": "bob", "slowWith": []},
         {"type": "train", "user": "ann",
          "slowWith": [{"type": "eval", "user": "bob", "togetherPercent": 96},
                       {"type": "train", "user": "ann", "togetherPercent": 104}]}]""";
    assertEquals(
        List.of(
            "'eval' of bob and 'train' of ann do not share a GPU: together they are 0.96 times as"
                + " fast as one after the other",
            "two of 'train' of ann do not share a GPU: together they are 1.04 times as fast as one"
                + " after the other"),
        List.copyOf(ProfilesCommand.apart(JsonMapper.builder().build().readTree(profiles))));
  }
}
