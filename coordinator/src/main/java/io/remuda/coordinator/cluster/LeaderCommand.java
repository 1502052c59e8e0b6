package io.remuda.coordinator.cluster;

import java.util.Arrays;
import java.util.Objects;
import org.apache.pekko.actor.typed.ActorRef;

/** A message to the leader. Those that are {@link ClusterMessage}s come from any member. */
public interface LeaderCommand {

  /**
   * An HTTP request that a member has authenticated and cannot answer itself.
   *
   * @param id that the answer repeats
   * @param user who sends it
   * @param mayAll whether that user may change what belongs to others
   * @param method such as {@code POST}
   * @param target path and query below {@code /api/v1}
   * @param body empty for none
   */
  record ForwardedRequest(
      long id,
      String user,
      boolean mayAll,
      String method,
      String target,
      byte[] body,
      ActorRef<ForwardedAnswer> replyTo)
      implements LeaderCommand, ClusterMessage {

    @Override
    public boolean equals(Object other) {
      return other instanceof ForwardedRequest request
          && id == request.id
          && mayAll == request.mayAll
          && user.equals(request.user)
          && method.equals(request.method)
          && target.equals(request.target)
          && Arrays.equals(body, request.body)
          && replyTo.equals(request.replyTo);
    }

    @Override
    public int hashCode() {
      return Objects.hash(id, user, mayAll, method, target, Arrays.hashCode(body), replyTo);
    }
  }

  /** Asks which member leads. */
  record LookAtLeader(ActorRef<LeaderNotice> replyTo) implements LeaderCommand, ClusterMessage {}
}
