package io.tagfabric.memory;

/**
 * How an element of a region is updated, by libfabric's names. {@code old} is the element, {@code
 * operand} what comes with the operation, {@code compare} what a comparing one comes with as well.
 *
 * @source libfabric fi_atomic(3)
 */
public enum AtomicOp {
  /** The smaller of both. */
  MIN(Form.BASE),
  /** The larger of both. */
  MAX(Form.BASE),
  /** {@code old + operand}; wraps around. */
  SUM(Form.BASE),
  /** {@code old - operand}; wraps around. */
  DIFF(Form.BASE),
  /** {@code old * operand}; wraps around. */
  PROD(Form.BASE),
  /** 1 if one of both is not 0, else 0. */
  LOR(Form.BASE),
  /** 1 if neither is 0, else 0. */
  LAND(Form.BASE),
  /** 1 if just one of both is 0, else 0. */
  LXOR(Form.BASE),
  /** Bitwise or. */
  BOR(Form.BASE),
  /** Bitwise and. */
  BAND(Form.BASE),
  /** Bitwise exclusive or. */
  BXOR(Form.BASE),
  /** Changes nothing; only for a fetch. */
  READ(Form.FETCH),
  /** {@code operand}. */
  WRITE(Form.BASE),
  /** {@code operand} if {@code compare == old}. */
  CSWAP(Form.COMPARE),
  /** {@code operand} if {@code compare != old}. */
  CSWAP_NE(Form.COMPARE),
  /** {@code operand} if {@code compare <= old}. */
  CSWAP_LE(Form.COMPARE),
  /** {@code operand} if {@code compare < old}. */
  CSWAP_LT(Form.COMPARE),
  /** {@code operand} if {@code compare >= old}. */
  CSWAP_GE(Form.COMPARE),
  /** {@code operand} if {@code compare > old}. */
  CSWAP_GT(Form.COMPARE),
  /** The bits of {@code operand} where {@code compare} has ones, else those of {@code old}. */
  MSWAP(Form.COMPARE);

  /** What an operation comes with. */
  private enum Form {
    /** An operand; the old value is told if asked for. */
    BASE,
    /** Nothing; it only tells the old value. */
    FETCH,
    /** An operand and what to compare with; it always tells the old value. */
    COMPARE
  }

  private static final AtomicOp[] ALL = values();

  private final Form form;

  AtomicOp(Form form) {
    this.form = form;
  }

  /** Whether it compares, so that it comes with two operands for an element. */
  public boolean compares() {
    return form == Form.COMPARE;
  }

  /** Whether it makes sense only with the answer of the old value. */
  public boolean onlyFetches() {
    return form == Form.FETCH;
  }

  /** Whether it needs bits, which floating point numbers are not. */
  boolean isBitwise() {
    return this == BOR || this == BAND || this == BXOR || this == MSWAP;
  }

  /** Whether elements of this kind can be updated so. */
  public boolean takes(AtomicKind kind) {
    return kind.isWhole() || !isBitwise();
  }

  /** The operation with this number on the wire; null if none has it. */
  static AtomicOp of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : null;
  }
}
