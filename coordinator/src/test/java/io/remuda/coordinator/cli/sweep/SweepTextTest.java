package io.remuda.coordinator.cli.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import org.junit.jupiter.api.Test;

class SweepTextTest {

  private static JsonNode array(String json) throws Exception {
    return RestClient.JSON.readTree(json.replace('\'', '"'));
  }

  @Test
  void a_job_that_repeats_some_tasks_says_which_by_array_index() throws Exception {
    String twenty = "'sweep': [{'by': 'index', 'name': null, 'values': 20}]";
    assertEquals("20 indices", SweepText.axes(array("{" + twenty + "}"), 20));
    assertEquals(
        "3 of 20 indices: 4,8-9",
        SweepText.axes(
            array("{'again': 5, 'picked': '3,7-8', 'indices': '4,8-9', " + twenty + "}"), 3));
    assertEquals(
        "2 tasks of lr (3 values) x seed (4 values): 0,5",
        SweepText.axes(
            array(
                "{'picked': '0,5', 'sweep': [{'by': 'parameter', 'name': 'lr', 'values': 3},"
                    + " {'by': 'parameter', 'name': 'seed', 'values': 4}]}"),
            2));
  }

  @Test
  void tasks_that_are_alike_are_named_beside_the_job_that_is_repeated() throws Exception {
    assertEquals("", SweepText.again(array("{'again': null}")));
    assertEquals("69", SweepText.again(array("{'again': 69, 'sweep': []}")));
    assertEquals(
        "69, of its tasks 1", SweepText.again(array("{'again': 69, 'sweep': [], 'picked': '1'}")));
  }
}
