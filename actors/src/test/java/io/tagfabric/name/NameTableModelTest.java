package io.tagfabric.name;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.name.NameTable.Holding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Nodes claim one name while their messages are delivered in any order. */
class NameTableModelTest {
  private static final String NAME = "bob";

  /** A claim on its way to a voter, or, with a result, the vote on its way back. */
  private record Message(int from, int to, Stamp stamp, boolean vote, boolean granted) {}

  private static final class World {
    final NameTable[] tables;
    final List<Message> inFlight = new ArrayList<>();
    final Random random;

    World(int nodes, long seed) {
      tables = new NameTable[nodes];
      for (int i = 0; i < nodes; i++) {
        tables[i] = new NameTable(Places.node(i));
      }
      random = new Random(seed);
    }

    void step(boolean mayRelease) {
      int node = random.nextInt(tables.length);
      int choice = random.nextInt(8);
      if (choice == 0) {
        claim(node);
      } else if (choice == 1 && mayRelease) {
        tables[node].release(NAME);
      } else if (!inFlight.isEmpty()) {
        deliver(inFlight.remove(random.nextInt(inFlight.size())));
      }
    }

    void claim(int node) {
      if (tables[node].occupant(NAME) != null) {
        return;
      }
      Set<Node> voters = new HashSet<>();
      for (int other = 0; other < tables.length; other++) {
        if (other != node) {
          voters.add(Places.node(other));
        }
      }
      Holding claim = tables[node].claim(NAME, Places.endpoint(Places.node(node), 0), voters);
      for (int other = 0; other < tables.length; other++) {
        if (other != node) {
          inFlight.add(new Message(node, other, claim.stamp(), false, false));
        }
      }
    }

    void deliver(Message message) {
      NameTable table = tables[message.to()];
      if (!message.vote()) {
        EndpointAddress holder = table.vote(NAME, message.stamp());
        if (holder == null) {
          table.concede(NAME, message.stamp());
        }
        inFlight.add(
            new Message(message.to(), message.from(), message.stamp(), true, holder == null));
      } else if (message.granted()) {
        table.granted(NAME, message.stamp(), Places.node(message.from()));
      } else {
        table.denied(NAME, message.stamp());
      }
    }

    int holders() {
      int holders = 0;
      for (NameTable table : tables) {
        holders += table.lookup(NAME) == null ? 0 : 1;
      }
      return holders;
    }
  }

  @Property(tries = 2000)
  void shouldNeverLetTwoNodesHoldAName(
      @ForAll @IntRange(min = 2, max = 5) int nodes, @ForAll long seed) {
    World world = new World(nodes, seed);

    for (int i = 0; i < 200; i++) {
      world.step(true);
      assertThat(world.holders()).isLessThanOrEqualTo(1);
    }
  }

  @Property(tries = 1000)
  void shouldGiveAFreeNameToOneOfThoseThatClaimIt(
      @ForAll @IntRange(min = 2, max = 5) int nodes, @ForAll long seed) {
    World world = new World(nodes, seed);
    for (int node = 0; node < nodes; node++) {
      world.claim(node);
    }

    while (!world.inFlight.isEmpty()) {
      world.deliver(world.inFlight.remove(world.random.nextInt(world.inFlight.size())));
    }

    assertThat(world.holders()).isEqualTo(1);
  }
}
