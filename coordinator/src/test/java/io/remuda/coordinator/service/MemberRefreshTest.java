package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.access.ClusterSecret;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.cluster.DatabaseReachability;
import io.remuda.coordinator.cluster.KeyReload;
import io.remuda.coordinator.cluster.KnownLeader;
import io.remuda.coordinator.cluster.MemberSamples;
import io.remuda.coordinator.rest.UserTokenRegistry;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.row.UserRow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a member looks for again and again: its key, and the users. Each message is a look. */
@Timeout(60)
class MemberRefreshTest {

  @TempDir private Path folder;
  private final UserTokenRegistry tokens = new UserTokenRegistry(List.of(), "ann");
  private final KnownLeader leader = new KnownLeader();
  private final DatabaseReachability contact = new DatabaseReachability(System::nanoTime);
  private StoreOpener.Opened store;
  private StoreReader reader;

  @BeforeEach
  void twoUsersAreStored() throws Exception {
    store = StoreOpener.open(folder, Clock.systemUTC());
    reader = store.store().reader();
    CountDownLatch durable = new CountDownLatch(1);
    List<StoreChange> users =
        List.of(new StoreChange.UserSet(user("ann")), new StoreChange.UserSet(user("bob")));
    store.journal().append(users, durable::countDown);
    assertTrue(durable.await(60, TimeUnit.SECONDS));
  }

  @AfterEach
  void close() throws Exception {
    reader.close();
    store.journal().close();
  }

  private static UserRow user(String name) {
    return new UserRow(name, 1, UserTokenRegistry.hash("token-of-" + name));
  }

  private void read(UserRefresh.Command message) {
    BehaviorTestKit.create(UserRefresh.create(reader, tokens, "ann", leader, contact)).run(message);
  }

  private Optional<String> known(String name) {
    return tokens.callerOf("token-of-" + name).map(CoordinatorCommand.Caller::user);
  }

  @Test
  void a_member_that_does_not_lead_learns_the_users_and_keeps_the_owner_of_its_cluster() {
    for (UserRefresh.Command message : UserRefresh.Command.values()) {
      read(message);
      assertEquals(Optional.of("bob"), known("bob"), message.toString());
      assertEquals(Optional.empty(), known("ann"), "the owner's token is that of the key file");
      assertTrue(contact.isReached());
    }
  }

  @Test
  void the_leader_knows_its_users_and_only_sees_that_the_state_is_reached() {
    leader.leads(TestInbox.<CoordinatorCommand>create().getRef());
    read(UserRefresh.Command.READ);
    assertEquals(Optional.empty(), known("bob"));
    assertTrue(contact.isReached());
  }

  @Test
  void while_the_state_is_away_a_member_keeps_the_users_that_it_knows() throws Exception {
    read(UserRefresh.Command.READ);
    reader.close();
    DatabaseReachability later = new DatabaseReachability(System::nanoTime);
    BehaviorTestKit.create(UserRefresh.create(reader, tokens, "ann", leader, later))
        .run(UserRefresh.Command.READ);
    assertEquals(Optional.of("bob"), known("bob"));
    assertFalse(later.isReached());
  }

  @Test
  void a_member_takes_up_a_new_key() throws Exception {
    Path keyFile = folder.resolve("cluster.key");
    Path access = folder.resolve("access.json");
    ClusterSecret secret = ClusterSecret.create("ann", "token", Instant.EPOCH);
    for (ClusterKeyRefresh.Command message : ClusterKeyRefresh.Command.values()) {
      Files.deleteIfExists(access);
      secret.write(keyFile);
      KeyReload reload = new KeyReload(MemberSamples.first("10.0.0", keyFile, secret), access);
      BehaviorTestKit<ClusterKeyRefresh.Command> refresh =
          BehaviorTestKit.create(ClusterKeyRefresh.create(reload));
      refresh.run(message);
      assertTrue(Files.notExists(access), "it is the key that it has");
      secret.renewed(Instant.EPOCH).write(keyFile);
      refresh.run(message);
      assertTrue(Files.exists(access), message.toString());
    }
  }
}
