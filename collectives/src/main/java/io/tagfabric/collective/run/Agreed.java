package io.tagfabric.collective.run;

import io.tagfabric.annotation.InternalApi;
import java.util.BitSet;

/**
 * What the members that are alive have agreed on; the same at all of them.
 *
 * @param flag bits that all of them have proposed
 * @param lost members that one of them knew to be lost, or to have left
 * @param nextContext a number for a new team that is free at all of them
 */
@InternalApi
public record Agreed(long flag, BitSet lost, int nextContext) {
  public Agreed {
    lost = (BitSet) lost.clone();
  }

  @Override
  public BitSet lost() {
    return (BitSet) lost.clone();
  }
}
