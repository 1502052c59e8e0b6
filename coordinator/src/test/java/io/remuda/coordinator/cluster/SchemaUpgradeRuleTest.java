package io.remuda.coordinator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SchemaUpgradeRuleTest {

  private static final Set<String> OLD = Set.of("dc-default", SchemaUpgradeRule.role(1));
  private static final Set<String> NEW = Set.of("dc-default", SchemaUpgradeRule.role(2));

  @Test
  void tables_are_upgraded_once_each_member_knows_the_new_ones() {
    assertEquals(Optional.empty(), SchemaUpgradeRule.refusal(1, 2, Map.of("a", NEW, "b", NEW)));
    assertEquals(
        Optional.empty(), SchemaUpgradeRule.refusal(1, 2, Map.of("a", Set.of("schema-10"))));
  }

  @Test
  void a_member_of_an_older_build_holds_the_upgrade_and_is_named() {
    assertEquals(
        Optional.of(
            "its schema has version 1 and gets version 2 once no coordinator of an older build is"
                + " in the cluster; there are b, c: replace them"),
        SchemaUpgradeRule.refusal(1, 2, Map.of("a", NEW, "b", OLD, "c", Set.of("dc-default"))));
  }

  @Test
  void tables_that_need_no_upgrade_are_never_held() {
    assertEquals(Optional.empty(), SchemaUpgradeRule.refusal(2, 2, Map.of("a", NEW, "b", OLD)));
    assertEquals(Optional.empty(), SchemaUpgradeRule.refusal(3, 2, Map.of("a", NEW, "b", OLD)));
  }
}
