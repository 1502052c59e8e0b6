package io.remuda.coordinator.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.rest.request.SubmissionReader;
import io.remuda.coordinator.settings.NoticeSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoticePolicyTest {

  private static final Caller OWNER = new Caller("ann", true);
  private static final Caller USER = new Caller("bob", false);

  static NewJob telling(String to) {
    String body = "{\"argv\": [\"true\"], \"workdir\": \"/\", \"notifyTo\": \"" + to + "\"}";
    return new SubmissionReader(false).read(body.getBytes(StandardCharsets.UTF_8), "bob").get(0);
  }

  private static Optional<Rejection> refusal(NoticeSettings settings, String to, Caller caller) {
    return new NoticePolicy(settings).refusal(telling(to), caller);
  }

  private static String refused(String to) {
    Rejection no = refusal(NoticeSettings.USUAL, to, USER).orElseThrow();
    assertEquals(Rejection.Code.INVALID, no.code());
    return no.message();
  }

  @Test
  void only_the_owner_may_name_a_program() {
    assertEquals(Optional.empty(), refusal(NoticeSettings.USUAL, "/opt/tell", OWNER));
    Rejection no = refusal(NoticeSettings.USUAL, "/opt/tell", USER).orElseThrow();
    assertEquals(Rejection.Code.NOT_YOURS, no.code());
    assertTrue(no.message().contains("only the owner of this server may name a program"));
  }

  @Test
  void mail_is_refused_by_a_server_that_sends_none() {
    NoticeSettings mails = new NoticeSettings(List.of("/usr/sbin/sendmail"), List.of());
    assertEquals(Optional.empty(), refusal(mails, "a@b", USER));
    assertEquals(
        "notifyTo: this server has no program that would send mail to a@b", refused("a@b"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://127.0.0.1:0/", "http://h:65536/", "http://h:99999/x", "https://[::1]:0"})
  void a_port_at_which_nobody_can_listen_is_refused(String to) {
    assertTrue(refused(to).startsWith("notifyTo: no server listens at port "), refused(to));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://0.0.0.0/",
        "http://224.0.0.1/",
        "http://255.255.255.255/",
        "http://[::]/",
        "http://[0:0:0:0:0:0:0:0]/",
        "http://[ff02::1]/",
        "http://a0123456789012345678901234567890123456789012345678901234567890123.example/"
      })
  void an_address_that_no_machine_has_is_refused(String to) {
    assertTrue(refused(to).endsWith("is the address of no machine"), refused(to));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://h",
        "http://127.0.0.1:1/x",
        "https://h:65535/",
        "https://[::1]/",
        "https://[fe80::1]/",
        "http://1.2.3.4/",
        "http://223.255.255.255/"
      })
  void any_other_host_may_be_told_unless_the_owner_says_which(String to) {
    assertEquals(Optional.empty(), refusal(NoticeSettings.USUAL, to, USER));
  }

  @Test
  void only_the_hosts_of_the_setting_are_told() {
    NoticeSettings some =
        new NoticeSettings(List.of(), List.of("hooks.example.org", "*.lab.example", "[::1]"));
    for (String to :
        List.of(
            "https://hooks.example.org/x",
            "https://HOOKS.example.org.:8443/x",
            "http://a.b.lab.example/",
            "http://[::1]/")) {
      assertEquals(Optional.empty(), refusal(some, to, USER), to);
    }
    for (String to :
        List.of(
            "https://example.org/",
            "https://x.hooks.example.org/",
            "https://lab.example/",
            "http://evil-lab.example/",
            "http://hooks.example.org@evil.example/",
            "http://127.0.0.1/")) {
      Rejection no = refusal(some, to, OWNER).orElseThrow();
      assertEquals(Rejection.Code.NOT_YOURS, no.code());
      assertEquals(
          "it tells hooks.example.org, *.lab.example, [::1]; its owner changes that with"
              + " remuda.coordinator.notices.hosts",
          no.todo());
    }
    NoticeSettings none = new NoticeSettings(List.of(), List.of());
    assertTrue(
        refusal(none, "http://h/", OWNER).orElseThrow().todo().startsWith("it tells no URL"));
  }

  @Test
  void a_setting_that_names_no_host_is_refused() {
    for (String wrong : List.of("http://h", "h:80", "a b", "*x", "-")) {
      assertThrows(
          IllegalArgumentException.class,
          () -> new NoticeSettings(List.of(), List.of(wrong)),
          wrong);
    }
  }
}
