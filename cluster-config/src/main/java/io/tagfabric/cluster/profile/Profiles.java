package io.tagfabric.cluster.profile;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigResolveOptions;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.settings.Settings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes the configuration of a rank's ActorSystem from its job and the application's own. */
public final class Profiles {
  /** Name of the ActorSystem in all ranks; nodes of a cluster must have the same. */
  public static final String SYSTEM_NAME = "tagfabric";

  private static final String ROLE_PREFIX = "rank-";

  private Profiles() {}

  /**
   * The whole, resolved configuration of a rank's ActorSystem.
   *
   * <p>A later layer wins: {@code reference.conf} of all libraries, the profile of the transport,
   * {@code tagfabric/job.conf}, {@code application}, system properties, and last what the job
   * dictates: host, port, number of members, media driver.
   *
   * @param application the application's configuration without the layers below it, such as {@link
   *     ConfigFactory#defaultApplication()}
   * @throws IllegalArgumentException if {@code application} already holds Akka's reference.conf,
   *     which would hide the profile
   */
  public static Config akkaConfig(JobSpec job, Config application) {
    if (application.root().get("akka") instanceof ConfigObject akka
        && akka.containsKey("version")) {
      throw new IllegalArgumentException(
          "application holds akka.version, so it includes reference.conf, which would hide the"
              + " profile; pass ConfigFactory.defaultApplication() or its like");
    }
    return dictated(job, application)
        .withFallback(ConfigFactory.defaultOverrides())
        .withFallback(application)
        .withFallback(resource("tagfabric/job.conf"))
        .withFallback(resource(resourceOf(job.profile())))
        .withFallback(ConfigFactory.defaultReferenceUnresolved())
        .resolve(ConfigResolveOptions.defaults());
  }

  /** Address of rank 0, which all ranks join: {@code akka://tagfabric@127.0.0.1:4000}. */
  public static String seedAddress(JobSpec job) {
    String host = job.seedHost();
    String literal = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return "akka://" + SYSTEM_NAME + "@" + literal + ":" + job.seedPort();
  }

  /** Role that tells the other members which rank a member is: {@code rank-3}. */
  public static String roleOf(int rank) {
    return ROLE_PREFIX + rank;
  }

  /**
   * The rank that a member's roles name.
   *
   * @throws IllegalArgumentException if none of them does
   */
  public static int rankOf(Iterable<String> roles) {
    for (String role : roles) {
      if (role.startsWith(ROLE_PREFIX)) {
        return Integer.parseInt(role.substring(ROLE_PREFIX.length()));
      }
    }
    throw new IllegalArgumentException("roles=" + roles + " name no rank, expected rank-<number>");
  }

  private static Config dictated(JobSpec job, Config application) {
    Map<String, Object> values = new HashMap<>();
    values.put("akka.remote.artery.canonical.hostname", job.host());
    values.put("akka.remote.artery.canonical.port", job.port());
    values.put("akka.remote.artery.bind.hostname", job.host());
    values.put("akka.cluster.min-nr-of-members", job.size());
    values.put("akka.cluster.roles", List.of(roleOf(job.rank())));
    if (job.profile() == Profile.AERON) {
      values.put(
          "akka.remote.artery.advanced.aeron.embedded-media-driver",
          job.aeronDirectory().isEmpty());
      job.aeronDirectory()
          .map(Path::toString)
          .ifPresent(
              directory -> values.put("akka.remote.artery.advanced.aeron.aeron-dir", directory));
    }
    if (job.profile() == Profile.TLS) {
      Config all = ConfigFactory.defaultOverrides().withFallback(application);
      values.putAll(TlsSettings.akkaValues(Settings.of(all)));
    }
    return ConfigFactory.parseMap(values, "job");
  }

  private static String resourceOf(Profile profile) {
    return switch (profile) {
      case AERON -> "tagfabric/artery-aeron.conf";
      case TCP -> "tagfabric/artery-tcp.conf";
      case TLS -> "tagfabric/artery-tls.conf";
    };
  }

  private static Config resource(String name) {
    return ConfigFactory.parseResources(
        Profiles.class.getClassLoader(),
        name,
        ConfigParseOptions.defaults().setAllowMissing(false));
  }
}
