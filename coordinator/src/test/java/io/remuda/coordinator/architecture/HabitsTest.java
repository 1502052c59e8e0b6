package io.remuda.coordinator.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static io.remuda.coordinator.architecture.ProductionClasses.ALL;

import java.util.Timer;
import org.junit.jupiter.api.Test;

/** What all classes of the product do, or none. */
class HabitsTest {
  @Test
  void only_programs_print() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "io.remuda.start..",
            "io.remuda..main..",
            "io.remuda.agent.commandline..") // whose caller is this process
        .and()
        .doNotHaveFullyQualifiedName(
            "io.remuda.agent.keeper.proc.KeeperLog") // a program's stderr is its log
        .should(ACCESS_STANDARD_STREAMS)
        .check(ALL);
  }

  @Test
  void nothing_logs_through_java_util_logging() {
    noClasses().should().dependOnClassesThat().resideInAPackage("java.util.logging..").check(ALL);
  }

  @Test
  void nothing_serializes_java_objects_or_starts_timer_threads() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(java.io.ObjectInputStream.class, java.io.ObjectOutputStream.class)
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(Timer.class)
        .check(ALL);
  }

  @Test
  void actors_do_not_sleep() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.remuda..actor..",
            "io.remuda.agent.attempt..",
            "io.remuda.agent.gpu..",
            "io.remuda.coordinator.commit..",
            "io.remuda.coordinator.job..",
            "io.remuda.coordinator.node..",
            "io.remuda.coordinator.ensemble..")
        .should()
        .callMethod(Thread.class, "sleep", long.class)
        .check(ALL);
  }

  @Test
  void exceptions_are_named_so() {
    classes()
        .that()
        .areAssignableTo(Exception.class)
        .should()
        .haveSimpleNameEndingWith("Exception")
        .check(ALL);
  }
}
