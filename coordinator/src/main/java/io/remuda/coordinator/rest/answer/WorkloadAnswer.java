package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ContainerTerms;
import io.remuda.worker.job.ConvolutionWorkload;
import io.remuda.worker.job.LeasedProgramWorkload;
import io.remuda.worker.job.MnistWorkload;
import io.remuda.worker.job.Workload;
import io.remuda.worker.job.stream.StandardStreamTerms;
import java.util.List;
import java.util.Map;

/**
 * The work of a task. Only the fields of its kind are there.
 *
 * @param workload its kind: {@code command}, {@code lease}, {@code mnist} or {@code convolution}
 * @param argv program and arguments of a command
 * @param environment of a command; empty for others than its owner, since it may contain secrets
 * @param folder of a command
 * @param umask of a command
 * @param container that a command runs in; absent without
 * @param pinned whether a command is bound to CPUs of its own
 * @param frozenTree hash of the working tree of which a command gets a copy; absent if it runs in
 *     its folder
 * @param streams where the standard streams of a command come from and go to; absent without
 * @param pid of the process that has a lease
 * @param startTicks of that process, as in {@code /proc/PID/stat}
 * @param program description of that process; empty for others than its owner
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WorkloadAnswer(
    String workload,
    List<String> argv,
    Map<String, String> environment,
    String folder,
    Integer umask,
    Container container,
    Boolean pinned,
    String frozenTree,
    Streams streams,
    Long pid,
    Long startTicks,
    String program) {

  /**
   * A container.
   *
   * @param image its name, or the path of a file or folder
   * @param engine that runs it; absent if the node chooses
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Container(String image, String engine) {

    private static Container of(ContainerTerms terms) {
      return terms == null ? null : new Container(terms.image(), terms.engine());
    }
  }

  /**
   * Standard streams.
   *
   * @param stdin path of a file on the node, or {@code -} if the submitter gave the bytes
   * @param output path of the file on the node for stdout, and for stderr without {@code error}
   * @param error path of the file on the node for stderr
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Streams(String stdin, String output, String error) {

    private static Streams of(StandardStreamTerms terms) {
      if (terms == null) {
        return null;
      }
      boolean given = terms.inputData() != null || terms.inputStreamed();
      return new Streams(given ? "-" : terms.input(), terms.output(), terms.error());
    }
  }

  static WorkloadAnswer of(Workload work, boolean own) {
    if (work instanceof CommandWorkload command) {
      return new WorkloadAnswer(
          "command",
          command.argv(),
          own ? command.environment() : Map.of(),
          command.folder(),
          command.umask(),
          Container.of(command.container()),
          command.launch() == null ? null : command.launch().pinned(),
          command.launch() == null || command.launch().tree() == null
              ? null
              : command.launch().tree().hash(),
          Streams.of(command.streams()),
          null,
          null,
          null);
    }
    if (work instanceof LeasedProgramWorkload lease) {
      return new WorkloadAnswer(
          "lease",
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          lease.pid(),
          lease.startTicks(),
          own ? lease.program() : "");
    }
    return kind(work);
  }

  private static WorkloadAnswer kind(Workload work) {
    if (work instanceof MnistWorkload) {
      return new WorkloadAnswer(
          "mnist", null, null, null, null, null, null, null, null, null, null, null);
    }
    if (work instanceof ConvolutionWorkload) {
      return new WorkloadAnswer(
          "convolution", null, null, null, null, null, null, null, null, null, null, null);
    }
    throw new IllegalArgumentException("unknown workload " + work);
  }
}
