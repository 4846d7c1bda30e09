package io.tagfabric.match;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionSink;
import io.tagfabric.complete.Direction;
import io.tagfabric.error.FabricError;
import io.tagfabric.tag.Payload;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
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
  private final CompletionSink completions;
  private final Consumer<InboundTransfer> clearance;
  private final FrameCursor cursor = new FrameCursor();
  private final List<TagRoute> routes = new ArrayList<>();
  private final Int2ObjectHashMap<Completion.Failed> lostPeers = new Int2ObjectHashMap<>();
  private long unexpectedBytes;
  private long peakUnexpectedBytes;
  private boolean closed;

  /**
   * A receiving side.
   *
   * @param maxUnexpectedClasses see {@link MatchTable}
   * @param completions where receives without a listener complete
   * @param clearance is told which announced messages have matched
   */
  public ReceiveContext(
      int maxUnexpectedClasses, CompletionSink completions, Consumer<InboundTransfer> clearance) {
    this.table = new MatchTable<>(maxUnexpectedClasses);
    this.completions = completions;
    this.clearance = clearance;
  }

  /** Takes the earliest waiting message that fits, or waits for one. */
  public void post(PostedReceive receive) {
    if (closed) {
      fail(
          receive, FabricError.CANCELED, receive.source(), receive.tag(), "the endpoint is closed");
      return;
    }
    UnexpectedMessage message = table.matchPost(receive.tag(), receive.ignore(), receive.source());
    if (message != null) {
      takeWaiting(receive, message);
      return;
    }
    Completion.Failed lost =
        receive.source() == TagSelector.ANY_SOURCE ? null : lostPeers.get(receive.source());
    if (lost != null) {
      fail(receive, lost.error(), receive.source(), receive.tag(), lost.detail());
      return;
    }
    table.addPosted(receive);
  }

  private void takeWaiting(PostedReceive receive, UnexpectedMessage message) {
    if (message.isAnnounced()) {
      message.origin.consumedRequest();
      match(
          receive,
          message.origin,
          message.tag(),
          message.hasData,
          message.data,
          message.length,
          message.message);
    } else {
      unexpectedBytes -= message.bytes.length;
      message.origin.consumedEager(message.bytes.length);
      complete(
          receive, message.source(), message.tag(), message.hasData, message.data, message.bytes);
    }
  }

  /** Offers the tagged messages of a packet, in order. The caller keeps its reference. */
  public void arrived(FrameBatch batch) {
    FrameOrigin origin = batch.origin();
    cursor.wrap(batch);
    int template;
    while ((template = cursor.nextFrame()) != 0) {
      if (template == FrameCursor.EAGER) {
        arrivedEager(batch, origin);
      } else if (template == FrameCursor.REQUEST_TO_SEND) {
        arrivedRequest(origin);
      }
    }
  }

  private void arrivedEager(FrameBatch batch, FrameOrigin origin) {
    var frame = cursor.eager();
    long tag = frame.tag();
    int length = frame.length();
    boolean hasData = frame.flags() != 0;
    PostedReceive receive = matchArrival(tag, origin.peer());
    if (receive != null && receive.listener() == null) {
      origin.consumedEager(length);
      complete(
          receive,
          origin.peer(),
          tag,
          hasData,
          frame.data(),
          batch.buffer(),
          cursor.eagerPayloadAt(),
          length);
      return;
    }
    byte[] bytes = new byte[length];
    batch.buffer().getBytes(cursor.eagerPayloadAt(), bytes);
    if (receive != null) {
      origin.consumedEager(length);
      complete(receive, origin.peer(), tag, hasData, frame.data(), bytes);
    } else if (!closed) {
      table.addUnexpected(new UnexpectedMessage(origin, tag, hasData, frame.data(), bytes));
      unexpectedBytes += length;
      peakUnexpectedBytes = Math.max(peakUnexpectedBytes, unexpectedBytes);
    }
  }

  private void arrivedRequest(FrameOrigin origin) {
    var frame = cursor.requestToSend();
    boolean hasData = frame.flags() != 0;
    PostedReceive receive = matchArrival(frame.tag(), origin.peer());
    if (receive != null) {
      origin.consumedRequest();
      match(receive, origin, frame.tag(), hasData, frame.data(), frame.length(), frame.message());
    } else if (!closed) {
      table.addUnexpected(
          new UnexpectedMessage(
              origin, frame.tag(), hasData, frame.data(), frame.length(), frame.message()));
    }
  }

  private PostedReceive matchArrival(long tag, int source) {
    PostedReceive receive = table.matchArrival(tag, source);
    if (receive == null && !routes.isEmpty()) {
      for (TagRoute route : routes) {
        if (route.selector().matches(tag, source)) {
          return route.next();
        }
      }
    }
    return receive;
  }

  private void match(
      PostedReceive receive,
      FrameOrigin origin,
      long tag,
      boolean hasData,
      long data,
      long length,
      long message) {
    InboundTransfer transfer =
        new InboundTransfer(receive, origin, tag, hasData, data, message, length);
    if (!origin.isOpen()) {
      ended(transfer, FabricError.CONNECTION_RESET, "the sender is gone");
    } else {
      clearance.accept(transfer);
    }
  }

  /** A transfer has all its bytes, or none will follow: error is then not null. */
  void ended(InboundTransfer transfer, FabricError error, String detail) {
    PostedReceive receive = transfer.receive();
    int source = transfer.origin().peer();
    if (error != null) {
      fail(receive, error, source, transfer.tag(), detail);
    } else if (receive.listener() != null) {
      long overflow = transfer.length() - transfer.wanted();
      tellListener(
          receive,
          source,
          transfer.tag(),
          transfer.hasData(),
          transfer.data(),
          transfer.ownBytes(),
          overflow);
    } else {
      completed(
          receive,
          source,
          transfer.tag(),
          transfer.hasData(),
          transfer.data(),
          transfer.wanted(),
          transfer.length() - transfer.wanted());
    }
  }

  private void complete(
      PostedReceive receive, int source, long tag, boolean hasData, long data, byte[] bytes) {
    if (receive.listener() == null) {
      int placed = Math.min(bytes.length, receive.capacity());
      if (placed > 0) {
        receive.buffer().putBytes(receive.offset(), bytes, 0, placed);
      }
      completed(receive, source, tag, hasData, data, placed, bytes.length - placed);
    } else {
      long overflow = Math.max(0, bytes.length - receive.capacity());
      tellListener(receive, source, tag, hasData, data, bytes, overflow);
    }
  }

  private void complete(
      PostedReceive receive,
      int source,
      long tag,
      boolean hasData,
      long data,
      DirectBuffer payload,
      int payloadAt,
      int length) {
    int placed = Math.min(length, receive.capacity());
    if (placed > 0) {
      receive.buffer().putBytes(receive.offset(), payload, payloadAt, placed);
    }
    completed(receive, source, tag, hasData, data, placed, length - placed);
  }

  private void completed(
      PostedReceive receive,
      int source,
      long tag,
      boolean hasData,
      long data,
      long placed,
      long overflow) {
    CompletionEntry entry = completions.next();
    if (overflow > 0) {
      entry.setFailed(
          receive.context(),
          FabricError.TRUNCATED,
          source,
          tag,
          placed,
          overflow,
          Direction.RECEIVE,
          truncated(placed + overflow, receive.capacity()));
    } else {
      entry.setReceived(receive.context(), source, tag, placed);
    }
    if (hasData) {
      entry.setData(data);
    }
  }

  private void tellListener(
      PostedReceive receive,
      int source,
      long tag,
      boolean hasData,
      long data,
      byte[] bytes,
      long overflow) {
    if (overflow > 0) {
      receive
          .listener()
          .onFailed(
              new Completion.Failed(
                  receive.context(),
                  FabricError.TRUNCATED,
                  source,
                  tag,
                  receive.capacity(),
                  overflow,
                  Direction.RECEIVE,
                  truncated(receive.capacity() + overflow, receive.capacity())));
    } else {
      receive
          .listener()
          .onReceived(new TaggedMessage(source, tag, hasData, data, Payload.wrap(bytes)));
    }
  }

  private static String truncated(long length, int capacity) {
    return "messageBytes=" + length + " > bufferBytes=" + capacity + ", post a larger buffer";
  }

  private void fail(PostedReceive receive, FabricError error, int peer, long tag, String detail) {
    if (receive.listener() != null) {
      receive
          .listener()
          .onFailed(
              new Completion.Failed(
                  receive.context(), error, peer, tag, 0, 0, Direction.RECEIVE, detail));
    } else {
      completions
          .next()
          .setFailed(receive.context(), error, peer, tag, 0, 0, Direction.RECEIVE, detail);
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
    fail(found[0], FabricError.CANCELED, found[0].source(), found[0].tag(), "cancelled");
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
    routes.removeIf(route -> route.subscriber().equals(subscriber));
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
      fail(receive, error, peer, receive.tag(), detail);
    }
    List<UnexpectedMessage> announced = new ArrayList<>();
    table.forEachUnexpected(
        message -> {
          if (message.source() == peer && message.isAnnounced()) {
            announced.add(message);
          }
        });
    announced.forEach(table::remove);
  }

  /** Cancels all posted receives and takes no more; returns how many were cancelled. */
  int close() {
    closed = true;
    List<PostedReceive> posted = new ArrayList<>();
    table.forEachPosted(posted::add);
    for (PostedReceive receive : posted) {
      table.remove(receive);
      fail(
          receive, FabricError.CANCELED, receive.source(), receive.tag(), "the endpoint is closed");
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
