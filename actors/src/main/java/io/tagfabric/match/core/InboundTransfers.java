package io.tagfabric.match.core;

import io.tagfabric.error.FabricError;
import io.tagfabric.wire.Announced;
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
  /** Is told once how a transfer has ended. */
  @FunctionalInterface
  interface End {
    /** All bytes are in place if {@code error} is null; otherwise no more will come. */
    void ended(InboundTransfer transfer, FabricError error, String detail);
  }

  /** Bytes read in one pass, so that other work of the loop gets its turn. */
  private static final int PULL_BYTES = 256 * 1024;

  private final End end;
  private final Long2ObjectHashMap<InboundTransfer> asked = new Long2ObjectHashMap<>();
  private final ArrayDeque<InboundTransfer> pulled = new ArrayDeque<>();
  private long nextReceive = 1;
  private Runnable onDue = () -> {};

  InboundTransfers(End end) {
    this.end = end;
  }

  /** Whether there is one that is wanted. */
  boolean has(Predicate<InboundTransfer> wanted) {
    return asked.values().stream().anyMatch(wanted) || pulled.stream().anyMatch(wanted);
  }

  /** Sets what runs when {@link #pull} has to be called; unset if each pass calls it. */
  void whenDue(Runnable marks) {
    onDue = marks;
  }

  /** A receive has matched an announced message: gets its bytes. */
  void begin(InboundTransfer transfer) {
    FrameOrigin origin = transfer.origin();
    if (origin.isLost()) {
      end.ended(transfer, FabricError.CONNECTION_RESET, "the sender is gone");
    } else if (transfer.wanted() == 0) {
      origin.announced().clear(transfer.message(), nextReceive++, 0, 0, 0, null);
      end.ended(transfer, null, null);
    } else if (transfer.source() != null) {
      pulled.addLast(transfer);
      onDue.run();
    } else {
      ask(transfer);
    }
  }

  private void ask(InboundTransfer transfer) {
    long receive = nextReceive++;
    asked.put(receive, transfer);
    int wanted = transfer.wanted();
    Announced announced = transfer.origin().announced();
    MemoryKey target =
        transfer.target() != null && transfer.hasRoom()
            ? announced.targetOf(transfer.target(), transfer.targetOffset(), wanted)
            : null;
    if (target == null) {
      askForMore(transfer, receive);
    } else {
      transfer.lend(target);
      int all = transfer.clearMore(wanted, wanted);
      announced.clear(transfer.message(), receive, wanted, wanted, all, target);
    }
  }

  private static void askForMore(InboundTransfer transfer, long receive) {
    Announced announced = transfer.origin().announced();
    int more = transfer.clearMore(announced.windowBytes(), announced.bytesUnderWay());
    if (more > 0) {
      announced.clear(
          transfer.message(), receive, transfer.wanted(), transfer.clearedTo(), more, null);
    }
  }

  /** Reads a part of the next message that lies in shared memory. Returns the work done. */
  int pull() {
    InboundTransfer transfer = pulled.pollFirst();
    if (transfer == null) {
      return 0;
    }
    onDue.run(); // for the next part, or the next transfer
    Announced announced = transfer.origin().announced();
    int at = transfer.arrived();
    int part = Math.min(PULL_BYTES, transfer.wanted() - at);
    if (transfer.hasRoom() && !transfer.read(announced, part)) {
      transfer.restart();
      ask(transfer);
      return 1;
    }
    transfer.pulled(part);
    if (transfer.isComplete()) {
      announced.finish(transfer.message(), 0);
      end.ended(transfer, null, null);
    } else {
      pulled.addLast(transfer);
    }
    return 1;
  }

  /** Bytes came in a packet. */
  void data(
      FrameOrigin origin, long receive, long position, DirectBuffer bytes, int offset, int length) {
    InboundTransfer transfer = find(origin, receive);
    if (transfer != null) {
      arrived(receive, transfer, position, length, transfer.place(position, bytes, offset, length));
    }
  }

  /** The sender has written bytes. */
  void placed(FrameOrigin origin, long receive, long position, int length) {
    InboundTransfer transfer = find(origin, receive);
    if (transfer != null) {
      arrived(receive, transfer, position, length, transfer.placed(position, length));
    }
  }

  private InboundTransfer find(FrameOrigin origin, long receive) {
    InboundTransfer transfer = asked.get(receive);
    if (transfer != null && transfer.origin() == origin) {
      return transfer;
    }
    origin.breach("bytes come for receive=" + receive + " that waits for none");
    return null;
  }

  private void arrived(
      long receive, InboundTransfer transfer, long position, int length, boolean placed) {
    if (placed) {
      transfer.origin().announced().settled(length);
    }
    if (!placed) {
      transfer
          .origin()
          .breach(
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
      complete(transfer);
    } else {
      askForMore(transfer, receive);
    }
  }

  private void complete(InboundTransfer transfer) {
    Announced announced = transfer.origin().announced();
    MemoryKey lent = transfer.lent();
    FabricError error = lent == null || announced.release(lent) ? null : FabricError.IO;
    if (transfer.wantsFinish()) {
      announced.finish(transfer.message(), error == null ? 0 : error.code());
    }
    end.ended(transfer, error, error == null ? null : "the memory of its buffer cannot be written");
  }

  /** The sender gives up a message of which not all bytes have come. */
  void abort(FrameOrigin origin, long message, FabricError error) {
    endAll(
        each -> each.origin() == origin && each.message() == message,
        error,
        "peer [" + origin.name() + "] has cancelled the message");
  }

  /** Ends what a lost sender was bringing. */
  void endLost(int peer, FabricError error, String detail) {
    endAll(each -> each.origin().peer() == peer && each.origin().isLost(), error, detail);
  }

  private void endAll(Predicate<InboundTransfer> chosen, FabricError error, String detail) {
    endAll(asked.values().iterator(), chosen, error, detail);
    endAll(pulled.iterator(), chosen, error, detail);
  }

  private void endAll(
      Iterator<InboundTransfer> all,
      Predicate<InboundTransfer> chosen,
      FabricError error,
      String detail) {
    while (all.hasNext()) {
      InboundTransfer transfer = all.next();
      if (chosen.test(transfer)) {
        all.remove();
        Announced announced = transfer.origin().announced();
        announced.settled(transfer.underWay());
        if (transfer.lent() != null) {
          // The program may use the buffer now; a sender that this side has given up may still
          // live.
          announced.revoke(transfer.lent());
        }
        end.ended(transfer, error, detail);
      }
    }
  }
}
