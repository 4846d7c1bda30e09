package io.tagfabric.collective.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class CirculantTest {
  @Property(tries = 500)
  void shouldBringEveryBlockOnceFromARankThatHasIt(
      @ForAll @IntRange(min = 2, max = 300) int size,
      @ForAll @IntRange(min = 1, max = 40) int blocks) {
    Circulant ways = new Circulant(size, blocks);
    int[][] received = new int[size][];
    for (int rank = 0; rank < size; rank++) {
      received[rank] = ways.received(rank);
    }
    boolean[][] has = new boolean[size][blocks];
    Arrays.fill(has[0], true);

    for (int round = 0; round < ways.rounds(); round++) {
      boolean[] sendersHad = new boolean[size];
      for (int rank = 0; rank < size; rank++) {
        int block = received[rank][round];
        sendersHad[rank] = block < 0 || has[Math.floorMod(rank - ways.skip(round), size)][block];
      }
      assertThat(sendersHad).as("round %s of p=%s b=%s", round, size, blocks).doesNotContain(false);
      for (int rank = 0; rank < size; rank++) {
        int block = received[rank][round];
        if (block >= 0) {
          assertThat(has[rank][block]).as("block %s at rank %s before", block, rank).isFalse();
          has[rank][block] = true;
        }
      }
    }

    for (boolean[] each : has) {
      assertThat(each).doesNotContain(false);
    }
  }
}
