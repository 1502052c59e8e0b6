package io.remuda.agent.keeper.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.remuda.agent.keeper.SpawnTemplate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpawnTemplateCacheTest {

  private final SpawnTemplateCache templates = new SpawnTemplateCache();

  private static SpawnTemplate template(String argument) {
    return new SpawnTemplate(List.of("true", argument), Map.of(), "/", 022);
  }

  @Test
  void a_template_is_found_by_its_number_and_its_number_by_identity() {
    SpawnTemplate one = template("a");
    templates.add(1, one);
    assertSame(one, templates.find(1));
    assertEquals(1, templates.numberOf(one));
    assertEquals(0, templates.numberOf(template("a")), "an equal one was not sent");
    assertNull(templates.find(2));
  }

  @Test
  void the_oldest_of_more_than_32_is_dropped() {
    for (int number = 1; number <= 33; number++) {
      templates.add(number, template("a"));
    }
    assertNull(templates.find(1));
    assertEquals(33, templates.numberOf(templates.find(33)));
    assertEquals(2, templates.numberOf(templates.find(2)));
  }

  @Test
  void the_oldest_are_dropped_when_all_have_more_than_a_mebi_of_characters() {
    templates.add(1, template("a"));
    templates.add(2, template("x".repeat(1 << 19)));
    templates.add(3, template("x".repeat(1 << 19)));
    assertNull(templates.find(1));
    assertNull(templates.find(2));
    assertEquals(3, templates.numberOf(templates.find(3)));
  }

  @Test
  void one_that_is_too_large_alone_is_kept_until_the_next() {
    templates.add(1, template("x".repeat(2 << 20)));
    assertEquals(1, templates.numberOf(templates.find(1)));
    templates.add(2, template("a"));
    assertNull(templates.find(1));
  }
}
