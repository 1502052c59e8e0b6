package io.remuda.coordinator.schedule;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.tasks;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.coordinator.schedule.model.WaitReason;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Counted resources, GPU models in an order of preference, and labels with several values. */
class NodeChoiceTest {

  private static Plan plan(List<NodeBuilder> nodes, LineBuilder... lines) {
    List<NodeOffer> offers = nodes.stream().map(NodeBuilder::offer).toList();
    List<TaskClass> classes = Stream.of(lines).map(LineBuilder::line).toList();
    return Scheduler.plan(
        new Snapshot(offers, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0), classes);
  }

  private static List<String> placed(Plan plan) {
    return plan.placements().stream()
        .map(one -> one.task() + " on " + one.node() + one.devices())
        .toList();
  }

  private static List<NodeBuilder> nodes(NodeBuilder... nodes) {
    return Arrays.asList(nodes);
  }

  @Test
  void what_the_cluster_has_is_lent_once_over_all_nodes() {
    Plan plan =
        plan(
            nodes(node("n1").ofCluster("lic", 3, 3), node("n2").ofCluster("lic", 3, 3)),
            tasks(1, 3).need(needs().cpus(3).counted("lic", 2)));
    assertEquals(List.of("1.0 on n1[]"), placed(plan));
    assertEquals(
        List.of(
            new WaitReason.TooFewFreeCpus("n1", 3000, 1000, 4000),
            new WaitReason.TooFewInCluster("lic", 2, 1, 3)),
        plan.waiting().values().iterator().next());
  }

  @Test
  void what_the_cluster_lacks_is_said_once() {
    Plan plan =
        plan(
            nodes(node("n1").ofCluster("lic", 0, 3), node("n2").ofCluster("lic", 0, 3)),
            tasks(1, 1).need(needs().counted("lic", 1)));
    assertEquals(
        List.of(new WaitReason.TooFewInCluster("lic", 1, 0, 3)),
        plan.waiting().values().iterator().next());
  }

  @Test
  void what_a_node_has_is_counted_there() {
    Plan plan =
        plan(
            nodes(node("n1").counted("scratch", 1, 1), node("n2").counted("scratch", 2, 2)),
            tasks(1, 4).need(needs().counted("scratch", 1)));
    assertEquals(
        Map.of("n1", 1L, "n2", 2L),
        plan.placements().stream()
            .collect(Collectors.groupingBy(Plan.Placement::node, Collectors.counting())));
  }

  @Test
  void a_gang_takes_counted_resources_for_all_members_or_none() {
    List<NodeBuilder> nodes =
        nodes(node("n1").ofCluster("lic", 3, 3), node("n2").ofCluster("lic", 3, 3));
    LineBuilder two = tasks(1, 2).gang().need(needs().cpus(4).counted("lic", 1));
    assertEquals(List.of("1.0 on n1[]", "1.1 on n2[]"), placed(plan(nodes, two)));
    LineBuilder dear = tasks(1, 2).gang().need(needs().cpus(4).counted("lic", 2));
    assertEquals(List.of(), placed(plan(nodes, dear)));
    LineBuilder after = tasks(2, 1).need(needs().counted("lic", 3));
    assertEquals(List.of("2.0 on n1[]"), placed(plan(nodes, dear, after)));
  }

  @Test
  void what_a_waiting_task_will_need_of_the_cluster_is_kept_for_it() {
    List<NodeBuilder> nodes =
        nodes(node("n1").cpus(0, 4000).ofCluster("lic", 2, 2), node("n2").ofCluster("lic", 2, 2));
    LineBuilder first = tasks(1, 1).need(needs().cpus(3).only("n1").counted("lic", 2)).impatient();
    LineBuilder second = tasks(2, 1).need(needs().counted("lic", 1)).limitMillis(1);
    assertEquals(List.of(), placed(plan(nodes, first, second)));
    assertEquals(List.of("2.0 on n1[]"), placed(plan(nodes, second)));
  }

  @Test
  void the_first_model_that_is_free_is_taken() {
    NodeBuilder a100 = node("n1", device("A").model("A100"));
    NodeBuilder h100 = node("n2", device("H").model("H100"));
    LineBuilder wants = tasks(1, 3).need(needs().gpus(1).model("H100|A100"));
    Plan plan = plan(nodes(a100, h100), wants);
    assertEquals(List.of("1.0 on n2[H]", "1.1 on n1[A]"), placed(plan));
    assertEquals(
        List.of(
            new WaitReason.TooFewFreeGpus("n1", 1, 0, 1),
            new WaitReason.TooFewFreeGpus("n2", 1, 0, 1)),
        plan.waiting().values().iterator().next());
  }

  @Test
  void all_gpus_of_a_task_are_of_one_model() {
    NodeBuilder mixed = node("n1", device("A").model("A100"), device("H").model("H100"));
    LineBuilder wants = tasks(1, 1).need(needs().gpus(2).model("H100|A100"));
    assertEquals(List.of(), placed(plan(nodes(mixed), wants)));
  }

  @Test
  void a_node_without_any_of_the_models_says_so() {
    NodeBuilder v100 = node("n1", device("V").model("V100"));
    Plan plan = plan(nodes(v100), tasks(1, 1).need(needs().gpus(1).model("H100|A100")));
    assertEquals(
        List.of(new WaitReason.LacksModel("n1", "H100|A100", List.of("V100"))),
        plan.waiting().values().iterator().next());
  }

  @Test
  void a_gang_gets_the_preferred_model_even_on_more_nodes() {
    NodeBuilder[] all = {
      node("n1", device("A").model("A100"), device("B").model("A100")),
      node("n2", device("H").model("H100")),
      node("n3", device("I").model("H100"))
    };
    LineBuilder gang = tasks(1, 2).gang().need(needs().gpus(1).model("H100|A100"));
    assertEquals(List.of("1.0 on n2[H]", "1.1 on n3[I]"), placed(plan(nodes(all), gang)));
  }

  @Test
  void one_of_several_values_of_a_label_will_do() {
    NodeBuilder first = node("n1").label("rack", "1");
    NodeBuilder third = node("n3").label("rack", "3");
    LineBuilder wants = tasks(1, 1).need(needs().label("rack", "2|3"));
    assertEquals(List.of("1.0 on n3[]"), placed(plan(nodes(first, third), wants)));
  }
}
