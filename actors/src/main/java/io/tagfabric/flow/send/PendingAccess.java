package io.tagfabric.flow.send;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.provider.DirectRegion;
import io.tagfabric.wire.AccessWriter;
import io.tagfabric.wire.Packet;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * An access to a peer's memory that an endpoint has accepted, and how far it is: a request among
 * the messages, perhaps of several frames, and an answer. The flow is the sole writer of its
 * progress.
 */
@InternalApi
public abstract class PendingAccess extends PendingSend {
  /** This side's number of it; 0 before its request has begun to leave. */
  long operation;

  /** Bytes of the answer that have come. */
  int answered;

  /** Whether it has ended while bytes of its request are left, so that the peer must be told. */
  boolean aborted;

  /** Whether it has ended because its bytes were copied, and its request has not left. */
  boolean bounced;

  /** Whether this side has placed the bytes of a write itself, and only its signal is left. */
  boolean placed;

  /** Its neighbours among those that wait for an answer, in the order begun. */
  PendingAccess before;

  PendingAccess after;

  /** An access of the bytes that it is shown before it is submitted. */
  protected PendingAccess(int peer, CompletionLevel level, Object context) {
    super(peer, level, context);
  }

  /** The region's generation, of which the key is; 0 if it has none. */
  public abstract long generation();

  /** The region's key. */
  public abstract long key();

  /** Where in the region it begins. */
  public abstract long regionOffset();

  /** Bytes of the region that it concerns. */
  public abstract long accessedBytes();

  /**
   * Does it in memory that this side reaches.
   *
   * @param own whether the region is of the endpoint itself
   * @return why it was refused, null if it is done
   */
  public abstract FabricError reach(DirectRegion region, boolean own);

  /** Whether the peer must hear of it when its bytes are placed. */
  public abstract boolean signals();

  /** Whether only its signal is left to send. */
  protected final boolean isPlaced() {
    return placed;
  }

  /** Payload bytes of its request. */
  public abstract int requestBytes();

  /** Bytes that it is to be shown before it leaves, packed then; 0 if it was shown all. */
  public abstract int packedBytes();

  /** Packs its bytes and shows itself them; they stay there until its request is in packets. */
  public abstract void packInto(MutableDirectBuffer buffer);

  /**
   * Copies its bytes, so that their buffer is the program's while the request waits.
   *
   * @return false if it may not, or there is no room; then nothing has happened
   */
  public abstract boolean bounce();

  /** The copied bytes are in packets, or will never be. Idempotent. */
  public abstract void unbounce();

  /** Whether its request may be cut into frames. */
  public abstract boolean isDivisible();

  /** Whether it ends with an answer, and not with the leaving of its request. */
  public abstract boolean awaitsAnswer();

  /** Bytes of the peer's memory that the answer brings. */
  public abstract int answerBytes();

  /** Whether it ends when all before it has, and tells what of that was refused. */
  public abstract boolean isFlush();

  /** Bytes of a frame before its payload. */
  public abstract int overheadBytes(int position);

  /**
   * Appends a frame of the request.
   *
   * @param position of its payload in the request
   * @param abort whether it says only that no more comes
   */
  public abstract void write(
      AccessWriter writer, Packet packet, long number, int position, int bytes, boolean abort);

  /** Takes bytes of the answer; false if there is no room for them any more. */
  public abstract boolean take(int position, DirectBuffer from, int at, int bytes);

  /** Why there is no room for the answer. */
  public abstract String lostItsRoom();

  /** What the peer's word means that it was refused, for people. */
  public static String refusal(
      FabricError error, long limit, long key, long offset, long length, String peer) {
    StringBuilder text = new StringBuilder(160);
    text.append("peer [").append(peer).append("] has refused an access of offset=").append(offset);
    text.append(" lengthBytes=").append(length).append(" to region key=");
    text.append(Long.toHexString(key)).append(": ");
    return text.append(
            switch (error) {
              case NO_KEY ->
                  "no region has the key, or it was closed; ask the peer for a descriptor";
              case ACCESS ->
                  limit >= 0
                      ? "it does not lie in the region's lengthBytes=" + limit
                      : "the region's rights, or the endpoint's, do not allow it";
              case INVALID -> "it does not begin at a multiple of its element's bytes";
              case IO ->
                  "another process has cut the file of its memory; close the region and allocate"
                      + " memory anew";
              case OPERATION_NOT_SUPPORTED -> "the operation is not known for these elements";
              default -> error.meaning();
            })
        .toString();
  }
}
