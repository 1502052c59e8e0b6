package io.remuda.coordinator.report.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.drawing.request.ServerAnswers;
import io.remuda.coordinator.report.ReportBlock;
import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class WasteBlocksTest {
  private static final LocalDate DAY = LocalDate.of(2026, 11, 25);

  private static List<ReportBlock> blocks(String path, String answer) throws IOException {
    ServerAnswers server =
        asked -> {
          if (!asked.startsWith(path)) {
            throw new RestFailureException(404, "there is no " + asked);
          }
          return new ObjectMapper().readTree(answer);
        };
    return new WasteBlocks(server, new JobTables(0, ZoneOffset.UTC)).since(DAY);
  }

  @Test
  void each_row_has_what_mends_it_and_gaps_and_energy_have_sums() throws IOException {
    List<ReportBlock> blocks =
        blocks(
            "/waste?since=2026-11-25",
            """
            {"rows": [{"kind": "squatter", "user": "bob", "node": "gpu1", "gpu": "gpu1:0",
              "job": null, "text": "8 GiB", "command": "kill 7"},
              {"kind": "lent-and-idle", "user": "ann", "gpu": "gpu1:1, gpu1:2", "job": 2,
               "idleSince": 1795917240, "text": "unused", "command": "remuda cancel 2"}],
             "idleForLess": 1, "energySince": 1795917300,
             "gaps": [{"reason": "nobody-waited", "gpuHours": 12.5}],
             "energy": [{"by": "user", "name": "ann", "kwh": 3.5}, {"by": "idle", "kwh": 1}]}""");
    assertEquals(
        List.of(
            List.of(
                List.of("bob", "gpu1:0", "8 GiB", "kill 7"),
                List.of(
                    "ann", "gpu1:1, gpu1:2", "idle since 29 Nov 01:54: unused", "remuda cancel 2")),
            List.of(List.of("nobody waited", "12.5")),
            List.of(List.of("user ann", "3.5 kWh"), List.of("idle", "1 kWh"))),
        blocks.stream()
            .filter(ReportBlock.Table.class::isInstance)
            .map(block -> ((ReportBlock.Table) block).rows())
            .toList());
    assertEquals(
        List.of(
            new ReportBlock.Words("1 GPU is held and idle for less than 5 minutes."),
            new ReportBlock.Words(
                "Times and energy of GPUs are counted by days in UTC, here since 29 Nov 01:55.")),
        blocks.stream().filter(ReportBlock.Words.class::isInstance).toList());
  }

  @Test
  void a_server_of_an_earlier_build_says_what_was_not_used() throws IOException {
    List<ReportBlock> blocks =
        blocks(
            "/usage?by=user&since=2026-11-25",
            "{\"unused\": [{\"user\": \"ann\", \"type\": \"t\", \"text\": \"2 CPUs\"}]}");
    assertEquals(
        List.of(List.of("ann", "t", "2 CPUs")), ((ReportBlock.Table) blocks.get(0)).rows());
    assertEquals(List.of(), blocks("/usage", "{}"));
  }
}
