package io.remuda.coordinator.cluster;

import com.typesafe.config.Config;
import io.remuda.agent.protocol.ClusterTls;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.remote.artery.tcp.SSLEngineProvider;
import org.apache.pekko.remote.artery.tcp.SSLEngineProviderSetup;
import scala.Option;

/**
 * TLS between coordinators. Each new connection has the key of that moment, from memory; Pekko's
 * own providers read files, which they trust for minutes.
 */
public final class ArteryTls implements SSLEngineProvider {

  private final ClusterTls tls;

  private ArteryTls(ClusterTls tls) {
    this.tls = tls;
  }

  /** Returns the setup of an actor system with this TLS. */
  public static ActorSystemSetup setup(Config config, ClusterTls tls) {
    return ActorSystemSetup.create(
        BootstrapSetup.create(config), SSLEngineProviderSetup.create(system -> new ArteryTls(tls)));
  }

  @Override
  public SSLEngine createServerSSLEngine(String host, int port) {
    return tls.server();
  }

  @Override
  public SSLEngine createClientSSLEngine(String host, int port) {
    return tls.client();
  }

  /** Returns that there is nothing against it: the handshake has checked the certificate. */
  @Override
  public Option<Throwable> verifyClientSession(String host, SSLSession session) {
    return Option.empty();
  }

  @Override
  public Option<Throwable> verifyServerSession(String host, SSLSession session) {
    return Option.empty();
  }
}
