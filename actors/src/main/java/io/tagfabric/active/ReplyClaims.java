package io.tagfabric.active;

import io.tagfabric.wire.BufferRange;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketLayout;
import java.util.Objects;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Finds the places that replies to requests which were kept are written in. Thread: any. */
final class ReplyClaims {
  private final DirectActive direct;

  ReplyClaims(DirectActive direct) {
    this.direct = direct;
  }

  /** In a packet, or in a buffer of its own. */
  ActiveReplyClaim prepare(
      ReceivedRequest request, int argumentCount, int leastBytes, int mostBytes) {
    int maxMedium = direct.desk().maxMedium();
    ActiveClaim.require(argumentCount, leastBytes, mostBytes, maxMedium);
    FrameOrigin asker = request.origin();
    int overhead = ActiveFrames.REPLY_OVERHEAD + argumentCount * Integer.BYTES;
    int most = Math.min(mostBytes, maxMedium);
    int room = ActiveFrames.room(asker.maxFrameBytes(), overhead);
    int capacity = Math.min(most, room);
    Packet packet =
        room < leastBytes || !request.isOpen()
            ? null
            : direct.packetFor(asker, PacketLayout.aligned(overhead + capacity));
    if (packet == null) {
      UnsafeBuffer own = new UnsafeBuffer(new byte[most]);
      return claim(request, null, own, 0, most, argumentCount);
    }
    int at = Packet.HEADER_LENGTH + overhead;
    return claim(request, ActivePlace.of(packet), packet.buffer(), at, capacity, argumentCount);
  }

  /** In a buffer of the program. */
  ActiveReplyClaim prepare(
      ReceivedRequest request,
      int argumentCount,
      MutableDirectBuffer from,
      int fromOffset,
      int bytes,
      Runnable onFree) {
    ActiveClaim.require(argumentCount, bytes, bytes, direct.desk().maxMedium());
    BufferRange.require(from, fromOffset, bytes);
    Objects.requireNonNull(onFree, "onFree");
    ActivePlace place = ActivePlace.of(() -> direct.desk().tell(onFree));
    return claim(request, place, from, fromOffset, bytes, argumentCount);
  }

  private ActiveReplyClaim claim(
      ReceivedRequest request,
      ActivePlace held,
      MutableDirectBuffer place,
      int at,
      int capacity,
      int argumentCount) {
    return new ActiveReplyClaim(
        new ActiveReplyClaim.Replier() {
          @Override
          public boolean reply(ActiveBody body, ActivePlace committed) {
            boolean inTime = request.claimsAnswer();
            boolean leaves = inTime && request.wantsReply();
            if (leaves) {
              direct.run(() -> direct.target().reply(request, body, committed));
            } else if (committed != null) {
              giveUp(committed);
            }
            return inTime;
          }

          @Override
          public void giveUp(ActivePlace unused) {
            direct.giveUp(unused);
          }
        },
        held,
        place,
        at,
        capacity,
        argumentCount);
  }
}
