package io.tagfabric.endpoint;

import io.tagfabric.error.FabricError;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.SizeClasses;
import io.tagfabric.match.InboundTransfer;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.MemoryKey;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The long messages on their way into receives of one endpoint. There are three ways: bytes in
 * memory that both sides share are read from the sender, a part in each pass; bytes for such memory
 * are written there by the sender; all others come in packets, window by window. Single threaded:
 * the domain's loop.
 */
final class InboundTransfers {
  /** Bytes read in one pass, so that other work of the loop gets its turn. */
  private static final int PULL_BYTES = 256 * 1024;

  private final EndpointOutput output;
  private final Long2ObjectHashMap<InboundTransfer> asked = new Long2ObjectHashMap<>();
  private final ArrayDeque<InboundTransfer> pulled = new ArrayDeque<>();
  private long nextReceive = 1;

  InboundTransfers(EndpointOutput output) {
    this.output = output;
  }

  /** A receive has matched an announced message: gets its bytes. */
  void begin(InboundTransfer transfer) {
    Flow flow = (Flow) transfer.origin();
    if (flow.isLost()) {
      output.transferEnded(transfer, FabricError.CONNECTION_RESET, flow.address() + " is gone");
    } else if (transfer.wanted() == 0) {
      flow.rendezvous().clearToSend(transfer.message(), nextReceive++, 0, 0, 0, null);
      output.transferEnded(transfer, null, null);
    } else if (transfer.source() != null) {
      pulled.addLast(transfer);
    } else {
      ask(flow, transfer);
    }
  }

  private void ask(Flow flow, InboundTransfer transfer) {
    long receive = nextReceive++;
    asked.put(receive, transfer);
    int wanted = transfer.wanted();
    MemoryKey target =
        transfer.hasRoom()
            ? flow.rendezvous().keyOf(transfer.target(), transfer.targetOffset(), wanted)
            : null;
    if (target == null) {
      askForMore(flow, transfer, receive);
    } else {
      int all = transfer.clearMore(wanted, wanted);
      flow.rendezvous().clearToSend(transfer.message(), receive, wanted, wanted, all, target);
    }
  }

  private static void askForMore(Flow flow, InboundTransfer transfer, long receive) {
    SizeClasses sizes = flow.rendezvous().sizes();
    int more = transfer.clearMore(sizes.windowBytes(), sizes.bytesUnderWay());
    if (more > 0) {
      flow.rendezvous()
          .clearToSend(
              transfer.message(), receive, transfer.wanted(), transfer.clearedTo(), more, null);
    }
  }

  /** Reads a part of the next message that lies in shared memory. Returns the work done. */
  int pull() {
    InboundTransfer transfer = pulled.pollFirst();
    if (transfer == null) {
      return 0;
    }
    Flow flow = (Flow) transfer.origin();
    int at = transfer.arrived();
    int part = Math.min(PULL_BYTES, transfer.wanted() - at);
    int targetAt = transfer.targetOffset() + at;
    if (transfer.hasRoom()
        && !flow.rendezvous().read(transfer.source(), at, transfer.target(), targetAt, part)) {
      transfer.restart();
      ask(flow, transfer);
      return 1;
    }
    transfer.pulled(part);
    if (transfer.isComplete()) {
      flow.rendezvous().finish(transfer.message(), 0);
      output.transferEnded(transfer, null, null);
    } else {
      pulled.addLast(transfer);
    }
    return 1;
  }

  /** Bytes came in a packet. */
  void onData(
      Flow flow, long receive, long position, DirectBuffer payload, int offset, int length) {
    InboundTransfer transfer = find(flow, receive);
    if (transfer != null) {
      boolean placed = transfer.place(position, payload, offset, length);
      arrived(flow, receive, transfer, position, placed);
    }
  }

  /** The sender has written bytes. */
  void onPlaced(Flow flow, long receive, long position, int length) {
    InboundTransfer transfer = find(flow, receive);
    if (transfer != null) {
      arrived(flow, receive, transfer, position, transfer.placed(position, length));
    }
  }

  private InboundTransfer find(Flow flow, long receive) {
    InboundTransfer transfer = asked.get(receive);
    return transfer != null && transfer.origin() == flow ? transfer : null;
  }

  private void arrived(
      Flow flow, long receive, InboundTransfer transfer, long position, boolean placed) {
    if (!placed) {
      flow.breach(
          "bytes at position="
              + position
              + " of message="
              + transfer.message()
              + " are not those that come next, arrived="
              + transfer.arrived()
              + " of clearedTo="
              + transfer.clearedTo());
    } else if (transfer.isComplete()) {
      asked.remove(receive);
      if (transfer.wantsFinish()) {
        flow.rendezvous().finish(transfer.message(), 0);
      }
      output.transferEnded(transfer, null, null);
    } else {
      askForMore(flow, transfer, receive);
    }
  }

  /** The sender gives up a message of which not all bytes have come. */
  void abort(FrameOrigin origin, long message, FabricError error) {
    Flow flow = (Flow) origin;
    end(
        each -> each.origin() == origin && each.message() == message,
        error,
        "peer [" + flow.address() + "] has cancelled the message");
  }

  /** A flow is lost, and with it what it was bringing. */
  void lose(Flow flow, FabricError error, String detail) {
    end(each -> each.origin() == flow, error, detail);
  }

  private void end(Predicate<InboundTransfer> chosen, FabricError error, String detail) {
    end(asked.values().iterator(), chosen, error, detail);
    end(pulled.iterator(), chosen, error, detail);
  }

  private void end(
      Iterator<InboundTransfer> all,
      Predicate<InboundTransfer> chosen,
      FabricError error,
      String detail) {
    while (all.hasNext()) {
      InboundTransfer transfer = all.next();
      if (chosen.test(transfer)) {
        all.remove();
        ((Flow) transfer.origin()).rendezvous().forgo(transfer.underWay());
        output.transferEnded(transfer, error, detail);
      }
    }
  }
}
