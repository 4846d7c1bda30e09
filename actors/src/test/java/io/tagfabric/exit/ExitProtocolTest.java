package io.tagfabric.exit;

import static io.tagfabric.exit.ExitSimulation.HOOKS;
import static io.tagfabric.exit.ExitSimulation.MS;
import static io.tagfabric.exit.ExitSimulation.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.job.CodePolicy;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** All ranks of a job in one simulation, from the first exit to the last rank's end. */
class ExitProtocolTest {
  private static final long START = 1_000 * MS;
  private static final int SEEDS = 400;
  private static final List<ExitKind> KINDS =
      List.of(ExitKind.TOGETHER, ExitKind.NOW, ExitKind.SIGNAL);

  private static final List<ExitPhase> BEGUN =
      List.copyOf(EnumSet.complementOf(EnumSet.of(ExitPhase.RUNNING)));

  private static int log2(int size) {
    return 32 - Integer.numberOfLeadingZeros(size - 1);
  }

  private static void requireEnded(ExitSimulation job, long byNs) {
    assertThat(job.survivors())
        .as("seed %d", job.seed)
        .allSatisfy(
            rank -> {
              assertThat(rank.result).as("rank %d ends", rank.number).isNotNull();
              assertThat(rank.endedNs).as("rank %d ends in time", rank.number).isLessThan(byNs);
              assertThat(rank.hookRuns).as("hooks of rank %d", rank.number).isOne();
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17})
  void shouldReduceTheHighestCodeInLog2RoundsWhenAllEndTogether(int size) {
    for (int seed = 0; seed < SEEDS / 10; seed++) {
      ExitSimulation job = new ExitSimulation(size, seed).formed();
      for (int rank = 0; rank < size; rank++) {
        job.exit(START + job.random.nextLong(50 * MS), rank, ExitKind.TOGETHER, 10 + rank);
      }
      job.run();

      requireEnded(job, START + TIMEOUT);
      assertThat(job.codes()).containsExactly(9 + size);
      assertThat(job.survivors()).allMatch(rank -> rank.result.graceful());
      assertThat(job.sums()[0]).isEqualTo(size * log2(size));
      assertThat(job.sums()[1]).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ExitKind.class,
      names = {"TOGETHER", "NOW"})
  void shouldEndAllByOneLeaderWhenOneRankAsks(ExitKind kind) {
    for (int seed = 0; seed < SEEDS; seed++) {
      ExitSimulation job = new ExitSimulation(1 + seed % 17, seed).formed();
      int size = job.ranks.size();
      job.exit(START, job.random.nextInt(size), kind, 3);
      job.run();

      requireEnded(job, START + 2 * TIMEOUT);
      assertThat(job.codes()).containsExactly(3);
      assertThat(job.survivors()).allMatch(rank -> rank.result.graceful());
      if (kind == ExitKind.NOW) {
        assertThat(job.sums()[1]).isEqualTo(2 * size);
        assertThat(job.leaders).hasSizeLessThanOrEqualTo(1);
      }
    }
  }

  @Test
  void shouldSendAtMostFourNMinusTwoMessagesWhenManyAskAtOnce() {
    for (int seed = 0; seed < SEEDS; seed++) {
      ExitSimulation job = new ExitSimulation(2 + seed % 16, seed).formed();
      int size = job.ranks.size();
      for (int rank = 0; rank < size; rank++) {
        if (rank == 0 || job.random.nextBoolean()) {
          job.exit(START + job.random.nextLong(10 * MS), rank, ExitKind.NOW, 20 + rank);
        }
      }
      job.run();

      requireEnded(job, START + TIMEOUT);
      assertThat(job.codes()).hasSize(1);
      assertThat(job.leaders).hasSize(1);
      assertThat(job.sums()[1]).isBetween(2 * size, 4 * size - 2);
    }
  }

  @Test
  void shouldKeepTheFirstCodeOfARankAndNoteTheOthers() {
    ExitSimulation job = new ExitSimulation(3, 1).formed();
    job.exit(START, 2, ExitKind.NOW, 3);
    job.exit(START, 2, ExitKind.NOW, 4);
    job.exit(START, 2, ExitKind.TOGETHER, 5);
    job.run();

    assertThat(job.codes()).containsExactly(3);
    assertThat(job.ranks.get(2).result.rejected()).containsExactly(4, 5);
    assertThat(job.ranks.get(0).notice).isEqualTo(new ExitNotice(3, 2, ExitKind.NOW));
  }

  @Test
  void shouldLetHooksChooseTheCodeAfterASignal() {
    ExitSimulation job = new ExitSimulation(4, 1).formed();
    job.hooksHang = true;
    job.exit(START, 3, ExitKind.SIGNAL, 130);
    job.exit(START + MS, 3, ExitKind.NOW, 4);
    job.run();

    requireEnded(job, START + 2 * HOOKS + TIMEOUT);
    assertThat(job.codes()).containsExactly(4);
    assertThat(job.survivors()).allMatch(rank -> rank.result.hooksOverran());
  }

  @ParameterizedTest
  @CsvSource({"MAX, 9", "FIRST, 5", "LEADER, 4"})
  void shouldChooseTheCodeByThePolicy(CodePolicy policy, int expected) {
    ExitSimulation job = new ExitSimulation(3, 1, policy, true).formed();
    job.exit(START + 2 * MS, 0, ExitKind.TOGETHER, 4);
    job.exit(START + 50 * MS, 1, ExitKind.TOGETHER, 9);
    job.exit(START, 2, ExitKind.TOGETHER, 5);
    job.run();

    assertThat(job.codes()).containsExactly(expected);
  }

  @Test
  void shouldNotWaitForARankThatIsLostDuringTheReduction() {
    ExitSimulation job = new ExitSimulation(5, 1).formed();
    for (int rank = 0; rank < 4; rank++) {
      job.exit(START, rank, ExitKind.TOGETHER, rank);
    }
    job.kill(START + 100 * MS, 4);
    job.run();

    requireEnded(job, START + TIMEOUT);
    assertThat(job.codes()).containsExactly(3);
    assertThat(job.survivors()).allMatch(rank -> rank.result.graceful());
  }

  @Test
  void shouldNameTheRanksThatStaySilent() {
    ExitSimulation job = new ExitSimulation(4, 1).formed();
    job.stop(START - 500 * MS, START + 3 * TIMEOUT, 2);
    job.exit(START, 1, ExitKind.NOW, 6);
    job.run();

    requireEnded(job, START + 4 * TIMEOUT);
    assertThat(job.codes()).containsExactly(6);
    ExitResult leader = job.ranks.get(1).result;
    assertThat(leader.graceful()).isFalse();
    assertThat(leader.unanswered()).containsExactly(2);
  }

  @Test
  void shouldElectAnotherWhenTheFirstElectorIsHeldUp() {
    ExitSimulation job = new ExitSimulation(4, 1).formed();
    job.stop(START - 500 * MS, START + 3 * TIMEOUT, 0);
    job.exit(START, 3, ExitKind.NOW, 6);
    job.run();

    requireEnded(job, START + 4 * TIMEOUT);
    assertThat(job.codes()).containsExactly(6);
    assertThat(job.leaders).containsEntry(1L, 3);
  }

  @Test
  void shouldEndTheOthersWhenTheLeaderDiesBeforeItTellsThem() {
    for (int seed = 0; seed < SEEDS; seed++) {
      ExitSimulation job = new ExitSimulation(2 + seed % 9, seed, CodePolicy.MAX, false).formed();
      int last = job.ranks.size() - 1;
      job.exit(START, last, ExitKind.NOW, 7);
      // the elector has its request by then, and the leader has not yet got the answer or just so
      job.kill(START + job.random.nextLong(40 * MS), last);
      job.run();

      boolean told = job.ranks.get(0).result != null;
      assertThat(job.survivors())
          .filteredOn(rank -> rank.number != last)
          .allSatisfy(rank -> assertThat(rank.result != null).isEqualTo(told));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ExitPhase.class,
      names = {"REDUCING", "ELECTING", "FOLLOWING", "LEADING"})
  void shouldEndTheOthersWhenOneIsKilledOrStoppedInAPhase(ExitPhase phase) {
    int hits = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      ExitSimulation job = new ExitSimulation(3 + seed % 8, seed).formed();
      boolean killed = seed % 2 == 0;
      job.hit(phase, killed ? 0 : TIMEOUT + job.random.nextLong(TIMEOUT));
      ExitKind kind = phase == ExitPhase.REDUCING || seed % 3 == 0 ? KINDS.get(0) : KINDS.get(1);
      job.exit(START, job.ranks.size() - 1, kind, 7);
      job.exit(START + job.random.nextLong(30 * MS), 1, kind, 8);
      job.run();

      hits += job.victim == null ? 0 : 1;
      requireEnded(job, START + 7 * TIMEOUT + 2 * HOOKS + (killed ? 0 : 2 * TIMEOUT));
    }
    assertThat(hits).isGreaterThan(SEEDS / 10);
  }

  @Test
  void shouldEndARankWhoseCompanionIsLost() {
    ExitSimulation job = new ExitSimulation(4, 1).formed();
    job.kill(START, 2);
    job.run();

    requireEnded(job, START + 3 * TIMEOUT);
    assertThat(job.codes()).containsExactly(1);
  }

  @Test
  void shouldGoOnAfterALossWhenTheJobMay() {
    ExitSimulation job = new ExitSimulation(4, 1, CodePolicy.MAX, false).formed();
    job.kill(START, 2);
    job.run();

    assertThat(job.ranks).allMatch(rank -> rank.result == null);
  }

  @Test
  void shouldEndRanksThatComeWhileTheJobEndsBeforeItHasFormed() {
    ExitSimulation job = new ExitSimulation(4, 1);
    job.at(0, () -> job.ranks.get(0).protocol.onKnown(1));
    job.exit(START, 2, ExitKind.TOGETHER, 7);
    job.at(
        START + 200 * MS,
        () -> job.ranks.get(0).receive(() -> job.ranks.get(0).protocol.onKnown(3)));
    job.run();

    requireEnded(job, START + TIMEOUT);
    assertThat(job.codes()).containsExactly(7);
  }

  @Test
  void shouldEndEverySurvivorWithinTheBoundWhateverHappens() {
    for (int seed = 0; seed < 20 * SEEDS; seed++) {
      ExitSimulation job = new ExitSimulation(1 + seed % 12, seed).formed();
      int size = job.ranks.size();
      boolean heldUp = seed % 4 == 1;
      job.loss = seed % 3 == 0 && !heldUp ? 0.05 : 0;
      job.hooksHang = seed % 7 == 0;
      job.maxDelayNs = (seed % 5 == 0 ? 300 : 20) * MS;
      int exits = 1 + job.random.nextInt(3);
      for (int i = 0; i < exits; i++) {
        job.exit(
            START + job.random.nextLong(i == 0 ? 1 : TIMEOUT),
            job.random.nextInt(size),
            KINDS.get(job.random.nextInt(3)),
            1 + job.random.nextInt(200));
      }
      for (int i = job.random.nextInt(3); i > 0; i--) {
        job.kill(START + job.random.nextLong(2 * TIMEOUT), job.random.nextInt(size));
      }
      long heldNs = 0;
      if (heldUp) {
        heldNs = job.random.nextLong(2 * TIMEOUT);
        long fromNs = START + job.random.nextLong(TIMEOUT);
        job.stop(fromNs, fromNs + heldNs, job.random.nextInt(size));
      }
      job.run();

      requireEnded(job, START + 7 * TIMEOUT + 2 * HOOKS + heldNs);
    }
  }

  /** A job with one to three exits at random, whose messages take up to 300 ms. */
  private static ExitSimulation anyExits(int seed) {
    ExitSimulation job = new ExitSimulation(2 + seed % 7, seed).formed();
    job.maxDelayNs = (seed % 2 == 0 ? 300 : 20) * MS;
    int exits = 1 + job.random.nextInt(3);
    for (int i = 0; i < exits; i++) {
      job.exit(
          START + job.random.nextLong(i == 0 ? 1 : TIMEOUT),
          job.random.nextInt(job.ranks.size()),
          KINDS.get(job.random.nextInt(3)),
          1 + job.random.nextInt(200));
    }
    return job;
  }

  @Test
  void shouldEndAllWithOneCodeWhenMessagesAreLateLostAndDoubled() {
    for (int seed = 0; seed < 10 * SEEDS; seed++) {
      ExitSimulation job = anyExits(seed);
      job.loss = 0.05;
      job.duplicates = 0.05;
      job.run();

      assertThat(job.codes()).as("seed %d", seed).hasSize(1);
    }
  }

  @Test
  void shouldEndTheOthersWithOneCodeWhenOneIsKilled() {
    for (int seed = 0; seed < 10 * SEEDS; seed++) {
      ExitSimulation job = anyExits(seed);
      if (seed % 3 == 0) {
        job.hit(BEGUN.get(job.random.nextInt(BEGUN.size())), 0);
      } else {
        job.kill(START + job.random.nextLong(TIMEOUT), job.random.nextInt(job.ranks.size()));
      }
      job.run();

      assertThat(job.codesInTime()).as("seed %d", seed).hasSizeLessThanOrEqualTo(1);
    }
  }

  @Test
  void shouldEndAllWithOneCodeWhenOneIsHeldUp() {
    for (int seed = 1; seed < 10 * SEEDS; seed += 2) {
      ExitSimulation job = anyExits(seed);
      long fromNs = START + job.random.nextLong(TIMEOUT);
      long toNs = fromNs + job.random.nextLong(2 * TIMEOUT);
      job.stop(fromNs, toNs, job.random.nextInt(job.ranks.size()));
      job.run();

      assertThat(job.codesInTime()).as("seed %d", seed).hasSizeLessThanOrEqualTo(1);
    }
  }

  @Test
  void shouldEndAllWithOneCodeAfterACutAsLongAsHooksRun() {
    for (int seed = 0; seed < 10 * SEEDS; seed++) {
      ExitSimulation job = anyExits(seed);
      job.hooksHang = true;
      BitSet some = new BitSet();
      for (int rank = 0; rank < job.ranks.size(); rank++) {
        some.set(rank, job.random.nextBoolean());
      }
      long fromNs = START + job.random.nextLong(TIMEOUT);
      job.cut(fromNs, fromNs + job.random.nextLong(TIMEOUT / 8), some);
      job.run();

      assertThat(job.codesInTime()).as("seed %d", seed).hasSize(1);
    }
  }
}
