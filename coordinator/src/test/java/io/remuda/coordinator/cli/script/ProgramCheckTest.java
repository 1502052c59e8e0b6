package io.remuda.coordinator.cli.script;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a missing program means, by the machines of the nodes. */
class ProgramCheckTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[{'machine':'m1'},{'machine':'m1'}]|HERE",
        "[{'machine':'m1'},{'machine':'m2'}]|ALSO_HERE",
        "[{'machine':'m1'},{'machine':null}]|ALSO_HERE",
        "[{'machine':'m2'}]|ELSEWHERE",
        "[]|ELSEWHERE",
        "[{}]|ELSEWHERE",
      })
  void it_counts_only_if_all_nodes_are_here(String nodes, ProgramCheck.Where where)
      throws IOException {
    assertEquals(
        where, ProgramCheck.where(new JsonMapper().readTree(nodes.replace('\'', '"')), "m1"));
  }

  @ParameterizedTest
  @CsvSource({"'[{\"machine\":\"\"}]'"})
  void an_unknown_machine_is_none_of_them(String nodes) throws IOException {
    assertEquals(
        ProgramCheck.Where.ELSEWHERE, ProgramCheck.where(new JsonMapper().readTree(nodes), ""));
  }
}
