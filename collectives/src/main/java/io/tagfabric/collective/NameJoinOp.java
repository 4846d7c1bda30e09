package io.tagfabric.collective;

import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.ReduceOp;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Joins the names of a {@link NamedBarrier}, each an INT64 with what kind of name it is. */
enum NameJoinOp implements ReduceOp {
  INSTANCE;

  @Override
  public boolean commutative() {
    return true;
  }

  @Override
  public boolean supports(ElementKind kind) {
    return kind == ElementKind.INT64_AT;
  }

  @Override
  public void combine(
      ElementKind kind,
      DirectBuffer left,
      int leftOffset,
      DirectBuffer right,
      int rightOffset,
      MutableDirectBuffer into,
      int intoOffset,
      int count) {
    int bytes = kind.bytes();
    for (int at = 0; at < count * bytes; at += bytes) {
      NamedBarrier.Name joined =
          NamedBarrier.Name.read(left, leftOffset + at)
              .and(NamedBarrier.Name.read(right, rightOffset + at));
      into.putBytes(intoOffset + at, joined.write().toByteArray());
    }
  }
}
