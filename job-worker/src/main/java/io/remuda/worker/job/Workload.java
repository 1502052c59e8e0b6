package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** The work of a task's process. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "workload")
@JsonSubTypes({
  @JsonSubTypes.Type(value = MnistWorkload.class, name = "mnist"),
  @JsonSubTypes.Type(value = ConvolutionWorkload.class, name = "convolution"),
  @JsonSubTypes.Type(value = CommandWorkload.class, name = "command"),
  @JsonSubTypes.Type(value = LeasedProgramWorkload.class, name = "lease")
})
public sealed interface Workload
    permits MnistWorkload, ConvolutionWorkload, CommandWorkload, LeasedProgramWorkload {}
