package io.remuda.coordinator.rest.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.remuda.coordinator.jobfield.FieldTable;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a submission may hold is looked at while it is read. */
@Tag("attack")
@Tag("attack-bad-request")
@Timeout(60)
class SubmissionBoundsTest {
  private static final int MEBIBYTE = 1 << 20;
  private static final int BODY = 16 * MEBIBYTE;

  private record Refused(String why, long bytes) {}

  /** Why a body is refused, and how much memory it took to find out. */
  private static Refused refused(String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    String why =
        assertThrows(
                IllegalArgumentException.class, () -> new SubmissionReader(false).read(bytes, "me"))
            .getMessage();
    return new Refused(why, threads.getCurrentThreadAllocatedBytes() - before);
  }

  /** A body that is as long as the server takes; {@code one} is repeated in its list. */
  private static String full(String head, String one, String tail) {
    int times = (BODY - head.length() - one.length() - tail.length()) / (one.length() + 1);
    return head + (one + ",").repeat(times) + one + tail;
  }

  @Test
  void sixteen_mebibytes_of_empty_jobs_are_refused_at_the_first() {
    Refused refused = refused(full("{\"jobs\":[", "{}", "]}"));
    assertTrue(refused.bytes() < MEBIBYTE, refused.bytes() + " bytes");
    assertEquals("job number 1: give the command, as argv or as shell", refused.why());
  }

  @Test
  void jobs_are_read_up_to_the_ten_thousandth() {
    Refused refused = refused(full("{\"jobs\":[", "{\"argv\":[\"x\"]}", "]}"));
    assertTrue(refused.bytes() < 64 * MEBIBYTE, refused.bytes() + " bytes");
    assertEquals("a submission has 1 to 10000 jobs", refused.why());
  }

  @Test
  void jobs_that_hold_too_much_together_are_refused_where_it_is_too_much() {
    String arguments = "\"\",".repeat(50_000) + "\"\"";
    String job = "{\"argv\":[\"x\"," + arguments + "],\"env\":{}}";
    Refused refused = refused(full("{\"jobs\":[", job, "]}"));
    assertTrue(refused.bytes() < 64 * MEBIBYTE, refused.bytes() + " bytes");
    assertEquals(
        "job number 20: a request has at most 1000000 values: send the jobs in several",
        refused.why());
  }

  @Test
  void each_list_has_its_limit() {
    Refused refused = refused(full("{\"argv\":[", "\"\"", "]}"));
    assertTrue(refused.bytes() < 16 * MEBIBYTE, refused.bytes() + " bytes");
    assertEquals("argv has at most 100000 entries, got more", refused.why());
  }

  @Test
  void names_that_thousands_of_jobs_depend_on_are_found_at_once() {
    StringBuilder body = new StringBuilder("{\"jobs\":[");
    for (int i = 0; i < 9_900; i++) {
      body.append("{\"name\":\"n").append(i).append("\",\"shell\":\"x\"},");
    }
    String after = "\"n0\",".repeat(9_900);
    for (int i = 0; i < 90; i++) {
      body.append("{\"shell\":\"x\",\"after\":[").append(after).append("\"n1\"]},");
    }
    assertEquals("job number 9991: unknown field 'y'", refused(body + "{\"y\":1}]}").why());
  }

  static List<String> tooLong() {
    return List.of(
        "clientKey",
        "name",
        "gpuModel",
        "type",
        "policy",
        "umask",
        "mem",
        "timeLimit",
        "grace",
        "signal",
        "workdir");
  }

  @ParameterizedTest
  @MethodSource("tooLong")
  void a_text_that_is_too_long_is_told_by_its_field_its_length_and_its_limit(String field) {
    int most = FieldTable.JOB.find(field).orElseThrow().limit().text();
    assertEquals(
        field + " has at most " + most + " characters, got 5000: '" + "k".repeat(60) + "'...",
        refused("{\"argv\":[\"x\"],\"" + field + "\":\"" + "k".repeat(5000) + "\"}").why());
    Refused huge =
        refused("{\"argv\":[\"x\"],\"" + field + "\":\"" + "k".repeat(15_000_000) + "\"}");
    assertEquals(field + " has at most " + most + " characters, got more than 500000", huge.why());
    assertTrue(huge.bytes() < 16 * MEBIBYTE, huge.bytes() + " bytes");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'argv':['x'],'argv':['y']} | field 'argv' is given twice",
        "{'argv':['x'],'env':{'A':'1','A':'2'}} | field 'A' is given twice",
        "{'argv':['x']} {'argv':['y']} | there is text behind the JSON object",
        "{'argv':['x']}x | there is text behind the JSON object",
        "{'jobs':[{'argv':['x']}]}] | there is text behind the JSON object",
        "{'argv':['x'],'count':1.5} | count must be a whole number, got '1.5'",
        "{'argv':['x'],'count':'2'} | count must be a whole number, got the text '2'",
        "{'argv':['x'],'count':true} | count must be a whole number, got 'true'",
        "{'argv':['x'],'count':99999999999} | count is too large: '99999999999'",
        "{'argv':['x'],'cpus':'1'} | cpus must be a number, got the text '1'",
        "{'argv':['x'],'hold':1} | hold must be true or false, got '1'",
        "{'argv':['x'],'hold':'true'} | hold must be true or false, got the text 'true'",
        "{'argv':['x'],'name':7} | name must be a text, got '7'",
        "{'argv':['x'],'mem':512} | mem must be a text, got '512'",
        "{'argv':['x',null]} | argv must be a text, got null",
        "{'argv':['x',['y']]} | argv must be a text, got a list",
        "{'argv':'x'} | argv must be a list of texts, got the text 'x'",
        "{'argv':['x'],'env':['A']} | env must be an object of texts, got a list",
        "{'argv':['x'],'env':{'A':{}}} | env.A must be a text, got an object",
        "{'argv':['x'],'counts':1} | unknown field 'counts'",
        "{'jobs':[{'argv':['x']}],'x':1} | a list of jobs is {'jobs': [...]} and nothing else",
        "{'jobs':7} | a list of jobs is {'jobs': [...]} and nothing else",
        "{'jobs':[]} | a submission has 1 to 10000 jobs",
        "{'jobs':[7]} | job number 1: a job must be a JSON object",
        "[] | the body must be a JSON object",
      })
  void only_what_is_meant_in_one_way_is_taken(String body, String why) {
    String told = refused(body.replace('\'', '"')).why();
    assertEquals(why, told.replace('"', '\''));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"argv\":[\"x\"],\"labels\":{\"%s\":\"1\"}}",
        "{\"argv\":[\"x\"],\"env\":{\"%s\":\"1\"}}",
        "{\"argv\":[\"x\"],\"after\":[\"%s\"]}",
        "{\"argv\":[\"x\"],\"%s\":1}",
        "{\"argv\":[\"x\"],\"count\":%s}"
      })
  void whatever_is_too_long_is_refused_in_few_words(String body) {
    for (int length : new int[] {1900, 10_000, 15_000_000}) {
      Refused refused = refused(body.replace("%s", "7".repeat(length)));
      assertTrue(refused.why().length() < 250, refused.why());
      assertTrue(refused.bytes() < 40 * MEBIBYTE, refused.bytes() + " bytes for " + refused.why());
    }
  }

  @Test
  void what_is_too_deep_is_refused() {
    assertTrue(refused("{\"argv\":" + "[".repeat(100_000)).why().startsWith("argv must be a text"));
    String deep = refused("{\"x\":" + "[".repeat(100_000)).why();
    assertTrue(deep.length() < 250, deep);
  }
}
