package io.remuda.coordinator.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SlurmCommandsTest {
  private static final SlurmAllocation.Component PLAIN =
      new SlurmAllocation.Component(Optional.empty(), "17", "gpu[1-3]", 3);
  private static final SlurmAllocation.Component SECOND_GROUP =
      new SlurmAllocation.Component(Optional.of(1), "21", "gpu[4-5]", 2);
  private static final List<String> TASK = List.of("java", "-jar", "node-agent.jar");

  private static List<String> srun(SlurmAllocation.Component component, String... more) {
    return SlurmCommands.srun(
        component, "gpu1,gpu2,gpu3", 3, "run-9", Path.of("/r/%N/agent.log"), List.of(more), TASK);
  }

  @Test
  void a_step_has_one_task_on_each_of_its_nodes() {
    List<String> command = srun(PLAIN);
    for (String option :
        List.of(
            "--jobid=17",
            "--nodelist=gpu1,gpu2,gpu3",
            "--nodes=3",
            "--ntasks=3",
            "--ntasks-per-node=1",
            "--job-name=run-9",
            "--output=/r/%N/agent.log",
            "--error=/r/%N/agent.log")) {
      assertTrue(command.contains(option), option + " is not in " + command);
    }
  }

  @Test
  void the_terminal_is_left_first_so_that_ctrl_c_does_not_end_the_step() {
    assertEquals(List.of("setsid", "srun"), srun(PLAIN).subList(0, 2));
    assertEquals(List.of("setsid", "srun"), srun(SECOND_GROUP).subList(0, 2));
  }

  @Test
  void it_shares_the_whole_job_with_other_steps() {
    List<String> command = srun(PLAIN);
    assertTrue(command.contains("--overlap"), command.toString());
    assertFalse(
        command.stream().anyMatch(word -> word.matches("--(exclusive|exact)(=.*)?")),
        command.toString());
  }

  @Test
  void a_task_or_node_that_fails_leaves_the_others() {
    assertTrue(
        srun(PLAIN).containsAll(List.of("--kill-on-bad-exit=0", "--wait=0", "--no-kill")),
        srun(PLAIN).toString());
  }

  @Test
  void the_group_is_named_for_a_component_of_a_heterogeneous_job_and_for_no_other() {
    assertTrue(srun(SECOND_GROUP).contains("--het-group=1"), srun(SECOND_GROUP).toString());
    assertFalse( // srun takes the group of the job in its environment, and refuses the part's id
        srun(SECOND_GROUP).stream().anyMatch(word -> word.startsWith("--jobid")),
        srun(SECOND_GROUP).toString());
    assertFalse(
        srun(PLAIN).stream().anyMatch(word -> word.startsWith("--het-group")),
        srun(PLAIN).toString());
  }

  @Test
  void the_users_arguments_come_after_ours_and_before_the_task() {
    List<String> plain = srun(PLAIN);
    List<String> command = srun(PLAIN, "--mem=4G", "--no-kill=off");
    int ours = plain.size() - TASK.size();
    assertEquals(plain.subList(0, ours), command.subList(0, ours));
    assertEquals(List.of("--mem=4G", "--no-kill=off"), command.subList(ours, ours + 2));
    assertEquals(TASK, command.subList(ours + 2, command.size()));
  }
}
