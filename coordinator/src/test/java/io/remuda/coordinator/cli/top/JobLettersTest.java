package io.remuda.coordinator.cli.top;

import static io.remuda.coordinator.cli.top.Pictures.gpu;
import static io.remuda.coordinator.cli.top.Pictures.shared;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class JobLettersTest {

  private static JobLetters of(long... jobs) {
    return JobLetters.of(
        LongStream.of(jobs).mapToObj(job -> gpu("n1", 0, 1, 0, shared(job, 1, 1))).toList());
  }

  @Test
  void a_job_keeps_its_letter_as_others_come_and_go() {
    assertEquals('C', of(1, 2, 3).letter(2));
    assertEquals('C', of(2).letter(2));
  }

  @Test
  void two_jobs_have_two_letters() {
    JobLetters letters = of(2, 28, 54);
    assertEquals('C', letters.letter(2));
    assertEquals('D', letters.letter(28));
    assertEquals('E', letters.letter(54));
  }

  @Test
  void a_job_without_a_gpu_has_none() {
    assertEquals(' ', of(1).letter(2));
    assertEquals(' ', JobLetters.of(List.of()).letter(1));
  }

  @Test
  void twenty_six_jobs_have_all_letters_and_more_share_them() {
    long[] jobs = LongStream.range(100, 200).toArray();
    JobLetters letters = of(jobs);
    TreeSet<Character> seen = new TreeSet<>();
    LongStream.range(100, 126).forEach(job -> seen.add(letters.letter(job)));
    assertEquals(26, seen.size());
    LongStream.range(100, 200).forEach(job -> assertEquals(true, letters.letter(job) >= 'A'));
  }
}
