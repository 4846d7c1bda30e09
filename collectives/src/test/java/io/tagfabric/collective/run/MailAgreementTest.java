package io.tagfabric.collective.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.collective.host.SharedMail;
import io.tagfabric.collective.host.SharedSegment;
import io.tagfabric.collective.run.ControlMessage.AgreementMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members of a host agree in its memory, and one dies at every step that it makes. */
class MailAgreementTest {
  /** A member dies. */
  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @TempDir private static Path directory;
  private static int files;

  /** A host with members, one of which dies before it has sent so many messages and one. */
  private static final class World implements AutoCloseable {
    final Random random;
    final int size;
    final int victim;
    final SharedSegment segment;
    final List<SharedMail> mails = new ArrayList<>();
    final List<Agreement> agreements = new ArrayList<>();
    final Map<Integer, Decision> decisions = new HashMap<>();
    final BitSet unaware = new BitSet();
    int left;
    boolean isDead;

    World(Random random, int size, int victim, int messages) throws IOException {
      this.random = random;
      this.size = size;
      this.victim = victim;
      left = messages;
      segment = SharedSegment.create(directory.resolve("mail-" + files++), 1, size, 2, 64);
      for (int member = 0; member < size; member++) {
        int rank = member;
        mails.add(
            new SharedMail(
                segment, rank, woken -> {}, new Letters(rank), new int[size], new int[size]));
        agreements.add(new Agreement(rank, size, 0, new Wire(rank)));
      }
    }

    /** What a member reads. */
    private final class Letters implements SharedMail.Reader {
      private final int rank;

      Letters(int rank) {
        this.rank = rank;
      }

      @Override
      public void onMail(int from, byte[] bytes) {
        agreements.get(rank).received(from, (AgreementMessage) ControlMessage.decode(bytes, size));
      }

      @Override
      public void onBroken(int from, int lengthBytes) {
        throw new AssertionError("rank " + from + " has written lengthBytes=" + lengthBytes);
      }
    }

    /** Lets a member do something, if it is alive. */
    void let(int rank, Runnable something) {
      if (isDead && rank == victim) {
        return;
      }
      try {
        something.run();
      } catch (Killed killed) {
        isDead = true;
        unaware.set(0, size);
        unaware.clear(victim);
      }
    }

    void run() {
      List<Integer> starters = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        starters.add(random.nextInt(starters.size() + 1), rank);
      }
      int idle = 0;
      while (idle < 20 * size || !unaware.isEmpty()) {
        int rank = random.nextInt(size);
        if (!starters.isEmpty() && random.nextInt(3) == 0) {
          int starter = starters.remove(0);
          Decision proposal = new Decision(~(1L << starter), new BitSet(), MemberNumbers.NONE);
          let(starter, () -> agreements.get(starter).start(proposal, new BitSet()));
        } else if (unaware.get(rank) && random.nextInt(3) == 0) {
          // What it has written can be read; then its process is seen to have ended.
          unaware.clear(rank);
          let(rank, () -> mails.get(rank).advance());
          let(rank, () -> agreements.get(rank).lost(victim));
        } else {
          int[] work = new int[1];
          let(rank, () -> work[0] = mails.get(rank).advance());
          idle = work[0] > 0 || !starters.isEmpty() ? 0 : idle + 1;
        }
      }
    }

    @Override
    public void close() {
      segment.close();
    }

    private final class Wire implements Agreement.Output {
      private final int rank;

      Wire(int rank) {
        this.rank = rank;
      }

      @Override
      public void send(int member, AgreementMessage message) {
        if (rank == victim && left-- == 0) {
          throw new Killed();
        }
        mails.get(rank).send(member, ControlMessage.CODEC.encode(message));
      }

      @Override
      public void decided(long instance, Decision decision) {
        assertThat(decisions.put(rank, decision)).isNull();
      }
    }
  }

  @Test
  void shouldDecideTheSameAtAllThatLiveWhereverOneDies() throws IOException {
    int deaths = 0;
    for (int size = 2; size <= 7; size++) {
      for (int victim = 0; victim < size; victim++) {
        for (int seed = 0; seed < 6; seed++) {
          boolean dies = true;
          for (int messages = 0; dies; messages++) {
            try (World world = new World(new Random(seed), size, victim, messages)) {
              world.run();
              requireSame(world, "size=" + size + " victim=" + victim + " seed=" + seed);
              dies = world.isDead;
              deaths += dies ? 1 : 0;
            }
          }
        }
      }
    }
    assertThat(deaths).isGreaterThan(200);
  }

  private static void requireSame(World world, String which) {
    List<Decision> alive = new ArrayList<>();
    for (int rank = 0; rank < world.size; rank++) {
      if (!world.isDead || rank != world.victim) {
        assertThat(world.decisions).as(which).containsKey(rank);
        Decision decision = world.decisions.get(rank);
        assertThat(decision.flag() >> rank & 1).as(which).isZero();
        alive.add(decision);
      }
    }
    assertThat(alive).as(which).containsOnly(alive.get(0));
  }
}
