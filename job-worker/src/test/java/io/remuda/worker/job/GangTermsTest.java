package io.remuda.worker.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class GangTermsTest {

  private static final ResourceRequest CORE = new ResourceRequest(1, 0);

  /** Tasks 0 to 5 are three replicas of two, of which one runs at a time; 6 to 9 have no limit. */
  private static final GangTerms TERMS =
      new GangTerms(
          false,
          GangTerms.Failure.IGNORE,
          false,
          List.of(
              new GangRoleSpec("heavy", 3, 2, 1, CORE), new GangRoleSpec("light", 2, 2, 0, CORE)));

  private static String range(GangTerms.Part part) {
    return part.role().name() + " " + part.from() + "-" + part.to();
  }

  @Test
  void a_task_belongs_to_a_replica_of_its_role() {
    assertEquals("heavy 2-4", range(TERMS.part(3)));
    assertEquals("light 8-10", range(TERMS.part(8)));
  }

  @Test
  void tasks_are_limited_by_replica_and_those_of_a_role_without_limit_are_alike() {
    assertEquals("heavy 2-4", range(TERMS.limited(3)));
    assertEquals("light 6-10", range(TERMS.limited(6)));
    assertEquals("light 6-10", range(TERMS.limited(9)));
  }
}
