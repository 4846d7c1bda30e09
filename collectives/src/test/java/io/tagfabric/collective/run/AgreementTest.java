package io.tagfabric.collective.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.collective.run.ControlMessage.AgreementMessage;
import io.tagfabric.collective.run.ControlMessage.Estimate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
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
    final List<BitSet> known = new ArrayList<>();
    final Map<Integer, Set<Integer>> partners = new HashMap<>();
    int messages;

    World(Random random, int size) {
      this.random = random;
      this.size = size;
      for (int rank = 0; rank < size; rank++) {
        agreements.add(new Agreement(rank, size, 0, new Wire(rank)));
        known.add(new BitSet());
      }
    }

    void start(int rank, long flag) {
      started.set(rank);
      agreements
          .get(rank)
          .start(
              new Decision(flag, new BitSet(), MemberNumbers.of(rank, 1000 + rank)),
              known.get(rank));
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
          wire.add(
              () -> {
                known.get(observer).set(rank);
                agreements.get(observer).lost(rank);
              });
        }
      }
    }

    /** The earliest that is on its way between two. */
    void deliver(int from, int to) {
      wire(from, to).remove().run();
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
      public void send(int member, AgreementMessage message) {
        if (!dead.get(rank)) {
          message.requireOf(size);
          partners.computeIfAbsent(rank, notUsed -> new HashSet<>()).add(member);
          messages++;
          wire(rank, member).add(() -> agreements.get(member).received(rank, message));
        }
      }

      @Override
      public void decided(long instance, Decision decision) {
        assertThat(decisions.put(rank, decision)).isNull();
      }
    }
  }

  @Property(tries = 20000)
  void shouldDecideTheSameAtAllThatLiveWhenMembersDieAtAnyTime(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 9) int size) {
    World world = new World(new Random(seed), size);
    int deaths = world.random.nextInt(size);
    List<Integer> starters = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      starters.add(rank);
    }
    Collections.shuffle(starters, world.random);
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
        assertThat(decision.numbers().runs()).contains(new MemberNumbers.Run(rank, 1, 1000 + rank));
        assertThat(decision.lost().get(rank)).isFalse();
        assertThat(decision.lost().intersects(world.dead) || decision.lost().isEmpty()).isTrue();
      }
    }
    assertThat(alive).allSatisfy(each -> assertThat(each).isEqualTo(alive.get(0)));
  }

  /**
   * The root decides, tells one half of the tree and dies; in the other half a member has begun
   * with the next root before it hears of the verdict.
   */
  @Test
  void shouldDecideTheSameWhenTheVerdictOfARootThatDiesReachesSomeOnly() {
    World world = new World(new Random(1), 4);
    for (int rank = 0; rank < 4; rank++) {
      world.start(rank, ~(1L << rank));
    }
    world.deliver(3, 2);
    world.deliver(1, 0);
    world.deliver(2, 0);
    assertThat(world.decisions).containsOnlyKeys(0);
    world.wire(0, 2).remove(); // it dies before it has told 2
    world.dead.set(0);
    world.agreements.get(2).lost(0);
    assertThat(world.decisions).doesNotContainKey(2);
    world.deliver(2, 1); // a report: 1 becomes the root
    world.deliver(1, 2);

    Decision verdict = world.agreements.get(0).decision();
    assertThat(verdict.lost().isEmpty()).isTrue();
    world.wire(0, 1).clear(); // nor 1: so nobody alive knows it
    while (world.step()) {
      // until nothing is left
    }

    assertThat(world.decisions.get(1).lost().get(0)).isTrue();
    assertThat(world.decisions.get(2)).isEqualTo(world.decisions.get(1));
    assertThat(world.decisions.get(3)).isEqualTo(world.decisions.get(1));
  }

  @Test
  void shouldTakeOverWhatAMemberHasDecidedThatIsAlive() {
    World world = new World(new Random(1), 4);
    for (int rank = 0; rank < 4; rank++) {
      world.start(rank, ~(1L << rank));
    }
    world.deliver(3, 2);
    world.deliver(1, 0);
    world.deliver(2, 0);
    world.deliver(0, 2); // 2 has heard the verdict, 1 and 3 have not
    world.dead.set(0);
    world.wire(0, 1).clear();
    world.wire(2, 3).clear();

    for (int rank : new int[] {1, 2, 3}) {
      world.agreements.get(rank).lost(0);
    }
    while (world.step()) {
      // until nothing is left
    }

    Decision verdict = world.agreements.get(0).decision();
    for (int rank : new int[] {1, 2, 3}) {
      assertThat(world.decisions).containsEntry(rank, verdict);
    }
  }

  @Test
  void shouldTakeOverWhatAMemberHasDecidedThatLeaves() {
    World world = new World(new Random(1), 3);
    Decision decided = new Decision(5, new BitSet(), MemberNumbers.NONE);
    world.start(1, -1);

    world.agreements.get(1).adopt(0, decided);

    assertThat(world.decisions).containsEntry(1, decided);
    world.agreements.get(1).received(2, new Estimate(0, 0, false, Decision.NEUTRAL));
    assertThat(world.wire(1, 2)).as("the estimate to one that is late").hasSize(1);
  }

  @Test
  void shouldSpeakToNeighboursInATreeOnlyWhenNobodyDies() {
    int size = 1024;
    World world = new World(new Random(1), size);
    for (int rank = 0; rank < size; rank++) {
      world.start(rank, 0b1111);
    }
    while (world.step()) {
      assertThat(world.messages).isLessThanOrEqualTo(2 * (size - 1));
    }

    assertThat(world.decisions).hasSize(size);
    assertThat(world.messages).isEqualTo(2 * (size - 1));
    assertThat(world.partners.values())
        .allSatisfy(partners -> assertThat(partners).hasSizeLessThanOrEqualTo(10));
  }
}
