package io.tagfabric.collective.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.collective.run.ControlMessage.Proposal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Many members, random delays, random deaths, one thread. */
class AgreementTest {
  /** A network in order for each pair; a dead member's last messages may arrive or not. */
  private static final class World {
    final Random random;
    final int size;
    final List<Agreement> agreements = new ArrayList<>();
    final Map<Integer, Decision> decisions = new HashMap<>();
    final Map<Integer, Queue<Runnable>> wires = new HashMap<>();
    final BitSet dead = new BitSet();
    final BitSet started = new BitSet();
    int messages;

    World(Random random, int size) {
      this.random = random;
      this.size = size;
      for (int rank = 0; rank < size; rank++) {
        agreements.add(new Agreement(rank, size, 0, new Wire(rank)));
      }
    }

    void start(int rank, long flag) {
      started.set(rank);
      agreements.get(rank).start(new Decision(flag, new BitSet(), rank), new BitSet());
    }

    /** The others learn it at some time, after what was sent before. */
    void kill(int rank) {
      dead.set(rank);
      for (int other = 0; other < size; other++) {
        int observer = other;
        Queue<Runnable> wire = wire(rank, other);
        int arriving = random.nextInt(wire.size() + 1);
        while (wire.size() > arriving) {
          ((ArrayDeque<Runnable>) wire).removeLast();
        }
        if (other != rank) {
          wire.add(() -> agreements.get(observer).lost(rank));
        }
      }
    }

    boolean step() {
      List<Integer> busy =
          wires.entrySet().stream()
              .filter(e -> !e.getValue().isEmpty())
              .map(Map.Entry::getKey)
              .sorted()
              .toList();
      if (busy.isEmpty()) {
        return false;
      }
      int wire = busy.get(random.nextInt(busy.size()));
      Runnable arrival = wires.get(wire).remove();
      if (!dead.get(wire % size)) {
        arrival.run();
      }
      return true;
    }

    Queue<Runnable> wire(int from, int to) {
      return wires.computeIfAbsent(from * size + to, notUsed -> new ArrayDeque<>());
    }

    private final class Wire implements Agreement.Output {
      private final int rank;

      Wire(int rank) {
        this.rank = rank;
      }

      @Override
      public void send(int member, Proposal proposal) {
        if (!dead.get(rank)) {
          assertThat(proposal.round()).isLessThanOrEqualTo(Agreement.maxRounds(size));
          messages++;
          wire(rank, member).add(() -> agreements.get(member).received(rank, proposal));
        }
      }

      @Override
      public void decided(Decision decision) {
        assertThat(decisions.put(rank, decision)).isNull();
      }
    }
  }

  @Property(tries = 20000)
  void shouldDecideTheSameAtAllThatLiveWhenMembersDieAtAnyTime(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 7) int size) {
    World world = new World(new Random(seed), size);
    int deaths = world.random.nextInt(size);
    List<Integer> starters = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      starters.add(rank);
    }
    java.util.Collections.shuffle(starters, world.random);
    while (true) {
      int choice = world.random.nextInt(10);
      if (choice == 0 && deaths > 0) {
        int victim = world.random.nextInt(size);
        if (!world.dead.get(victim)) {
          deaths--;
          world.kill(victim);
        }
      } else if (choice < 3 && !starters.isEmpty()) {
        int rank = starters.remove(0);
        if (!world.dead.get(rank) && !world.decisions.containsKey(rank)) {
          world.start(rank, ~(1L << rank));
        }
      } else if (!world.step() && starters.isEmpty()) {
        break;
      }
    }

    List<Decision> alive = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      if (!world.dead.get(rank)) {
        assertThat(world.decisions)
            .as("rank %s of %s, dead %s", rank, size, world.dead)
            .containsKey(rank);
        Decision decision = world.decisions.get(rank);
        alive.add(decision);
        assertThat(decision.flag() >> rank & 1).isZero();
        assertThat(decision.nextContext()).isGreaterThanOrEqualTo(rank);
        assertThat(decision.lost().intersects(world.dead) || decision.lost().isEmpty()).isTrue();
      }
    }
    assertThat(alive).allSatisfy(each -> assertThat(each).isEqualTo(alive.get(0)));
  }

  /**
   * A member decides, tells some, dies, and its proposal of the round before is lost to another.
   */
  @Test
  void shouldDecideTheSameWhenTheDecisionOfOneThatDiesReachesSomeOnly() {
    Map<Integer, Decision> decisions = new HashMap<>();
    List<List<Proposal>> sent = new ArrayList<>();
    List<Agreement> agreements = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      int self = rank;
      sent.add(new ArrayList<>());
      agreements.add(
          new Agreement(
              rank,
              4,
              0,
              new Agreement.Output() {
                @Override
                public void send(int member, Proposal proposal) {
                  if (member == (self + 1) % 4) {
                    sent.get(self).add(proposal);
                  }
                }

                @Override
                public void decided(Decision decision) {
                  decisions.put(self, decision);
                }
              }));
    }
    for (int rank = 0; rank < 4; rank++) {
      agreements.get(rank).start(new Decision(~(1L << rank), new BitSet(), 0), new BitSet());
    }
    Agreement zero = agreements.get(0);
    Agreement one = agreements.get(1);
    Agreement two = agreements.get(2);
    // What 3 has proposed reaches 2 only, and 2 decides.
    two.received(3, sent.get(3).get(0));
    two.received(0, sent.get(0).get(0));
    two.received(1, sent.get(1).get(0));
    Proposal decisionOfTwo = sent.get(2).get(1);
    assertThat(decisionOfTwo.decided()).isTrue();
    // 0 has heard 2, and 1 has not, when they learn that 3, and for 1 that 2, is lost.
    zero.received(2, sent.get(2).get(0));
    zero.received(1, sent.get(1).get(0));
    zero.lost(3);
    one.received(0, sent.get(0).get(0));
    one.lost(3);
    one.lost(2);
    one.received(0, sent.get(0).get(1));
    assertThat(decisions).as("1 does not know what 0 will hear from 2").doesNotContainKey(1);

    zero.received(2, decisionOfTwo);
    one.received(0, sent.get(0).get(sent.get(0).size() - 1));

    assertThat(decisions.get(0)).isEqualTo(decisionOfTwo.decision());
    assertThat(decisions.get(1)).isEqualTo(decisionOfTwo.decision());
  }

  @Test
  void shouldTakeOneRoundWhenNobodyDies() {
    World world = new World(new Random(1), 5);
    for (int rank = 0; rank < 5; rank++) {
      world.start(rank, 0b1111);
    }
    while (world.step()) {
      assertThat(world.messages).isLessThanOrEqualTo(2 * 5 * 4);
    }

    assertThat(world.decisions).hasSize(5);
    assertThat(world.messages).isEqualTo(2 * 5 * 4);
  }
}
