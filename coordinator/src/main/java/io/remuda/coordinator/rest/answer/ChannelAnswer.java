package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.AttemptChannelProgress;
import java.util.Base64;

/**
 * How far a channel is, and what came by it.
 *
 * @param attempt number of the newest attempt; only this, if another one was asked for
 * @param taken number of bytes that were written
 * @param used number of these that the task has read
 * @param ended whether nothing more can be written, and nothing comes after {@code data}
 * @param exitCode of a shell that has ended
 * @param offset of the first byte of {@code data}
 * @param data bytes that came, in base64
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ChannelAnswer(
    int attempt, Long taken, Long used, Boolean ended, Integer exitCode, Long offset, String data) {

  /** Returns the answer about an attempt that is not the newest. */
  public static ChannelAnswer ofOther(int attempt) {
    return new ChannelAnswer(attempt, null, null, null, null, null, null);
  }

  /** Returns the answer to a request that a node has answered. */
  public static ChannelAnswer of(int attempt, AgentMessage.Output answer) {
    AttemptChannelProgress state = answer.channel();
    boolean none = answer.bytes().length == 0;
    return new ChannelAnswer(
        attempt,
        state.taken(),
        state.used(),
        state.ended(),
        state.exitCode(),
        none ? null : answer.offset(),
        none ? null : Base64.getEncoder().encodeToString(answer.bytes()));
  }
}
