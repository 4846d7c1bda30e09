package io.tagfabric.match;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionSink;
import io.tagfabric.complete.Direction;
import io.tagfabric.error.FabricError;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.MessageView;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The receiving side of one endpoint: pairs messages with receives and routes, copies bytes once,
 * completes receives. Single threaded; the {@link TagMatcher} actor is its shell.
 *
 * <p>Order: a message takes the earliest posted receive that fits; if there is none, the earliest
 * added route that fits; if there is none, it waits. A new receive or route takes waiting messages
 * in the order they came.
 *
 * @source libfabric fi_tagged(3); MPI-4.1 §3.5
 */
public final class ReceiveContext {
  private final MatchTable<PostedReceive, UnexpectedMessage> table;
  private final ReceiveCompletions outcomes;
  private final TransferListener transfers;
  private final Assembly assembly = new Assembly();
  private final FrameCursor cursor = new FrameCursor();
  private final MessageView whole = new MessageView();
  private final RouteTable routes = new RouteTable();
  private final Int2ObjectHashMap<Completion.Failed> lostPeers = new Int2ObjectHashMap<>();
  private long unexpectedBytes;
  private long peakUnexpectedBytes;
  private boolean closed;
  private boolean failed;
  private String closedBecause = "the endpoint is closed";

  /**
   * A receiving side.
   *
   * @param maxUnexpectedClasses see {@link MatchTable}
   * @param completions where receives without a listener complete
   * @param transfers is told which announced messages have matched
   */
  public ReceiveContext(
      int maxUnexpectedClasses, CompletionSink completions, TransferListener transfers) {
    this.table = new MatchTable<>(maxUnexpectedClasses);
    this.outcomes = new ReceiveCompletions(completions);
    this.transfers = transfers;
  }

  /** Takes the earliest waiting message that fits, or waits for one. */
  public boolean post(PostedReceive receive) {
    if (closed) {
      failClosed(receive);
      return false;
    }
    UnexpectedMessage message = table.matchPost(receive.tag(), receive.ignore(), receive.source());
    if (message != null) {
      takeWaiting(receive, message);
      return true;
    }
    Completion.Failed lost =
        receive.source() == TagSelector.ANY_SOURCE ? null : lostPeers.get(receive.source());
    if (lost != null) {
      outcomes.fail(receive, lost.error(), receive.source(), receive.tag(), lost.detail());
      return false;
    }
    table.addPosted(receive);
    return false;
  }

  /**
   * Fails a receive that was told to the matcher when the endpoint closed, unless the matcher has
   * begun with it.
   */
  public void refuse(PostedReceive receive) {
    if (receive.begin()) {
      failClosed(receive);
    }
  }

  private void failClosed(PostedReceive receive) {
    outcomes.fail(receive, FabricError.CANCELED, receive.source(), receive.tag(), closedBecause);
  }

  /** Says why receives are cancelled from now on. */
  public void closedBecause(String detail) {
    closedBecause = detail;
  }

  /**
   * Ends after a defect: everything posted is cancelled, and what arrives is not taken any more, so
   * that its sender does not hear that it was delivered.
   *
   * @param receive during which it was met, null if there is none
   */
  public void fail(RuntimeException failure, PostedReceive receive) {
    failed = true;
    closedBecause = "the endpoint has failed: " + failure;
    if (receive != null) {
      failClosed(receive);
    }
    close();
    transfers.onFailed(failure);
  }

  private void takeWaiting(PostedReceive receive, UnexpectedMessage message) {
    FrameOrigin origin = message.origin;
    if (message.isAnnounced()) {
      origin.consumedRequest();
      match(new InboundTransfer(receive, message.envelope));
      return;
    }
    unexpectedBytes -= message.bytes.length;
    origin.consumedEager(message.bytes.length);
    Assembly.Partial partial = assembly.find(message);
    if (partial != null) {
      assembly.take(partial, new InboundTransfer(receive, message.envelope));
    } else {
      outcomes.complete(receive, message);
    }
  }

  /** Offers the tagged messages of a packet, in order. The caller keeps its reference. */
  public void arrived(FrameBatch batch) {
    if (failed) {
      return;
    }
    FrameOrigin origin = batch.origin();
    cursor.wrap(batch);
    int template;
    while ((template = cursor.nextFrame()) != 0) {
      if (template == FrameCursor.EAGER) {
        arrivedEager(batch, origin);
      } else if (template == FrameCursor.REQUEST_TO_SEND) {
        arrivedRequest(origin);
      } else if (template == FrameCursor.EAGER_FIRST) {
        arrivedFirst(batch, origin);
      } else if (template == FrameCursor.EAGER_NEXT) {
        var next = cursor.eagerNext();
        Assembly.Partial partial = assembly.find(origin, next.message());
        if (partial != null) {
          int at = cursor.eagerNextPayloadAt();
          arrivedPart(partial, next.position(), batch.buffer(), at, next.length());
        }
      } else if (template == FrameCursor.ABORT) {
        arrivedAbort(origin, cursor.abort().message(), cursor.abort().errorCode());
      }
    }
    origin.processed(cursor.packet().sequence());
  }

  private void arrivedEager(FrameBatch batch, FrameOrigin origin) {
    var frame = cursor.eager();
    whole.show(frame.tag(), batch.buffer(), cursor.eagerPayloadAt(), frame.length());
    if (frame.flags() != 0) {
      whole.showData(frame.data());
    }
    arrived(origin, whole);
  }

  /** Offers a whole tagged message. The payload is copied before the call returns. */
  public void arrived(FrameOrigin origin, MessageView message) {
    if (failed) {
      return;
    }
    PostedReceive receive = matchArrival(message.tag(), origin.peer());
    if (receive != null) {
      origin.consumedEager(message.length());
      outcomes.complete(receive, origin.peer(), message);
    } else if (!closed) {
      byte[] bytes = new byte[message.length()];
      message.buffer().getBytes(message.offset(), bytes);
      keep(new UnexpectedMessage(origin, message, bytes));
    }
  }

  private void keep(UnexpectedMessage message) {
    table.addUnexpected(message);
    unexpectedBytes += message.bytes.length;
    peakUnexpectedBytes = Math.max(peakUnexpectedBytes, unexpectedBytes);
  }

  private void arrivedFirst(FrameBatch batch, FrameOrigin origin) {
    var frame = cursor.eagerFirst();
    Assembly.Partial before = assembly.find(origin);
    if (before != null) {
      assembly.remove(before);
      drop(before, FabricError.IO, "the sender began another message before it finished this");
    }
    PostedReceive receive = matchArrival(frame.tag(), origin.peer());
    if (receive == null && closed) {
      return;
    }
    Envelope envelope = new Envelope(origin, frame);
    int total = (int) envelope.length;
    Assembly.Partial partial;
    if (receive != null) {
      origin.consumedEager(total);
      partial = assembly.begin(new InboundTransfer(receive, envelope));
    } else {
      UnexpectedMessage waiting = new UnexpectedMessage(envelope, new byte[total]);
      keep(waiting);
      partial = assembly.begin(waiting);
    }
    arrivedPart(partial, 0, batch.buffer(), cursor.eagerFirstPayloadAt(), frame.length());
  }

  private void arrivedPart(
      Assembly.Partial partial, long position, DirectBuffer payload, int offset, int length) {
    if (partial.add(position, payload, offset, length)) {
      assembly.remove(partial);
      if (partial.transfer() != null) {
        outcomes.completeTransfer(partial.transfer());
      }
    }
  }

  /** The sender gives a message up, of which not all bytes have come. */
  private void arrivedAbort(FrameOrigin origin, long message, int errorCode) {
    FabricError error = FabricError.find(errorCode).orElse(FabricError.OTHER);
    Assembly.Partial partial = assembly.find(origin, message);
    if (partial != null) {
      assembly.remove(partial);
      drop(partial, error, "the sender has cancelled the message");
      return;
    }
    UnexpectedMessage announced = findAnnounced(origin, message);
    if (announced == null) {
      transfers.onAborted(origin, message, error);
    } else {
      table.remove(announced);
      origin.consumedRequest();
    }
  }

  private UnexpectedMessage findAnnounced(FrameOrigin origin, long message) {
    UnexpectedMessage[] found = new UnexpectedMessage[1];
    table.forEachUnexpected(
        each -> {
          if (each.origin == origin && each.isAnnounced() && each.envelope.message == message) {
            found[0] = each;
          }
        });
    return found[0];
  }

  private void drop(Assembly.Partial partial, FabricError error, String detail) {
    InboundTransfer transfer = partial.transfer();
    if (transfer != null) {
      ended(transfer, error, detail);
    } else {
      table.remove(partial.waiting());
      unexpectedBytes -= partial.waiting().bytes.length;
      partial.origin.consumedEager(partial.waiting().bytes.length);
    }
  }

  private void arrivedRequest(FrameOrigin origin) {
    Envelope envelope = new Envelope(origin, cursor.requestToSend(), cursor.requestMemory());
    PostedReceive receive = matchArrival(envelope.tag, origin.peer());
    if (receive != null) {
      origin.consumedRequest();
      match(new InboundTransfer(receive, envelope));
    } else if (!closed) {
      table.addUnexpected(new UnexpectedMessage(envelope, null));
    }
  }

  private PostedReceive matchArrival(long tag, int source) {
    PostedReceive receive = table.matchArrival(tag, source);
    return receive == null ? routes.matchArrival(tag, source) : receive;
  }

  private void match(InboundTransfer transfer) {
    if (transfer.origin().isLost()) {
      ended(transfer, FabricError.CONNECTION_RESET, "the sender is gone");
    } else {
      transfers.onMatched(transfer);
    }
  }

  /** A transfer has all its bytes, or none will follow: error is then not null. */
  public void ended(InboundTransfer transfer, FabricError error, String detail) {
    if (error == null) {
      outcomes.completeTransfer(transfer);
    } else {
      outcomes.fail(
          transfer.receive(), error, transfer.origin().peer(), transfer.envelope().tag, detail);
    }
  }

  /** Cancels the earliest posted receive with this context; false if none is waiting. */
  boolean cancel(Object context) {
    PostedReceive[] found = new PostedReceive[1];
    table.forEachPosted(
        receive -> {
          if (found[0] == null && receive.context() == context) {
            found[0] = receive;
          }
        });
    if (found[0] == null || !table.remove(found[0])) {
      return false;
    }
    outcomes.fail(found[0], FabricError.CANCELED, found[0].source(), found[0].tag(), "cancelled");
    return true;
  }

  /** Adds a standing route and gives it what is waiting; does nothing once closed. */
  void addRoute(TagRoute route) {
    if (closed) {
      return;
    }
    routes.add(route);
    TagSelector selector = route.selector();
    UnexpectedMessage message;
    while ((message = table.matchPost(selector.tag(), selector.ignore(), selector.source()))
        != null) {
      takeWaiting(route.next(), message);
    }
  }

  /** Takes a subscriber's routes away; what they have matched before is still delivered. */
  void removeRoutes(Object subscriber) {
    routes.remove(subscriber);
  }

  /** A peer is gone: receives that name it fail, what it announced is forgotten. */
  void peerLost(int peer, FabricError error, String detail) {
    lostPeers.put(
        peer, new Completion.Failed(null, error, peer, 0, 0, 0, Direction.RECEIVE, detail));
    List<PostedReceive> naming = new ArrayList<>();
    table.forEachPosted(
        receive -> {
          if (receive.source() == peer) {
            naming.add(receive);
          }
        });
    for (PostedReceive receive : naming) {
      table.remove(receive);
      outcomes.fail(receive, error, peer, receive.tag(), detail);
    }
    List<UnexpectedMessage> announced = new ArrayList<>();
    table.forEachUnexpected(
        message -> {
          if (message.source() == peer && message.isAnnounced()) {
            announced.add(message);
          }
        });
    announced.forEach(table::remove);
    for (Assembly.Partial partial : assembly.removeAll(peer)) {
      drop(partial, error, detail);
    }
  }

  /** Cancels all posted receives and takes no more; returns how many were cancelled. */
  int close() {
    closed = true;
    List<PostedReceive> posted = new ArrayList<>();
    table.forEachPosted(posted::add);
    for (PostedReceive receive : posted) {
      table.remove(receive);
      failClosed(receive);
    }
    routes.clear();
    return posted.size();
  }

  int postedCount() {
    return table.postedCount();
  }

  int unexpectedCount() {
    return table.unexpectedCount();
  }

  long unexpectedBytes() {
    return unexpectedBytes;
  }

  long peakUnexpectedBytes() {
    return peakUnexpectedBytes;
  }
}
