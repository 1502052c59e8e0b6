package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.cli.channel.SignalCommand;
import io.remuda.coordinator.cli.select.ChosenJob;
import io.remuda.coordinator.cli.select.NumberedTask;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.cli.server.WithFakeServer;
import io.remuda.coordinator.client.RestFailureException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class NumberedTaskTest extends WithFakeServer {

  private static final String OF_A_TASK =
      "{\"filtered\":true,\"jobs\":[{\"id\":5,\"task\":2,\"arrayIndex\":6}]}";

  private static ChosenJob number(long number) {
    return new ChosenJob(number, null, null);
  }

  @Test
  void the_number_of_a_job_costs_no_request_but_that_of_the_command() throws Exception {
    Map<String, Supplier<ServerCommandBase>> commands =
        Map.of(
            "POST /jobs/5/hold", HoldCommand::new,
            "POST /jobs/5/release", ReleaseCommand::new,
            "POST /jobs/5/requeue", RequeueCommand::new,
            "POST /jobs/5/resubmit", ResubmitCommand::new);
    for (Map.Entry<String, Supplier<ServerCommandBase>> one : commands.entrySet()) {
      int before = server.requests().size();
      ask(one.getValue().get(), "5");
      List<String> asked = server.requests();
      assertEquals(List.of(one.getKey()), asked.subList(before, asked.size()));
    }
    int before = server.requests().size();
    ask(new ExplainCommand(), "5");
    List<String> explained = server.requests();
    assertEquals(
        List.of("GET /jobs/5/explain", "GET /jobs/5/waiting"),
        explained.subList(before, explained.size()));
    before = server.requests().size();
    ask(new SignalCommand(), "USR1", "5");
    ask(new CancelCommand(), "5");
    List<String> asked = server.requests();
    assertEquals(
        List.of("POST /jobs/5/signal?signal=USR1", "POST /jobs/5/cancel"),
        asked.subList(before, asked.size()));
  }

  @Test
  void what_a_number_is_is_asked_once_there_is_no_job_of_it() throws Exception {
    server.answers("/jobs/8/requeue", "").answers("/jobs?limit=1&all&select=8", OF_A_TASK);
    assertEquals(0, ask(new RequeueCommand(), "8"));
    assertEquals("task 5.2 is requeued\n", out.toString());
    assertEquals(
        List.of(
            "POST /jobs/8/requeue",
            "GET /jobs?limit=1&all&select=8",
            "POST /jobs/5/tasks/2/requeue"),
        server.requests());
  }

  @Test
  void a_number_that_is_none_is_refused_as_the_server_has_refused_it() throws Exception {
    RestFailureException none = new RestFailureException(404, "there is no job 9");
    server.answers("/jobs?", "");
    assertEquals(
        none,
        assertThrows(
            RestFailureException.class, () -> NumberedTask.find(server.client(), number(9), none)));
    server.answers("/jobs?", OF_A_TASK); // of an earlier server that lists another job
    assertThrows(
        RestFailureException.class, () -> NumberedTask.find(server.client(), number(9), none));
    RestFailureException other = new RestFailureException(409, "it is over");
    int before = server.requests().size();
    assertEquals(
        other,
        assertThrows(
            RestFailureException.class,
            () -> NumberedTask.find(server.client(), number(8), other)));
    assertTrue(server.requests().size() == before);
  }
}
