package io.remuda.coordinator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.cluster.FormationRule.Answer;
import io.remuda.coordinator.cluster.FormationRule.Away;
import io.remuda.coordinator.cluster.FormationRule.BeginCluster;
import io.remuda.coordinator.cluster.FormationRule.JoinOther;
import io.remuda.coordinator.cluster.FormationRule.There;
import io.remuda.coordinator.cluster.FormationRule.Wait;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FormationRuleTest {
  private static final ClusterFile.Member A = ClusterFile.member("a", "h1:7000");
  private static final ClusterFile.Member B = ClusterFile.member("b", "h2:7000");
  private static final ClusterFile.Member C = ClusterFile.member("c", "h3:7000");
  private static final ClusterFile CLUSTER =
      ClusterFile.of("jdbc:postgresql://db/lab", List.of(A, B, C));
  private static final Answer FREE = new There("absent");
  private static final Answer GONE = new Away("connection refused");

  private static FormationRule.Step next(ClusterFile.Member self, Map<String, Answer> answers) {
    return FormationRule.next(CLUSTER, self, answers);
  }

  @Test
  void the_first_of_those_that_answer_begins_a_cluster() {
    assertEquals(BeginCluster.INSTANCE, next(A, Map.of("b", FREE, "c", GONE)));
    assertEquals(BeginCluster.INSTANCE, next(B, Map.of("a", GONE, "c", FREE)));
    assertInstanceOf(Wait.class, next(C, Map.of("a", GONE, "b", FREE)));
  }

  @Test
  void a_minority_never_begins_a_cluster_and_says_what_it_waits_for() {
    Wait wait = assertInstanceOf(Wait.class, next(A, Map.of("b", GONE, "c", new Away("no route"))));
    assertEquals(
        "1 of 3 coordinators are here, and 2 are needed: b: connection refused; c: no route",
        wait.reason().whole());
  }

  @Test
  void a_member_with_an_old_key_says_so_and_what_to_do() {
    Answer other = FormationRule.AnotherKey.INSTANCE;
    for (Map<String, Answer> answers :
        List.of(Map.of("b", other, "c", other), Map.of("b", other, "c", GONE))) {
      Wait wait = assertInstanceOf(Wait.class, next(A, answers));
      assertEquals(
          "1 of 3 coordinators are here, and 2 are needed: the others show another key than this one"
              + " has, whose cluster.key is an old one (or of another cluster): copy theirs to this"
              + " machine",
          wait.reason().what());
      assertTrue(wait.reason().detail().startsWith("b: it shows another key; c: "));
    }
  }

  @Test
  void one_whose_key_differs_from_that_of_most_is_the_one_with_the_old_key() {
    ClusterFile five =
        ClusterFile.of(
            "jdbc:postgresql://db/lab",
            List.of(A, B, C, ClusterFile.member("d", "h4:7000"), ClusterFile.member("e", "h5:1")));
    Wait wait =
        assertInstanceOf(
            Wait.class,
            FormationRule.next(
                five,
                A,
                Map.of("b", FREE, "c", FormationRule.AnotherKey.INSTANCE, "d", GONE, "e", GONE)));
    assertTrue(
        wait.reason()
            .what()
            .endsWith(
                ": 1 of the others show another key: copy the cluster.key of this machine to"
                    + " theirs"),
        wait.reason().what());
  }

  @Test
  void a_cluster_that_is_there_is_joined_even_by_the_first() {
    assertEquals(new JoinOther(C), next(A, Map.of("b", GONE, "c", new There("up"))));
  }

  @Test
  void a_member_that_is_up_is_preferred_to_one_that_joins() {
    assertEquals(
        new JoinOther(C), next(B, Map.of("a", new There("joining"), "c", new There("up"))));
    assertEquals(new JoinOther(A), next(B, Map.of("a", new There("joining"), "c", FREE)));
  }

  @Test
  void a_member_of_another_protocol_is_not_joined_and_the_reason_says_what_to_do() {
    int newer = ClusterMessage.PROTOCOL_VERSION + 1;
    Answer up = FormationRule.heard(newer, "up");
    Wait wait = assertInstanceOf(Wait.class, next(C, Map.of("a", up, "b", up)));
    String reason =
        "speaks version 2 of the coordinators' protocol, this build version 1: replace this"
            + " coordinator by the release of that one";
    assertEquals(
        "1 of 3 coordinators are here, and 2 are needed: a: " + reason + "; b: " + reason,
        wait.reason().whole());
    Away older = assertInstanceOf(Away.class, FormationRule.heard(0, "absent"));
    assertTrue(older.why().endsWith("replace it by this release"), older.why());
    assertEquals(new JoinOther(B), next(C, Map.of("a", up, "b", heard("up"))));
    assertEquals(BeginCluster.INSTANCE, next(B, Map.of("a", up, "c", heard("absent"))));
  }

  private static Answer heard(String state) {
    return FormationRule.heard(ClusterMessage.PROTOCOL_VERSION, state);
  }

  @Test
  void a_member_that_cannot_read_the_state_is_not_waited_for() {
    Answer outdated = heard(ClusterMemberStatus.OUTDATED);
    assertEquals(BeginCluster.INSTANCE, next(B, Map.of("a", outdated, "c", FREE)));
    Wait wait = assertInstanceOf(Wait.class, next(B, Map.of("a", outdated, "c", GONE)));
    assertTrue(
        wait.reason().whole().contains("a: its build is too old for the state"),
        wait.reason().whole());
  }

  @Test
  void of_five_three_are_needed() {
    ClusterFile five =
        ClusterFile.of(
            "jdbc:postgresql://db/lab",
            List.of(A, B, C, ClusterFile.member("d", "h4:1"), ClusterFile.member("e", "h5:1")));
    assertInstanceOf(Wait.class, FormationRule.next(five, A, Map.of("b", FREE)));
    assertEquals(BeginCluster.INSTANCE, FormationRule.next(five, A, Map.of("b", FREE, "e", FREE)));
    assertTrue(five.majority() == 3);
  }
}
