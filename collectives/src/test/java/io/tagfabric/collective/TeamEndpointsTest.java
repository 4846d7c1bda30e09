package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.fabric.ScalableEndpoint;
import io.tagfabric.fabric.ScalableOptions;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.receive.EndpointBindings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Endpoints on which no team opens. */
class TeamEndpointsTest {
  private static final ActorTestKit KIT = ActorTestKit.create("endpoints", ConfigFactory.load());

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private static void refused(String why, Domain domain, Endpoint endpoint) {
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> Team.open(domain, endpoint, List.of(endpoint.address()), 1))
        .withMessageContaining(why)
        .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.OPERATION_NOT_SUPPORTED));
  }

  @Test
  void shouldRefuseEndpointsThatShareReceivesSendDatagramsOrAreContexts() {
    Fabric fabric = Fabric.get(KIT.system());
    Domain domain = fabric.openDomain("endpoints", ProgressMode.MANUAL);
    refused(
        "shares the receives of context [pool]",
        domain,
        domain.openEndpoint(
            "shared",
            EndpointBindings.to(domain.openCompletionQueue(4), domain.openReceiveContext("pool"))));
    refused(
        "sends datagrams",
        domain,
        domain.openEndpoint(
            "datagrams",
            EndpointBindings.to(domain.openCompletionQueue(4), domain.openCompletionQueue(4))
                .sendingDatagrams()));
    ScalableEndpoint scalable =
        fabric.openScalableEndpoint(
            "scalable",
            ScalableOptions.of(2)
                .progressing(fabric.progressDefaults().withMode(ProgressMode.MANUAL)));
    refused("is of a scalable endpoint", scalable.domains().get(0), scalable.contexts().get(0));
    scalable.close(Duration.ZERO);
    domain.close(Duration.ZERO);
  }
}
