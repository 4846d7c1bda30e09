package io.tagfabric.collective;

import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.ReduceOp;
import java.nio.ByteOrder;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.agrona.DirectBuffer;

/**
 * A barrier in two phases that also compares names: {@link #notify} says that this member is there,
 * {@link #await} that it needs the others; work may be done between.
 *
 * <p>A member names the barrier it is at, or is anonymous, which fits every name. If two names
 * differ, or a member says so itself, all members get MISMATCH; the barrier is crossed all the
 * same. What {@link #await} and {@link #tryAwait} name may differ from the notify in being
 * anonymous or not; a name that the outcome contradicts is a mismatch at this member.
 *
 * <p>Uses the collectives of its team, so all members notify in the same order as their other
 * calls. Thread: one at a time.
 *
 * @source GASNet-1 specification, §Barriers; GASNet-EX
 */
public final class NamedBarrier {
  /** How a barrier was crossed. */
  public enum Outcome {
    /** All names fit. */
    OK,
    /** Two names differ, or a member has said so. */
    MISMATCH
  }

  /**
   * What a member says about the barrier it is at.
   *
   * @param kind whether there is a name
   * @param name the name, 0 without one
   */
  public record Name(Kind kind, long name) {
    /** Whether there is a name. */
    public enum Kind {
      ANONYMOUS,
      NAMED,
      MISMATCH
    }

    /** This one. */
    public static Name of(long name) {
      return new Name(Kind.NAMED, name);
    }

    /** Whichever it is. */
    public static Name anonymous() {
      return new Name(Kind.ANONYMOUS, 0);
    }

    /** None: all members shall see a mismatch. */
    public static Name mismatch() {
      return new Name(Kind.MISMATCH, 0);
    }

    /** The least that says as much as both. */
    Name and(Name other) {
      if (kind == Kind.ANONYMOUS || equals(other)) {
        return other;
      }
      return other.kind == Kind.ANONYMOUS ? this : mismatch();
    }

    /** Both in one element, so that no algorithm takes them apart. */
    Elements write() {
      Elements element = Elements.allocate(ElementKind.INT64_AT, 1);
      element.buffer().putLong(0, name, ByteOrder.LITTLE_ENDIAN);
      element.buffer().putInt(Long.BYTES, code(), ByteOrder.LITTLE_ENDIAN);
      return element;
    }

    static Name read(DirectBuffer buffer, int offset) {
      long name = buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN);
      return switch (buffer.getInt(offset + Long.BYTES, ByteOrder.LITTLE_ENDIAN)) {
        case 0 -> anonymous();
        case 1 -> of(name);
        default -> mismatch();
      };
    }

    private int code() {
      return switch (kind) {
        case ANONYMOUS -> 0;
        case NAMED -> 1;
        case MISMATCH -> 2;
      };
    }
  }

  /** Joins names, each an INT64 with what kind of name it is. */
  private static final ReduceOp JOIN =
      ReduceOp.of(
          "join",
          true,
          ElementKind.INT64_AT,
          (left, leftAt, right, rightAt, into, at) ->
              into.putBytes(
                  at,
                  Name.read(left, leftAt).and(Name.read(right, rightAt)).write().toByteArray()));

  private final Team team;
  private Name notified;
  private CompletableFuture<Name> agreeing;
  private Name agreed = Name.anonymous();

  /** A barrier of a team; it must not be used for two at once. */
  public NamedBarrier(Team team) {
    this.team = team;
  }

  /**
   * Says that this member has come. Returns at once.
   *
   * @throws IllegalStateException if this member has notified and not awaited
   */
  public void notify(Name name) {
    if (notified != null) {
      throw new IllegalStateException("notified twice in a row, await the barrier between");
    }
    Elements data = name.write();
    notified = name;
    agreeing =
        team.allreduce(data, JOIN)
            .thenApply(notUsed -> Name.read(data.buffer(), data.offset()))
            .toCompletableFuture();
  }

  /**
   * Completes when all have notified; then this member may notify again.
   *
   * @throws IllegalStateException if this member has not notified
   */
  public CompletionStage<Outcome> await(Name name) {
    CompletableFuture<Name> current = requireNotified();
    Name own = notified;
    notified = null;
    return current.thenApply(all -> outcome(own, name, all));
  }

  /**
   * Crosses the barrier if all have notified; does not wait. In MANUAL progress it drives the
   * domain once.
   *
   * @return null if some are missing: then this member is still in the barrier
   * @throws IllegalStateException if this member has not notified
   */
  public Outcome tryAwait(Name name) {
    CompletableFuture<Name> current = requireNotified();
    team.domain().loop().advance();
    if (!current.isDone()) {
      return null;
    }
    Name own = notified;
    notified = null;
    return outcome(own, name, current.join());
  }

  private CompletableFuture<Name> requireNotified() {
    if (notified == null) {
      throw new IllegalStateException("awaited without a notify, notify first");
    }
    return agreeing;
  }

  private synchronized Outcome outcome(Name own, Name awaited, Name all) {
    agreed = all;
    boolean contradicts =
        own.and(awaited).kind() == Name.Kind.MISMATCH
            || all.and(awaited).kind() == Name.Kind.MISMATCH;
    return contradicts ? Outcome.MISMATCH : Outcome.OK;
  }

  /**
   * The name all agreed on at the last barrier crossed; empty if all were anonymous or differed.
   */
  public synchronized OptionalLong result() {
    return agreed.kind() == Name.Kind.NAMED ? OptionalLong.of(agreed.name()) : OptionalLong.empty();
  }
}
