package io.remuda.coordinator.cli.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.cli.command.RootCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused before a server starts. */
@Timeout(60) // what is not refused is a server
class ServeCommandTest extends WithComplaints {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--simulate-gpus | foo:2    | --simulate-gpus: no GPU model 'foo'; known are b200, h200,",
        "--simulate-gpus | foo:0    | --simulate-gpus: no GPU model 'foo'; known are b200, h200,",
        "--simulate-gpus | 2        | --simulate-gpus: no GPU model '2' (write MODEL:COUNT, as h100:2)",
        "--simulate-gpus | 100      | --simulate-gpus: no GPU model '100' (write MODEL:COUNT, as h100:64)",
        "--simulate-gpus | h200:-1  | --simulate-gpus: no count from 0 to 64 in 'h200:-1': '-1'",
        "--simulate-gpus | h200:x   | --simulate-gpus: no count from 0 to 64 in 'h200:x': 'x'",
        "--simulate-gpus | ''       | --simulate-gpus: no GPU model ''; known are b200, h200,",
        "--cpus          | -1       | --cpus must be above 0, got -1.0",
        "--cpus          | 0        | --cpus must be above 0, got 0.0",
        "--cpus          | NaN      | --cpus must be above 0, got NaN",
        "--cpus          | Infinity | --cpus must be above 0, got Infinity",
        "--mem           | lots     | --mem: 'lots' is not a size: write 6G, 512M, 6GiB,",
        "--mem           | -1GiB    | --mem: '-1GiB' is not a size: write 6G, 512M, 6GiB,",
        "--on-overuse    | never    | --on-overuse must be stop or warn, got 'never'",
        "--gpu-ids       | number   | --gpu-ids must be index or uuid, got 'number'"
      })
  void what_its_agent_would_die_of_is_bad_usage_in_the_words_of_the_agent_and_nothing_starts(
      String option, String value, String words) throws IOException {
    assertEquals(2, RootCommand.execute(new String[] {"serve", option, value}));
    List<String> lines = complaint().lines().toList();
    assertEquals(1, lines.size(), lines.toString());
    assertTrue(lines.get(0).startsWith("remuda: " + words), lines.get(0));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(), files.toList());
    }
  }
}
