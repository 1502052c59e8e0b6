package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.remuda.agent.protocol.ChannelExchangeRequest;
import io.remuda.agent.protocol.CoordinatorMessage.ReadOutput;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.worker.job.AttemptId;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.Test;

class OutputReaderSenderTest {

  private static final AttemptId ATTEMPT = AttemptId.parse("7.0.1");

  private final TestInbox<OutputReader.Command> reader = TestInbox.create();
  private final OutputReader.Sender sender = new OutputReader.Sender(reader.getRef());

  private static ReadOutput question(ChannelExchangeRequest channel) {
    return new ReadOutput(1, ATTEMPT, OutputStreamName.OUT, 0, 100, List.of(), channel);
  }

  private static ReadOutput shell() {
    return question(
        new ChannelExchangeRequest("s", "shell:vt100", 0, null, false, -1, 24, 80, false));
  }

  @Test
  void the_end_of_an_attempt_without_a_channel_costs_the_reader_nothing() {
    sender.read(question(null), 17, true);
    reader.receiveMessage();
    sender.ended(ATTEMPT);
    assertFalse(reader.hasMessages());
  }

  @Test
  void the_end_of_an_attempt_with_a_channel_is_told_once() {
    sender.read(shell(), 17, true);
    reader.receiveMessage();
    sender.ended(ATTEMPT);
    sender.ended(ATTEMPT);
    assertEquals(List.of(new OutputReader.Ended(ATTEMPT)), reader.getAllReceived());
  }

  @Test
  void an_attempt_that_has_its_stdin_through_a_channel_is_told_of_too() {
    sender.opened(ATTEMPT, null, null);
    reader.receiveMessage();
    sender.ended(ATTEMPT);
    assertEquals(new OutputReader.Ended(ATTEMPT), reader.receiveMessage());
  }

  @Test
  void what_is_asked_of_a_forgotten_attempt_is_not_remembered() {
    sender.read(shell(), 0, false);
    reader.receiveMessage();
    sender.ended(ATTEMPT);
    assertFalse(reader.hasMessages());
  }
}
