package io.tagfabric.collective.run;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.collective.reduce.OperatorException;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import java.util.BitSet;

/**
 * Why a team can no longer do collectives.
 *
 * @param member whose fault or doing it is
 * @param reason whether the member is still there
 * @param error what kind
 * @param detail a phrase that goes on after the member's name
 * @param cause what a member's code has thrown, at this member; null if it is none of that
 */
@InternalApi
public record TeamFailure(
    int member, Reason reason, FabricError error, String detail, Throwable cause) {
  /** What a failure says about its member. */
  public enum Reason {
    /** It is alive, and has done something that the others cannot follow. */
    AT_FAULT(0),
    /** It has closed its handle of the team, or its endpoint. */
    LEFT(1),
    /** It has ended without a word, or cannot be reached. */
    LOST(2);

    private final int code;

    Reason(int code) {
      this.code = code;
    }

    /** The number in a message. */
    int code() {
      return code;
    }

    static Reason of(int code) {
      for (Reason reason : values()) {
        if (reason.code == code) {
          return reason;
        }
      }
      throw new IllegalArgumentException("reason=" + code + " is outside 0..2");
    }
  }

  static TeamFailure atFault(int member, FabricError error, String detail) {
    return new TeamFailure(member, Reason.AT_FAULT, error, detail, null);
  }

  static TeamFailure left(int member) {
    return new TeamFailure(member, Reason.LEFT, FabricError.SHUTDOWN, "has left it", null);
  }

  /** A member whose endpoint has ended in order. */
  static TeamFailure left(int member, String detail) {
    return new TeamFailure(
        member, Reason.LEFT, FabricError.SHUTDOWN, "has left it: " + detail, null);
  }

  static TeamFailure lost(int member, FabricError error, String detail) {
    return new TeamFailure(member, Reason.LOST, error, detail, null);
  }

  /** A member's operator has thrown, or code of a collective that runs at it. */
  static TeamFailure thrown(int member, Throwable thrown) {
    if (thrown instanceof OperatorException operator) {
      return new TeamFailure(
          member,
          Reason.AT_FAULT,
          FabricError.OTHER,
          "has " + operator.getMessage() + (operator.isFatal() ? ", so its domain ends" : ""),
          operator);
    }
    if (thrown instanceof FabricException refusal) {
      return new TeamFailure(
          member,
          Reason.AT_FAULT,
          refusal.error(),
          "cannot make the call: " + refusal.getMessage(),
          refusal);
    }
    return new TeamFailure(
        member, Reason.AT_FAULT, FabricError.OTHER, "has met a defect: " + thrown, thrown);
  }

  /**
   * What calls of the team fail with.
   *
   * @param gone members known to be gone
   */
  TeamException exception(Members members, BitSet gone) {
    return new TeamException(
        this,
        gone.stream().boxed().toList(),
        "team " + members.context() + ": " + members.named(member) + " " + detail);
  }

  /** Whether the member takes no part any more. */
  boolean isGone() {
    return reason != Reason.AT_FAULT;
  }

  /** Whether the domain of the member must end. */
  boolean isFatal() {
    return cause instanceof OperatorException operator && operator.isFatal();
  }
}
