package io.tagfabric.active;

import io.tagfabric.error.FabricException;
import io.tagfabric.wire.BufferRange;
import io.tagfabric.wire.Packet;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Finds the places that active requests are written in. Thread: any. */
final class ActiveClaims {
  private final DirectActive direct;

  ActiveClaims(DirectActive direct) {
    this.direct = direct;
  }

  /** In a packet, or in a buffer of its own. */
  ActiveRequestClaim prepare(
      ActiveMessages messages, int peer, int argumentCount, int leastBytes, int mostBytes) {
    ActiveRequestClaim claim;
    try {
      claim = inPacket(messages, peer, argumentCount, leastBytes, mostBytes, false);
    } catch (FabricException e) {
      claim = null; // the request will meet the same, and tell it
    }
    if (claim != null) {
      return claim;
    }
    int most = Math.min(mostBytes, direct.desk().maxMedium());
    UnsafeBuffer own = new UnsafeBuffer(new byte[most]);
    return new ActiveRequestClaim(messages, peer, null, own, 0, most, argumentCount);
  }

  /** In a packet that can leave now; null if there is none. */
  ActiveRequestClaim tryPrepare(
      ActiveMessages messages, int peer, int argumentCount, int leastBytes, int mostBytes) {
    return inPacket(messages, peer, argumentCount, leastBytes, mostBytes, true);
  }

  private ActiveRequestClaim inPacket(
      ActiveMessages messages,
      int peer,
      int argumentCount,
      int leastBytes,
      int mostBytes,
      boolean now) {
    int maxMedium = direct.desk().maxMedium();
    ActiveClaim.require(argumentCount, leastBytes, mostBytes, maxMedium);
    int overhead = ActiveFrames.REQUEST_OVERHEAD + argumentCount * Integer.BYTES;
    int most = Math.min(mostBytes, maxMedium);
    ActivePlace place = direct.claim(peer, overhead, leastBytes, most, now);
    if (place == null) {
      return null;
    }
    int room = ActiveFrames.room(place.flow().maxFrameBytes(), overhead);
    return new ActiveRequestClaim(
        messages,
        peer,
        place,
        place.packet().buffer(),
        Packet.HEADER_LENGTH + overhead,
        Math.min(most, room),
        argumentCount);
  }

  /** In a buffer of the program. */
  ActiveRequestClaim prepare(
      ActiveMessages messages,
      int peer,
      int argumentCount,
      MutableDirectBuffer buffer,
      int bufferOffset,
      int length) {
    ActiveClaim.require(argumentCount, length, length, direct.desk().maxMedium());
    BufferRange.require(buffer, bufferOffset, length);
    return new ActiveRequestClaim(
        messages, peer, null, buffer, bufferOffset, length, argumentCount);
  }
}
