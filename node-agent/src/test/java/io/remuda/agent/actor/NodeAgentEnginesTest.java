package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.attempt.FileWork;
import io.remuda.agent.attempt.GangPorts;
import io.remuda.agent.container.EngineOptions;
import io.remuda.agent.container.NodeContainers;
import io.remuda.agent.protocol.NodeAddressAndPorts;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.testkit.TestAgents;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ContainerTerms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node whose container engine takes its time: files do not wait for it. */
@Timeout(120)
class NodeAgentEnginesTest extends WithNodeAgent {

  private final FileWork files = FileWork.onThread("files", System::nanoTime);
  private Path asked;
  private Path mayAnswer;

  @Override
  FileWork files() {
    return files;
  }

  @AfterEach
  void closeFiles() throws Exception {
    if (!Files.exists(mayAnswer)) {
      Files.createFile(mayAnswer);
    }
    files.close();
  }

  /** An engine that an earlier agent has used, and that does not answer until it may. */
  @BeforeEach
  void install() throws Exception {
    asked = folder.resolve("asked");
    mayAnswer = folder.resolve("answer");
    Path program = folder.resolve("podman");
    Files.writeString(
        program,
        """
        #!/bin/sh
        touch '%s'
        while ! [ -e '%s' ] && [ -e '%s' ]; do sleep 0.02; done
        """
            .formatted(asked, mayAnswer, folder));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(
        folder.resolve("container-engines"), "{\"programs\":{\"podman\":\"" + program + "\"}}");
  }

  private static boolean isSoon(
      TestInbox<NodeAgentCommand> inbox, Class<? extends NodeAgentCommand> message)
      throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (System.nanoTime() < deadline) {
      if (inbox.getAllReceived().stream().anyMatch(message::isInstance)) {
        return true;
      }
      Thread.sleep(10);
    }
    return false;
  }

  @Test
  void what_a_keeper_left_is_removed_while_files_are_worked_with() throws Exception {
    startLaunched();
    agent.run(new NodeAgentCommand.KeeperReady(1, List.of()));
    while (!Files.exists(asked)) {
      Thread.sleep(10);
    }
    CountDownLatch done = new CountDownLatch(1);
    files.add(done::countDown);
    assertTrue(done.await(60, TimeUnit.SECONDS), "files wait for the engine");
    assertFalse(
        agent.selfInbox().getAllReceived().stream()
            .anyMatch(NodeAgentCommand.Surveyed.class::isInstance),
        "the ends of containers are told after their removal");
    Files.createFile(mayAnswer);
    assertTrue(isSoon(agent.selfInbox(), NodeAgentCommand.Surveyed.class));
  }

  /** The first call of an engine takes seconds, and that of one that cannot run half a minute. */
  @Test
  void a_container_is_prepared_while_files_are_worked_with() throws Exception {
    Files.delete(folder.resolve("container-engines"));
    AgentSettings settings = TestAgents.settings(folder);
    NodeContainers containers =
        new NodeContainers(
            settings,
            new Distribution(folder),
            new EngineOptions(Map.of()),
            Map.of("PATH", folder + ":" + System.getenv("PATH")));
    TestInbox<NodeAgentCommand> told = TestInbox.create();
    NodeFileOperations ofNode =
        new NodeFileOperations(
            parts(settings),
            containers,
            new GangPorts(NodeAddressAndPorts.LOOPBACK, GangPorts.SingleTasks.NONE),
            told.getRef(),
            new OutputReader.Sender(TestInbox.<OutputReader.Command>create().getRef()));
    ofNode.prepare(List.of(inContainer(), TestAgents.command("2.0.1", 2)));
    assertTrue(isSoon(told, NodeAgentCommand.FoldersPrepared.class), "files wait for the engine");
    while (!Files.exists(asked)) {
      Thread.sleep(10);
    }
    assertFalse(told.hasMessages(), "the engine has not answered");
    Files.createFile(mayAnswer);
    assertTrue(isSoon(told, NodeAgentCommand.FoldersPrepared.class));
    ofNode.close();
  }

  private TaskStartOrder inContainer() {
    TaskStartOrder order = TestAgents.command("1.0.1", 1);
    ContainerTerms terms =
        new ContainerTerms("image:1", "podman", List.of(), List.of(), 0, 0, false);
    return new TaskStartOrder(
        order.attempt(),
        order.user(),
        order.tied(),
        order.contactMillis(),
        new CommandWorkload(List.of("true"), Map.of(), folder.toString(), 022, terms),
        order.devices(),
        order.threads(),
        order.cuda(),
        order.job(),
        order.slot(),
        null,
        null);
  }
}
