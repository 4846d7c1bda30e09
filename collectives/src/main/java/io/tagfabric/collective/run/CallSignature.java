package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.collective.reduce.ElementKind;
import java.util.Objects;

/**
 * What of a call must be equal at all members, in whichever way it is carried: members in one JVM
 * compare it as it is, others by its hash; the text is for people. Only passes of the loop touch
 * it: the hash is made when it is first asked for.
 */
final class CallSignature {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final long MIX_1 = 0xBF58476D1CE4E5B9L;
  private static final long MIX_2 = 0x94D049BB133111EBL;

  private final Collective collective;

  /** 0 if there is none. */
  private final int root;

  /** Null if elements are not compared. */
  private final ElementKind kind;

  /** Its name; null if nothing is combined. */
  private final String operator;

  /** Whether blocks may have different lengths. */
  private final boolean irregular;

  /** Of the vector or of a block, -1 if members need not know it alike. */
  private final long bytes;

  private boolean isHashed;
  private long hash;

  private CallSignature(CollectiveCall call, Shape shape) {
    collective = call.collective();
    boolean comparesElements = comparesElements(collective);
    root = collective.rooted() ? call.root() : 0;
    kind = comparesElements ? call.output().kind() : null;
    operator =
        call.operator() == null ? null : Objects.requireNonNull(call.operator().name(), "name");
    irregular = comparesElements && call.irregular();
    bytes = comparesElements ? call.agreedBytes(shape) : -1;
  }

  static CallSignature of(CollectiveCall call, Shape shape) {
    return new CallSignature(call, shape);
  }

  /** Whether it is that of a call, without making another: most calls are like the one before. */
  boolean isOf(CollectiveCall call, Shape shape) {
    return collective == call.collective()
        && (!collective.rooted() || root == call.root())
        && (operator == null
            ? call.operator() == null
            : call.operator() != null && operator.equals(call.operator().name()))
        && (!comparesElements(collective)
            || (kind.equals(call.output().kind())
                && irregular == call.irregular()
                && bytes == call.agreedBytes(shape)));
  }

  /**
   * Whether two calls have equal signatures, without making them: members in one JVM ask it often.
   */
  static boolean areEqual(CallRun one, CallRun other) {
    CollectiveCall first = one.call();
    CollectiveCall second = other.call();
    Collective collective = first.collective();
    return collective == second.collective()
        && (!collective.rooted() || first.root() == second.root())
        && haveEqualOperators(first, second)
        && (!comparesElements(collective)
            || (first.output().kind().equals(second.output().kind())
                && first.irregular() == second.irregular()
                && first.agreedBytes(one.shape()) == second.agreedBytes(other.shape())));
  }

  private static boolean haveEqualOperators(CollectiveCall first, CollectiveCall second) {
    return first.operator() == second.operator()
        || (first.operator() != null
            && second.operator() != null
            && first.operator().name().equals(second.operator().name()));
  }

  private static boolean comparesElements(Collective collective) {
    return collective != Collective.BARRIER && collective != Collective.NEIGHBOUR_EXCHANGE;
  }

  /** 64 bits of it; equal ones are equal, save for one in 2^64. */
  long hash() {
    if (!isHashed) {
      hash = mix(0, hashOf(collective.key()));
      hash = mix(hash, root << 1 | (irregular ? 1 : 0));
      hash = mix(hash, kind == null ? 0 : mix(hashOf(kind.key()), kind.bytes()));
      hash = mix(hash, bytes);
      hash = mix(hash, operator == null ? 0 : hashOf(operator));
      isHashed = true;
    }
    return hash;
  }

  /** Of a text, so that it is the same in every JVM. */
  private static long hashOf(String text) {
    long hash = text.length();
    for (int i = 0; i < text.length(); i++) {
      hash = hash * GOLDEN + text.charAt(i);
    }
    return hash;
  }

  /** One number for two, in which each bit depends on all bits of both. */
  static long mix(long one, long other) {
    long hash = (one + GOLDEN) * MIX_1 ^ other;
    hash = (hash ^ (hash >>> 30)) * MIX_1;
    hash = (hash ^ (hash >>> 27)) * MIX_2;
    return hash ^ (hash >>> 31);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(collective.key());
    if (collective.rooted()) {
      text.append(" root=").append(root);
    }
    if (kind != null) {
      text.append(" kind=").append(kind.key());
    }
    if (operator != null) {
      text.append(" op=").append(operator);
    }
    if (irregular) {
      text.append(" irregular");
    }
    if (bytes >= 0 && kind != null) {
      text.append(" bytes=").append(bytes);
    }
    return text.toString();
  }
}
