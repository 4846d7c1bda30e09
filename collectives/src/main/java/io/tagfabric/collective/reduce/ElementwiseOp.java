package io.tagfabric.collective.reduce;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * An operator of a program on elements of one kind.
 *
 * @param kind the only kind it can combine
 */
record ElementwiseOp(String name, boolean commutative, ElementKind kind, ReduceOp.Combiner combiner)
    implements ReduceOp {
  @Override
  public boolean supports(ElementKind wanted) {
    return wanted.equals(kind);
  }

  @Override
  public void combine(
      ElementKind wanted,
      DirectBuffer left,
      int leftOffset,
      DirectBuffer right,
      int rightOffset,
      MutableDirectBuffer into,
      int intoOffset,
      int count) {
    int bytes = kind.bytes();
    for (int i = 0; i < count; i++) {
      int at = i * bytes;
      combiner.combine(left, leftOffset + at, right, rightOffset + at, into, intoOffset + at);
    }
  }
}
