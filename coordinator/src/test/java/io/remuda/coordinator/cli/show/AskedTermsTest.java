package io.remuda.coordinator.cli.show;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.client.RestClient;
import org.junit.jupiter.api.Test;

class AskedTermsTest {

  private static String notice(String terms) throws Exception {
    return AskedTerms.notice(RestClient.JSON.readTree(terms));
  }

  @Test
  void who_is_told_is_said_with_the_occasions() throws Exception {
    assertEquals("", notice("{}"));
    assertEquals(
        "https://h/x at start, failure",
        notice("{\"notice\":{\"to\":\"https://h/x\",\"on\":[\"start\",\"fail\"]}}"));
  }
}
