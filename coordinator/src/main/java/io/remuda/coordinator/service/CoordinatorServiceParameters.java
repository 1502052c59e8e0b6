package io.remuda.coordinator.service;

import io.remuda.agent.protocol.ClusterTls;
import io.remuda.coordinator.cluster.LocalMemberConfig;
import io.remuda.coordinator.cluster.NewLeaderStateSource;
import io.remuda.coordinator.rest.UserTokenRegistry;
import io.remuda.coordinator.settings.CoordinatorSettings;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.UserRow;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The parts of a service.
 *
 * @param keys TLS for agents, and for clients if they have it
 * @param agents address to which agents connect; port 0 for any
 * @param rest address of the HTTP interface; port 0 for any
 * @param tls whether the HTTP interface uses TLS
 * @param status status file, for {@code remuda gpus}
 * @param home folder of the server
 * @param source of the state
 * @param reader of the state, also while another coordinator leads
 * @param store name of the database
 * @param clock wall clock for recorded times
 * @param nanoClock monotonic, for the rules of scheduling, contact and retention
 * @param owner the owner's user
 * @param renewed other users, whose tokens become invalid now
 * @param member this coordinator in its cluster; empty if it is alone
 * @param absence of the node of this machine
 */
record CoordinatorServiceParameters(
    CoordinatorSettings settings,
    ClusterTls keys,
    InetSocketAddress agents,
    InetSocketAddress rest,
    boolean tls,
    Path status,
    Path home,
    NewLeaderStateSource source,
    StoreReader reader,
    String store,
    Clock clock,
    LongSupplier nanoClock,
    UserTokenRegistry tokens,
    UserRow owner,
    List<UserRow> renewed,
    Optional<LocalMemberConfig> member,
    OwnNodeAbsence absence) {

  /** Returns a copy that makes the tokens of these users invalid. */
  CoordinatorServiceParameters withRenewed(List<UserRow> users) {
    return new CoordinatorServiceParameters(
        settings, keys, agents, rest, tls, status, home, source, reader, store, clock, nanoClock,
        tokens, owner, users, member, absence);
  }
}
