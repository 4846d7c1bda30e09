package io.tagfabric.cluster.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ProfilesTest {
  private static final String ARTERY = "akka.remote.artery.";

  @Test
  void shouldListenAndCountAsTheJobSaysWhateverTheApplicationHas() {
    Config application =
        ConfigFactory.parseString(
            "akka.remote.artery.canonical.port = 2551, akka.cluster.min-nr-of-members = 9");

    Config config = Profiles.akkaConfig(job(Profile.TCP, null), application);

    assertThat(config.getString(ARTERY + "canonical.hostname")).isEqualTo("127.0.0.1");
    assertThat(config.getInt(ARTERY + "canonical.port")).isEqualTo(4002);
    assertThat(config.getInt("akka.cluster.min-nr-of-members")).isEqualTo(3);
    assertThat(config.getStringList("akka.cluster.roles")).containsExactly("rank-2");
  }

  @Test
  void shouldLetTheApplicationOverrideTheProfileAndTheJobsTuning() {
    Config application =
        ConfigFactory.parseString(
            "akka.loglevel = INFO, akka.remote.artery.advanced.tcp.connection-timeout = 9 s");

    Config config = Profiles.akkaConfig(job(Profile.TCP, null), application);

    assertThat(config.getString("akka.loglevel")).isEqualTo("INFO");
    assertThat(config.getDuration(ARTERY + "advanced.tcp.connection-timeout")).hasSeconds(9);
    assertThat(config.getString("akka.stdout-loglevel")).isEqualTo("WARNING");
  }

  @Test
  void shouldUseTheSharedDriverWhenTheJobHasOne() {
    Config config = Profiles.akkaConfig(job(Profile.AERON, Path.of("/x/a")), none());

    assertThat(config.getString(ARTERY + "transport")).isEqualTo("aeron-udp");
    assertThat(config.getBoolean(ARTERY + "advanced.aeron.embedded-media-driver")).isFalse();
    assertThat(config.getString(ARTERY + "advanced.aeron.aeron-dir")).isEqualTo("/x/a");
  }

  @Test
  void shouldEmbedADriverWhenTheJobHasNone() {
    Config config = Profiles.akkaConfig(job(Profile.AERON, null), none());

    assertThat(config.getBoolean(ARTERY + "advanced.aeron.embedded-media-driver")).isTrue();
  }

  @Test
  void shouldNotAllowFramesThatAeronRefuses() {
    Config config = Profiles.akkaConfig(job(Profile.AERON, null), none());

    for (String key : List.of("maximum-frame-size", "maximum-large-frame-size")) {
      assertThat(config.getBytes(ARTERY + "advanced." + key))
          .isLessThanOrEqualTo(AeronTuning.TERM_LENGTH_BYTES / 8);
    }
  }

  @Test
  void shouldTravelByTcpWhenTheProfileSaysSo() {
    Config config = Profiles.akkaConfig(job(Profile.TCP, Path.of("/x/a")), none());

    assertThat(config.getString(ARTERY + "transport")).isEqualTo("tcp");
    assertThat(config.hasPath(ARTERY + "advanced.aeron")).isFalse();
  }

  @Test
  void shouldRefuseAnApplicationThatWouldHideTheProfile() {
    Config loaded = ConfigFactory.parseString("akka.version = 2.8.5");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Profiles.akkaConfig(job(Profile.TCP, null), loaded))
        .withMessageContaining("pass ConfigFactory.defaultApplication()");
  }

  @Test
  void shouldFindTheRankInTheRolesOfAMember() {
    assertThat(Profiles.rankOf(List.of("dc-default", Profiles.roleOf(17)))).isEqualTo(17);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Profiles.rankOf(List.of("dc-default")))
        .withMessage("roles=[dc-default] name no rank, expected rank-<number>");
  }

  @Test
  void shouldNameRankZeroAsTheSeed() {
    assertThat(Profiles.seedAddress(job(Profile.TCP, null)))
        .isEqualTo("akka://tagfabric@127.0.0.1:4000");
  }

  private static JobSpec job(Profile profile, Path aeronDirectory) {
    return new JobSpec(
        new UUID(1, 2),
        2,
        3,
        "127.0.0.1",
        4002,
        "127.0.0.1",
        4000,
        0,
        Optional.ofNullable(aeronDirectory),
        profile);
  }

  private static Config none() {
    return ConfigFactory.empty();
  }
}
