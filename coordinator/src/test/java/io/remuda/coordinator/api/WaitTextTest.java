package io.remuda.coordinator.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.schedule.model.GpuRest;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceProcess;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WaitTextTest {
  private static final long GIB = 1L << 30;

  private static final List<DeviceId> GPUS = List.of(new DeviceId("GPU-1"), new DeviceId("GPU-2"));

  private static final Instant NOON = Instant.parse("2026-11-22T12:00:05Z");

  private static final List<WaitReason> ONE_OF_EACH =
      List.of(
          new WaitReason.NoNodes(),
          new WaitReason.OnHold(),
          new WaitReason.AfterJob(JobDependency.parse("3:any")),
          new WaitReason.AfterJob(JobDependency.parse("3:each")),
          new WaitReason.AfterOneOf(
              List.of(JobDependency.parse("3:any"), JobDependency.parse("4"))),
          new WaitReason.BeginsLater(NOON.toEpochMilli()),
          new WaitReason.PauseBeforeRetry(1500),
          new WaitReason.TypeMeasured("train.py", TaskId.parse("3.0")),
          new WaitReason.OthersLeave(List.of(TaskId.parse("1.0"), TaskId.parse("2.7")), 150),
          new WaitReason.TooManyPlaced(40_000),
          new WaitReason.GangIncomplete(8, 5),
          new WaitReason.MembersLeave(1),
          new WaitReason.MembersLeave(3),
          new WaitReason.EnoughRunning(4),
          new WaitReason.ServerEndsBefore(NOON.toEpochMilli(), 7_200_000),
          new WaitReason.UserLimit("ann", "GPUs", 4, 4, 1),
          new WaitReason.UserLimit("ann", "CPUs", 1.5, 1, 1),
          new WaitReason.TooFewInCluster("lic", 2, 1, 4),
          new WaitReason.CountedHeldBy("lic", List.of(TaskId.parse("1.0"), TaskId.parse("2.7"))),
          new WaitReason.NodeSilent("n1"),
          new WaitReason.NodeDraining("n1", null),
          new WaitReason.NodeDraining("n1", "a new disk"),
          new WaitReason.NodeStandsStill("n1", "the disk of /n1", NOON.toEpochMilli()),
          new WaitReason.NodeAvoided("n1", 5, "no more processes", 10_000),
          new WaitReason.NotNamed("n1", List.of("n2", "n3")),
          new WaitReason.Excluded("n1"),
          new WaitReason.TooFewCounted("n1", "scratch", 2, 1, 4),
          new WaitReason.LacksLabel("n1", "zone", "a", "b"),
          new WaitReason.LacksModel("n1", "h100", List.of("NVIDIA H200")),
          new WaitReason.LacksGpus("n1", GPUS),
          new WaitReason.NoRoomOnGpus("n1", GPUS.subList(0, 1)),
          new WaitReason.GpusHeldByOthers("n1", GPUS.subList(0, 1), "it is kept by process 7"),
          new WaitReason.GpusDraining("n1", GPUS, "a fan"),
          new WaitReason.GpusDraining("n1", GPUS.subList(0, 1), null),
          occupied(process(7, 79), process(8, 1)),
          occupied(process(7, 80)),
          occupied(),
          new WaitReason.GpusOccupied("n1", GPUS.get(0), 0, -1, List.of()),
          new WaitReason.GpusResting("n1", GPUS.get(0), new GpuRest(3, 30_000, "exit code 1")),
          new WaitReason.OnlySlices("n1", 1, 0, List.of("NVIDIA H100 MIG 1g.10gb")),
          new WaitReason.TooFewFreeGpus("n1", 2, 1, 8),
          new WaitReason.TooLittleGpuMemory("n1", 20 * GIB, 1, 0, 6 * GIB, 80 * GIB),
          new WaitReason.TooManyOnGpus("n1", 1, 0),
          new WaitReason.GpusTooBusy("n1", 2, 1, 60),
          new WaitReason.SlowTogether("n1", "eval", 104),
          new WaitReason.TooManyTasks("n1", 4000),
          new WaitReason.TooFewFreeCpus("n1", 1500, 500, 4000),
          new WaitReason.TooLittleMemory("n1", 8 * GIB, 2 * GIB, 16 * GIB),
          new WaitReason.HeldForOther("n1", new JobId(7)));

  private static DeviceProcess process(long pid, long gib) {
    return new DeviceProcess(pid, gib * GIB).ofStranger("bob", "python3");
  }

  private static WaitReason occupied(DeviceProcess... processes) {
    return new WaitReason.GpusOccupied("n1", GPUS.get(0), 80 * GIB, 256L << 20, List.of(processes));
  }

  @Test
  void there_are_words_for_every_reason() {
    Set<Class<?>> said = new HashSet<>();
    ONE_OF_EACH.forEach(reason -> said.add(reason.getClass()));
    List<Class<?>> all = new ArrayList<>(List.of(WaitReason.class.getPermittedSubclasses()));
    all.remove(WaitReason.OfNode.class);
    all.addAll(List.of(WaitReason.OfNode.class.getPermittedSubclasses()));
    assertEquals(Set.copyOf(all), said);
    assertEquals(
        List.of(
            "no node has joined",
            "it is on hold: remuda release it",
            "it starts after job 3:any",
            "each task starts after that of job 3",
            "it starts after one of jobs 3:any, 4:ok",
            "it begins at "
                + DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss z", Locale.ROOT)
                    .format(NOON.atZone(ZoneId.systemDefault())),
            "it is tried again in 1.5 s",
            "task 3.0 measures what 'train.py' needs of a GPU",
            "asked to leave for it, which takes up to 150 s: 1.0, 2.7",
            "40000 tasks have places on nodes, the maximum per server",
            "all 8 tasks start together, and there is room for 5; with those placed,"
                + " another finds none",
            "its gang starts again once 1 other task has left",
            "its gang starts again once 3 other tasks have left",
            "at most 4 of its tasks run at once",
            "the server ends at "
                + DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss z", Locale.ROOT)
                    .format(NOON.atZone(ZoneId.systemDefault()))
                + " with its Slurm job, and its time limit is 2 h: the next server starts it, or"
                + " remuda set with a shorter --time-limit",
            "limit of user ann: 4 GPUs at once, has 4, wanted 1",
            "limit of user ann: 1.50 CPUs at once, has 1, wanted 1",
            "the cluster has 1 of 4 lic free, wanted 2",
            "lic is held by 1.0, 2.7",
            "n1: does not answer",
            "n1: is draining and gets no more tasks",
            "n1: is draining (a new disk) and gets no more tasks",
            "n1: the disk of /n1 stands still since "
                + LocalTime.ofInstant(NOON, ZoneId.systemDefault()),
            "n1: 5 tasks in a row could not begin (no more processes): it is avoided for 10 s, then"
                + " one is tried",
            "n1: is not one of --node n2,n3",
            "n1: is excluded by --exclude",
            "n1: 1 of 4 scratch free, wanted 2",
            "n1: label zone is b, wanted a",
            "n1: has NVIDIA H200, wanted h100",
            "n1: does not have GPU-1, GPU-2, and its process can use no other GPU",
            "n1: no room on GPU-1, and its process can use no other GPU",
            "n1: GPU-1 cannot be used: it is kept by process 7",
            "n1: GPU-1, GPU-2 are draining (a fan) and get no more tasks",
            "n1: GPU-1 is draining and gets no more tasks",
            "n1: GPU-1 is not lent whole: pid 7 (python3) of bob, pid 8 (python3) of bob use 80.0"
                + " GiB; more than 256 MiB of others (the node's stranger-memory)",
            "n1: GPU-1 is not lent whole: pid 7 (python3) of bob uses 80.0 GiB; more than 256 MiB"
                + " of others (the node's stranger-memory)",
            "n1: GPU-1 is not lent whole: 80.0 GiB are in use by processes that its driver does not"
                + " list; more than 256 MiB of others (the node's stranger-memory)",
            "n1: GPU-1 is not lent whole: who uses it has not been read yet",
            "n1: GPU-1 rests: 3 programs in a row failed there at once (exit code 1) that do well"
                + " elsewhere; it is tried again after 30 s",
            "n1: has 0 such GPUs, wanted 1, and MIG slices (NVIDIA H100 MIG 1g.10gb), which a task"
                + " gets one of if it asks for it: --gpus 1 with --gpu-model MIG or --gpu-mem",
            "n1: 1 of 8 GPUs free, wanted 2",
            "n1: 0 GPUs with 20.0 GiB free, wanted 1; the most free is 6.0 GiB",
            "n1: 0 GPUs take one more task (--per-gpu, --exclusive), wanted 1",
            "n1: 1 GPU is idle enough for a task that keeps one 60 % busy, wanted 2",
            "n1: there is room only beside 'eval': together they are 1.04 times as fast as one"
                + " after the other",
            "n1: has 4000 tasks, the maximum per node",
            "n1: 0.50 of 4 CPUs free, wanted 1.50",
            "n1: 2.0 GiB of 16.0 GiB memory free, wanted 8.0 GiB",
            "n1: what is free is kept for job 7, which is ahead"),
        WaitText.lines(ONE_OF_EACH));
  }

  @Test
  void what_can_never_be_is_said_so() {
    assertTrue(
        WaitText.lines(List.of(new WaitReason.TooFewFreeGpus("n1", 9, 8, 8)))
            .get(0)
            .contains("has 8 GPUs, wanted 9"));
    assertEquals(
        List.of(
            "n1: has 1 GPU, wanted 2",
            "n1: has 2 CPUs, wanted 4",
            "n1: has 23.5 GiB of memory, wanted 100.0 GiB"),
        WaitText.lines(
            List.of(
                new WaitReason.TooFewFreeGpus("n1", 2, 1, 1),
                new WaitReason.TooFewFreeCpus("n1", 4000, 2000, 2000),
                new WaitReason.TooLittleMemory("n1", 100 * GIB, 47 * GIB / 2, 47 * GIB / 2))));
  }

  @Test
  void the_advice_fits_what_is_lacking() {
    WaitReason label = new WaitReason.LacksLabel("n1", "zone", "a", "b");
    WaitReason memory = new WaitReason.TooLittleMemory("n2", 9 * GIB, GIB, GIB);
    assertEquals(
        "ask for what a node has, as remuda nodes shows it, or let such a node join first",
        WaitText.advice(List.of(label)));
    assertEquals(
        "ask for less, or let a larger node join first", WaitText.advice(List.of(label, memory)));
  }

  @Test
  void what_no_gpu_has_is_said_so() {
    assertTrue(
        WaitText.lines(
                List.of(new WaitReason.TooLittleGpuMemory("n1", 90 * GIB, 1, 0, 0, 80 * GIB)))
            .get(0)
            .contains("its largest GPU has 80.0 GiB"));
  }
}
