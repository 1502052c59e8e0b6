package io.remuda.worker.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CudaLibrariesTest {
  private static final String VENV = "home/venv/lib/python3.12/site-packages/nvidia/cu13/lib";
  private static final String TOOLKIT = "usr/local/cuda-13.0/lib64";

  @TempDir Path root;

  private void put(String folder, List<String> libraries) {
    try {
      Files.createDirectories(root.resolve(folder));
      for (String library : libraries) {
        Files.writeString(root.resolve(folder).resolve(library), "");
      }
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static List<String> without(String library) {
    List<String> rest = new ArrayList<>(CudaLibraries.NEEDED);
    rest.remove(library);
    return rest;
  }

  private CudaLibraries find(Map<String, String> environment) {
    return CudaLibraries.find(environment, root);
  }

  @Test
  void without_any_the_words_say_what_to_do() {
    CudaLibraries found = find(Map.of());
    assertFalse(found.complete());
    assertTrue(found.words().startsWith("no CUDA 13 libraries"), found.words());
  }

  @Test
  void what_the_loader_finds_anyway_needs_no_path() {
    put("usr/lib/x86_64-linux-gnu", CudaLibraries.NEEDED);
    CudaLibraries found = find(Map.of());
    assertTrue(found.complete());
    assertEquals("", found.loaderPath(Map.of()));
  }

  @Test
  void the_active_python_environment_comes_before_the_toolkit() {
    put(VENV, CudaLibraries.NEEDED);
    put(TOOLKIT, CudaLibraries.NEEDED);
    String venv = root.resolve("home/venv").toString();
    CudaLibraries found = find(Map.of("VIRTUAL_ENV", venv));
    assertEquals("CUDA 13 of the Python environment " + venv, found.words());
    assertEquals(List.of(root.resolve(VENV)), found.folders());
  }

  @Test
  void an_environment_that_lacks_one_gives_way_to_a_toolkit_that_has_all() {
    put(VENV, without("libcudnn.so.9"));
    put(TOOLKIT, CudaLibraries.NEEDED);
    CudaLibraries found = find(Map.of("VIRTUAL_ENV", root.resolve("home/venv").toString()));
    assertEquals(List.of(root.resolve(TOOLKIT)), found.folders());
  }

  @Test
  void the_system_completes_a_toolkit() {
    put(TOOLKIT, without("libcudnn.so.9"));
    put("usr/lib/x86_64-linux-gnu", List.of("libcudnn.so.9"));
    assertTrue(find(Map.of()).complete());
  }

  @Test
  void an_older_cuda_does_not_count() {
    put("usr/local/cuda-12.8/lib64", List.of("libcudart.so.12", "libcublas.so.12"));
    assertFalse(find(Map.of()).complete());
  }

  @Test
  void what_is_missing_is_named_with_the_place_that_lacks_least() {
    put(TOOLKIT, without("libcudnn.so.9"));
    String words = find(Map.of()).words();
    assertTrue(words.endsWith("cuda-13.0 lacks libcudnn.so.9"), words);
  }

  @Test
  void wheels_of_several_packages_are_put_together() {
    String packages = "home/venv/lib/python3.12/site-packages/nvidia/";
    put(packages + "cu13/lib", without("libcudnn.so.9"));
    put(packages + "cudnn/lib", List.of("libcudnn.so.9"));
    CudaLibraries found = find(Map.of("CONDA_PREFIX", root.resolve("home/venv").toString()));
    assertTrue(found.complete(), found.words());
    assertEquals(2, found.folders().size());
  }

  @Test
  void the_loaders_path_keeps_what_it_had() {
    put(TOOLKIT, CudaLibraries.NEEDED);
    Map<String, String> environment = Map.of("LD_LIBRARY_PATH", "/opt/own:");
    assertEquals(root.resolve(TOOLKIT) + ":/opt/own", find(environment).loaderPath(environment));
  }
}
