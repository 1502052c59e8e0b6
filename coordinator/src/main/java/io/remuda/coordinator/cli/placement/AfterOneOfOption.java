package io.remuda.coordinator.cli.placement;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option by which a job starts after one of several. */
public final class AfterOneOfOption {

  @Option(
      names = "--after-one-of",
      paramLabel = "JOB[:ok|any|fail]",
      split = ",",
      description =
          "start once one of these jobs has ended this way (default: ok), as 2:ok,1:any or repeated;"
              + " --after waits for all of its jobs")
  private List<String> jobs;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * Returns the jobs; null if the option is not given.
   *
   * @param all whether jobs are given that all have to end first
   * @throws ParameterException if both are given
   */
  public List<String> jobs(boolean all) {
    if (jobs != null && all) {
      throw new ParameterException(
          spec.commandLine(),
          "--after and --after-one-of exclude each other: a job waits for all of its jobs or for one"
              + " of them");
    }
    return jobs;
  }
}
