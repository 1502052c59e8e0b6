package io.remuda.worker.job.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamPathVariablesTest {

  private static String path(String pattern, String name) {
    return new StreamPathVariables(7, 0, "3", "n1", name, Map.of("p", name)).in(pattern);
  }

  @ParameterizedTest
  @CsvSource({
    "%x, .., __",
    "%x, ., _",
    "out/%x/log, .., out/__/log",
    "out/{p}/log, .., out/__/log",
    "%x%x/log, ., __/log",
    ".%x/log, ., __/log",
    "%x, ../.., .._..",
    "%x, ..., ...",
    "%x.txt, .., ...txt",
    "../%x, .., ../__",
    "./../%j/%x, run, ./../7/run"
  })
  void a_name_is_never_the_folder_above(String pattern, String name, String path) {
    assertEquals(path, path(pattern, name));
  }
}
