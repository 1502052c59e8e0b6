package io.remuda.coordinator.rest.request;

import io.remuda.telemetry.testkit.FuzzCorpus;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("attack")
@Tag("attack-bad-request")
@Timeout(60)
class BodyFuzzTest {
  private static final int NEAR = 100;

  @Test
  void bodies_are_refused_in_words_or_mean_the_same_again() throws IOException {
    new FuzzCorpus(BodyFuzz.class).replay(BodyFuzz::fuzzerTestOneInput, 1, NEAR);
  }

  @Test
  void what_a_file_of_jobs_is_accepted_for_the_server_accepts() throws IOException {
    new FuzzCorpus(JobFileFuzz.class).replay(JobFileFuzz::fuzzerTestOneInput, 1, NEAR);
  }
}
