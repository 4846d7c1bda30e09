package io.tagfabric.trace;

import static io.tagfabric.trace.TraceLayout.*;

import java.nio.ByteOrder;
import org.agrona.concurrent.AtomicBuffer;

/**
 * Where a domain and who watches it meet, in the file of its recorder: the domain shows how long
 * its queues are, the other side gives commands, one at a time, and beats while it is there. Of the
 * domain one thread comes here; of those that watch any number may, also of several processes: a
 * command is one word, its number and its code, that only one of them can put there.
 */
public final class WatchDesk {
  /** What a domain can be told. Files hold the codes. */
  public enum Command {
    /** Stand still. */
    FREEZE(1),
    /** Go on. */
    GO(2),
    /** Take one step, and stand still again. */
    STEP(3),
    /** Let the progress thread drive. */
    AUTO(4),
    /** Let only threads of the application drive. */
    MANUAL(5);

    private static final int CODE_BITS = 8;

    private final int code;

    Command(int code) {
      this.code = code;
    }
  }

  /**
   * What a domain is like.
   *
   * @param frozen whether it stands still
   * @param manual whether only threads of the application drive
   * @param switches whether that can be changed
   */
  public record State(boolean frozen, boolean manual, boolean switches) {
    private int bits() {
      return (frozen ? 1 : 0) | (manual ? 2 : 0) | (switches ? 4 : 0);
    }

    private static State of(int bits) {
      return new State((bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0);
    }
  }

  /**
   * How much waits in a domain.
   *
   * @param posted receives that no message has come for
   * @param unexpected messages that no receive has been posted for
   * @param unexpectedBytes their bytes
   * @param waitingSends sends that wait for their flow, for credit or for their turn
   * @param applicationWaits whether threads of the application wait, and so drive
   */
  public record Gauges(
      long posted,
      long unexpected,
      long unexpectedBytes,
      long waitingSends,
      boolean applicationWaits) {}

  private final AtomicBuffer buffer;

  WatchDesk(AtomicBuffer buffer) {
    this.buffer = buffer;
  }

  // ---- the side of the domain ----

  /** From now on it does what it is told. */
  public void obey() {
    buffer.putInt(OBEYS_AT, 1, ByteOrder.LITTLE_ENDIAN);
  }

  /** The command that is not obeyed yet; null if there is none. */
  public Command next() {
    long last = buffer.getLongVolatile(COMMAND_AT);
    if (last == buffer.getLongVolatile(OBEYED_AT)) {
      return null;
    }
    int code = (int) last & ((1 << Command.CODE_BITS) - 1);
    for (Command each : Command.values()) {
      if (each.code == code) {
        return each;
      }
    }
    return null;
  }

  /** The one that {@link #next} has given is obeyed. */
  public void obeyed(State now) {
    show(now);
    buffer.putLongOrdered(OBEYED_AT, buffer.getLongVolatile(COMMAND_AT));
  }

  /** Shows what the domain is like. */
  public void show(State now) {
    buffer.putIntOrdered(STATE_AT, now.bits());
  }

  /** Shows how much waits. */
  public void show(Gauges gauges) {
    buffer.putLong(GAUGES_AT, gauges.posted());
    buffer.putLong(GAUGES_AT + Long.BYTES, gauges.unexpected());
    buffer.putLong(GAUGES_AT + 2 * Long.BYTES, gauges.unexpectedBytes());
    buffer.putLong(GAUGES_AT + 3 * Long.BYTES, gauges.waitingSends());
    buffer.putLongOrdered(GAUGES_AT + 4 * Long.BYTES, gauges.applicationWaits() ? 1 : 0);
  }

  /** Changes while somebody watches. */
  public long beats() {
    return buffer.getLongVolatile(BEATS_AT);
  }

  // ---- the side of who watches ----

  /** Whether the domain does what it is told. */
  public boolean obeys() {
    return buffer.getIntVolatile(OBEYS_AT) == 1;
  }

  /** Whether the last command is obeyed. */
  public boolean isIdle() {
    return buffer.getLongVolatile(COMMAND_AT) == buffer.getLongVolatile(OBEYED_AT);
  }

  /**
   * Gives a command, if the last one is obeyed and nobody else gives one now; else nothing happens,
   * and it returns false.
   */
  public boolean tell(Command command) {
    long last = buffer.getLongVolatile(COMMAND_AT);
    if (last != buffer.getLongVolatile(OBEYED_AT)) {
      return false;
    }
    long number = (last >>> Command.CODE_BITS) + 1;
    return buffer.compareAndSetLong(COMMAND_AT, last, (number << Command.CODE_BITS) | command.code);
  }

  /** Says that somebody watches. */
  public void beat() {
    buffer.getAndAddLong(BEATS_AT, 1);
  }

  /** What the domain is like. */
  public State state() {
    return State.of(buffer.getIntVolatile(STATE_AT));
  }

  /** How much waits in it. */
  public Gauges gauges() {
    boolean waits = buffer.getLongVolatile(GAUGES_AT + 4 * Long.BYTES) == 1;
    return new Gauges(
        buffer.getLong(GAUGES_AT),
        buffer.getLong(GAUGES_AT + Long.BYTES),
        buffer.getLong(GAUGES_AT + 2 * Long.BYTES),
        buffer.getLong(GAUGES_AT + 3 * Long.BYTES),
        waits);
  }
}
