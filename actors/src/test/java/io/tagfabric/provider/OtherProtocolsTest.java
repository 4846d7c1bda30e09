package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.address.Protocols;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.support.Await;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever is asked of a peer whose address names other protocols fails, and says why. Nothing here
 * waits for an answer: the time to connect is longer than a test may take.
 */
class OtherProtocolsTest {
  private static final String PATIENT = "tagfabric.flow.connect-timeout = 1 h";

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm"})
  void shouldFailEveryCallAtOnce(String provider) {
    ActorSystem<Void> system = ContractSystems.start(provider, "home", PATIENT);
    try {
      Domain domain = Fabric.get(system).openDomain("home", ProgressMode.AUTO);
      Endpoint later = domain.openEndpoint("later");
      Endpoint endpoint = domain.openEndpoint("home");
      int peer = domain.addressVector().insert(withProtocols(later.address(), 8, 9));
      RemoteRegion region = new RemoteRegion(peer, RegionDescriptor.agreed(5, 64));
      UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);

      Map<String, CompletionStage<?>> calls = new LinkedHashMap<>();
      calls.put("connect", endpoint.futures().connect(peer));
      calls.put("tagged", endpoint.futures().sendTagged(peer, new byte[8], 1));
      calls.put("long", endpoint.futures().sendTagged(peer, new byte[1 << 20], 1));
      calls.put("untagged", endpoint.futures().start(TaggedSend.untagged(peer, bytes)));
      calls.put("request", endpoint.active().request(peer, 1, 2));
      calls.put("tell", endpoint.active().tell(peer, 1, new int[0], new byte[1]));
      calls.put("write", endpoint.memory().futures().write(region, 0, bytes));
      calls.put("read", endpoint.memory().futures().read(region, 0, bytes));
      calls.put("flush", endpoint.memory().futures().flush(peer));

      calls.forEach(
          (name, call) -> {
            Throwable failure = Await.failure(call);
            assertThat(failure).as(name).isInstanceOf(FabricException.class);
            assertThat(((FabricException) failure).error()).as(name).isEqualTo(FabricError.INVALID);
            assertThat(failure.getMessage())
                .as(name)
                .contains(
                    "protocols=8..9 of [later@",
                    "protocols=" + Protocols.OWN + " here have no number in common");
          });
      assertThat(Await.get(endpoint.futures().flows()).flows()).isEmpty();
    } finally {
      ContractSystems.stop(List.of(system));
    }
  }

  private static EndpointAddress withProtocols(EndpointAddress of, int least, int most) {
    Protocols protocols = new Protocols(least, most);
    return new EndpointAddress(
        of.incarnation(),
        of.endpoint(),
        of.name(),
        of.node(),
        of.vm(),
        of.providers(),
        of.contexts(),
        protocols);
  }
}
