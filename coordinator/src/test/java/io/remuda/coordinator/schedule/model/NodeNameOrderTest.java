package io.remuda.coordinator.schedule.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeNameOrderTest {
  private static List<String> sorted(String... names) {
    List<String> list = new ArrayList<>(List.of(names));
    list.sort(NodeNameOrder.ORDER);
    return list;
  }

  @Test
  void numbers_count_as_numbers() {
    assertEquals(List.of("n1", "n2", "n10", "n100"), sorted("n100", "n10", "n2", "n1"));
    assertEquals(
        List.of("pinoak0034-2", "pinoak0034-11", "pinoak0035-1"),
        sorted("pinoak0035-1", "pinoak0034-11", "pinoak0034-2"));
  }

  @Test
  void a_shorter_name_comes_before_a_longer_one_of_the_same_beginning() {
    assertEquals(List.of("n", "n1", "n1-a"), sorted("n1-a", "n1", "n"));
  }

  @Test
  void numbers_longer_than_a_long_still_compare() {
    assertEquals(
        List.of("n9", "n99999999999999999999", "n100000000000000000000"),
        sorted("n100000000000000000000", "n99999999999999999999", "n9"));
  }

  @Test
  void names_that_differ_by_leading_zeros_only_have_an_order_too() {
    assertEquals(List.of("n01", "n1"), sorted("n1", "n01"));
    assertEquals(List.of("n1a", "n02a"), sorted("n02a", "n1a"));
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource({
    "n1, <, n2",
    "n2, <, n10",
    "n10, <, n11",
    "n9, <, n10a",
    "n1a, <, n1b",
    "a10, <, b1",
    "n, <, n0",
    "n0, <, n1",
    "n0, <, n00",
    "n007, <, n7",
    "n7, <, n008",
    "'', <, a",
    "n-1, <, n1",
    "N1, <, n1",
    "gpu1-node2, <, gpu1-node10",
    "gpu2-node1, >, gpu1-node10",
    "1, <, a",
    "10, >, 9",
    "n1, =, n1",
    "'', =, ''"
  })
  void two_names_have_this_order(String left, String order, String right) {
    int expected = Map.of("<", -1, "=", 0, ">", 1).get(order);
    assertEquals(expected, Integer.signum(NodeNameOrder.ORDER.compare(left, right)));
    assertEquals(-expected, Integer.signum(NodeNameOrder.ORDER.compare(right, left)));
  }

  @Test
  void digits_of_other_scripts_are_characters() {
    assertEquals(List.of("n9", "n10", "n\u0661"), sorted("n\u0661", "n10", "n9"));
  }

  @Property(tries = 500)
  void it_is_a_total_order(
      @ForAll("names") String a, @ForAll("names") String b, @ForAll("names") String c) {
    int ab = Integer.signum(NodeNameOrder.ORDER.compare(a, b));
    assertEquals(ab, -Integer.signum(NodeNameOrder.ORDER.compare(b, a)));
    assertEquals(a.equals(b), ab == 0);
    if (ab <= 0 && NodeNameOrder.ORDER.compare(b, c) <= 0) {
      assertEquals(true, NodeNameOrder.ORDER.compare(a, c) <= 0, a + " " + b + " " + c);
    }
  }

  @Provide
  Arbitrary<String> names() {
    return Arbitraries.strings().withChars("a-012").ofMaxLength(5);
  }
}
