package io.remuda.coordinator.api;

import io.remuda.coordinator.lifecycle.DependencyRule;
import io.remuda.coordinator.schedule.model.NodePause;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.render.ShortList;
import io.remuda.worker.job.SizeAndTimeParser;
import io.remuda.worker.job.TaskId;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Texts for the reasons why tasks wait and nodes pause. */
public final class WaitText {

  private static final int MOST_SHOWN = 10;
  private static final double MILLI = 1000;
  private static final double CENT = 100;
  private static final long SECOND = 1000;
  private static final long MEBIBYTE = 1 << 20;
  private static final long GIBIBYTE = 1L << 30;

  private WaitText() {}

  /** Returns one line for each reason. */
  public static List<String> lines(List<WaitReason> reasons) {
    List<String> lines = new ArrayList<>();
    for (WaitReason reason : reasons) {
      lines.add(
          reason instanceof WaitReason.OfNode ofNode
              ? ofNode.node() + ": " + ofNode(ofNode)
              : ofJob(reason));
    }
    return lines;
  }

  /** Returns what to do about a job that no node can ever run. */
  public static String advice(List<WaitReason> reasons) {
    boolean amounts =
        reasons.stream()
            .anyMatch(
                reason ->
                    !(reason instanceof WaitReason.LacksLabel
                        || reason instanceof WaitReason.LacksModel
                        || reason instanceof WaitReason.NotNamed
                        || reason instanceof WaitReason.Excluded));
    return amounts
        ? "ask for less, or let a larger node join first"
        : "ask for what a node has, as remuda nodes shows it, or let such a node join first";
  }

  private static String ofJob(WaitReason reason) {
    if (reason instanceof WaitReason.NoNodes) {
      return "no node has joined";
    } else if (reason instanceof WaitReason.OnHold) {
      return "it is on hold: remuda release it";
    } else if (reason instanceof WaitReason.AfterJob after) {
      return after.dependency().isTaskByTask()
          ? "each task starts after that of job " + after.dependency().job()
          : "it starts after job " + after.dependency();
    } else if (reason instanceof WaitReason.AfterOneOf after) {
      return "it starts after one of jobs " + DependencyRule.named(after.dependencies());
    } else if (reason instanceof WaitReason.BeginsLater later) {
      return "it begins at " + instant(later.atMillis());
    } else if (reason instanceof WaitReason.PauseBeforeRetry pause) {
      return "it is tried again in " + (pause.millis() / 100) / 10.0 + " s";
    } else if (reason instanceof WaitReason.TypeMeasured measured) {
      return "task " + measured.task() + " measures what '" + measured.type() + "' needs of a GPU";
    } else if (reason instanceof WaitReason.OthersLeave leaving) {
      return "asked to leave for it, which takes up to "
          + SizeAndTimeParser.words(leaving.mostSeconds() * SECOND)
          + ": "
          + leaving.tasks().stream().map(TaskId::toString).collect(Collectors.joining(", "));
    } else if (reason instanceof WaitReason.TooManyPlaced placed) {
      return placed.most()
          + (placed.most() == 1 ? " task has its place" : " tasks have places")
          + " on nodes, the maximum per server";
    } else if (reason instanceof WaitReason.GangIncomplete gang) {
      return "all "
          + gang.wanted()
          + " tasks start together, and there is room for "
          + room(gang.placeable());
    } else if (reason instanceof WaitReason.MembersLeave leaving) {
      return "its gang starts again once "
          + leaving.members()
          + (leaving.members() == 1 ? " other task has" : " other tasks have")
          + " left";
    } else if (reason instanceof WaitReason.UserLimit limit) {
      return "limit of user "
          + limit.user()
          + ": "
          + plain(limit.limit())
          + " "
          + (limit.limit() == 1 ? limit.what().replaceFirst("s$", "") : limit.what())
          + " at once, has "
          + plain(limit.has())
          + ", wanted "
          + plain(limit.wanted());
    } else if (reason instanceof WaitReason.TooFewInCluster few) {
      return counted("the cluster", few.resource(), few.wanted(), few.free(), few.total());
    } else if (reason instanceof WaitReason.CountedHeldBy held) {
      return held.resource() + " is held by " + ShortList.of(held.tasks(), MOST_SHOWN);
    } else if (reason instanceof WaitReason.ServerEndsBefore end) {
      return "the server ends at "
          + instant(end.atMillis())
          + " with its Slurm job, and its time limit is "
          + SizeAndTimeParser.words(end.limitMillis())
          + ": the next server starts it, or remuda set with a shorter --time-limit";
    } else if (reason instanceof WaitReason.EnoughRunning enough) {
      return "at most " + enough.most() + " of its tasks run at once";
    }
    throw new IllegalArgumentException("no text for " + reason);
  }

  /** The free capacity of nodes, which the next reasons give, is what these members leave. */
  private static String room(int members) {
    return members == 0
        ? "none"
        : members
            + "; with "
            + (members == 1 ? "that one" : "those")
            + " placed, another finds none";
  }

  private static String ofNode(WaitReason.OfNode reason) {
    if (reason instanceof WaitReason.NodeSilent) {
      return "does not answer";
    } else if (reason instanceof WaitReason.NodeDraining draining) {
      return "is " + draining(draining.why()) + " and gets no more tasks";
    } else if (reason instanceof WaitReason.NodeStandsStill still) {
      return standstill(still.what(), still.since());
    } else if (reason instanceof WaitReason.NodeAvoided avoided) {
      return avoided(avoided.failures(), avoided.cause(), avoided.pauseMillis());
    } else if (reason instanceof WaitReason.NotNamed names) {
      return "is not one of --node " + String.join(",", names.only());
    } else if (reason instanceof WaitReason.Excluded) {
      return "is excluded by --exclude";
    } else if (reason instanceof WaitReason.TooFewCounted few) {
      return counted("", few.resource(), few.wanted(), few.free(), few.total());
    } else if (reason instanceof WaitReason.LacksLabel label) {
      return "label "
          + label.label()
          + (label.has() == null ? " is not set" : " is " + label.has())
          + ", wanted "
          + label.wanted();
    } else if (reason instanceof WaitReason.LacksModel model) {
      return model.models().isEmpty()
          ? "has no GPU, wanted " + model.wanted()
          : "has " + String.join(", ", model.models()) + ", wanted " + model.wanted();
    } else if (reason instanceof WaitReason.LacksGpus lacks) {
      return "does not have " + names(lacks.devices()) + ", and its process can use no other GPU";
    } else if (reason instanceof WaitReason.NoRoomOnGpus full) {
      return "no room on " + names(full.devices()) + ", and its process can use no other GPU";
    } else if (reason instanceof WaitReason.GpusHeldByOthers held) {
      return names(held.devices()) + " cannot be used: " + held.by();
    } else if (reason instanceof WaitReason.GpusDraining drained) {
      return names(drained.devices())
          + (drained.devices().size() == 1
              ? " is " + draining(drained.why()) + " and gets no more tasks"
              : " are " + draining(drained.why()) + " and get no more tasks");
    } else if (reason instanceof WaitReason.GpusOccupied gpu) {
      return gpu.device() + " is not lent whole: " + GpuText.strangers(gpu);
    } else if (reason instanceof WaitReason.GpusResting gpu) {
      return gpu.device() + " rests: " + GpuText.rest(gpu.rest());
    } else if (reason instanceof WaitReason.OnlySlices slices) {
      return GpuText.onlySlices(slices);
    } else if (reason instanceof WaitReason.TooFewFreeGpus gpus) {
      return gpus.total() < gpus.wanted()
          ? "has " + gpus.total() + gpus(gpus.total()) + ", wanted " + gpus.wanted()
          : gpus.free()
              + " of "
              + gpus.total()
              + gpus(gpus.total())
              + " free, wanted "
              + gpus.wanted();
    } else if (reason instanceof WaitReason.TooLittleGpuMemory memory) {
      return gpuMemory(memory);
    } else if (reason instanceof WaitReason.TooManyOnGpus many) {
      return many.taking()
          + (many.taking() == 1 ? " GPU takes" : " GPUs take")
          + " one more task (--per-gpu, --exclusive), wanted "
          + many.wanted();
    } else if (reason instanceof WaitReason.GpusTooBusy busy) {
      return busy.taking()
          + (busy.taking() == 1 ? " GPU is" : " GPUs are")
          + " idle enough for a task that keeps one "
          + busy.percent()
          + " % busy, wanted "
          + busy.wanted();
    } else if (reason instanceof WaitReason.SlowTogether slow) {
      return "there is room only beside '" + slow.type() + "': " + together(slow.togetherPercent());
    } else if (reason instanceof WaitReason.TooManyTasks tasks) {
      return "has " + tasks.most() + tasks(tasks.most()) + ", the maximum per node";
    } else if (reason instanceof WaitReason.TooFewFreeCpus cpus) {
      String free =
          cpus.total() < cpus.wanted()
              ? "has " + ofCpus(cpus.total())
              : cores(cpus.free()) + " of " + ofCpus(cpus.total()) + " free";
      return free + ", wanted " + cores(cpus.wanted());
    } else if (reason instanceof WaitReason.TooLittleMemory memory) {
      String free =
          memory.total() < memory.wanted()
              ? "has " + bytes(memory.total()) + " of memory"
              : bytes(memory.free()) + " of " + bytes(memory.total()) + " memory free";
      return free + ", wanted " + bytes(memory.wanted());
    } else if (reason instanceof WaitReason.HeldForOther held) {
      return "what is free is kept for job " + held.job() + ", which is ahead";
    }
    throw new IllegalArgumentException("no text for " + reason);
  }

  private static String plain(double number) {
    return cores(Math.round(number * MILLI));
  }

  private static String counted(String owner, String resource, long wanted, long free, long total) {
    String has = owner.isEmpty() ? "has " : owner + " has ";
    String ofAll = total == 0 ? "no " + resource : free + " of " + total + " " + resource + " free";
    String whole = total < wanted && total > 0 ? total + " " + resource : ofAll;
    return (owner.isEmpty() && total >= wanted ? "" : has) + whole + ", wanted " + wanted;
  }

  private static String draining(String why) {
    return "draining" + (why == null ? "" : " (" + why + ")");
  }

  /** Returns why a node temporarily gets no tasks. */
  public static String pause(NodePause why) {
    if (why instanceof NodePause.Standstill still) {
      return standstill(still.what(), still.sinceMillis());
    } else if (why instanceof NodePause.Drained drained) {
      return "is " + draining(drained.reason());
    }
    NodePause.Failures failures = (NodePause.Failures) why;
    return avoided(failures.count(), failures.cause(), failures.millis());
  }

  private static String standstill(String what, long since) {
    LocalTime time = LocalTime.ofInstant(Instant.ofEpochMilli(since), ZoneId.systemDefault());
    return what + " stands still since " + time.truncatedTo(ChronoUnit.SECONDS);
  }

  /** Returns a time in this machine's zone, and the zone. */
  private static String instant(long millis) {
    return DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss z", Locale.ROOT)
        .format(Instant.ofEpochMilli(millis).atZone(ZoneId.systemDefault()));
  }

  private static String avoided(int failures, String cause, long millis) {
    return failures
        + " tasks in a row could not begin ("
        + cause
        + "): it is avoided for "
        + millis / 1000
        + " s, then one is tried";
  }

  private static String tasks(int count) {
    return count == 1 ? " task" : " tasks";
  }

  /** Returns {@code 1 CPU} or {@code 1.50 CPUs}. */
  static String ofCpus(long thousandths) {
    return cores(thousandths) + (thousandths == 1000 ? " CPU" : " CPUs");
  }

  private static String gpus(int count) {
    return count == 1 ? " GPU" : " GPUs";
  }

  private static String names(List<DeviceId> devices) {
    return devices.stream().map(DeviceId::uuid).collect(Collectors.joining(", "));
  }

  private static String gpuMemory(WaitReason.TooLittleGpuMemory memory) {
    if (memory.largest() < memory.wanted()) {
      return "its largest GPU has "
          + bytes(memory.largest())
          + ", wanted "
          + bytes(memory.wanted());
    }
    return memory.fittingGpus()
        + gpus(memory.fittingGpus())
        + " with "
        + bytes(memory.wanted())
        + " free, wanted "
        + memory.wantedGpus()
        + "; the most free is "
        + bytes(memory.mostFree());
  }

  /** Returns how fast two types are that share a GPU. */
  public static String together(int percent) {
    return String.format(
        Locale.ROOT, "together they are %.2f times as fast as one after the other", percent / CENT);
  }

  private static String cores(long thousandths) {
    return thousandths % 1000 == 0
        ? Long.toString(thousandths / 1000)
        : String.format(Locale.ROOT, "%.2f", thousandths / MILLI);
  }

  /** Formats a size, as {@code 6.0 GiB} or {@code 512 MiB}. */
  public static String bytes(long bytes) {
    return bytes >= GIBIBYTE
        ? String.format(Locale.ROOT, "%.1f GiB", (double) bytes / GIBIBYTE)
        : bytes / MEBIBYTE + " MiB";
  }
}
