package io.remuda.agent.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node's folder that is opened again, by the same node or by another. */
class NodeFolderNameTest {

  @TempDir private Path folder;

  private void attempt(String id) throws IOException {
    Files.createDirectories(folder.resolve("tasks").resolve(id));
  }

  @Test
  void a_folder_with_tasks_is_refused_to_a_node_of_another_name() throws IOException {
    NodeFolderName.claim(folder, "nz");
    attempt("12.0.1");
    String refused =
        assertThrows(IOException.class, () -> NodeFolderName.claim(folder, "ny")).getMessage();
    assertEquals(
        folder
            + " has tasks of node nz, whose ends only that node can tell (12.0.1): start it with"
            + " --name nz, or give node ny another --folder",
        refused);
    NodeFolderName.claim(folder, "nz");
  }

  @Test
  void of_many_tasks_some_are_named() throws IOException {
    NodeFolderName.claim(folder, "nz");
    for (int each = 1; each <= 5; each++) {
      attempt(each + ".0.1");
    }
    String refused =
        assertThrows(IOException.class, () -> NodeFolderName.claim(folder, "ny")).getMessage();
    assertEquals(true, refused.contains("(1.0.1, 2.0.1, 3.0.1 and 2 others)"), refused);
  }

  @Test
  void a_folder_without_tasks_goes_to_a_node_of_another_name() throws IOException {
    NodeFolderName.claim(folder, "nz");
    NodeFolderName.claim(folder, "ny");
    attempt("1.0.1");
    assertThrows(IOException.class, () -> NodeFolderName.claim(folder, "nz"));
  }

  @Test
  void a_folder_of_an_earlier_build_gets_the_name_of_its_next_node() throws IOException {
    attempt("1.0.1");
    NodeFolderName.claim(folder, "nz");
    assertThrows(IOException.class, () -> NodeFolderName.claim(folder, "ny"));
  }

  @Test
  void a_name_is_replaced_as_a_whole_so_a_crash_leaves_the_old_one_or_the_new() throws IOException {
    NodeFolderName.claim(folder, "nz");
    Path old = Files.createLink(folder.resolve("old"), folder.resolve("node.name"));
    NodeFolderName.claim(folder, "ny");
    assertEquals("nz", Files.readString(old), "the file that was there is not written to");
    assertEquals("ny", Files.readString(folder.resolve("node.name")));
  }
}
