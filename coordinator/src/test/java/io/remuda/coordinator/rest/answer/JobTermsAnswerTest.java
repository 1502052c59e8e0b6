package io.remuda.coordinator.rest.answer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.worker.job.JobTerms;
import org.junit.jupiter.api.Test;

class JobTermsAnswerTest {

  private static JsonNode json(JobTerms terms) {
    return new JsonMapper().valueToTree(JobTermsAnswer.of(terms, false));
  }

  @Test
  void a_comment_is_there_if_the_job_has_one() {
    assertEquals(
        "second try",
        json(JobTerms.USUAL.with(terms -> terms.comment = "second try")).path("comment").asText());
    assertFalse(json(JobTerms.USUAL).has("comment"));
  }
}
