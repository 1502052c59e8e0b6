package io.remuda.agent.keeper.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.proc.ProcStat;
import org.junit.jupiter.api.Test;

class SpawnsUnderWayTest {
  private static final ReapedProcess REAPED =
      new ReapedProcess(new ProcStat(17, 'Z', 1, 17, 7), null, null, 0);

  private final SpawnsUnderWay spawns = new SpawnsUnderWay();

  @Test
  void what_is_reaped_during_a_spawn_is_kept_for_its_spawner_once() {
    spawns.begin();
    spawns.keepStray(REAPED);
    assertEquals(REAPED, spawns.takeStray(17));
    assertNull(spawns.takeStray(17));
  }

  @Test
  void strays_are_forgotten_when_the_last_spawn_has_ended() {
    spawns.begin();
    spawns.begin();
    spawns.keepStray(REAPED);
    spawns.end();
    assertFalse(spawns.areNone());
    spawns.end();
    assertTrue(spawns.areNone());
    assertNull(spawns.takeStray(17));
    assertEquals(2, spawns.begun());
  }

  @Test
  void without_a_spawn_nothing_is_kept() {
    spawns.keepStray(REAPED);
    assertNull(spawns.takeStray(17));
  }
}
