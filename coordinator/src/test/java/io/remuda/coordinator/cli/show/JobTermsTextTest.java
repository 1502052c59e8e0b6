package io.remuda.coordinator.cli.show;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.remuda.coordinator.client.RestClient;
import org.junit.jupiter.api.Test;

class JobTermsTextTest {

  private static String notice(String terms) throws Exception {
    return JobTermsText.notice(RestClient.JSON.readTree(terms));
  }

  @Test
  void of_many_jobs_that_wait_twenty_are_named() throws Exception {
    assertEquals("", JobTermsText.then(RestClient.JSON.readTree("{}")));
    ObjectNode job = RestClient.JSON.createObjectNode();
    ArrayNode dependents = job.putArray("dependents").add(74).add(75);
    assertEquals("74, 75", JobTermsText.then(job));
    for (int i = 0; i < 20; i++) {
      dependents.add(100 + i);
    }
    assertTrue(JobTermsText.then(job).endsWith(", 116, 117 and 2 more"), JobTermsText.then(job));
  }

  private static String after(String terms) throws Exception {
    return JobTermsText.after(RestClient.JSON.readTree(terms));
  }

  @Test
  void the_jobs_that_it_comes_after_are_all_or_one_of_several() throws Exception {
    assertEquals("3:ok, 4:any", after("{\"after\":[\"3:ok\",\"4:any\"]}"));
    assertEquals("one of 3:ok, 4:any", after("{\"after\":[],\"afterOneOf\":[\"3:ok\",\"4:any\"]}"));
    assertEquals("3:ok", after("{\"after\":[],\"afterOneOf\":[\"3:ok\"]}"));
  }

  @Test
  void who_is_told_is_said_with_the_occasions() throws Exception {
    assertEquals("", notice("{}"));
    assertEquals(
        "https://h/x at start, failure",
        notice("{\"notice\":{\"to\":\"https://h/x\",\"on\":[\"start\",\"fail\"]}}"));
  }
}
