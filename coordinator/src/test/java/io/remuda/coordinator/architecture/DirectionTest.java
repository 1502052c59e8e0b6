package io.remuda.coordinator.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.remuda.coordinator.architecture.ProductionClasses.ALL;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The direction of dependencies between modules and packages. */
class DirectionTest {
  /** From the lowest module to the highest, by package. */
  private static final List<String> MODULES =
      List.of("telemetry", "worker", "agent", "coordinator");

  private static String in(String name) {
    return "io.remuda." + name + "..";
  }

  @ParameterizedTest
  @ValueSource(strings = {"telemetry", "worker", "agent", "coordinator"})
  void every_module_is_looked_at(String module) {
    assertFalse(
        ALL.stream().noneMatch(type -> type.getPackageName().startsWith("io.remuda." + module)));
  }

  static Stream<Arguments> upwards() {
    return IntStream.range(0, MODULES.size() - 1)
        .mapToObj(
            lower -> Arguments.of(MODULES.get(lower), MODULES.subList(lower + 1, MODULES.size())));
  }

  @ParameterizedTest
  @MethodSource("upwards")
  void a_module_knows_nothing_of_those_above_it(String lower, List<String> higher) {
    noClasses()
        .that()
        .resideInAPackage(in(lower))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(higher.stream().map(DirectionTest::in).toArray(String[]::new))
        .check(ALL);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "coordinator.lifecycle",
        "coordinator.schedule",
        "coordinator.registry",
        "agent.recovery",
        "telemetry.window",
        "telemetry.render",
        "telemetry.model",
        "worker.job"
      })
  void what_is_pure_knows_no_actor_and_no_file(String name) {
    noClasses()
        .that()
        .resideInAPackage(in(name))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.pekko..", "com.typesafe.config..", "java.io..", "java.nio.file..")
        .check(ALL);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "coordinator.lifecycle",
        "coordinator.schedule",
        "coordinator.registry",
        "agent.recovery"
      })
  void what_decides_asks_no_clock_and_no_dice(String name) {
    noClasses()
        .that()
        .resideInAPackage(in(name))
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(java.util.Random.class, java.util.concurrent.ThreadLocalRandom.class)
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.time.Instant")
        .check(ALL);
  }

  @Test
  void the_keeper_stays_small() {
    noClasses()
        .that()
        .resideInAPackage("io.remuda.agent.keeper..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.pekko..",
            "scala..",
            "com.fasterxml.jackson..",
            "ch.qos.logback..",
            "org.slf4j..",
            "com.typesafe.config..",
            "io.remuda.telemetry..",
            "io.remuda.worker..")
        .check(ALL);
  }

  @Test
  void the_terminal_library_is_for_top_alone() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.remuda.coordinator.cli.top..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.jline..")
        .check(ALL);
  }

  @Test
  void native_code_is_called_from_few_packages() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "io.remuda.telemetry.nvml", // the driver of NVIDIA GPUs
            "io.remuda.agent.keeper.proc", // libc: processes
            "io.remuda.agent.keeper.limit", // libc: names that lock devices
            "io.remuda.agent.keeper.task", // libc: children that have ended
            "io.remuda.agent.keeper.sweep", // libc: the guardian's pipe and start
            "io.remuda.agent.keeper.program", // libc: signals of the keeper itself
            "io.remuda.agent.channel", // libc: pipes and terminals
            "io.remuda.agent.output", // libc: holes in files
            "io.remuda.agent.settings", // where JNA's own library lies
            "io.remuda.coordinator.console") // libc: the size of a terminal
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.sun.jna..")
        .check(ALL);
  }

  @Test
  void below_the_agent_nothing_knows_of_actors() {
    noClasses()
        .that()
        .resideInAnyPackage("io.remuda.telemetry..", "io.remuda.worker..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.pekko..", "scala..")
        .check(ALL);
  }

  @Test
  void packages_form_no_cycle() {
    slices().matching("io.remuda.(**)").should().beFreeOfCycles().check(ALL);
  }
}
