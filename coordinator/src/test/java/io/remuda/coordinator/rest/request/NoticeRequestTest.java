package io.remuda.coordinator.rest.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.worker.job.NotificationTerms;
import io.remuda.worker.job.NotificationTerms.Occasion;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NoticeRequestTest {

  private static NotificationTerms terms(Map<String, Object> fields) {
    Map<String, Object> all = new TreeMap<>(fields);
    all.put("argv", List.of("true"));
    return JobRequest.of(all).toNewJob("ann", List.of()).terms().notice();
  }

  private static String refusal(Map<String, Object> fields) {
    return assertThrows(IllegalArgumentException.class, () -> terms(fields)).getMessage();
  }

  @Test
  void nobody_is_told_unless_a_receiver_is_named() {
    assertNull(terms(Map.of()));
    assertEquals(
        "notifyOn requires notifyTo: who is told?", refusal(Map.of("notifyOn", List.of("end"))));
  }

  @Test
  void a_receiver_is_a_url_an_address_or_a_program() {
    assertEquals(NotificationTerms.Way.URL, terms(Map.of("notifyTo", "https://h/x?y=1")).way());
    assertEquals(NotificationTerms.Way.MAIL, terms(Map.of("notifyTo", "ann@example.org")).way());
    NotificationTerms program = terms(Map.of("notifyTo", "/opt/tell  --quick $HOME"));
    assertEquals(NotificationTerms.Way.COMMAND, program.way());
    assertEquals(List.of("/opt/tell", "--quick", "$HOME"), program.argv());
  }

  @Test
  void the_end_is_told_unless_something_else_is_asked_for() {
    assertEquals(Set.of(Occasion.END), terms(Map.of("notifyTo", "a@b")).on());
    assertEquals(
        Set.of(Occasion.START, Occasion.FAIL),
        terms(Map.of("notifyTo", "a@b", "notifyOn", List.of("start", "fail"))).on());
  }

  @Test
  void what_is_no_receiver_is_refused() {
    for (String wrong : List.of("tell.sh", "-f@x y", "ann@example.org\nBcc: eve@x", "http://")) {
      assertTrue(refusal(Map.of("notifyTo", wrong)).startsWith("notifyTo"), wrong);
    }
    assertEquals(
        "notifyOn must be end, fail or start, got 'now'",
        refusal(Map.of("notifyTo", "a@b", "notifyOn", List.of("now"))));
  }
}
