package io.tagfabric.access;

import io.tagfabric.link.Posted;
import io.tagfabric.link.SendOptions;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionReach;
import io.tagfabric.memory.Slices;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * What can be done with memory of peers. A call returns at once; what has been POSTED completes
 * exactly once in the endpoint's transmit queue, as {@link
 * io.tagfabric.complete.Completion.Accessed} or {@link io.tagfabric.complete.Completion.Failed}.
 *
 * <p>{@code offset} counts from the region's first byte. Buffers are the endpoint's until the
 * completion, but for operands, which are copied.
 *
 * <p>Order: what one endpoint asks of one peer's loop, accesses and messages alike, is done there
 * in the order posted. Only reads of more than 1024 bytes, and messages that ask first, take their
 * bytes later: such a read sees all writes posted before it, and may see some that were posted
 * after it. An access to a region that this side reaches ({@link RegionReach#DIRECT}) is done here
 * as soon as all posted before it has left, mostly at the call: before all that is posted later,
 * after the accesses to the same region before it, and perhaps before the peer has done what it was
 * asked before; a fence or a flush waits for that. A receive that has taken a message sees all
 * writes posted before it.
 *
 * <p>Levels of writes and of updates without a fetch: INJECT when the buffer may be used again,
 * TRANSMIT when the peer has acknowledged all packets, DELIVERY when it has said that they are
 * done. If the peer refuses one that has ended so before, the next {@link #flush} to it fails and
 * says which. All else ends with the peer's answer.
 *
 * <p>Refused at the call: what the descriptor does not allow, with a {@link
 * io.tagfabric.error.FabricException} ACCESS; an element that does not begin at a multiple of its
 * bytes, INVALID; an operation that there is not for such elements, or that the endpoint was opened
 * without, OPERATION_NOT_SUPPORTED; more operands than {@link #query} says, MESSAGE_SIZE; bytes
 * outside their buffer, with an {@link IllegalArgumentException}. The target checks all again: then
 * the completion has the error, and a text with key, offset, length and peer.
 *
 * <p>Thread: any; calls of one thread keep their order.
 *
 * @source libfabric fi_rma(3), fi_atomic(3)
 */
public interface MemoryOperations {
  /**
   * Writes bytes to a region of a peer.
   *
   * @param to the region, and the peer that has it
   * @param context comes back in the completion; may be null
   * @throws IllegalStateException if the endpoint is closed
   * @source libfabric fi_rma(3), fi_write
   */
  Posted write(
      RemoteRegion to,
      long offset,
      DirectBuffer buffer,
      int bufferOffset,
      int length,
      SendOptions options,
      Object context);

  /**
   * The same with 8 bytes of immediate data, which the target finds in a completion when all bytes
   * are placed.
   *
   * @source libfabric fi_rma(3), fi_writedata
   */
  Posted writeData(
      RemoteRegion to,
      long offset,
      DirectBuffer buffer,
      int bufferOffset,
      int length,
      long data,
      SendOptions options,
      Object context);

  /**
   * The same with a signal: when all bytes are placed, the target raises what its region names
   * ({@link io.tagfabric.memory.RegionOptions}).
   *
   * @source GASNet-EX, signalling puts
   */
  Posted writeSignal(
      RemoteRegion to,
      long offset,
      DirectBuffer buffer,
      int bufferOffset,
      int length,
      SendOptions options,
      Object context);

  /** Writes a value of 8 bytes, little-endian. */
  Posted writeValue(RemoteRegion to, long offset, long value, SendOptions options, Object context);

  /**
   * Writes few bytes, whose buffer may be used again at once. A success leaves no entry, a failure
   * does, with a null context.
   *
   * @throws IllegalArgumentException if there are more bytes than {@code inject-size}
   * @source libfabric fi_rma(3), fi_inject_write
   */
  Posted injectWrite(
      RemoteRegion to, long offset, DirectBuffer buffer, int bufferOffset, int length);

  /**
   * Reads bytes of a region of a peer.
   *
   * @source libfabric fi_rma(3), fi_read
   */
  Posted read(
      RemoteRegion from,
      long offset,
      MutableDirectBuffer buffer,
      int bufferOffset,
      int length,
      Object context);

  /**
   * The same with options, of which the level does not count: a read has ended when its bytes are
   * there.
   */
  Posted read(
      RemoteRegion from,
      long offset,
      MutableDirectBuffer buffer,
      int bufferOffset,
      int length,
      SendOptions options,
      Object context);

  /**
   * Writes pieces of a buffer to pieces of a region, as one access with one completion. Pieces of a
   * write may not overlap in the region. If it is refused on the way, some pieces may have been
   * written.
   *
   * @param there where they belong in the region
   * @param here where they are in the buffer; as many bytes, which may be cut in another way
   * @source GASNet-EX, vector, indexed and strided put; libfabric fi_rma(3), fi_writev
   */
  Posted writeSlices(
      RemoteRegion to,
      Slices there,
      DirectBuffer buffer,
      Slices here,
      SendOptions options,
      Object context);

  /**
   * Reads pieces of a region into pieces of a buffer, as one access with one completion.
   *
   * @param there where they are in the region
   * @param here where they belong in the buffer; as many bytes, which may be cut in another way
   * @source GASNet-EX, vector, indexed and strided get; libfabric fi_rma(3), fi_readv
   */
  Posted readSlices(
      RemoteRegion from, Slices there, MutableDirectBuffer buffer, Slices here, Object context);

  /** The same with options, of which the level does not count. */
  Posted readSlices(
      RemoteRegion from,
      Slices there,
      MutableDirectBuffer buffer,
      Slices here,
      SendOptions options,
      Object context);

  /**
   * Sets bytes of a region of a peer to one value, which is all that travels.
   *
   * @param length bytes
   * @source GASNet, gasnet_memset
   */
  Posted fill(
      RemoteRegion to, long offset, long length, byte value, SendOptions options, Object context);

  /**
   * Updates elements of a region of a peer.
   *
   * @param count elements
   * @source libfabric fi_atomic(3)
   */
  Posted update(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      SendOptions options,
      Object context);

  /**
   * Updates elements and tells what they were before; READ only tells it, and takes no operands.
   *
   * @source libfabric fi_atomic(3), fi_fetch_atomic
   */
  Posted fetch(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      MutableDirectBuffer result,
      int resultOffset,
      Object context);

  /** The same with options, of which the level does not count. */
  Posted fetch(
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
      Object context);

  /**
   * Updates elements as a comparison with what is given says, and tells what they were before.
   *
   * @source libfabric fi_atomic(3), fi_compare_atomic
   */
  Posted compare(
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
      Object context);

  /** The same with options, of which the level does not count. */
  Posted compare(
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
      Object context);

  /**
   * Completes when all writes and updates posted before to a peer are done there; fails if it has
   * refused one that no completion has told of.
   */
  Posted flush(int peer, Object context);

  /** The same of all peers that were accessed; the completion has no peer. */
  Posted flushAll(Object context);

  /**
   * How many elements one operation may update.
   *
   * @return 0 if there is no such operation for such elements
   * @source libfabric fi_atomic(3), fi_query_atomic
   */
  int query(AtomicOp op, AtomicKind kind);

  /**
   * Who does the updates of a region's elements: all of them are done in the memory itself, by
   * whoever asks, or all by the loop of the region's domain.
   */
  default RegionReach query(RegionDescriptor region) {
    return region.reach();
  }
}
