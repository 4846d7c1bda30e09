package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class FabricInfoTest {
  private static ActorSystem<Void> system;
  private static Fabric fabric;

  @BeforeAll
  static void start() {
    system =
        ActorSystem.create(
            Behaviors.empty(),
            "info",
            ConfigFactory.parseString(
                    "tagfabric.provider.use = [shm, local]\nakka.actor.provider = local")
                .withFallback(ConfigFactory.load()));
    fabric = Fabric.get(system);
  }

  @AfterAll
  static void end() {
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().join();
  }

  private static List<String> providers(FabricHints hints) {
    return fabric.info(hints.withKind(EndpointKind.RDM)).stream()
        .map(FabricInfo::provider)
        .toList();
  }

  @Test
  void shouldNameProvidersInTheOrderOfUse() {
    assertThat(providers(FabricHints.any())).containsExactly("shm", "local");
    assertThat(providers(FabricHints.any().withProvider("aeron"))).containsExactly("aeron");
    assertThat(providers(FabricHints.any().with(Capability.REMOTE_COMM))).containsExactly("shm");
  }

  @Test
  void shouldGiveNoPrimaryCapabilityUnasked() {
    FabricInfo info =
        fabric.info(FabricHints.any().with(Capability.TAGGED, Capability.SEND)).get(0);

    assertThat(info.capabilities())
        .contains(Capability.TAGGED, Capability.SEND, Capability.SOURCE)
        .doesNotContain(Capability.DIRECTED_RECV, Capability.RECV, Capability.MSG);
    assertThat(fabric.info(FabricHints.any()).get(0).capabilities())
        .contains(Capability.DIRECTED_RECV, Capability.RECV);
  }

  @Test
  void shouldRefuseWhatNothingFits() {
    FabricInfo info = fabric.info(FabricHints.any()).get(0);
    long most = info.maxMessageBytes();
    assertThat(fabric.info(FabricHints.any().withSizes(most, info.injectBytes()))).isNotEmpty();

    for (FabricHints hints :
        List.of(
            FabricHints.any().with(Capability.MULTICAST),
            FabricHints.any().withKind(EndpointKind.MSG),
            FabricHints.any().withKind(EndpointKind.DGRAM).with(Capability.FENCE),
            FabricHints.any().withProvider("verbs"),
            FabricHints.any().withSizes(most + 1, 0),
            FabricHints.any().withSizes(0, info.injectBytes() + 1))) {
      assertThatThrownBy(() -> fabric.info(hints))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("nothing fits")
          .extracting(failure -> ((FabricException) failure).error())
          .isEqualTo(FabricError.NO_DATA);
    }
  }

  @Test
  void shouldTellHowLongADatagramIs() {
    FabricInfo reliable = fabric.info(FabricHints.any().withKind(EndpointKind.RDM)).get(0);
    FabricInfo datagrams = fabric.info(FabricHints.any().withKind(EndpointKind.DGRAM)).get(0);
    assertThat(datagrams.provider()).isEqualTo(reliable.provider());
    assertThat(datagrams.maxMessageBytes())
        .isPositive()
        .isLessThan(datagrams.maxPacketBytes())
        .isLessThan(reliable.maxMessageBytes());
    assertThat(fabric.info(FabricHints.any()).get(0).kind()).isEqualTo(EndpointKind.RDM);
  }

  @Test
  void shouldFindNamesOfLibfabricToo() {
    assertThat(Capability.find("FI_MULTI_RECV")).contains(Capability.MULTI_RECV);
    assertThat(Capability.find("tagged")).contains(Capability.TAGGED);
    assertThat(Capability.find("NOSUCH")).isEmpty();
  }
}
