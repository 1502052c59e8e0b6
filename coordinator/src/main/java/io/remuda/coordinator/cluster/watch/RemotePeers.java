package io.remuda.coordinator.cluster.watch;

import io.remuda.coordinator.cluster.ClusterFile;
import io.remuda.coordinator.cluster.LocalMemberConfig;
import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.apache.pekko.actor.ActorSelection;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Down;

/** The other members of a cluster, whose watches are where this one's is. */
final class RemotePeers implements DeadMemberWatch.Peers {

  /** A machine that is there refuses sooner; one that is cut off does not answer at all. */
  private static final Duration DIAL = Duration.ofMillis(300);

  private final Cluster cluster;
  private final Map<String, ClusterFile.Member> others = new HashMap<>();
  private final Map<String, ActorSelection> watches = new HashMap<>();

  /** Who was removed and is in the cluster yet. */
  private final Set<UniqueAddress> dying = new HashSet<>();

  private final Executor threads =
      Executors.newCachedThreadPool(work -> DaemonThread.of("member-dial", work));

  RemotePeers(ActorContext<DeadMemberWatch.Command> context, LocalMemberConfig member) {
    this.cluster = Cluster.get(context.getSystem());
    String path = context.getSelf().path().toStringWithoutAddress();
    for (ClusterFile.Member other : member.others()) {
      others.put(other.name(), other);
      watches.put(other.name(), Adapter.toClassic(context).actorSelection(address(other) + path));
    }
  }

  private Address address(ClusterFile.Member other) {
    Address own = cluster.selfMember().address();
    return new Address(own.protocol(), own.system(), other.host(), other.coordinatorPort());
  }

  @Override
  public Set<String> present() {
    Set<Address> up = new HashSet<>();
    for (Member one : cluster.state().getMembers()) {
      if (one.status().equals(MemberStatus.up()) && one.hasRole(DeadMemberWatch.ROLE)) {
        up.add(one.address());
      }
    }
    Set<String> names = new HashSet<>();
    others.forEach(
        (name, member) -> {
          if (up.contains(address(member))) {
            names.add(name);
          }
        });
    return names;
  }

  @Override
  public void forgetRemoved() {
    if (dying.isEmpty()) {
      return;
    }
    Set<UniqueAddress> all = new HashSet<>();
    cluster.state().getMembers().forEach(one -> all.add(one.uniqueAddress()));
    for (UniqueAddress one : List.copyOf(dying)) {
      if (!all.contains(one)) {
        dying.remove(one);
        DeathAwareFailureDetector.forget(one.address());
      }
    }
  }

  @Override
  public void tell(String member, DeadMemberWatch.Command message) {
    watches.get(member).tell(message, org.apache.pekko.actor.ActorRef.noSender());
  }

  @Override
  public CompletionStage<Boolean> refuses(String member) {
    ClusterFile.Member other = others.get(member);
    if (other == null) {
      return CompletableFuture.completedFuture(false);
    }
    return CompletableFuture.supplyAsync(
        () ->
            List.of(other.coordinatorPort(), other.port(), other.port() + 1).stream()
                .allMatch(port -> refuses(other.host(), port)),
        threads);
  }

  private static boolean refuses(String host, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), (int) DIAL.toMillis());
      return false;
    } catch (ConnectException refused) {
      return true;
    } catch (IOException silent) {
      return false;
    }
  }

  @Override
  public void remove(String member) {
    Address address = address(others.get(member));
    DeathAwareFailureDetector.dead(address);
    for (Member one : cluster.state().getMembers()) {
      if (one.address().equals(address)) {
        dying.add(one.uniqueAddress());
      }
    }
    cluster.manager().tell(new Down(address));
  }
}
