package io.tagfabric.simulation.swarm;

import io.tagfabric.access.Access;
import io.tagfabric.access.EndpointMemory;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.error.FabricError;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.RegionReach;
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

  /** The first regions of a program may be in fabric memory, which costs more to open. */
  private static final int MOST_IN_FABRIC_MEMORY = 3;

  /** Slots for them: at times there is none. */
  private static final int SIGNALS = 4;

  private static final byte AFTER_CLOSE = 0x6b;

  /** What lies beside the pieces that are read. */
  private static final byte BESIDE = 0x11;

  private static final CompletionLevel[] LEVELS = {
    CompletionLevel.INJECT, CompletionLevel.TRANSMIT, CompletionLevel.DELIVERY
  };

  private enum Kind {
    VALUE,
    BLOCK,
    READ,
    ADD,
    FLUSH,
    SLICES,
    READ_SLICES,
    FILL
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
  final class Posting {
    private final Kind kind;
    private final OpenedRegion to;
    private final Known known;
    private final UnsafeBuffer bytes;
    private CompletionLevel level = CompletionLevel.DELIVERY;
    private byte[] expected;
    private BlockSlices slices;

    /** What is read; longer reads may see what was posted after them. */
    private int readBytes;

    private long value;
    private int ends;

    private Posting(Kind kind, OpenedRegion to, Known known, int length) {
      this.kind = kind;
      this.to = to;
      this.known = known;
      bytes = new UnsafeBuffer(new byte[length]);
    }

    private void expects(byte[] newExpected, int bytesRead) {
      expected = newExpected;
      readBytes = bytesRead;
      value = known.blocks;
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
        case READ, READ_SLICES -> {
          int wrong = Arrays.mismatch(expected, bytes.byteArray());
          Violation.require(
              wrong < 0 || known.failed || (readBytes > IN_ORDER && known.blocks > value),
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
        case BLOCK, SLICES, FILL, FLUSH -> {}
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
  private final List<OpenedRegion> all = new ArrayList<>();
  private final Map<OpenedRegion, Known> known = new LinkedHashMap<>();
  private final List<Posting> accesses = new ArrayList<>();
  private OpenedRegion opened;
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
    boolean inFabricMemory =
        run.mix().reliable
            && all.size() < MOST_IN_FABRIC_MEMORY
            && !node.simulated.domain().loop().isDriving()
            && choices.below(2) == 1;
    opened =
        new OpenedRegion(run, node, signals, BLOCKS_AT + PROGRAMS * BLOCK_BYTES, inFabricMemory);
    run.probes().reachIf(opened.region.reach() == RegionReach.DIRECT, Probe.REGION_REACHED);
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
    OpenedRegion region = theirs.opened;
    access(to, region, known.computeIfAbsent(region, notUsed -> new Known(to)));
  }

  private void access(Node to, OpenedRegion region, Known state) {
    CompletionLevel level = LEVELS[choices.below(LEVELS.length)];
    Kind kind = Kind.values()[choices.below(Kind.values().length)];
    int blockAt = BLOCKS_AT + BLOCK_BYTES * node.number();
    BlockSlices slices =
        kind == Kind.SLICES || kind == Kind.READ_SLICES ? new BlockSlices(choices, blockAt) : null;
    int length =
        switch (kind) {
          case VALUE, ADD -> Long.BYTES;
          case FLUSH -> 0;
          case SLICES, READ_SLICES -> slices.bufferBytes();
          case BLOCK, READ, FILL -> choices.below(choices.below(3) == 0 ? BLOCK_BYTES : 200);
        };
    Posting access = new Posting(kind, region, state, length);
    access.level = level;
    access.slices = slices;
    SendOptions options = SendOptions.DEFAULT.at(level);
    if (choices.below(8) == 7) {
      options = options.now();
    }
    if (post(access, node.peer(to), options, blockAt) == Posted.TRY_AGAIN) {
      return;
    }
    open++;
    accesses.add(access);
    switch (kind) {
      case VALUE -> state.value = access.value;
      case BLOCK, FILL -> {
        access.bytes.getBytes(0, state.block, 0, length);
        state.blocks++;
      }
      case SLICES -> {
        slices.write(state.block, access.bytes);
        state.blocks++;
        run.probes().reach(Probe.SLICED);
      }
      case ADD -> state.adds++;
      case READ, READ_SLICES, FLUSH -> {}
    }
    run.probes().reach(Probe.ACCESSED);
  }

  private Posted post(Posting access, int peer, SendOptions options, int blockAt) {
    EndpointMemory memory = node.simulated.endpoint().memory();
    RemoteRegion there = new RemoteRegion(peer, access.to.region.descriptor());
    UnsafeBuffer bytes = access.bytes;
    int length = bytes.capacity();
    return switch (access.kind) {
      case VALUE -> {
        int valueAt = VALUES_AT + Long.BYTES * node.number();
        access.value = access.known.value + 1;
        bytes.putLong(0, access.value, ByteOrder.LITTLE_ENDIAN);
        yield choices.below(3) == 0
            ? memory.post(
                Access.write(there, valueAt, bytes, 0, length).data(access.value).with(options),
                access)
            : memory.write(there, valueAt, bytes, 0, length, options, access);
      }
      case BLOCK -> {
        bytes.setMemory(0, length, (byte) choices.below(256));
        yield memory.write(there, blockAt, bytes, 0, length, options, access);
      }
      case FILL -> {
        byte value = (byte) choices.below(256);
        bytes.setMemory(0, length, value);
        yield memory.post(Access.fill(there, blockAt, length, value).with(options), access);
      }
      case SLICES -> {
        int seed = choices.below(256);
        for (int i = 0; i < length; i++) {
          bytes.putByte(i, (byte) (i * 7 + (i >> 8) + seed));
        }
        yield memory.post(
            Access.writeSlices(there, access.slices.there(), bytes, access.slices.here())
                .with(options),
            access);
      }
      case READ -> {
        access.expects(Arrays.copyOf(access.known.block, length), length);
        yield memory.post(Access.read(there, blockAt, bytes, 0, length).with(options), access);
      }
      case READ_SLICES -> {
        bytes.setMemory(0, length, BESIDE);
        byte[] expected = bytes.byteArray().clone();
        access.slices.read(access.known.block, expected);
        access.expects(expected, access.slices.bytes());
        yield memory.post(
            Access.readSlices(there, access.slices.there(), bytes, access.slices.here())
                .with(options),
            access);
      }
      case ADD -> {
        UnsafeBuffer one = new UnsafeBuffer(new byte[Long.BYTES]);
        one.putLong(0, 1, ByteOrder.LITTLE_ENDIAN);
        yield memory.post(
            Access.fetch(there, 0, AtomicOp.SUM, AtomicKind.INT64, one, 0, 1, bytes, 0)
                .with(options),
            access);
      }
      case FLUSH -> memory.flush(peer, access);
    };
  }

  /** Where signals come. */
  CompletionQueue signals() {
    return signals;
  }

  /** Closes its region, and opens another. */
  private void replace() {
    OpenedRegion before = opened;
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

  /** When all has ended, and nobody is lost: each block is what its program has made of it. */
  void requireBlocks() {
    for (Member each : run.members()) {
      Known theirs = each.accesses().known.get(opened);
      if (theirs != null && !theirs.failed && !node.mayLose(each.node)) {
        int at = BLOCKS_AT + BLOCK_BYTES * each.node.number();
        byte[] block = new byte[BLOCK_BYTES];
        opened.bytes.getBytes(at, block);
        int wrong = Arrays.mismatch(block, theirs.block);
        Violation.require(
            wrong < 0,
            Invariant.BYTES,
            "byte %d of the block of %s at %s is not what it has written",
            wrong,
            each.node,
            node);
      }
    }
  }

  /** At the end: all has ended, and each region has what it must. */
  void requireEnd() {
    if (!node.isAlive()) {
      return;
    }
    for (Posting access : accesses) {
      Violation.require(access.ends == 1, Invariant.ONCE, "%s has not ended", access);
    }
    all.forEach(this::requireEnd);
  }

  private void requireEnd(OpenedRegion region) {
    if (region.closing) {
      Violation.require(region.closed, Invariant.LIVENESS, "a region of %s does not close", node);
      for (int i = 0; i < region.bytes.capacity(); i++) {
        Violation.require(
            region.bytes.getByte(i) == AFTER_CLOSE,
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
