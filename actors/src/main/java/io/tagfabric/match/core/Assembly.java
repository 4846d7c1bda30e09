package io.tagfabric.match.core;

import io.tagfabric.wire.FrameOrigin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;

/**
 * Messages of several packets of which some have not come: at most one of each sender, for a sender
 * finishes one before it begins the next. The bytes go into the receive that took the message, or
 * wait with it.
 */
final class Assembly {
  /** One of them. It waits, or goes into a transfer, or neither: then nobody wants its bytes. */
  static final class Partial {
    final FrameOrigin origin;
    final Envelope envelope;
    private final long message;
    private final int total;
    private int arrived;
    private UnexpectedMessage waiting;
    private InboundTransfer transfer;

    private Partial(Envelope envelope, UnexpectedMessage waiting, InboundTransfer transfer) {
      origin = envelope.origin;
      this.envelope = envelope;
      message = envelope.message;
      total = (int) envelope.length;
      this.waiting = waiting;
      this.transfer = transfer;
    }

    /** The message that no receive has taken, null if one has. */
    UnexpectedMessage waiting() {
      return waiting;
    }

    /** Where the bytes go, null if no receive has taken the message. */
    InboundTransfer transfer() {
      return transfer;
    }

    /**
     * Places the next bytes.
     *
     * @return false if they are not those that come next; then none is placed
     */
    boolean add(long position, DirectBuffer payload, int offset, int length) {
      if (position != arrived || length > total - arrived) {
        return false;
      }
      if (transfer != null) {
        transfer.placeWhatFits(arrived, payload, offset, length);
      } else if (waiting != null) {
        payload.getBytes(offset, waiting.bytes, arrived, length);
      }
      arrived += length;
      return true;
    }

    /** Why {@link #add} was false. */
    String misfit(long position, int length) {
      return "bytes at position="
          + position
          + " of message="
          + message
          + " are not those that come next: lengthBytes="
          + length
          + ", arrived="
          + arrived
          + " of total="
          + total;
    }

    /** Whether all bytes have come. */
    boolean isWhole() {
      return arrived == total;
    }
  }

  /** In the order in which they began; a sender is equal to itself only. */
  private final Map<FrameOrigin, Partial> partials = new LinkedHashMap<>();

  /** A message begins that a receive has taken. */
  Partial begin(InboundTransfer transfer) {
    return begun(new Partial(transfer.envelope(), null, transfer));
  }

  /** A message begins that waits. */
  Partial begin(UnexpectedMessage waiting) {
    return begun(new Partial(waiting.envelope, waiting, null));
  }

  /** A message begins whose bytes nobody wants. */
  Partial begin(Envelope envelope) {
    return begun(new Partial(envelope, null, null));
  }

  private Partial begun(Partial partial) {
    partials.put(partial.origin, partial);
    partial.origin.awaitsRest(true);
    return partial;
  }

  /** The unfinished message of a sender, null if there is none. */
  Partial find(FrameOrigin origin) {
    return partials.get(origin);
  }

  /** The unfinished message of a sender with this number, null if there is none. */
  Partial find(FrameOrigin origin, long message) {
    Partial partial = partials.get(origin);
    return partial != null && partial.message == message ? partial : null;
  }

  /** The unfinished message that waits as this one, null if all its bytes have come. */
  Partial find(UnexpectedMessage waiting) {
    Partial partial = partials.isEmpty() ? null : partials.get(waiting.origin);
    return partial != null && partial.waiting == waiting ? partial : null;
  }

  /** A receive takes an unfinished message: what has come moves, the rest follows there. */
  void take(Partial partial, InboundTransfer transfer) {
    transfer.placeWhatFits(0, partial.waiting.view, 0, partial.arrived);
    partial.transfer = transfer;
    partial.waiting = null;
  }

  /** A message is whole, or will never be. */
  void remove(Partial partial) {
    if (partials.remove(partial.origin, partial)) {
      partial.origin.awaitsRest(false);
    }
  }

  /** Takes the unfinished messages of a peer away whose flow has ended. */
  List<Partial> removeLost(int peer) {
    List<Partial> removed = new ArrayList<>();
    partials.values().stream()
        .filter(each -> each.origin.peer() == peer && each.origin.isLost())
        .forEach(removed::add);
    removed.forEach(this::remove);
    return removed;
  }
}
