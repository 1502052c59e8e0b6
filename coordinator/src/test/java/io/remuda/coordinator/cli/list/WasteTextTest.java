package io.remuda.coordinator.cli.list;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class WasteTextTest {

  private static JsonNode json(String text) throws IOException {
    return RestClient.JSON.readTree(text.replace('\'', '"'));
  }

  @Test
  void what_is_wasted_now_has_its_command_and_energy_its_users() throws IOException {
    JsonNode waste =
        json(
            "{'rows':[{'kind':'over-asked-memory','user':'ann','text':'said already'},"
                + "{'kind':'lent-and-idle','user':'ann','gpu':'n1:0','job':12,"
                + "'text':'job 12 has n1:0 and has not used it','idleSince':1795917240,"
                + "'command':'remuda cancel 12.0'},"
                + "{'kind':'squatter','user':null,'gpu':'n1:1',"
                + "'text':'pid 7 uses 3 GiB','command':'ssh n1 kill 7'}],"
                + "'energy':[{'by':'all','name':null,'kwh':3},{'by':'idle','name':null,'kwh':1.5},"
                + "{'by':'user','name':'ann','kwh':1.5}],'idleForLess':2,'more':true}");
    assertEquals(
        List.of(
            "",
            "now:",
            "  ann, n1:0: idle since 29 Nov 01:54: job 12 has n1:0 and has not used it"
                + " (remuda cancel 12.0)",
            "  n1:1: pid 7 uses 3 GiB (ssh n1 kill 7)",
            "  2 GPUs are held and idle for less than 5 min",
            "energy of GPUs: without a task 1.50 kWh, ann 1.50 kWh,"
                + " without the shortest of too many times"),
        WasteText.lines(waste, ZoneOffset.UTC));
  }

  @Test
  void an_earlier_server_and_an_empty_one_say_nothing() throws IOException {
    assertEquals(List.of(), WasteText.lines(json("null"), ZoneOffset.UTC));
    assertEquals(List.of(), WasteText.lines(json("{'rows':[],'energy':[]}"), ZoneOffset.UTC));
  }
}
