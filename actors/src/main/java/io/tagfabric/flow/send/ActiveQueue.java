package io.tagfabric.flow.send;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.window.ActiveShare;
import io.tagfabric.flow.window.PacketOutbox;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import java.util.ArrayDeque;

/**
 * Active requests of one flow, in the order submitted, as far as the peer's credit for them goes.
 * The credit is a total since the flow began, in the header of each packet: a lost header does no
 * harm. A request uses one; it is back when the peer has run the handler and replied.
 *
 * @source GASNet-EX, active messages; ibv-conduit, GASNET_AM_CREDITS
 */
@InternalApi
public final class ActiveQueue {
  private static final int MIN_PART_BYTES = 512;

  private final PacketOutbox outbox;
  private final ActiveShare share;
  private final Runnable onRoom;
  private final ArrayDeque<OutgoingActive> waiting = new ArrayDeque<>();

  /** The first of those that wait, if frames of it have left. */
  private OutgoingActive begun;

  private long sent;
  private long granted;

  /** What was granted before the first request; what is granted beyond it has come back. */
  private long first;

  private int underWay;
  private boolean waits;

  /** Credits that claims hold, of requests that are not written yet. */
  private int reserved;

  /** Whether the first of those that wait brings a credit that its claim has held. */
  private boolean firstHasCredit;

  private boolean ended;

  /**
   * A queue.
   *
   * @param onRoom runs when there is room in the share that there was not
   */
  public ActiveQueue(PacketOutbox outbox, ActiveShare share, Runnable onRoom) {
    this.outbox = outbox;
    this.share = share;
    this.onRoom = onRoom;
  }

  /** Accepts a request; it leaves with a flush. */
  public void submit(OutgoingActive request) {
    waiting.addLast(request);
  }

  /** Takes a credit for a request that is yet to be written, if one is there for it now. */
  public boolean reserve() {
    if (ended || !waiting.isEmpty() || !hasCredit()) {
      return false;
    }
    reserved++;
    take();
    return true;
  }

  /** Gives a credit back that {@link #reserve} has taken. */
  public void giveUp() {
    if (!ended) {
      reserved--;
      share.giveBack(1);
      if (!waiting.isEmpty()) {
        onRoom.run();
      }
    }
  }

  /**
   * Accepts a request that brings its credit. Those that wait already were made before it: then the
   * first of them has the credit.
   */
  public void submitReserved(OutgoingActive request) {
    if (waiting.isEmpty()) {
      firstHasCredit = true;
    } else {
      giveUp();
    }
    waiting.addLast(request);
  }

  /** Whether a packet would take a frame of a request now. */
  public boolean hasRoomFor(int frameBytes) {
    return outbox.hasRoomFor(PacketLayout.aligned(frameBytes));
  }

  /** Puts a request into packets, if all of it can leave now; otherwise nothing has happened. */
  public boolean submitNow(OutgoingActive request) {
    int frameBytes = frameBytes(request);
    if (!waiting.isEmpty()
        || !hasCredit()
        || !outbox.hasRoomFor(frameBytes)
        || !outbox.room(frameBytes)) {
      // The last: the channel may refuse the packet that is full, and then there is no other.
      return false;
    }
    waiting.addLast(request);
    pump();
    return true;
  }

  private static int frameBytes(OutgoingActive request) {
    return PacketLayout.aligned(request.overheadBytes() + request.leftBytes());
  }

  private boolean hasCredit() {
    return sent + reserved < granted && share.hasRoom(onRoom);
  }

  private void take() {
    share.take();
    leaveLine();
  }

  /** Waits for room in the share no more. */
  private void leaveLine() {
    if (waits) {
      waits = false;
      share.leave(onRoom);
    }
  }

  /** Puts requests into packets, as far as credit and window allow. */
  public void pump() {
    while (!waiting.isEmpty() && (begun != null || mayBegin()) && write(waiting.peekFirst())) {
      waiting.pollFirst().onLeft();
    }
  }

  private boolean mayBegin() {
    if (firstHasCredit) {
      return true;
    }
    if (sent + reserved >= granted) {
      leaveLine(); // others can use the room
      return false;
    }
    if (share.hasRoom(onRoom)) {
      return true;
    }
    if (!waits) {
      waits = true;
      share.await(onRoom);
    }
    return false;
  }

  /** Goes on with a request; whether all of it is in packets. */
  private boolean write(OutgoingActive request) {
    do {
      int left = request.leftBytes();
      int part = room(request, left);
      if (part < 0) {
        return false;
      }
      if (begun == null) {
        begin(request);
      }
      request.write(outbox.open(), part);
    } while (request.leftBytes() > 0);
    begun = null;
    if (share.isScarce()) {
      // Other flows want its credit too: the peer must not keep it for a packet to ride in.
      if (request.wantsReply()) {
        outbox.giveOpenAHeader();
      } else {
        outbox.acknowledgeOpen();
      }
    }
    return true;
  }

  private void begin(OutgoingActive request) {
    begun = request;
    sent++;
    underWay++;
    if (firstHasCredit) {
      firstHasCredit = false;
      reserved--;
    } else {
      take();
    }
  }

  /** Payload bytes that fit into a frame now; -1 if the window is closed. */
  private int room(OutgoingActive request, int left) {
    int overhead = request.overheadBytes();
    if (request.prepared() != null) {
      int frameBytes = PacketLayout.aligned(overhead + left);
      return outbox.roomFor(request.prepared(), frameBytes) ? left : -1;
    }
    if (left == 0) {
      return outbox.room(PacketLayout.aligned(overhead)) ? 0 : -1;
    }
    int part = outbox.roomForPart(left, MIN_PART_BYTES, overhead);
    return part == 0 ? -1 : part;
  }

  /**
   * Takes what a header grants.
   *
   * @return whether there is something to send now
   */
  boolean take(PacketHeaderDecoder header) {
    int more = (short) (header.grantedActive() - granted);
    if (more <= 0) {
      return false;
    }
    granted += more;
    if (sent == 0) {
      first = granted;
    }
    settle();
    return !waiting.isEmpty();
  }

  /** Those whose credit has come back are under way no more. */
  private void settle() {
    int left = (int) Math.max(0, Math.min(underWay, sent - (granted - first)));
    int back = underWay - left;
    if (back > 0) {
      underWay = left;
      share.giveBack(back);
    }
  }

  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** Whether one that waits could leave now, were there room in a packet. */
  boolean isReady() {
    return !waiting.isEmpty() && (begun != null || firstHasCredit || hasCredit());
  }

  /** Whether the peer owes the credit of requests. */
  boolean isOwed() {
    return underWay > 0;
  }

  /** The flow is over, or says goodbye: gives up what has not left. */
  void failAll(FabricError error, String detail) {
    begun = null;
    if (firstHasCredit) {
      firstHasCredit = false;
      reserved--;
      share.giveBack(1);
    }
    OutgoingActive request;
    while ((request = waiting.pollFirst()) != null) {
      request.onFailed(error, detail);
    }
    leaveLine();
  }

  /** The flow is over: nothing comes back any more. */
  public void end() {
    ended = true;
    int all = underWay + reserved;
    underWay = 0;
    reserved = 0;
    leaveLine();
    share.giveBack(all);
  }
}
