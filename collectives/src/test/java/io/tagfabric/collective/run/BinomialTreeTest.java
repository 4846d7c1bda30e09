package io.tagfabric.collective.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Compares the places that are counted with a list of those that are in the tree. */
class BinomialTreeTest {
  @Property(tries = 200)
  void shouldBeTheTreeOfThoseThatAreLeft(
      @ForAll @IntRange(min = 1, max = 70) int size, @ForAll long lost) {
    BitSet without = BitSet.valueOf(new long[] {lost});
    List<Integer> ranks = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      if (!without.get(rank)) {
        ranks.add(rank);
      }
    }
    for (int place = 0; place < ranks.size(); place++) {
      BinomialTree tree = new BinomialTree(ranks.get(place), size, without);

      int lowestBit = place == 0 ? ranks.size() : Integer.lowestOneBit(place);
      List<Integer> children = new ArrayList<>();
      for (int step = 1; step < lowestBit && place + step < ranks.size(); step *= 2) {
        children.add(ranks.get(place + step));
      }
      assertThat(tree.root()).isEqualTo(ranks.get(0));
      assertThat(tree.parent()).isEqualTo(ranks.get(place == 0 ? 0 : place - lowestBit));
      assertThat(tree.children()).isEqualTo(children);
    }
  }

  @Test
  void shouldHaveNobodyBelowWhenItIsAlone() {
    BitSet without = new BitSet();
    without.set(0, 4);

    BinomialTree tree = new BinomialTree(4, 5, without);

    assertThat(tree.root()).isEqualTo(4);
    assertThat(tree.parent()).isEqualTo(4);
    assertThat(tree.children()).isEmpty();
  }
}
