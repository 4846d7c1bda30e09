package io.tagfabric.trials.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.trials.fuzz.Mutator.Mutation;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.sbe.DataDecoder;
import io.tagfabric.wire.sbe.EagerFirstDecoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MutatorTest {
  private static final int TIMES = 300;

  private static Mutator mutator(long seed) {
    return new Mutator(new SplittableRandom(seed), Packets.MAX_BYTES);
  }

  private static int differing(byte[] one, byte[] other) {
    int count = 0;
    for (int i = 0; i < one.length; i++) {
      count += one[i] == other[i] ? 0 : 1;
    }
    return count;
  }

  @Test
  void shouldDoTheSameWithTheSameSeed() {
    List<byte[]> first = new ArrayList<>();
    List<byte[]> second = new ArrayList<>();
    List<byte[]> other = new ArrayList<>();
    Mutator one = mutator(7);
    Mutator same = mutator(7);
    Mutator another = mutator(8);
    for (int i = 0; i < TIMES; i++) {
      byte[] packet = i % 9 == 0 ? Packets.hello() : Packets.full();
      first.addAll(one.mutate(packet));
      second.addAll(same.mutate(packet));
      other.addAll(another.mutate(packet));
    }

    assertThat(first).hasSameSizeAs(second);
    for (int i = 0; i < first.size(); i++) {
      assertThat(first.get(i)).isEqualTo(second.get(i));
    }
    assertThat(Arrays.deepEquals(other.toArray(), first.toArray())).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void shouldNeverChangeThePacketItIsGivenNorExceedTheLongest(Mutation mutation) {
    Mutator mutator = mutator(3);
    for (int i = 0; i < TIMES; i++) {
      byte[] packet = i % 2 == 0 ? Packets.hello() : Packets.full();
      byte[] before = packet.clone();
      for (byte[] sent : mutator.mutate(packet, mutation)) {
        assertThat(sent.length).isLessThanOrEqualTo(Packets.MAX_BYTES);
      }
      assertThat(packet).isEqualTo(before);
    }
  }

  @Test
  void shouldLetTheRightPacketFollowOneThatNoFlowCanTake() {
    for (Mutation mutation :
        EnumSet.of(
            Mutation.EDGE_IN_HEADER,
            Mutation.TRUNCATE,
            Mutation.WRONG_LENGTH,
            Mutation.GARBAGE,
            Mutation.TWICE)) {
      byte[] packet = Packets.full();

      List<byte[]> sent = mutator(5).mutate(packet, mutation);

      assertThat(sent).as(mutation.name()).hasSize(2);
      assertThat(sent.get(1)).isEqualTo(packet);
    }
  }

  @Test
  void shouldChangeOneFieldOfAFrameToEdgesOfAllKinds() {
    Mutator mutator = mutator(5);
    byte[] packet = Packets.full();
    Set<Long> positions = new HashSet<>();
    for (int i = 0; i < 100 * TIMES; i++) {
      byte[] sent = mutator.mutate(packet, Mutation.EDGE_IN_FRAME).get(0);
      assertThat(differing(packet, sent)).isLessThanOrEqualTo(8);
      FrameCursor cursor = new FrameCursor();
      cursor.wrap(io.tagfabric.wire.Packet.received(sent));
      int template;
      while ((template = cursor.nextFrame()) != 0) {
        if (template == DataDecoder.TEMPLATE_ID && cursor.hasBlock(DataDecoder.BLOCK_LENGTH)) {
          positions.add(Packets.number(cursor, DataDecoder.positionEncodingOffset()));
        }
      }
    }
    assertThat(positions).contains(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 63L, 65L);
    assertThat(positions).anyMatch(at -> at < Long.MAX_VALUE && at > Long.MAX_VALUE - 5_000);
  }

  @Test
  void shouldSwapDoubleAndDropFramesOfAPacketThatStaysWellFormed() {
    List<Integer> right = Packets.templates(Packets.full());
    Mutator mutator = mutator(6);

    List<Integer> swapped =
        Packets.templates(mutator.mutate(Packets.full(), Mutation.SWAP_FRAMES).get(0));
    List<Integer> doubled =
        Packets.templates(mutator.mutate(Packets.full(), Mutation.DOUBLE_FRAME).get(0));
    List<Integer> dropped =
        Packets.templates(mutator.mutate(Packets.full(), Mutation.DROP_FRAME).get(0));

    assertThat(swapped).isNotEqualTo(right).containsExactlyInAnyOrderElementsOf(right);
    assertThat(doubled).hasSize(right.size() + 1).containsAll(right);
    assertThat(dropped).hasSize(right.size() - 1).isSubsetOf(right);
  }

  @Test
  void shouldResizeAFrameOfAPacketThatStaysWellFormed() {
    List<Integer> right = Packets.templates(Packets.full());
    Mutator mutator = mutator(6);
    Set<Integer> lengths = new HashSet<>();
    for (int i = 0; i < TIMES; i++) {
      byte[] sent = mutator.mutate(Packets.full(), Mutation.RESIZE).get(0);
      assertThat(Packets.mapped(sent)).isEqualTo(right);
      lengths.add(sent.length);
    }
    assertThat(lengths)
        .hasSizeGreaterThan(20)
        .anyMatch(length -> length > Packets.MAX_BYTES - 1024);
  }

  @Test
  void shouldSpliceFramesOfEveryKindThatAreReadAsSuch() {
    List<Integer> right = Packets.templates(Packets.full());
    Mutator mutator = mutator(6);
    Set<Integer> spliced = new HashSet<>();
    int crowds = 0;
    long greatest = 0;
    for (int i = 0; i < 5 * TIMES; i++) {
      byte[] sent = mutator.mutate(Packets.full(), Mutation.SPLICE).get(0);
      List<Integer> templates = Packets.mapped(sent);
      assertThat(templates).hasSizeGreaterThan(right.size());
      if (templates.subList(0, right.size()).equals(right)) {
        spliced.addAll(templates.subList(right.size(), templates.size()));
      }
      crowds += templates.size() > 30 ? 1 : 0;
      FrameCursor cursor = new FrameCursor();
      assertThat(cursor.wrap(io.tagfabric.wire.Packet.received(sent))).isTrue();
      int template;
      while ((template = cursor.nextFrame()) != 0) {
        if (template == EagerFirstDecoder.TEMPLATE_ID) {
          greatest =
              Math.max(greatest, Packets.number(cursor, EagerFirstDecoder.totalEncodingOffset()));
        }
      }
    }
    assertThat(spliced).hasSize(PacketMap.FRAMES.size());
    assertThat(crowds).isPositive();
    assertThat(greatest).isGreaterThanOrEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void shouldLetALatePacketFollowTheNextOne() {
    Mutator mutator = mutator(1);
    byte[] first = Packets.full();
    byte[] second = Packets.hello();

    assertThat(mutator.mutate(first, Mutation.LATE)).isEmpty();
    assertThat(mutator.mutate(second, Mutation.NONE)).containsExactly(second, first);
    assertThat(mutator.mutate(second, Mutation.NONE)).containsExactly(second);
    assertThat(mutator.mutate(first, Mutation.LOST)).isEmpty();
  }

  @Test
  void shouldLetHalfOfThePacketsPass() {
    Mutator mutator = mutator(1);
    byte[] packet = Packets.full();
    int passed = 0;
    for (int i = 0; i < 10 * TIMES; i++) {
      passed +=
          mutator.mutate(packet).stream().anyMatch(sent -> Arrays.equals(sent, packet)) ? 1 : 0;
    }
    assertThat(passed).isBetween(5 * TIMES, 8 * TIMES);
  }
}
