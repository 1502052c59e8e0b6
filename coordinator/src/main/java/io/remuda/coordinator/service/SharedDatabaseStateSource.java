package io.remuda.coordinator.service;

import io.remuda.coordinator.cluster.NewLeaderStateSource;
import io.remuda.coordinator.cluster.SchemaUpgradeRule;
import io.remuda.coordinator.commit.TakeOverRehearsal;
import io.remuda.coordinator.settings.CoordinatorSettings;
import io.remuda.coordinator.store.BackgroundStoreOpening;
import io.remuda.coordinator.store.DatabaseBackend;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.row.OtherBuildStateException;
import io.remuda.coordinator.store.warm.WarmState;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.typed.Cluster;

/** The state of a cluster, which its members lead on in turn. */
record SharedDatabaseStateSource(DatabaseBackend database, WarmState warm, ActorSystem<?> system)
    implements NewLeaderStateSource {

  /** Returns the state in a database, whose live jobs this member reads ahead from now on. */
  static NewLeaderStateSource followed(DatabaseBackend database, EarlyServiceParts parts) {
    CoordinatorSettings settings = parts.settings();
    ActorSystem<?> system = parts.system();
    WarmState warm = new WarmState(Runtime.getRuntime().maxMemory() / 2);
    system.systemActorOf(
        WarmStateFollower.create(
            database, warm, new TakeOverRehearsal(settings.retry(), settings.sharing())),
        "warm-state",
        WarmStateFollower.PROPS);
    return new SharedDatabaseStateSource(database, warm, system);
  }

  @Override
  public CompletionStage<StoreOpener.Opened> open() {
    return BackgroundStoreOpening.begin(database, Clock.systemUTC(), this::requireUpgradable, warm)
        .stage();
  }

  private void requireUpgradable(int found, int newest) throws OtherBuildStateException {
    Optional<String> refusal = SchemaUpgradeRule.refusal(found, newest, roles());
    if (refusal.isPresent()) {
      throw new OtherBuildStateException(refusal.get());
    }
  }

  private Map<String, Set<String>> roles() {
    Map<String, Set<String>> roles = new TreeMap<>();
    for (Member member : Cluster.get(system).state().getMembers()) {
      roles.put(member.address().hostPort(), member.getRoles());
    }
    return roles;
  }

  @Override
  public Optional<String> outdated() {
    return StoreOpener.outdated(database);
  }
}
