package io.tagfabric.simulation.swarm;

import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.EndpointMemory;
import io.tagfabric.endpoint.Posted;
import io.tagfabric.endpoint.RemoteRegion;
import io.tagfabric.endpoint.SendOptions;
import io.tagfabric.error.FabricError;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionOptions;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.simulation.choice.Choices;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What one program does with memory of others, and the memory that it opens. Each region has a
 * counter that all add to, and for each program a value that only grows and a block of bytes that
 * nobody else writes. So a program knows what it must read.
 */
final class MemberAccesses {
  private static final int PROGRAMS = 16;
  private static final int VALUES_AT = Long.BYTES;
  private static final int BLOCKS_AT = 1_024;
  private static final int BLOCK_BYTES = 9_000;

  /** Longer reads may see what was posted after them. */
  private static final int IN_ORDER = 1_024;

  /** Slots for them: at times there is none. */
  private static final int SIGNALS = 4;

  private static final byte AFTER_CLOSE = 0x6b;
  private static final CompletionLevel[] LEVELS = {
    CompletionLevel.INJECT, CompletionLevel.TRANSMIT, CompletionLevel.DELIVERY
  };

  private enum Kind {
    VALUE,
    BLOCK,
    READ,
    ADD,
    FLUSH
  }

  /** A region, and how it ends. */
  final class Opened {
    final UnsafeBuffer bytes = new UnsafeBuffer(new byte[BLOCKS_AT + PROGRAMS * BLOCK_BYTES]);
    final Region region;
    private boolean closing;
    private boolean closed;

    Opened() {
      region =
          node.simulated
              .domain()
              .register(
                  bytes, RegionRight.all(), RegionOptions.DEFAULT.withContext(this).to(signals));
    }

    /** All that was written before a signal is there when it comes. */
    void signalled(CompletionEntry entry) {
      Violation.require(
          entry.kind() == CompletionEntry.Kind.ACCESSED_BY_PEER && entry.hasData(),
          Invariant.ONCE,
          "a region of %s is told %s",
          node,
          entry);
      run.probes().reach(Probe.SIGNALLED);
      if (!closing) {
        long value = bytes.getLong((int) entry.offset(), ByteOrder.LITTLE_ENDIAN);
        Violation.require(
            value >= entry.data(),
            Invariant.BYTES,
            "a signal of value %d has come to %s, where it is %d",
            entry.data(),
            node,
            value);
      }
    }
  }

  /** What this program knows of a region of another. */
  private static final class Known {
    final Node at;
    final byte[] block = new byte[BLOCK_BYTES];
    long blocks;
    long value;
    long delivered;
    long adds;
    long added;
    long lastAdded = -1;
    boolean failed;

    Known(Node at) {
      this.at = at;
    }
  }

  /** An access; the context of its completion. */
  final class Access {
    private final Kind kind;
    private final Opened to;
    private final Known known;
    private final UnsafeBuffer bytes;
    private CompletionLevel level = CompletionLevel.DELIVERY;
    private byte[] expected;
    private long value;
    private int ends;

    private Access(Kind kind, Opened to, Known known, int length) {
      this.kind = kind;
      this.to = to;
      this.known = known;
      bytes = new UnsafeBuffer(new byte[length]);
    }

    void ended(CompletionEntry entry) {
      Violation.require(++ends == 1, Invariant.ONCE, "%s has ended %d times", this, ends);
      open--;
      run.trace()
          .note(
              95,
              kind.name().hashCode(),
              entry.kind().name().hashCode(),
              node.number(),
              () -> "access  " + this + " has ended with " + entry);
      if (entry.kind() == CompletionEntry.Kind.FAILED) {
        known.failed = true;
        requireCause(entry.error(), entry.detail());
      } else {
        done();
      }
    }

    private void requireCause(FabricError error, String detail) {
      boolean allowed =
          switch (error) {
            case NO_KEY -> kind == Kind.FLUSH || to.closing;
            case CANCELED -> !node.isUp();
            case CONNECTION_RESET, TIMED_OUT, SHUTDOWN -> node.mayLose(known.at);
            case PROTOCOL -> node.hasLied(known.at);
            default -> false;
          };
      Violation.require(
          allowed, Invariant.CAUSE, "%s failed with %s (%s) for no reason", this, error, detail);
      run.probes().reachIf(error == FabricError.NO_KEY, Probe.REGION_CLOSED);
    }

    private void done() {
      switch (kind) {
        case VALUE -> {
          if (level == CompletionLevel.DELIVERY) {
            known.delivered = Math.max(known.delivered, value);
          }
        }
        case READ -> {
          int wrong = Arrays.mismatch(expected, bytes.byteArray());
          Violation.require(
              wrong < 0 || known.failed || (bytes.capacity() > IN_ORDER && known.blocks > value),
              Invariant.BYTES,
              "%s has byte %d of another write",
              this,
              wrong);
        }
        case ADD -> {
          long old = bytes.getLong(0, ByteOrder.LITTLE_ENDIAN);
          Violation.require(
              old > known.lastAdded, Invariant.ORDER, "%s has added to %d", this, old);
          known.lastAdded = old;
          known.added++;
        }
        case BLOCK, FLUSH -> {}
      }
    }

    @Override
    public String toString() {
      return kind + " of " + node + " at " + known.at;
    }
  }

  private final SeedRun run;
  private final Member member;
  private final Node node;
  private final Choices choices;
  private final CompletionQueue signals;
  private final List<Opened> all = new ArrayList<>();
  private final Map<Opened, Known> known = new LinkedHashMap<>();
  private final List<Access> accesses = new ArrayList<>();
  private Opened opened;
  private int open;

  MemberAccesses(SeedRun run, Member member) {
    this.run = run;
    this.member = member;
    node = member.node;
    choices = run.choices();
    signals = node.simulated.domain().openCompletionQueue(SIGNALS);
    openNext();
  }

  private void openNext() {
    opened = new Opened();
    all.add(opened);
  }

  /** One operation. */
  void operate() {
    Node to = member.anyPeer();
    MemberAccesses theirs = run.memberOf(to).accesses();
    if (theirs == null || node.number() >= PROGRAMS) {
      return;
    }
    if (choices.below(24) == 23) {
      replace();
      return;
    }
    Opened region = theirs.opened;
    access(to, region, known.computeIfAbsent(region, notUsed -> new Known(to)));
  }

  private void access(Node to, Opened region, Known state) {
    EndpointMemory memory = node.simulated.endpoint().memory();
    int peer = node.peer(to);
    var there = region.region.descriptor();
    int valueAt = VALUES_AT + Long.BYTES * node.number();
    int blockAt = BLOCKS_AT + BLOCK_BYTES * node.number();
    CompletionLevel level = LEVELS[choices.below(LEVELS.length)];
    SendOptions options = SendOptions.DEFAULT.at(level);
    Kind kind = Kind.values()[choices.below(Kind.values().length)];
    int length =
        kind == Kind.VALUE || kind == Kind.ADD
            ? Long.BYTES
            : kind == Kind.FLUSH ? 0 : choices.below(choices.below(3) == 0 ? BLOCK_BYTES : 200);
    Access access = new Access(kind, region, state, length);
    access.level = level;
    Posted posted =
        switch (kind) {
          case VALUE -> {
            access.value = state.value + 1;
            access.bytes.putLong(0, access.value, ByteOrder.LITTLE_ENDIAN);
            yield choices.below(3) == 0
                ? memory.writeData(
                    new RemoteRegion(peer, there),
                    valueAt,
                    access.bytes,
                    0,
                    length,
                    access.value,
                    options,
                    access)
                : memory.write(
                    new RemoteRegion(peer, there),
                    valueAt,
                    access.bytes,
                    0,
                    length,
                    options,
                    access);
          }
          case BLOCK -> {
            access.bytes.setMemory(0, length, (byte) choices.below(256));
            yield memory.write(
                new RemoteRegion(peer, there), blockAt, access.bytes, 0, length, options, access);
          }
          case READ -> {
            access.expected = Arrays.copyOf(state.block, length);
            access.value = state.blocks;
            yield memory.read(
                new RemoteRegion(peer, there), blockAt, access.bytes, 0, length, access);
          }
          case ADD -> {
            UnsafeBuffer one = new UnsafeBuffer(new byte[Long.BYTES]);
            one.putLong(0, 1, ByteOrder.LITTLE_ENDIAN);
            yield memory.fetch(
                new RemoteRegion(peer, there),
                0,
                AtomicOp.SUM,
                AtomicKind.INT64,
                one,
                0,
                1,
                access.bytes,
                0,
                access);
          }
          case FLUSH -> memory.flush(peer, access);
        };
    if (posted == Posted.TRY_AGAIN) {
      return;
    }
    open++;
    accesses.add(access);
    switch (kind) {
      case VALUE -> state.value = access.value;
      case BLOCK -> {
        access.bytes.getBytes(0, state.block, 0, length);
        state.blocks++;
      }
      case ADD -> state.adds++;
      case READ, FLUSH -> {}
    }
    run.probes().reach(Probe.ACCESSED);
  }

  /** Where signals come. */
  CompletionQueue signals() {
    return signals;
  }

  /** Closes its region, and opens another. */
  private void replace() {
    Opened before = opened;
    before.closing = true;
    openNext();
    before
        .region
        .close(Duration.ofMillis(choices.below(2)))
        .thenRun(
            () -> {
              before.bytes.setMemory(0, before.bytes.capacity(), AFTER_CLOSE);
              before.closed = true;
            });
    node.simulated.touch();
  }

  /** Accesses that have not ended. */
  int open() {
    return open;
  }

  /** At the end: all has ended, and each region has what it must. */
  void requireEnd() {
    if (!node.isAlive()) {
      return;
    }
    for (Access access : accesses) {
      Violation.require(access.ends == 1, Invariant.ONCE, "%s has not ended", access);
    }
    all.forEach(this::requireEnd);
  }

  private void requireEnd(Opened region) {
    if (region.closing) {
      Violation.require(region.closed, Invariant.LIVENESS, "a region of %s does not close", node);
      for (byte each : region.bytes.byteArray()) {
        Violation.require(
            each == AFTER_CLOSE,
            Invariant.MEMORY,
            "a region of %s was written after its close",
            node);
      }
      return;
    }
    long least = 0;
    long most = 0;
    for (Member each : run.members()) {
      Known theirs = each.accesses().known.get(region);
      if (theirs != null) {
        least += theirs.added;
        most += theirs.adds;
        int at = VALUES_AT + Long.BYTES * each.node.number();
        long value = region.bytes.getLong(at, ByteOrder.LITTLE_ENDIAN);
        Violation.require(
            value >= theirs.delivered && value <= theirs.value,
            Invariant.BYTES,
            "%s has written %d to %d to %s, where it is %d",
            each.node,
            theirs.delivered,
            theirs.value,
            node,
            value);
      }
    }
    long sum = region.bytes.getLong(0, ByteOrder.LITTLE_ENDIAN);
    Violation.require(
        sum >= least && sum <= most,
        Invariant.COUNTED,
        "a counter of %s is %d after %d to %d additions",
        node,
        sum,
        least,
        most);
  }
}
