package io.remuda.coordinator.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobTypeTest {

  @ParameterizedTest
  @CsvSource({
    "python train.py --lr 0.1 --epochs=3 data, python train.py --lr --epochs data",
    "python train.py --lr 0.2 --epochs=9 data, python train.py --lr --epochs data",
    "python -m package.train 17 -3 1e-4 .5, python -m package.train",
    "./train --fast --out /tmp/x in.txt, ./train --fast --out in.txt",
    "./train -, ./train -",
    "42, 42",
    "python -u train.py --lr 3, python -u train.py --lr",
    "torchrun --standalone --nproc 4 infer.py, torchrun --standalone --nproc infer.py",
    "python -c print(1), python -c print(1)",
  })
  void a_type_is_the_command_without_values_and_numbers(String command, String type) {
    assertEquals(type, JobType.nameOf(List.of(command.split(" "))));
  }

  @Test
  void of_a_shell_the_words_of_its_line_count() {
    assertEquals(
        "cd run && python train.py --lr > out",
        JobType.nameOf(List.of("/bin/bash", "-lc", "cd run && python train.py --lr 3 > out")));
  }

  @Test
  void the_project_is_part_of_a_type() {
    List<String> train = List.of("python", "train.py", "--lr", "3");
    assertEquals(
        "python train.py --lr in /home/ann/cifar", JobType.nameOf(train, "/home/ann/cifar"));
    assertEquals("python train.py --lr in /a b", JobType.nameOf(train, "/a\nb"));
    assertEquals("python train.py --lr", JobType.nameOf(train, null));
  }

  @Test
  void a_long_type_keeps_the_end_of_its_project() {
    String name = JobType.nameOf(List.of("x".repeat(600)), "/" + "y".repeat(600) + "/cifar");
    assertEquals("x".repeat(292) + " in ..." + "y".repeat(194) + "/cifar", name);
    assertEquals(name, new JobType("ann", name).name());
  }

  @Test
  void a_type_needs_a_name() {
    assertThrows(IllegalArgumentException.class, () -> new JobType("ann", " "));
    assertThrows(IllegalArgumentException.class, () -> new JobType("ann", "x".repeat(501)));
    assertThrows(IllegalArgumentException.class, () -> new JobType("ann", "a\n\u001b[31mb"));
    assertEquals(
        "python -c print(1) print(2)",
        JobType.nameOf(List.of("python", "-c", "print(1)\nprint(2)")));
  }
}
