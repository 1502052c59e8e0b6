package io.remuda.coordinator.cli.ensemble;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs the ensemble, also without any option. */
@Command(
    name = "ensemble",
    description =
        "Trains on MNIST on the GPUs and convolves images on the CPUs, with telemetry. Its options"
            + " also work without the word ensemble.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class EnsembleRunCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private EnsembleOptions options;

  @Override
  public Integer call() throws Exception {
    return new EnsembleLaunch(spec, options).call();
  }
}
