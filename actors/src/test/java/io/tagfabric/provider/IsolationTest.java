package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import io.tagfabric.complete.Completion;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.support.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Endpoints that must not speak with each other say why, over every provider. */
class IsolationTest {
  private static final String JOB_ONE = "tagfabric.job.key = 11111111-1111-1111-1111-111111111111";
  private static final String JOB_TWO = "tagfabric.job.key = 22222222-2222-2222-2222-222222222222";
  private static final String CLASSES =
      "tagfabric.kryo.registrations = [\"" + Note.class.getName() + "\"]";

  /** A class that only one side registers. */
  record Note(String text) {}

  private final List<ActorSystem<Void>> systems = new ArrayList<>();

  @AfterEach
  void stop() {
    ContractSystems.stop(systems);
  }

  static Stream<Arguments> strangers() {
    return Stream.of("local", "artery", "lossy")
        .flatMap(
            provider ->
                Stream.of(
                    Arguments.of(
                        provider,
                        JOB_ONE,
                        JOB_ONE + "\ntagfabric.partition.key = 7",
                        FabricError.KEY_REJECTED,
                        "partition.key of stranger"),
                    Arguments.of(
                        provider,
                        "",
                        CLASSES,
                        FabricError.INVALID,
                        "make tagfabric.kryo.registrations equal")));
  }

  private Side open(String provider, String name, String more) {
    ActorSystem<Void> system = ContractSystems.start(provider, name, more);
    systems.add(system);
    Domain domain = Fabric.get(system).openDomain(name, ProgressMode.AUTO);
    return new Side(domain, name, 16, domain.endpointDefaults());
  }

  @ParameterizedTest(name = "{0}: {4}")
  @MethodSource("strangers")
  void shouldRefuseWithTheReasonWhenAPeerDiffers(
      String provider, String ours, String theirs, FabricError error, String reason) {
    Side home = open(provider, "home", ours);
    Side stranger = open(provider, "stranger", theirs);
    int peer = stranger.indexOf(home);

    stranger.send(peer, new byte[8], 1);
    Completion.Failed failure =
        (Completion.Failed) stranger.endpoint.transmitQueue().readBlocking(Duration.ofSeconds(60));

    assertThat(failure.error()).isEqualTo(error);
    assertThat(failure.peer()).isEqualTo(peer);
    assertThat(failure.detail())
        .contains("refused by home@", reason)
        .doesNotContain("11111111-1111", "22222222-2222", "=7");
    assertThat(home.endpoint.futures().matcherState().toCompletableFuture().join())
        .extracting(state -> state.unexpectedMessages())
        .isEqualTo(0);
  }

  @ParameterizedTest
  @MethodSource("providers")
  void shouldNameTheClassWhenRegistrationsDiffer(String provider) throws Exception {
    Side home = open(provider, "home", "");
    Side stranger = open(provider, "stranger", CLASSES);

    stranger.send(stranger.indexOf(home), new byte[8], 1);
    Completion.Failed failure =
        (Completion.Failed) stranger.endpoint.transmitQueue().readBlocking(Duration.ofSeconds(60));

    assertThat(failure.detail()).contains(Note.class.getName());
    assertThat(home.domain.addressVector().snapshot().limit()).isZero();
    assertThat(
            home.endpoint.futures().flows().toCompletableFuture().get(60, TimeUnit.SECONDS).flows())
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("providers")
  void shouldHearNothingWhenTheJobIsAnother(String provider) {
    Side home = open(provider, "home", JOB_ONE);
    Side stranger = open(provider, "stranger", JOB_TWO + "\ntagfabric.flow.connect-timeout = 1 s");

    stranger.send(stranger.indexOf(home), new byte[8], 1);
    Completion.Failed failure =
        (Completion.Failed) stranger.endpoint.transmitQueue().readBlocking(Duration.ofSeconds(60));

    assertThat(failure.error()).isEqualTo(FabricError.TIMED_OUT);
    assertThat(failure.detail()).contains("tagfabric.job.key").doesNotContain("11111111-1111");
    assertThat(home.domain.addressVector().snapshot().limit()).isZero();
    assertThat(Await.get(home.endpoint.futures().flows()))
        .satisfies(
            flows -> {
              assertThat(flows.flows()).isEmpty();
              assertThat(flows.strangerPackets()).isPositive();
            });
  }

  static Stream<String> providers() {
    return Stream.of("local", "artery", "lossy");
  }
}
