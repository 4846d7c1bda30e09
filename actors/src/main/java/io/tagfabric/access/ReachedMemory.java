package io.tagfabric.access;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Completions;
import io.tagfabric.complete.Direction;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.Flow;
import io.tagfabric.link.EndpointCore;
import io.tagfabric.link.LoopEntry;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.DirectCopy;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionReach;
import io.tagfabric.provider.DirectRegion;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.trace.TraceKind;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Accesses to memory of peers that the calling thread does itself, in regions that this side
 * reaches: no operation is made for them. A call that returns false has done nothing: whatever is
 * in the way, the access as any other finds it out and says so.
 *
 * <p>Thread: any; the loop is taken meanwhile.
 */
@InternalApi
public final class ReachedMemory {
  private final LoopEntry entry;
  private final EndpointCore core;
  private final AccessCompletions ends;
  private final EndpointBindings bindings;
  private final CompletionQueue queue;
  private final boolean silent;
  private final boolean mayWrite;
  private final boolean mayRead;

  /** Whether its accesses are an access region's, so that no slot of the queue is theirs. */
  private final boolean implicit;

  // Of the loop.
  private Flow flow;
  private boolean own;
  private RegionDescriptor region;
  private long regionOffset;
  private final UnsafeBuffer value = new UnsafeBuffer(new byte[Long.BYTES]);

  public ReachedMemory(
      LoopEntry entry, EndpointCore core, AccessCompletions ends, EndpointBindings bindings) {
    this(entry, core, ends, bindings, false);
  }

  private ReachedMemory(
      LoopEntry entry,
      EndpointCore core,
      AccessCompletions ends,
      EndpointBindings bindings,
      boolean implicit) {
    this.entry = entry;
    this.core = core;
    this.ends = ends;
    this.bindings = bindings;
    this.implicit = implicit;
    queue = bindings.transmitQueue();
    silent = bindings.sends() == Completions.ERRORS;
    mayWrite = !bindings.datagrams() && bindings.accesses().contains(EndpointBindings.Access.WRITE);
    mayRead = !bindings.datagrams() && bindings.accesses().contains(EndpointBindings.Access.READ);
  }

  /** The same memory for access regions. */
  ReachedMemory implicitly() {
    return new ReachedMemory(entry, core, ends, bindings, true);
  }

  /** Does an access. */
  boolean access(Access access, Object context) {
    if ((access.writes() && !mayWrite) || (access.reads() && !mayRead) || !access.mayBeReached()) {
      return false;
    }
    RemoteRegion at = access.region();
    DirectRegion direct =
        begin(
            at, access.writes(), access.reads(), access.offset(), access.span(), access.signals());
    if (direct == null) {
      return false;
    }
    FabricError error = FabricError.OTHER;
    try {
      error = access.reach(direct, own);
      if (error == null && access.signals()) {
        RegionDescriptor written = at.descriptor();
        flow.accesses()
            .signal(
                written.key(),
                written.generation(),
                access.offset(),
                (int) access.bytes(),
                access.data(),
                access.signalFlags());
      }
    } finally {
      end(
          error,
          context,
          at.peer(),
          access.direction(),
          access.bytes(),
          access.options() == null ? silent : isSilent(access.options()));
    }
    return error == null;
  }

  /** As {@link MemoryOperations#write}. */
  boolean write(
      RemoteRegion at,
      long offset,
      DirectBuffer buffer,
      int bufferOffset,
      int length,
      SendOptions options,
      Object context) {
    if (!isPlain(options) || !mayWrite || !lies(buffer, bufferOffset, length)) {
      return false;
    }
    DirectRegion direct = begin(at, true, false, offset, length);
    if (direct == null) {
      return false;
    }
    FabricError error = FabricError.OTHER;
    try {
      error = DirectCopy.write(direct, own, offset, buffer, bufferOffset, length);
    } finally {
      end(error, context, at.peer(), Direction.WRITE, length, isSilent(options));
    }
    return error == null;
  }

  /** As {@link MemoryOperations#writeValue}. */
  boolean writeValue(
      RemoteRegion at, long offset, long number, SendOptions options, Object context) {
    if (!isPlain(options) || !mayWrite) {
      return false;
    }
    DirectRegion direct = begin(at, true, false, offset, Long.BYTES);
    if (direct == null) {
      return false;
    }
    FabricError error = FabricError.OTHER;
    try {
      value.putLong(0, number, ByteOrder.LITTLE_ENDIAN);
      error = DirectCopy.write(direct, own, offset, value, 0, Long.BYTES);
    } finally {
      end(error, context, at.peer(), Direction.WRITE, Long.BYTES, isSilent(options));
    }
    return error == null;
  }

  /** As {@link MemoryOperations#read}. */
  boolean read(
      RemoteRegion at,
      long offset,
      MutableDirectBuffer buffer,
      int bufferOffset,
      int length,
      Object context) {
    if (!mayRead || !lies(buffer, bufferOffset, length)) {
      return false;
    }
    DirectRegion direct = begin(at, false, true, offset, length);
    if (direct == null) {
      return false;
    }
    FabricError error = FabricError.OTHER;
    try {
      error = DirectCopy.read(direct, own, offset, buffer, bufferOffset, length);
    } finally {
      end(error, context, at.peer(), Direction.READ, length, silent);
    }
    return error == null;
  }

  /** As {@link MemoryOperations#update}. */
  boolean update(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      SendOptions options,
      Object context) {
    return isPlain(options)
        && !op.onlyFetches()
        && atomic(
            at,
            offset,
            op,
            kind,
            operands,
            operandsOffset,
            count,
            null,
            0,
            context,
            isSilent(options));
  }

  /** As {@link MemoryOperations#fetch}. */
  boolean fetch(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      MutableDirectBuffer result,
      int resultOffset,
      Object context) {
    return mayRead
        && isElements(op, kind, offset, count)
        && lies(result, resultOffset, count * kind.bytes())
        && atomic(
            at,
            offset,
            op,
            kind,
            operands,
            operandsOffset,
            count,
            result,
            resultOffset,
            context,
            silent);
  }

  private boolean atomic(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      MutableDirectBuffer result,
      int resultOffset,
      Object context,
      boolean silently) {
    boolean writes = !op.onlyFetches();
    if ((writes && !mayWrite) || !isElements(op, kind, offset, count)) {
      return false;
    }
    int bytes = count * kind.bytes();
    if (writes && !lies(operands, operandsOffset, bytes)) {
      return false;
    }
    DirectRegion direct = begin(at, writes, result != null, offset, bytes);
    if (direct == null) {
      return false;
    }
    FabricError error = FabricError.OTHER;
    try {
      error =
          DirectCopy.update(
              direct,
              own,
              offset,
              op,
              kind,
              count,
              operands,
              operandsOffset,
              0,
              result,
              resultOffset);
    } finally {
      end(error, context, at.peer(), Direction.ATOMIC, bytes, silently);
    }
    return error == null;
  }

  // ---- what may be in the way ----

  private static boolean isElements(AtomicOp op, AtomicKind kind, long offset, int count) {
    return !op.compares()
        && count > 0
        && count <= Access.mostElements(op, kind)
        && offset % kind.bytes() == 0;
  }

  private static boolean isByLoop(RemoteRegion at) {
    return at.descriptor().reach() != RegionReach.DIRECT;
  }

  private static boolean isPlain(SendOptions options) {
    return !options.fenced() && options.level() != CompletionLevel.MATCH;
  }

  private static boolean lies(DirectBuffer buffer, int offset, int length) {
    return offset >= 0 && length >= 0 && length <= buffer.capacity() - offset;
  }

  private boolean isSilent(SendOptions options) {
    Completions told = options.completions();
    return told == null ? silent : told == Completions.ERRORS;
  }

  private DirectRegion begin(
      RemoteRegion at, boolean writes, boolean reads, long offset, long bytes) {
    return begin(at, writes, reads, offset, bytes, false);
  }

  /**
   * Takes the loop, a region and a slot for the completion; null if one is not to be had now.
   *
   * @param signals whether a signal must be able to leave too; traces hear more of such a write
   *     than is known here
   */
  private DirectRegion begin(
      RemoteRegion at, boolean writes, boolean reads, long offset, long bytes, boolean signals) {
    RegionDescriptor wanted = at.descriptor();
    if (isByLoop(at) || !entry.tryEnter()) {
      return null;
    }
    DirectRegion direct = null;
    try {
      flow = core.flowTo(at.peer(), wanted);
      if (flow != null) {
        own = flow.isOwn();
        direct = flow.accesses().reach(wanted.key(), wanted.generation());
      }
      if (direct != null && signals && (ends.trace().isOn() || !flow.accesses().maySignal())) {
        direct = null;
      }
      if (direct != null
          && !(wanted.allows(own, writes, reads, offset, bytes)
              && (implicit || queue.ring().tryReserve()))) {
        direct = null;
      }
    } finally {
      if (direct == null) {
        entry.leave(core.hasUnflushed());
      }
    }
    if (direct != null && ends.trace().isOn()) {
      region = wanted;
      regionOffset = offset;
    }
    return direct;
  }

  private void record(int peer, Direction direction, long bytes) {
    TraceKind.Access what =
        switch (direction) {
          case READ -> TraceKind.Access.READ;
          case ATOMIC -> TraceKind.Access.ATOMIC;
          default -> TraceKind.Access.WRITE;
        };
    ends.trace().reached(what, peer, region.incarnation(), region.key(), regionOffset, bytes);
    region = null;
  }

  private void end(
      FabricError error,
      Object context,
      int peer,
      Direction direction,
      long bytes,
      boolean silently) {
    try {
      if (error == null && ends.trace().isOn()) {
        record(peer, direction, bytes);
      }
      if (implicit) {
        if (error == null) {
          ends.doneImplicitly(bytes);
        }
      } else if (error == null) {
        ends.done(context, peer, direction, bytes, silently);
      } else {
        queue.ring().release();
      }
    } finally {
      entry.leave(core.hasUnflushed());
    }
  }
}
