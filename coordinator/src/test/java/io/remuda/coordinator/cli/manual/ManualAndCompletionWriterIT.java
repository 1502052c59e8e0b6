package io.remuda.coordinator.cli.manual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.cli.command.RootCommand;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The release has man pages and completion of its commands. */
class ManualAndCompletionWriterIT {
  private static final Path SHARE = Installation.find().dist().resolve("share");

  @TempDir private Path folder;

  private static List<String> files(Path root) throws IOException {
    try (Stream<Path> tree = Files.walk(root)) {
      return tree.filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  @Test
  void the_pages_and_the_completion_are_those_of_this_build() throws IOException {
    new ManualAndCompletionWriter(RootCommand.line().getCommandSpec())
        .write(folder, io.remuda.agent.protocol.BuildVersion.VERSION);
    for (String file : files(folder)) {
      assertEquals(
          Files.readString(folder.resolve(file)), Files.readString(SHARE.resolve(file)), file);
    }
    assertTrue(Files.exists(SHARE.resolve("remuda/job-file.schema.json")));
  }

  @Test
  void the_documents_that_messages_name_are_there() {
    for (String file : List.of("README.md", "docs/scripts.md", "docs/job-service.md", "LICENSE")) {
      assertTrue(Files.exists(SHARE.resolveSibling(file)), file);
    }
  }

  @Test
  void a_shell_can_have_the_completion_from_the_program() throws IOException {
    try (Cluster none = new Cluster(Installation.find(), folder.resolve("h"), Map.of())) {
      ServiceUnderTest.Result printed = none.cli("completion");
      assertEquals(
          new ServiceUnderTest.Result(
              0, Files.readString(SHARE.resolve("bash-completion/completions/remuda")), ""),
          printed);
    }
  }
}
