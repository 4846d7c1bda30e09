package io.tagfabric.access;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.link.Posted;
import io.tagfabric.link.SendOptions;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.Slices;
import io.tagfabric.wire.AccessWriter;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The calls by which a program accesses memory of peers. What this side reaches is done at the
 * call; all else is an operation, whose end its subclass knows what to do with.
 */
abstract class MemoryCalls implements MemoryOperations {
  private static final SendOptions DELIVERED = SendOptions.DEFAULT.at(CompletionLevel.DELIVERY);

  private final EndpointSettings settings;

  MemoryCalls(EndpointSettings settings) {
    this.settings = settings;
  }

  /**
   * What this side reaches.
   *
   * @throws IllegalStateException if no access is accepted any more
   */
  abstract ReachedMemory reached();

  /**
   * Accepts an access.
   *
   * @param options null for none
   */
  abstract Posted post(MemoryOperation access, SendOptions options, Object context);

  @Override
  public Posted write(
      RemoteRegion to,
      long offset,
      DirectBuffer buffer,
      int bufferOffset,
      int length,
      SendOptions options,
      Object context) {
    if (reached().write(to, offset, buffer, bufferOffset, length, options, context)) {
      return Posted.POSTED;
    }
    return post(
        AccessRequests.write(to, offset, buffer, bufferOffset, length, options.level()),
        options,
        context);
  }

  @Override
  public Posted writeData(
      RemoteRegion to,
      long offset,
      DirectBuffer buffer,
      int bufferOffset,
      int length,
      long data,
      SendOptions options,
      Object context) {
    if (reached()
        .writeSignal(
            to,
            offset,
            buffer,
            bufferOffset,
            length,
            data,
            AccessWriter.HAS_DATA,
            options,
            context)) {
      return Posted.POSTED;
    }
    MemoryOperation access =
        AccessRequests.write(to, offset, buffer, bufferOffset, length, options.level());
    access.showData(data);
    return post(access, options, context);
  }

  @Override
  public Posted writeSignal(
      RemoteRegion to,
      long offset,
      DirectBuffer buffer,
      int bufferOffset,
      int length,
      SendOptions options,
      Object context) {
    if (reached()
        .writeSignal(
            to, offset, buffer, bufferOffset, length, 0, AccessWriter.SIGNAL, options, context)) {
      return Posted.POSTED;
    }
    MemoryOperation access =
        AccessRequests.write(to, offset, buffer, bufferOffset, length, options.level());
    access.signal();
    return post(access, options, context);
  }

  @Override
  public Posted writeValue(
      RemoteRegion to, long offset, long value, SendOptions options, Object context) {
    if (reached().writeValue(to, offset, value, options, context)) {
      return Posted.POSTED;
    }
    return write(to, offset, AccessRequests.bytesOf(value), 0, Long.BYTES, options, context);
  }

  @Override
  public Posted injectWrite(
      RemoteRegion to, long offset, DirectBuffer buffer, int bufferOffset, int length) {
    settings.requireInjectable(length);
    DirectBuffer kept = AccessRequests.copy(buffer, bufferOffset, length);
    // Its slot stays reserved until the peer has said that it is done: a refusal needs it.
    return write(to, offset, kept, 0, length, DELIVERED.silent(), null);
  }

  @Override
  public Posted read(
      RemoteRegion from,
      long offset,
      MutableDirectBuffer buffer,
      int bufferOffset,
      int length,
      Object context) {
    return read(from, offset, buffer, bufferOffset, length, null, context);
  }

  @Override
  public Posted read(
      RemoteRegion from,
      long offset,
      MutableDirectBuffer buffer,
      int bufferOffset,
      int length,
      SendOptions options,
      Object context) {
    if (isPlain(options) && reached().read(from, offset, buffer, bufferOffset, length, context)) {
      return Posted.POSTED;
    }
    return post(AccessRequests.read(from, offset, buffer, bufferOffset, length), options, context);
  }

  /** Whether options ask for nothing that a read or fetch done at the call does not do. */
  private static boolean isPlain(SendOptions options) {
    return options == null || (options.completions() == null && !options.fenced());
  }

  @Override
  public Posted writeSlices(
      RemoteRegion to,
      Slices there,
      DirectBuffer buffer,
      Slices here,
      SendOptions options,
      Object context) {
    if (reached().write(to, there, buffer, here, options, context)) {
      return Posted.POSTED;
    }
    return post(
        AccessRequests.writeSlices(to, there, buffer, here, options.level()), options, context);
  }

  @Override
  public Posted readSlices(
      RemoteRegion from, Slices there, MutableDirectBuffer buffer, Slices here, Object context) {
    return readSlices(from, there, buffer, here, null, context);
  }

  @Override
  public Posted readSlices(
      RemoteRegion from,
      Slices there,
      MutableDirectBuffer buffer,
      Slices here,
      SendOptions options,
      Object context) {
    if (isPlain(options) && reached().read(from, there, buffer, here, context)) {
      return Posted.POSTED;
    }
    return post(AccessRequests.readSlices(from, there, buffer, here), options, context);
  }

  @Override
  public Posted fill(
      RemoteRegion to, long offset, long length, byte value, SendOptions options, Object context) {
    if (reached().fill(to, offset, length, value, options, context)) {
      return Posted.POSTED;
    }
    return post(AccessRequests.fill(to, offset, length, value, options.level()), options, context);
  }

  @Override
  public Posted update(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      SendOptions options,
      Object context) {
    if (reached().update(at, offset, op, kind, operands, operandsOffset, count, options, context)) {
      return Posted.POSTED;
    }
    return post(
        AccessRequests.update(
            at, offset, op, kind, operands, operandsOffset, count, options.level()),
        options,
        context);
  }

  @Override
  public Posted fetch(
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
    return fetch(
        at, offset, op, kind, operands, operandsOffset, count, result, resultOffset, null, context);
  }

  @Override
  public Posted fetch(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      MutableDirectBuffer result,
      int resultOffset,
      SendOptions options,
      Object context) {
    if (isPlain(options)
        && reached()
            .fetch(
                at,
                offset,
                op,
                kind,
                operands,
                operandsOffset,
                count,
                result,
                resultOffset,
                context)) {
      return Posted.POSTED;
    }
    return post(
        AccessRequests.fetch(
            at, offset, op, kind, operands, operandsOffset, count, result, resultOffset),
        options,
        context);
  }

  @Override
  public Posted compare(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer compares,
      int comparesOffset,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      MutableDirectBuffer result,
      int resultOffset,
      Object context) {
    return compare(
        at,
        offset,
        op,
        kind,
        compares,
        comparesOffset,
        operands,
        operandsOffset,
        count,
        result,
        resultOffset,
        null,
        context);
  }

  @Override
  public Posted compare(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer compares,
      int comparesOffset,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      MutableDirectBuffer result,
      int resultOffset,
      SendOptions options,
      Object context) {
    MemoryOperation access =
        AccessRequests.compare(
            at,
            offset,
            op,
            kind,
            compares,
            comparesOffset,
            operands,
            operandsOffset,
            count,
            result,
            resultOffset);
    return post(access, options, context);
  }

  @Override
  public Posted flush(int peer, Object context) {
    return post(AccessRequests.flush(peer), null, context);
  }

  @Override
  public Posted flushAll(Object context) {
    return post(AccessRequests.flushAll(), null, context);
  }

  @Override
  public int query(AtomicOp op, AtomicKind kind) {
    return AccessRequests.mostElements(op, kind);
  }
}
