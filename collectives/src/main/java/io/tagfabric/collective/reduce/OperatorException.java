package io.tagfabric.collective.reduce;

import io.tagfabric.annotation.InternalApi;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** An operator has thrown; the cause is what it threw. */
@InternalApi
public final class OperatorException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private OperatorException(ReduceOp operator, Throwable cause) {
    super("an operator [" + nameOf(operator) + "] that has thrown " + cause, cause);
  }

  private static String nameOf(ReduceOp operator) {
    try {
      return operator.name();
    } catch (Throwable e) {
      return operator.getClass().getName();
    }
  }

  /**
   * Combines, as {@link ReduceOp#combine}.
   *
   * @throws OperatorException instead of anything that the operator throws
   */
  public static void combine(
      ReduceOp operator,
      ElementKind kind,
      DirectBuffer left,
      int leftOffset,
      DirectBuffer right,
      int rightOffset,
      MutableDirectBuffer into,
      int intoOffset,
      int count) {
    try {
      operator.combine(kind, left, leftOffset, right, rightOffset, into, intoOffset, count);
    } catch (Throwable e) {
      throw new OperatorException(operator, e);
    }
  }

  /**
   * Whether the JVM may be beyond repair: memory has run out, or it has met a defect of its own. An
   * overflow of the stack is the operator's doing.
   */
  public boolean isFatal() {
    return getCause() instanceof VirtualMachineError && !(getCause() instanceof StackOverflowError);
  }
}
