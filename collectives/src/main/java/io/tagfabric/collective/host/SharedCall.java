package io.tagfabric.collective.host;

import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.ReduceOp;

/**
 * A call of one member, as the memory of one host carries it: all blocks have equal lengths.
 *
 * @param called what the member has called, of which this may be a part
 * @param collective what is done here
 * @param operator null if nothing is combined
 */
@SuppressWarnings("EnumOrdinal") // the numbers never leave the processes of one build
public record SharedCall(
    Collective called,
    Collective collective,
    Shape shape,
    Elements input,
    Elements output,
    ReduceOp operator) {
  private static final int ROOT_BITS = 8;
  private static final int OPERATOR_BITS = 8;
  private static final int KIND_BITS = 8;
  private static final int COUNT_BITS = 32;

  /** What must be equal at all members, in one number. */
  long signature() {
    long bits = called.ordinal() + 1L;
    bits = bits << ROOT_BITS | (called.rooted() ? shape.root() : 0);
    bits = bits << OPERATOR_BITS | (operator == null ? 0 : operator.name().hashCode() & 0xff);
    bits = bits << KIND_BITS | output.kind().ordinal();
    return bits << COUNT_BITS | count();
  }

  /** Elements of the vector, or of a block. */
  int count() {
    return collective == Collective.REDUCE_SCATTER
        ? shape.inputs().length(shape.rank())
        : shape.count();
  }

  /** A signature for people. */
  static String describe(long signature) {
    long count = signature & 0xffffffffL;
    int kind = (int) (signature >> COUNT_BITS) & 0xff;
    int operator = (int) (signature >> COUNT_BITS + KIND_BITS) & 0xff;
    int root = (int) (signature >> COUNT_BITS + KIND_BITS + OPERATOR_BITS) & 0xff;
    int which = (int) (signature >> COUNT_BITS + KIND_BITS + OPERATOR_BITS + ROOT_BITS) - 1;
    if (which < 0 || which >= Collective.values().length || kind >= ElementKind.values().length) {
      return "nothing known";
    }
    Collective collective = Collective.values()[which];
    StringBuilder text = new StringBuilder(collective.key());
    if (collective.rooted()) {
      text.append(" root=").append(root);
    }
    if (collective != Collective.BARRIER) {
      text.append(" kind=").append(ElementKind.values()[kind].key());
      if (collective.reduces()) {
        text.append(" op=#").append(operator);
      }
      text.append(" count=").append(count);
    }
    return text.toString();
  }
}
