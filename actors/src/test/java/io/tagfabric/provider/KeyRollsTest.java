package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import io.tagfabric.cluster.job.JobKeys;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two nodes exchange their key by three rolls, one node after the other, and after each restart
 * messages go both ways. The time to connect is longer than a test may take.
 */
class KeyRollsTest {
  private static final UUID OLD = UUID.fromString("11111111-1111-1111-1111-111111111111");
  private static final UUID NEW = UUID.fromString("22222222-2222-2222-2222-222222222222");
  private static final List<List<UUID>> ROLLS =
      List.of(List.of(OLD), List.of(OLD, NEW), List.of(NEW, OLD), List.of(NEW));

  private record Node(ActorSystem<Void> system, Domain domain, Endpoint endpoint) {}

  private final List<ActorSystem<Void>> systems = new ArrayList<>();

  private Node start(String provider, String name, int roll) {
    List<UUID> keys = ROLLS.get(roll);
    String list = keys.stream().map(UUID::toString).collect(Collectors.joining(", "));
    ActorSystem<Void> system =
        ContractSystems.start(
            provider,
            name + roll,
            "tagfabric.job.key = [" + list + "]\ntagfabric.flow.connect-timeout = 1 h");
    systems.add(system);
    Fabric fabric = Fabric.get(system);
    assertThat(fabric.jobKeys()).isEqualTo(keys);
    assertThat(fabric.jobKey()).isEqualTo(keys.get(0));
    assertThat(fabric.keyIds()).isEqualTo(JobKeys.ids(keys, fabric.partitionKey()));
    Domain domain = fabric.openDomain(name, ProgressMode.AUTO);
    return new Node(system, domain, domain.openEndpoint(name));
  }

  private static void stop(Node node) {
    node.system.terminate();
    Await.get(node.system.getWhenTerminated());
  }

  private static void exchange(Node from, Node to) {
    int peer = from.domain.addressVector().insert(to.endpoint.address());
    for (int length : new int[] {8, 8, 3_000, 300_000}) {
      var received = to.endpoint.futures().receiveTagged(TagSelector.exact(length));
      byte[] bytes = Side.pattern(length, 3);
      Await.get(from.endpoint.futures().sendTagged(peer, bytes, length));
      assertThat(Await.get(received).payload().array()).isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @CsvSource({"local, false", "shm, false", "shm, true", "artery, true"})
  void shouldGoOnThroughThreeRolls(String provider, boolean restartedAsks) {
    try {
      Node one = start(provider, "one", 0);
      Node other = start(provider, "other", 0);
      exchange(one, other);
      for (int roll = 1; roll < ROLLS.size(); roll++) {
        stop(one);
        one = start(provider, "one", roll);
        exchangeBothWays(one, other, restartedAsks);
        stop(other);
        other = start(provider, "other", roll);
        exchangeBothWays(other, one, restartedAsks);
      }
    } finally {
      ContractSystems.stop(systems);
    }
  }

  /** The first exchange sets the flow up. */
  private static void exchangeBothWays(Node restarted, Node other, boolean restartedAsks) {
    exchange(restartedAsks ? restarted : other, restartedAsks ? other : restarted);
    exchange(restartedAsks ? other : restarted, restartedAsks ? restarted : other);
  }
}
