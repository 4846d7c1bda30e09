package io.tagfabric.match.core;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionRing;
import io.tagfabric.complete.CompletionSink;
import io.tagfabric.complete.Counter;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.MessageInfo;
import io.tagfabric.match.MessageReader;
import io.tagfabric.match.PostedProbe;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.Probe;
import io.tagfabric.match.ProbeListener;
import io.tagfabric.match.StreamEnd;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.table.MatchTable;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.trace.Recorder;
import io.tagfabric.trace.TraceKind.Way;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.MemoryKey;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.TaggedArrivals;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The receiving side of one endpoint, or of several that share it: pairs messages with receives and
 * subscriptions, copies bytes once, completes receives. Single threaded; the {@link TagMatcher}
 * actor is its shell.
 *
 * <p>Order: a message takes the earliest posted receive that fits; if there is none, the earliest
 * subscription that fits; if there is none, it waits. A new receive or subscription takes waiting
 * messages in the order they came.
 *
 * @source libfabric fi_tagged(3); MPI-4.1 §3.5
 */
@InternalApi
public final class ReceiveCore implements TaggedArrivals {
  /** Why an endpoint that only sends refuses receives. */
  public static final String RECEIVES_NOT =
      "the endpoint was opened to send only, open one that receives";

  private final MatchTables tables;
  private final ReceiveTrace trace = new ReceiveTrace();
  private final ReceiveCompletions outcomes;
  private final DroppedMessages dropped = new DroppedMessages();
  private final Deliveries deliveries;
  private final StandingReceives standing = new StandingReceives();
  private final ManyReceives many;
  private final LostPeers lostPeers = new LostPeers();
  private final Probes probes;
  private final Counter counter;
  private int maxMessageBytes = Integer.MAX_VALUE;
  private boolean receivesNothing;
  private ContextTags contextTags = ContextTags.ALL;
  private boolean closed;
  private boolean failed;
  private String closedBecause = "the endpoint is closed";

  /** A receiving side that no counter counts. */
  public ReceiveCore(int maxUnexpectedClasses, CompletionSink completions) {
    this(maxUnexpectedClasses, completions, null);
  }

  /**
   * A receiving side.
   *
   * @param maxUnexpectedClasses see {@link MatchTable}
   * @param completions where receives without a listener complete
   * @param counter counts receives of programs; null for none
   */
  public ReceiveCore(int maxUnexpectedClasses, CompletionSink completions, Counter counter) {
    this.counter = counter;
    tables = new MatchTables(maxUnexpectedClasses);
    outcomes = new ReceiveCompletions(completions, counter, trace);
    deliveries = new Deliveries(tables, outcomes, trace, dropped);
    many = new ManyReceives(tables, standing, deliveries, outcomes);
    probes = new Probes(tables, deliveries, outcomes, lostPeers);
  }

  /** From now on what happens here is recorded. */
  public void record(Recorder recorder) {
    trace.record(recorder);
  }

  /** Sets how long a message may be for a receive that does not say it. */
  public void atMost(int newMaxMessageBytes) {
    maxMessageBytes = newMaxMessageBytes;
  }

  /** From now on it refuses receives and probes: its endpoint only sends. */
  public void receiveNothing() {
    receivesNothing = true;
  }

  /** Whether a reader takes all messages with a tag. */
  public boolean isRead() {
    return standing.isRead();
  }

  /** From now on all messages with a tag go to a reader; before any has come. */
  public void read(MessageReader reader) {
    standing.read(reader);
  }

  /** Several endpoints share it; this says whether one of them has a flow with a peer. */
  public void share(IntPredicate reaches) {
    lostPeers.share(reaches);
  }

  /**
   * It is a context of a scalable endpoint, which gets the tags whose bits choose it: it refuses
   * receives and probes that want others, or any.
   *
   * @param mask the bits that choose
   * @param tag what they are in the tags that come here
   */
  public void takeOnly(long mask, long tag) {
    contextTags = new ContextTags(mask, tag);
  }

  /** Sets what runs when messages wait for a slot in a queue: it calls {@link #resume} later. */
  public void whenStalled(Runnable onStalled) {
    many.whenStalled(onStalled);
  }

  /** Sets what runs when {@link #pull} has to be called; unset if each pass calls it. */
  public void whenDue(Runnable marks) {
    deliveries.transfers.whenDue(marks);
  }

  // ---- receives ----

  /** A receive is accepted, or begun with: it will be counted when it ends. Thread: any. */
  public void accepted(PostedReceive receive) {
    outcomes.accepted(receive);
  }

  /**
   * Takes the earliest waiting message that fits, or waits for one.
   *
   * @return whether it has met a message
   */
  public boolean post(PostedReceive receive) {
    receive.atMost(maxMessageBytes);
    accepted(receive);
    if (trace.isOn()) {
      trace.posted(receive);
    }
    if (closed) {
      failClosed(receive);
      return false;
    }
    if (receivesNothing) {
      end(receive, FabricError.OPERATION_NOT_SUPPORTED, RECEIVES_NOT);
      return false;
    }
    if (receive.claim() != null) {
      return probes.receive(receive);
    }
    if (!receive.isUntagged() && contextTags.isElsewhere(receive.tag(), receive.ignore())) {
      String why = contextTags.elsewhereText(receive.tag(), receive.ignore());
      end(receive, FabricError.INVALID, why);
      return false;
    }
    MatchTable<PostedReceive, UnexpectedMessage> itsTable = tables.of(receive.isUntagged());
    if (!many.areFree()) {
      // One that came before would take messages which wait, had it a slot.
      itsTable.addPosted(receive);
      many.matchWaiting();
      failLost();
      return true;
    }
    if (receive.many() != null) {
      many.take(receive.many());
      return receive.many().isClosed() || await(itsTable, receive);
    }
    UnexpectedMessage message =
        itsTable.matchPost(receive.tag(), receive.ignore(), receive.source());
    if (message != null) {
      deliveries.meet(receive, message);
      return true;
    }
    return await(itsTable, receive);
  }

  /** A receive waits for its message, unless none can come. */
  private boolean await(
      MatchTable<PostedReceive, UnexpectedMessage> itsTable, PostedReceive receive) {
    Completion.Failed lost = lostPeers.why(receive.source());
    if (lost != null) {
      end(receive, lost.error(), lost.detail());
      return false;
    }
    itsTable.addPosted(receive);
    return receive.many() != null;
  }

  /** A receive of a lost peer that was posted while a message waited for it, or seemed to. */
  private void failLost() {
    lostPeers.forEach(
        lost ->
            failPosted(
                each ->
                    each.source() == lost.peer()
                        && tables
                                .of(each.isUntagged())
                                .peek(each.tag(), each.ignore(), each.source())
                            == null,
                lost.error(),
                lost.detail()));
  }

  private void failPosted(Predicate<PostedReceive> which, FabricError error, String detail) {
    for (PostedReceive receive : tables.posted(which)) {
      tables.remove(receive);
      end(receive, error, detail);
    }
  }

  /**
   * Posts a receive of one message into a buffer of the program, without an object of its own: a
   * message that waits is copied there at once, and only a receive that must wait itself, or of
   * which more is asked than an entry in the queue, is made one that is used again. The arguments
   * have been checked, and a slot is reserved. What it throws has failed the receive.
   *
   * @param ring where its slot is reserved
   * @param silent whether a success leaves no entry
   * @return whether it has met a message
   */
  public boolean post(
      CompletionRing ring,
      MutableDirectBuffer buffer,
      int offset,
      int capacity,
      long tag,
      long ignore,
      int source,
      boolean silent,
      Object context) {
    PostedReceive receive = null;
    try {
      if (silent || asksMoreOfReceives()) {
        receive = deliveries.lend(ring, buffer, offset, capacity, tag, ignore, source, context);
        if (silent) {
          receive.silence();
        }
        return post(receive);
      }
      UnexpectedMessage message = tables.tagged().matchPost(tag, ignore, source);
      if (message != null && message.isPlain() && message.length <= capacity) {
        deliveries.take(message, buffer, offset, context);
        return true;
      }
      receive = deliveries.lend(ring, buffer, offset, capacity, tag, ignore, source, context);
      if (message == null) {
        return await(tables.tagged(), receive);
      }
      deliveries.meet(receive, message);
      return true;
    } catch (RuntimeException e) {
      fail(
          e,
          receive == null
              ? deliveries.lend(ring, buffer, offset, capacity, tag, ignore, source, context)
              : receive);
      throw e;
    }
  }

  /** Whether a receive may not get a message as soon as one fits, or others hear of it. */
  private boolean asksMoreOfReceives() {
    return closed
        || receivesNothing
        || contextTags.mask() != 0
        || counter != null
        || !many.areFree()
        || trace.isOn();
  }

  /** Goes on with messages that waited for a slot. */
  public void resume() {
    many.resume();
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

  /** Ends a receive that was accepted and will not be posted. */
  public void end(PostedReceive receive, FabricError error, String detail) {
    outcomes.fail(receive, error, receive.source(), receive.tag(), detail);
  }

  private void failClosed(PostedReceive receive) {
    end(receive, FabricError.CANCELED, closedBecause);
  }

  /** Whether a receive with an equal context has matched a message whose bytes still come. */
  boolean isTaking(Object context) {
    return deliveries.transfers.has(each -> Objects.equals(context, each.receive().context()));
  }

  /** Cancels the earliest posted receive with an equal context; false if none is waiting. */
  public boolean cancel(Object context) {
    for (PostedReceive receive : tables.posted(each -> Objects.equals(context, each.context()))) {
      tables.remove(receive);
      end(receive, FabricError.CANCELED, "cancelled");
      return true;
    }
    return false;
  }

  // ---- probes ----

  /**
   * Does what a probe asks for, and says at once whether there is a message. A miss that goes to
   * the queue allocates nothing.
   *
   * @param listener is told instead of the queue; may be null
   * @return whether credit has come free, so that there is something to flush
   */
  public boolean probe(Probe probe, Object context, ProbeListener listener) {
    if (closed) {
      refuseProbe(probe, context, listener);
      return false;
    }
    if (probe.isOfClaim()) {
      return probes.discardClaimed(probe, context, listener);
    }
    if (receivesNothing) {
      outcomes.failProbe(
          FabricError.OPERATION_NOT_SUPPORTED, probe, context, listener, RECEIVES_NOT);
      return false;
    }
    long tag = probe.selector().tag();
    long ignore = probe.selector().ignore();
    if (!probe.isUntagged() && contextTags.isElsewhere(tag, ignore)) {
      String why = contextTags.elsewhereText(tag, ignore);
      outcomes.failProbe(FabricError.INVALID, probe, context, listener, why);
      return false;
    }
    return probes.probe(probe, context, listener);
  }

  /** Does what an accepted probe asks for. Returns whether there is something to flush. */
  public boolean probe(PostedProbe posted) {
    return probe(posted.probe, posted.context, posted.listener);
  }

  /** Fails a probe that was told when the endpoint closed, unless the matcher has begun with it. */
  public void refuse(PostedProbe posted) {
    if (posted.begin()) {
      refuseProbe(posted);
    }
  }

  /** Fails a probe because the endpoint is closed. */
  void refuseProbe(PostedProbe posted) {
    refuseProbe(posted.probe, posted.context, posted.listener);
  }

  /** Fails a probe because the endpoint is closed. */
  public void refuseProbe(Probe probe, Object context, ProbeListener listener) {
    outcomes.failProbe(FabricError.CANCELED, probe, context, listener, closedBecause);
  }

  // ---- messages that come ----

  @Override
  public void whole(FrameOrigin origin, MessageView message) {
    if (failed) {
      return;
    }
    int length = message.length();
    long number = arrived(origin, message, length, Way.EAGER);
    if (!closed && standing.readNow(origin, message)) {
      return;
    }
    PostedReceive receive = matchArrival(message, origin.peer(), length);
    if (receive != null) {
      deliveries.whole(receive, origin, message, number);
    } else if (!closed) {
      deliveries.keep(origin, message, number);
    } else {
      dropped.late(new Envelope(origin, message, 0, length));
    }
  }

  @Override
  public void datagram(FrameOrigin origin, MessageView message) {
    if (failed) {
      return;
    }
    PostedReceive receive = matchArrival(message, origin.peer(), message.length());
    if (receive != null) {
      deliveries.datagram(receive, origin, message);
    } else {
      origin.datagramDropped();
    }
  }

  private long arrived(FrameOrigin origin, MessageView message, long length, Way way) {
    return trace.isOn() ? trace.arrived(origin, message, length, way) : 0;
  }

  @Override
  public void first(FrameOrigin origin, MessageView part, long message, long total) {
    if (failed) {
      return;
    }
    if (deliveries.hasBegun(origin)) {
      origin.breach(
          "message=" + message + " begins before all bytes of the one before it have come");
      return;
    }
    long number = arrived(origin, part, total, Way.PARTS);
    PostedReceive receive = matchArrival(part, origin.peer(), total);
    deliveries.first(receive, closed, new Envelope(origin, part, message, total), part, number);
  }

  @Override
  public void next(
      FrameOrigin origin, long message, long position, DirectBuffer bytes, int offset, int length) {
    if (!failed) {
      deliveries.next(origin, message, position, bytes, offset, length);
    }
  }

  @Override
  public void announced(
      FrameOrigin origin,
      MessageView envelope,
      long message,
      long length,
      boolean wantsFinish,
      MemoryKey memory) {
    if (failed) {
      return;
    }
    long number = arrived(origin, envelope, length, Way.ASKS);
    PostedReceive receive = matchArrival(envelope, origin.peer(), length);
    Envelope kept = new Envelope(origin, envelope, message, length, wantsFinish, memory);
    if (receive != null) {
      deliveries.announced(receive, kept, envelope, number);
    } else if (closed) {
      dropped.refused(UnexpectedMessage.info(kept));
    } else {
      deliveries.keep(kept, number);
    }
  }

  @Override
  public void data(
      FrameOrigin origin, long receive, long position, DirectBuffer bytes, int offset, int length) {
    if (!failed) {
      deliveries.transfers.data(origin, receive, position, bytes, offset, length);
    }
  }

  @Override
  public void placed(FrameOrigin origin, long receive, long position, int length) {
    if (!failed) {
      deliveries.transfers.placed(origin, receive, position, length);
    }
  }

  @Override
  public void aborted(FrameOrigin origin, long message, int errorCode) {
    if (failed) {
      return;
    }
    FabricError error = FabricError.find(errorCode).orElse(FabricError.OTHER);
    if (deliveries.abort(origin, message, error)) {
      return;
    }
    List<UnexpectedMessage> announced =
        tables.unexpected(
            each ->
                each.origin == origin && each.isAnnounced() && each.envelope.message == message);
    if (!announced.isEmpty()) {
      tables.remove(announced.get(0));
      origin.consumed();
    } else if (!probes.abort(origin, message, error)) {
      deliveries.transfers.abort(origin, message, error);
    }
  }

  /**
   * Reads a part of a message that lies in memory which both sides share. Returns the work done.
   */
  public int pull() {
    return deliveries.transfers.pull();
  }

  /** What takes a message now; null if it has to wait. */
  private PostedReceive matchArrival(MessageView message, int source, long length) {
    long tag = message.tag();
    MatchTable<PostedReceive, UnexpectedMessage> itsTable = tables.of(message.isUntagged());
    PostedReceive receive = itsTable.peekArrival(tag, source);
    if (receive != null && receive.many() == null && many.areFree()) {
      itsTable.remove(receive);
    } else if (receive != null) {
      receive = many.choose(itsTable, tag, source, length, null);
      if (receive == ManyReceives.LATER) {
        return null;
      }
    }
    return receive != null || message.isUntagged() ? receive : standing.taking(tag, source, closed);
  }

  // ---- subscriptions, and messages that nobody wants ----

  /** Adds a subscription and gives it what is waiting; does nothing once closed. */
  void subscribe(Subscription subscription) {
    if (closed) {
      return;
    }
    standing.add(subscription);
    TagSelector selector = subscription.selector();
    UnexpectedMessage message;
    while ((message =
            tables.tagged().matchPost(selector.tag(), selector.ignore(), selector.source()))
        != null) {
      deliveries.takeWaiting(subscription.next(), message);
    }
  }

  /** Takes a subscriber's subscriptions away; what they have matched before is still delivered. */
  void unsubscribe(Object subscriber) {
    standing.remove(subscriber);
  }

  /**
   * Takes and drops messages whose tag nobody wants any more and that fit no receive and no
   * subscription: those that wait, and those that come from now on.
   *
   * @param tags which; takes the place of what was said before
   */
  void discard(LongPredicate tags) {
    standing.discard(tags);
    for (UnexpectedMessage message :
        tables.unexpected(each -> !each.untagged && tags.test(each.tag()))) {
      tables.remove(message);
      deliveries.takeWaiting(standing.nobody(), message);
    }
  }

  // ---- ends ----

  /**
   * The flow with a peer has ended: receives that name it fail, what it announced is forgotten. If
   * another endpoint that shares these receives still has it as a peer, only what came by the flow
   * that has ended.
   *
   * @param forGood whether receives that are posted later and name it fail too
   */
  public void peerLost(int peer, FabricError error, String detail, boolean forGood) {
    deliveries.transfers.endLost(peer, error, detail);
    boolean gone = !lostPeers.isElsewhere(peer);
    if (gone && forGood) {
      lostPeers.add(peer, error, detail);
    }
    if (gone) {
      failPosted(each -> each.source() == peer, error, detail);
    }
    forget(peer, error, detail);
    if (gone) {
      standing.lost(peer, error, detail, forGood);
    }
  }

  /**
   * One of the endpoints that share these receives closes and has ended its flow with a peer: what
   * came half way by it ends.
   */
  public void flowLost(int peer, FabricError error, String detail) {
    deliveries.transfers.endLost(peer, error, detail);
    List<UnexpectedMessage> announced = forget(peer, error, detail);
    if (!closed) { // else the close has counted them
      announced.forEach(each -> dropped.refused(each.info()));
    }
  }

  /** Returns what the peer had announced and no receive has taken. */
  private List<UnexpectedMessage> forget(int peer, FabricError error, String detail) {
    List<UnexpectedMessage> announced =
        tables.unexpected(
            each -> each.isAnnounced() && each.origin.peer() == peer && each.origin.isLost());
    announced.forEach(tables::remove);
    probes.lose(peer, error, detail);
    deliveries.lose(peer, error, detail);
    return announced;
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
  }

  /** Cancels all posted receives and takes no more; returns how many were cancelled. */
  public int close() {
    if (!closed) {
      closed = true;
      tables.forEachUnexpected(dropped::refuseIfAnnounced);
      probes.claimed().forEach(dropped::refuseIfAnnounced);
    }
    List<PostedReceive> posted = tables.posted(each -> true);
    many.close();
    for (PostedReceive receive : posted) {
      tables.remove(receive);
      failClosed(receive);
    }
    standing.close();
    probes.close();
    return posted.size();
  }

  /** What the close has dropped; nothing where a reader takes all. */
  public DroppedMessages.Count dropped() {
    if (standing.isRead()) {
      return new DroppedMessages.Count(0, 0, null);
    }
    List<UnexpectedMessage> whole = tables.unexpected(each -> true);
    whole.addAll(probes.claimed());
    whole.removeIf(
        each -> !deliveries.isWhole(each) || StreamEnd.of(each.hasData, each.data) != null);
    return dropped.count(whole);
  }

  // ---- what waits ----

  /** What waits here now. */
  public TagMatcher.State state() {
    return new TagMatcher.State(
        tables.postedCount(),
        tables.unexpectedCount(),
        deliveries.unexpectedBytes(),
        deliveries.peakUnexpectedBytes(),
        probes.claimedCount());
  }

  /** The messages that no receive has been posted for: tagged, untagged, then those claimed. */
  List<MessageInfo> unexpected() {
    List<MessageInfo> messages = new ArrayList<>();
    tables.unexpected(each -> true).forEach(each -> messages.add(each.info()));
    probes.claimed().forEach(each -> messages.add(each.info()));
    return messages;
  }

  /** What the posted receives take, in the order posted: those with a tag, then those without. */
  List<TagMatcher.ReceiveInfo> posted() {
    List<TagMatcher.ReceiveInfo> receives = new ArrayList<>();
    for (PostedReceive each : tables.posted(receive -> true)) {
      TagSelector selector = new TagSelector(each.tag(), each.ignore(), each.source());
      receives.add(new TagMatcher.ReceiveInfo(!each.isUntagged(), selector));
    }
    return receives;
  }
}
