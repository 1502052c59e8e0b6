package io.remuda.coordinator.cli.jobfile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProjectRootTest {

  @TempDir private Path home;
  private Path project;
  private Path runs;

  @BeforeEach
  void prepare() throws IOException {
    project = Files.createDirectories(home.resolve("work/cifar"));
    runs = Files.createDirectories(project.resolve("runs/7"));
  }

  private void assertRoot(Path root, Path folder) {
    assertEquals(root.toString(), ProjectRoot.of(folder.toString(), home.toString()));
  }

  @Test
  void every_folder_of_a_project_has_the_same_root() throws IOException {
    Files.createDirectory(project.resolve(".git"));
    assertRoot(project, project);
    assertRoot(project, runs);
  }

  @Test
  void the_nearest_marker_counts() throws IOException {
    Files.createDirectory(project.resolve(".git"));
    Files.createFile(runs.getParent().resolve("pyproject.toml"));
    assertRoot(runs.getParent(), runs);
  }

  @Test
  void a_folder_without_a_project_stands_for_itself() {
    assertRoot(runs, runs);
    assertRoot(Path.of("/no/such/folder"), Path.of("/no/such/folder"));
    assertRoot(Path.of("/"), Path.of("/"));
  }

  @Test
  void a_marker_in_the_home_folder_makes_no_project_of_all_that_is_below() throws IOException {
    Files.createFile(home.resolve("package.json"));
    assertRoot(runs, runs);
    assertRoot(home, home);
  }

  @Test
  void the_documentation_names_the_markers() throws IOException {
    String list =
        ProjectRoot.MARKERS.stream()
            .map(marker -> "`" + marker + "`")
            .collect(Collectors.joining(", "));
    String docs = Files.readString(Path.of("..", "docs", "job-service.md"));
    assertTrue(docs.contains(list), list);
  }
}
