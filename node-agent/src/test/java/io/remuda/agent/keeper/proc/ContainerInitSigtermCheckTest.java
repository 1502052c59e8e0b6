package io.remuda.agent.keeper.proc;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ContainerInitSigtermCheckTest {

  private static String status(String pids, String ignored, String caught) {
    return "Name:\tsleep\nPid:\t812\nNSpid:\t%s\nSigBlk:\t%s\nSigIgn:\t%s\nSigCgt:\t%s\n"
        .formatted(pids, "ffffffffffffffff", ignored, caught);
  }

  private static final String NONE = "0000000000000000";
  private static final String TERM = "0000000000004000";

  @Test
  void the_first_process_of_a_namespace_gets_no_sigterm_that_it_neither_handles_nor_ignores() {
    assertTrue(ContainerInitSigtermCheck.dropsSigterm(status("812\t1", NONE, NONE)));
    assertTrue(
        ContainerInitSigtermCheck.dropsSigterm(status("812\t40\t1", NONE, "0000000000000002")));
  }

  @Test
  void one_that_handles_or_ignores_it_decides_for_itself() {
    assertFalse(ContainerInitSigtermCheck.dropsSigterm(status("812\t1", NONE, TERM)));
    assertFalse(ContainerInitSigtermCheck.dropsSigterm(status("812\t1", TERM, NONE)));
  }

  @Test
  void other_processes_get_it_as_usual() {
    assertFalse(ContainerInitSigtermCheck.dropsSigterm(status("812", NONE, NONE)));
    assertFalse(
        ContainerInitSigtermCheck.dropsSigterm(status("1", NONE, NONE)), "that of the machine");
    assertFalse(ContainerInitSigtermCheck.dropsSigterm(status("812\t7", NONE, NONE)));
    assertFalse(ContainerInitSigtermCheck.dropsSigterm(""), "it is gone");
  }
}
