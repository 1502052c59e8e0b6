package io.remuda.coordinator.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.LeaseHolderProcess;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Processes that can use certain devices only. Devices have 80. */
class LeaseHolderProcessTest {
  private static final long PID = 4711;

  private final Picture picture = new Picture().by(PlacementPolicy.PACK);

  private static ResourceRequest whole(String... devices) {
    return new ResourceRequest(0, devices.length)
        .boundTo(new LeaseHolderProcess(PID, Picture.devices(devices)));
  }

  private static ResourceRequest part(long bytes, String device) {
    return new ResourceRequest(0, 1, 0, bytes, null, Map.of()).boundTo(whole(device).bound());
  }

  private void assertNoRoom(String task, String... devices) {
    assertEquals(
        List.of(new WaitReason.NoRoomOnGpus("n1", Picture.devices(devices))),
        picture.reasons(task));
  }

  @Test
  void a_process_gets_what_it_is_bound_to_whichever_are_free() {
    picture.node("n1", "A", "B", "C").node("n2", "D").wants("1.0", whole("B"));
    picture.wants("2.0", whole("C", "A"));
    assertEquals(List.of("1.0 on n1[B]", "2.0 on n1[A, C]"), picture.placed());
    Picture parts = new Picture().by(PlacementPolicy.PACK);
    parts.sharedNode("n1", "A", 70).alsoShares("B", 30).wants("1.0", part(20, "A"));
    assertEquals(List.of("1.0 on n1[A]"), parts.placed());
  }

  @Test
  void it_waits_for_that_while_others_are_free() {
    picture.node("n1", "A", "B", "C").wants("1.0", whole("B")).wants("2.0", whole("B", "C"));
    assertEquals(List.of("1.0 on n1[B]"), picture.placed());
    assertNoRoom("2.0", "B");
  }

  @Test
  void it_waits_for_memory_of_it_while_others_have_some() {
    picture.sharedNode("n1", "A", 10).alsoShares("B", 80).wants("1.0", part(20, "A"));
    assertEquals(List.of(), picture.placed());
    assertNoRoom("1.0", "A");
  }

  @Test
  void a_gang_waits_for_it_if_it_is_slow_beside_the_tasks_there_and_others_are_free() {
    picture.slow("train", "eval", 96).gangs();
    picture.sharedNode("n1", "A", 50).holds("train").alsoShares("B", 80);
    picture.type("eval").wants("1.0", whole("A"));
    assertEquals(List.of(), picture.placed());
    assertEquals(
        List.of(
            new WaitReason.GangIncomplete(1, 0),
            new WaitReason.NoRoomOnGpus("n1", Picture.devices("A"))),
        picture.reasons("1.0"));
  }

  @Test
  void a_node_that_does_not_have_it_says_so() {
    picture.node("n1", "A", "B").wants("1.0", whole("B", "X"));
    assertEquals(
        List.of(new WaitReason.LacksGpus("n1", Picture.devices("X"))), picture.reasons("1.0"));
  }

  @Test
  void what_it_has_of_the_device_already_is_its_own() {
    picture.sharedNode("n1", "A", 10).inUseBy(PID, 30).wants("1.0", part(40, "A"));
    picture.wants("2.0", part(1, "A")).wantsGpuMemory("3.0", 1, 1);
    assertEquals(List.of("1.0 on n1[A]"), picture.placed());
    Picture less = new Picture().by(PlacementPolicy.PACK);
    less.sharedNode("n1", "A", 10).inUseBy(PID, 30).wants("1.0", part(20, "A"));
    less.wantsGpuMemory("2.0", 1, 11).wantsGpuMemory("3.0", 1, 10);
    assertEquals(List.of("1.0 on n1[A]", "3.0 on n1[A]"), less.placed());
    Picture others = new Picture().by(PlacementPolicy.PACK);
    others.sharedNode("n1", "A", 10).inUseBy(PID + 1, 30).wants("1.0", part(40, "A"));
    others.wantsGpuMemory("2.0", 1, 40);
    assertEquals(List.of(), others.placed());
  }

  @Test
  void nobody_passes_it_for_ever_on_its_device_and_the_others_stay_free_for_all() {
    picture.sharedNode("n1", "A", 50).alsoShares("B", 80).alsoShares("C", 70);
    picture.wants("1.0", whole("A")).impatient("1.0");
    picture.wantsGpuMemory("2.0", 1, 30).wants("3.0", 1).wantsGpuMemory("4.0", 1, 45);
    assertEquals(List.of("2.0 on n1[C]", "3.0 on n1[B]"), picture.placed());
    Picture patient = new Picture().by(PlacementPolicy.PACK);
    patient.sharedNode("n1", "A", 50).wants("1.0", whole("A")).wantsGpuMemory("2.0", 1, 30);
    assertEquals(List.of("2.0 on n1[A]"), patient.placed());
  }

  /** It waits for A, which is busy; B is free and kept for it. */
  private Picture keepsFreeB() {
    picture.sharedNode("n1", "A", 50).alsoShares("B", 80);
    return picture.wants("1.0", whole("A", "B")).impatient("1.0");
  }

  private void assertHeld(String task) {
    assertEquals(List.of(new WaitReason.HeldForOther("n1", new JobId(1))), picture.reasons(task));
  }

  @Test
  void a_task_that_only_lacks_devices_kept_for_a_job_hears_for_which_one() {
    keepsFreeB().wantsGpuMemory("2.0", 1, 60).wants("3.0", 1).wants("4.0", whole("B"));
    assertEquals(List.of(), picture.placed());
    assertHeld("2.0");
    assertHeld("3.0");
    assertHeld("4.0");
  }

  @Test
  void a_task_that_would_not_fit_on_kept_devices_either_hears_what_is_lacking() {
    keepsFreeB().wantsGpuMemory("2.0", 1, 90).wants("3.0", 3);
    assertEquals(
        List.of(new WaitReason.TooLittleGpuMemory("n1", 90, 1, 0, 0, 80)), picture.reasons("2.0"));
    assertEquals(List.of(new WaitReason.TooFewFreeGpus("n1", 3, 0, 2)), picture.reasons("3.0"));
  }
}
