package io.tagfabric.memory;

/**
 * How an element of a region is updated, by libfabric's names. {@code old} is the element, {@code
 * operand} what comes with the operation, {@code compare} what a comparing one comes with as well.
 *
 * @source libfabric fi_atomic(3)
 */
public enum AtomicOp {
  /** The smaller of both. */
  MIN(0, Form.BASE),
  /** The larger of both. */
  MAX(1, Form.BASE),
  /** {@code old + operand}; wraps around. */
  SUM(2, Form.BASE),
  /** {@code old - operand}; wraps around. */
  DIFF(3, Form.BASE),
  /** {@code old * operand}; wraps around. */
  PROD(4, Form.BASE),
  /** 1 if one of both is not 0, else 0. */
  LOR(5, Form.BASE),
  /** 1 if neither is 0, else 0. */
  LAND(6, Form.BASE),
  /** 1 if just one of both is 0, else 0. */
  LXOR(7, Form.BASE),
  /** Bitwise or. */
  BOR(8, Form.BASE),
  /** Bitwise and. */
  BAND(9, Form.BASE),
  /** Bitwise exclusive or. */
  BXOR(10, Form.BASE),
  /** Changes nothing; only for a fetch. */
  READ(11, Form.FETCH),
  /** {@code operand}. */
  WRITE(12, Form.BASE),
  /** {@code operand} if {@code compare} has the bits of {@code old}, of FLOAT and DOUBLE too. */
  CSWAP(13, Form.COMPARE),
  /** {@code operand} if {@code compare != old}. */
  CSWAP_NE(14, Form.COMPARE),
  /** {@code operand} if {@code compare <= old}. */
  CSWAP_LE(15, Form.COMPARE),
  /** {@code operand} if {@code compare < old}. */
  CSWAP_LT(16, Form.COMPARE),
  /** {@code operand} if {@code compare >= old}. */
  CSWAP_GE(17, Form.COMPARE),
  /** {@code operand} if {@code compare > old}. */
  CSWAP_GT(18, Form.COMPARE),
  /** The bits of {@code operand} where {@code compare} has ones, else those of {@code old}. */
  MSWAP(19, Form.COMPARE);

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

  private final int number;
  private final Form form;

  AtomicOp(int number, Form form) {
    this.number = number;
    this.form = form;
  }

  /** What it is on the wire. */
  public int number() {
    return number;
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
