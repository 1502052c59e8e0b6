package io.remuda.agent.keeper.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.ReachedProcesses;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.SpawnTemplate;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.task.Requests;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameTest {
  private static final SpawnRequest REQUEST =
      Requests.in(Path.of("/tmp/ü")).lending("GPU-1", "GPU-2").leasedFor(7).run("k", "a", "", "ß");

  private static final SpawnTemplateCache TEMPLATES = templates();

  private static SpawnTemplateCache templates() {
    SpawnTemplateCache templates = new SpawnTemplateCache();
    templates.add(3, REQUEST.template());
    return templates;
  }

  private static byte[] spawn() {
    return spawn(REQUEST, KeeperProtocol.LEVEL);
  }

  private static byte[] spawn(SpawnRequest request, int level) {
    return new KeeperFrameEncoder(KeeperProtocol.SPAWN, 9).request(request, 3, level).frame();
  }

  private static SpawnRequest reaching(ReachedProcesses warning, ReachedProcesses ending) {
    return new SpawnRequest(
        REQUEST.key(),
        REQUEST.template(),
        Map.of(),
        REQUEST.stdout(),
        REQUEST.stderr(),
        REQUEST.taskFolder(),
        List.of(),
        0,
        7,
        0,
        10,
        8,
        warning,
        ending);
  }

  @Test
  void a_request_says_which_processes_its_signals_reach() {
    SpawnRequest request = reaching(ReachedProcesses.ALL, ReachedProcesses.EVERY);
    KeeperFrameDecoder frame = read(spawn(request, KeeperProtocol.LEVEL));
    assertEquals(request, frame.request(TEMPLATES));
    frame.end();
  }

  @Test
  void a_keeper_of_an_earlier_build_gets_the_request_that_it_knows() {
    KeeperFrameDecoder frame =
        read(spawn(reaching(ReachedProcesses.ALL, ReachedProcesses.EVERY), 0));
    assertEquals(
        reaching(ReachedProcesses.FIRST, ReachedProcesses.FIRST), frame.request(TEMPLATES));
    frame.end();
    assertTrue(
        spawn(REQUEST, 0).length < spawn(REQUEST, KeeperProtocol.LEVEL).length,
        "it refuses a frame that is longer than it knows");
  }

  @Test
  void a_request_goes_round() {
    KeeperFrameDecoder frame = read(spawn());

    assertEquals(KeeperProtocol.SPAWN, frame.kind());
    assertEquals(9, frame.id());
    assertEquals(REQUEST, frame.request(TEMPLATES));
    frame.end();
  }

  @Test
  void a_template_goes_round() {
    SpawnTemplate template = new SpawnTemplate(List.of("a", "", "ß"), Map.of("A", "ü"), "/x", 022);
    KeeperFrameDecoder frame =
        read(new KeeperFrameEncoder(KeeperProtocol.TEMPLATE, 9).template(template).frame());
    SpawnTemplate read = frame.template();
    frame.end();
    assertEquals(template.argv(), read.argv());
    assertEquals(template.environment(), read.environment());
    assertEquals(template.workingFolder(), read.workingFolder());
    assertEquals(template.umask(), read.umask());
  }

  @Test
  void a_request_of_an_unknown_template_is_refused() {
    KeeperFrameDecoder frame = read(spawn());
    assertThrows(IllegalArgumentException.class, () -> frame.request(new SpawnTemplateCache()));
  }

  @Test
  void views_go_round() {
    ExitRecord code = new ExitRecord("k", 1, 2, new ExitStatus.Code(3), 4, 5, 6, 7, true, false, 8);
    ExitRecord signal =
        new ExitRecord("k", 1, 2, new ExitStatus.Signal(9, true), 4, 5, 6, 7, false, true, 8);
    for (TaskView view :
        List.of(
            new TaskView("k", 1, 2, TaskView.State.RUNNING, null),
            new TaskView("k", 1, 2, TaskView.State.ENDING, null),
            new TaskView("k", 1, 2, TaskView.State.EXITED, code),
            new TaskView("k", 1, 2, TaskView.State.EXITED, signal))) {
      KeeperFrameDecoder frame =
          read(new KeeperFrameEncoder(KeeperProtocol.EXITED, 0).view(view).frame());
      assertEquals(view, frame.view());
      frame.end();
    }
  }

  @Test
  void a_cut_frame_is_malformed() {
    byte[] whole = spawn();
    int ofLevel0 = spawn(REQUEST, 0).length;
    for (int length = 4; length < whole.length; length++) {
      if (length == ofLevel0 || length == ofLevel0 + 4 + 5) {
        continue; // the end of a field that earlier builds do not send
      }
      byte[] cut = Arrays.copyOfRange(whole, 4, length);
      assertThrows(
          KeeperFrameDecoder.MalformedException.class,
          () -> new KeeperFrameDecoder(cut).request(TEMPLATES));
    }
  }

  @Test
  void random_bytes_are_malformed_or_a_wrong_request_and_nothing_else() {
    Random random = new Random(11);
    for (int i = 0; i < 20_000; i++) {
      byte[] whole = spawn();
      byte[] body = Arrays.copyOfRange(whole, 4, whole.length);
      for (int flips = 0; flips < 3; flips++) {
        body[random.nextInt(body.length)] = (byte) random.nextInt();
      }
      try {
        KeeperFrameDecoder frame = new KeeperFrameDecoder(body);
        frame.request(TEMPLATES);
        frame.end();
      } catch (KeeperFrameDecoder.MalformedException | IllegalArgumentException expected) {
        continue;
      }
    }
  }

  @Test
  void what_follows_the_last_field_is_malformed() {
    KeeperFrameDecoder frame =
        read(new KeeperFrameEncoder(KeeperProtocol.LIST, 1).number(1).frame());
    assertThrows(KeeperFrameDecoder.MalformedException.class, frame::end);
  }

  private static KeeperFrameDecoder read(byte[] frame) {
    return new KeeperFrameDecoder(Arrays.copyOfRange(frame, 4, frame.length));
  }
}
