package io.tagfabric.provider;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.profile.TlsSettings;
import java.util.Optional;

/** When a provider that does not encrypt may send to other hosts. */
@InternalApi
public final class PlainText {
  private static final String TRANSPORT = "akka.remote.artery.transport";

  private PlainText() {}

  /**
   * Why such a provider may not be used: Akka's remoting is encrypted, so nothing may go in the
   * clear beside it. Empty if it may.
   */
  public static Optional<String> refusedBecause(WireContext context) {
    return isRemotingEncrypted(context) && !context.settings().get(TlsSettings.ALLOW_PLAIN)
        ? Optional.of(
            "it does not encrypt, and this node's remoting does; "
                + TlsSettings.ALLOW_PLAIN.fullKey()
                + "=on lets it go in the clear")
        : Optional.empty();
  }

  /** Whether Akka's remoting is encrypted, so all that goes to other hosts has to be. */
  public static boolean isRemotingEncrypted(WireContext context) {
    return context.settings().get(JobSettings.PROFILE) == Profile.TLS
        || context
            .actors()
            .map(actors -> actors.system().settings().config())
            .filter(config -> config.hasPath(TRANSPORT))
            .map(config -> config.getString(TRANSPORT).equals("tls-tcp"))
            .orElse(false);
  }
}
