package io.tagfabric.match;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionRing;
import io.tagfabric.complete.CompletionSink;
import io.tagfabric.complete.Counter;
import io.tagfabric.complete.Direction;
import io.tagfabric.error.FabricError;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import io.tagfabric.trace.Recorder;
import io.tagfabric.trace.TraceKind.Way;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.MemoryKey;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.TaggedArrivals;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;

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

  private static final String HOLDS_NONE =
      "the claim holds no message of this endpoint, claim one first";
  private static final String HOLDS_ONE =
      "the claim holds a message already, receive or discard it first";

  private static final ReceiveListener NOBODY =
      new ReceiveListener() {
        @Override
        public void onReceived(TaggedMessage message) {}

        @Override
        public void onFailed(Completion.Failed failure) {}
      };

  /** Stands for a receive that cannot be told yet. */
  private static final PostedReceive LATER = nobody();

  private final MatchTable<PostedReceive, UnexpectedMessage> table;

  /** Those without a tag; null before the first. */
  private MatchTable<PostedReceive, UnexpectedMessage> untaggedTable;

  private final int maxUnexpectedClasses;

  /** Receives of many messages whose queue has no slot, in the order in which that was found. */
  private final List<ManyMessages> stalled = new ArrayList<>();

  private boolean resumeAsked;
  private Runnable onStalled = () -> {};

  /** Whether an endpoint that shares these receives has a flow with a peer. */
  private IntPredicate elsewhere = peer -> false;

  private final ReceiveCompletions outcomes;
  private ReceiveTrace trace = new ReceiveTrace(Recorder.OFF);
  private final Counter counter;
  private final InboundTransfers transfers = new InboundTransfers(this::ended);
  private final Assembly assembly = new Assembly();
  private final SubscriptionTable subscriptions = new SubscriptionTable();
  private final ClaimedMessages claims = new ClaimedMessages();
  private final SpareMessages spares = new SpareMessages();
  private final SpareReceives spareReceives = new SpareReceives();
  private final Subscription sink =
      new Subscription(TagSelector.any(), this, Integer.MAX_VALUE, notUsed -> {});
  private LongPredicate unwanted;

  /** Takes all messages with a tag; null if receives and subscriptions do. */
  private StandingReader reading;

  private final Int2ObjectHashMap<Completion.Failed> lostPeers = new Int2ObjectHashMap<>();
  private long unexpectedBytes;
  private long peakUnexpectedBytes;
  private int maxMessageBytes = Integer.MAX_VALUE;
  private boolean receivesNothing;
  private long chosenMask;
  private long chosenTag;
  private boolean closed;

  /** Messages that came whole after the close, and the first of them. */
  private int lateMessages;

  private MessageInfo firstLate;

  /** Messages whose bytes waited at their senders when this side closed, and the first of them. */
  private int refusedMessages;

  private MessageInfo firstRefused;
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
    this.maxUnexpectedClasses = maxUnexpectedClasses;
    this.table = new MatchTable<>(maxUnexpectedClasses);
    this.outcomes = new ReceiveCompletions(completions, counter);
  }

  /** From now on what happens here is recorded. */
  public void record(Recorder recorder) {
    trace = new ReceiveTrace(recorder);
    outcomes.record(trace);
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
    return reading != null;
  }

  /** From now on all messages with a tag go to a reader; before any has come. */
  public void read(MessageReader reader) {
    reading = new StandingReader(reader);
  }

  /** Several endpoints share it; this says whether one of them has a flow with a peer. */
  public void share(IntPredicate reaches) {
    elsewhere = reaches;
  }

  /**
   * It is a context of a scalable endpoint, which gets the tags whose bits choose it: it refuses
   * receives and probes that want others, or any.
   *
   * @param mask the bits that choose
   * @param tag what they are in the tags that come here
   */
  public void takeOnly(long mask, long tag) {
    chosenMask = mask;
    chosenTag = tag;
  }

  private boolean isElsewhere(long tag, long ignore) {
    return (ignore & chosenMask) != 0 || (tag & chosenMask) != chosenTag;
  }

  private String elsewhereText(long tag, long ignore) {
    return "tag="
        + Long.toHexString(tag)
        + " ignore="
        + Long.toHexString(ignore)
        + ": the bits "
        + Long.toHexString(chosenMask)
        + " choose the context, name "
        + Long.toHexString(chosenTag)
        + " there and ignore none of them";
  }

  /** Sets what runs when messages wait for a slot in a queue: it calls {@link #resume} later. */
  public void whenStalled(Runnable newOnStalled) {
    onStalled = newOnStalled;
  }

  private MatchTable<PostedReceive, UnexpectedMessage> tableOf(boolean untagged) {
    if (!untagged) {
      return table;
    }
    if (untaggedTable == null) {
      untaggedTable = new MatchTable<>(maxUnexpectedClasses);
    }
    return untaggedTable;
  }

  /** Those that are in use. */
  private List<MatchTable<PostedReceive, UnexpectedMessage>> tables() {
    return untaggedTable == null ? List.of(table) : List.of(table, untaggedTable);
  }

  private boolean remove(PostedReceive receive) {
    return tableOf(receive.isUntagged()).remove(receive);
  }

  private boolean remove(UnexpectedMessage message) {
    return tableOf(message.untagged).remove(message);
  }

  private void forEachPosted(Consumer<PostedReceive> action) {
    tables().forEach(each -> each.forEachPosted(action));
  }

  private void forEachUnexpected(Consumer<UnexpectedMessage> action) {
    tables().forEach(each -> each.forEachUnexpected(action));
  }

  /** A receive is accepted, or begun with: it will be counted when it ends. Thread: any. */
  public void accepted(PostedReceive receive) {
    if (counter != null && receive.count()) {
      counter.begun();
    }
  }

  /** Takes the earliest waiting message that fits, or waits for one. */
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
      return postClaimed(receive);
    }
    if (chosenMask != 0 && !receive.isUntagged() && isElsewhere(receive.tag(), receive.ignore())) {
      end(receive, FabricError.INVALID, elsewhereText(receive.tag(), receive.ignore()));
      return false;
    }
    MatchTable<PostedReceive, UnexpectedMessage> itsTable = tableOf(receive.isUntagged());
    if (!stalled.isEmpty()) {
      postBehind(itsTable, receive);
      return true;
    }
    if (receive.many() != null) {
      takeMany(receive.many());
      if (receive.many().isClosed()) {
        return true;
      }
    }
    UnexpectedMessage message =
        receive.many() != null
            ? null
            : itsTable.matchPost(receive.tag(), receive.ignore(), receive.source());
    if (message != null) {
      meet(receive, message);
      return true;
    }
    return await(itsTable, receive);
  }

  /** A receive gets the message that has waited for it. */
  private void meet(PostedReceive receive, UnexpectedMessage message) {
    takeWaiting(receive, message);
    if (receive.listener() == null) { // else it may keep the bytes
      spares.giveBack(message);
    }
  }

  /** A receive waits for its message, unless none can come. */
  private boolean await(
      MatchTable<PostedReceive, UnexpectedMessage> itsTable, PostedReceive receive) {
    Completion.Failed lost =
        receive.source() == TagSelector.ANY_SOURCE ? null : lostPeers.get(receive.source());
    if (lost != null && !elsewhere.test(receive.source())) {
      outcomes.fail(receive, lost.error(), receive.source(), receive.tag(), lost.detail());
      return false;
    }
    itsTable.addPosted(receive);
    return receive.many() != null;
  }

  // ---- receives of many messages ----

  /** Takes messages that wait, as long as they fit and there are slots for their completions. */
  private void takeMany(ManyMessages many) {
    PostedReceive whole = many.whole();
    MatchTable<PostedReceive, UnexpectedMessage> itsTable = tableOf(whole.isUntagged());
    many.stalled(false);
    while (!many.isClosed()) {
      UnexpectedMessage message = itsTable.peek(whole.tag(), whole.ignore(), whole.source());
      if (message == null) {
        return;
      }
      if (!many.takes(message.lengthBytes())) {
        retire(many);
      } else if (many.reserve()) {
        itsTable.remove(message);
        takeWaiting(nextOf(many, message.lengthBytes()), message);
      } else {
        stall(many);
        return;
      }
    }
  }

  private PostedReceive nextOf(ManyMessages many, long length) {
    PostedReceive part = many.next(length);
    accepted(part);
    if (many.isFull()) {
      remove(many.whole());
      many.close(); // its last part tells that the buffer is free
    }
    return part;
  }

  /** Takes no more messages, so that the next receive gets them. */
  private void retire(ManyMessages many) {
    remove(many.whole());
    many.close();
    outcomes.release(many);
  }

  private void stall(ManyMessages many) {
    many.stalled(true);
    stalled.add(many);
    if (!resumeAsked) {
      resumeAsked = true;
      onStalled.run();
    }
  }

  /** Goes on with messages that waited for a slot. */
  public void resume() {
    resumeAsked = false;
    matchWaiting();
  }

  /** Posts a receive behind one that would take messages which wait, had it a slot. */
  private void postBehind(
      MatchTable<PostedReceive, UnexpectedMessage> itsTable, PostedReceive receive) {
    itsTable.addPosted(receive);
    matchWaiting();
    failLost();
  }

  /** Gives messages that wait to receives: as if they came now, in the order in which they did. */
  private void matchWaiting() {
    stalled.forEach(many -> many.stalled(false));
    stalled.clear();
    forEachUnexpected(
        message -> {
          PostedReceive receive = matchWaiting(message);
          if (receive != null) {
            remove(message);
            takeWaiting(receive, message);
          }
        });
  }

  private PostedReceive matchWaiting(UnexpectedMessage message) {
    PostedReceive receive =
        choose(
            tableOf(message.untagged),
            message.tag(),
            message.source(),
            message.lengthBytes(),
            message);
    if (receive == LATER) {
      return null;
    }
    return receive != null || message.untagged
        ? receive
        : subscriptions.matchArrival(message.tag(), message.source());
  }

  /** A receive of a lost peer that was posted while a message waited for it, or seemed to. */
  private void failLost() {
    for (Completion.Failed lost : lostPeers.values()) {
      if (elsewhere.test(lost.peer())) {
        continue;
      }
      List<PostedReceive> naming = new ArrayList<>();
      forEachPosted(
          receive -> {
            if (receive.source() == lost.peer()
                && tableOf(receive.isUntagged())
                        .peek(receive.tag(), receive.ignore(), receive.source())
                    == null) {
              naming.add(receive);
            }
          });
      for (PostedReceive receive : naming) {
        remove(receive);
        outcomes.fail(receive, lost.error(), lost.peer(), receive.tag(), lost.detail());
      }
    }
  }

  private boolean postClaimed(PostedReceive receive) {
    UnexpectedMessage message = claims.take(receive.claim());
    if (message == null) {
      outcomes.fail(receive, FabricError.INVALID, receive.source(), receive.tag(), HOLDS_NONE);
      return false;
    }
    if (message.untagged) {
      receive.untagged();
    }
    if (message.lostBy() != null) {
      outcomes.fail(
          receive, message.lostBy(), message.source(), message.tag(), message.lostDetail());
      return false;
    }
    takeWaiting(receive, message);
    return true;
  }

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
      return discard(probe, context, listener);
    }
    TagSelector selector = probe.selector;
    if (receivesNothing) {
      outcomes.failProbe(
          FabricError.OPERATION_NOT_SUPPORTED, probe, context, listener, RECEIVES_NOT);
      return false;
    }
    if (chosenMask != 0 && !probe.untagged && isElsewhere(selector.tag(), selector.ignore())) {
      String why = elsewhereText(selector.tag(), selector.ignore());
      outcomes.failProbe(FabricError.INVALID, probe, context, listener, why);
      return false;
    }
    ProbeKind kind = probe.kind;
    Claim claim = probe.claim;
    if (kind == ProbeKind.CLAIM && claim.message != null && !claim.holder.isClosed()) {
      outcomes.failProbe(FabricError.INVALID, probe, context, listener, HOLDS_ONE);
      return false;
    }
    MatchTable<PostedReceive, UnexpectedMessage> itsTable = tableOf(probe.untagged);
    UnexpectedMessage message = itsTable.peek(selector.tag(), selector.ignore(), selector.source());
    if (message == null) {
      failMiss(probe, context, listener);
      return false;
    }
    if (kind != ProbeKind.PEEK) {
      itsTable.remove(message);
    }
    if (kind == ProbeKind.CLAIM) {
      claims.hold(claim, message);
    } else if (kind == ProbeKind.DISCARD) {
      takeWaiting(nobody(), message);
    }
    outcomes.found(message, context, listener);
    return kind == ProbeKind.DISCARD;
  }

  private void failMiss(Probe probe, Object context, ProbeListener listener) {
    int source = probe.selector.source();
    Completion.Failed lost = source == TagSelector.ANY_SOURCE ? null : lostPeers.get(source);
    if (lost == null || elsewhere.test(source)) {
      outcomes.failProbe(FabricError.NO_MESSAGE, probe, context, listener, "none waits");
    } else {
      outcomes.failProbe(lost.error(), probe, context, listener, lost.detail());
    }
  }

  private boolean discard(Probe probe, Object context, ProbeListener listener) {
    UnexpectedMessage message = claims.take(probe.claim);
    if (message == null) {
      outcomes.failProbe(FabricError.INVALID, probe, context, listener, HOLDS_NONE);
      return false;
    }
    if (message.lostBy() == null) {
      takeWaiting(nobody(), message);
    }
    outcomes.found(message, context, listener);
    return true;
  }

  /** Does what an accepted probe asks for. Returns whether there is something to flush. */
  public boolean probe(PostedProbe posted) {
    return probe(posted.probe, posted.context, posted.listener);
  }

  /** Fails a probe because the endpoint is closed. */
  void refuseProbe(PostedProbe posted) {
    refuseProbe(posted.probe, posted.context, posted.listener);
  }

  /** Fails a probe that was told when the endpoint closed, unless the matcher has begun with it. */
  public void refuse(PostedProbe posted) {
    if (posted.begin()) {
      refuseProbe(posted.probe, posted.context, posted.listener);
    }
  }

  /** Fails a probe because the endpoint is closed. */
  public void refuseProbe(Probe probe, Object context, ProbeListener listener) {
    outcomes.failProbe(FabricError.CANCELED, probe, context, listener, closedBecause);
  }

  /** Takes no byte of the message it gets: the sender of a long one hears that none is wanted. */
  private static PostedReceive nobody() {
    PostedReceive nobody = new PostedReceive(TagSelector.any(), 0, NOBODY, NOBODY);
    nobody.internal();
    return nobody;
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
  }

  private void takeWaiting(PostedReceive receive, UnexpectedMessage message) {
    FrameOrigin origin = message.origin;
    if (trace.isOn()) {
      trace.matched(receive, origin, message.traced, message.tag(), true);
    }
    if (message.isAnnounced()) {
      origin.consumed();
      transfers.begin(new InboundTransfer(receive, message.envelope));
      return;
    }
    unexpectedBytes -= message.length;
    origin.consumed(message.length);
    Assembly.Partial partial = assembly.find(message);
    if (partial != null) {
      assembly.take(partial, new InboundTransfer(receive, message.envelope));
    } else {
      outcomes.complete(receive, message);
      spareReceives.giveBack(receive);
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
        receive = spareReceives.lend(ring, buffer, offset, capacity, tag, ignore, source, context);
        if (silent) {
          receive.silence();
        }
        return post(receive);
      }
      UnexpectedMessage message = table.matchPost(tag, ignore, source);
      if (message != null && message.isPlain() && message.length <= capacity) {
        take(message, buffer, offset, context);
        return true;
      }
      receive = spareReceives.lend(ring, buffer, offset, capacity, tag, ignore, source, context);
      if (message == null) {
        return await(table, receive);
      }
      meet(receive, message);
      return true;
    } catch (RuntimeException e) {
      fail(
          e,
          receive == null
              ? spareReceives.lend(ring, buffer, offset, capacity, tag, ignore, source, context)
              : receive);
      throw e;
    }
  }

  /** Whether a receive may not get a message as soon as one fits, or others hear of it. */
  private boolean asksMoreOfReceives() {
    return closed
        || receivesNothing
        || chosenMask != 0
        || counter != null
        || !stalled.isEmpty()
        || trace.isOn();
  }

  /** A message that has waited goes to a receive of which there is only its buffer. */
  private void take(
      UnexpectedMessage message, MutableDirectBuffer buffer, int offset, Object context) {
    unexpectedBytes -= message.length;
    message.origin.consumed(message.length);
    outcomes.complete(message, buffer, offset, context);
    spares.giveBack(message);
  }

  @Override
  public void whole(FrameOrigin origin, MessageView message) {
    if (failed) {
      return;
    }
    int length = message.length();
    long number = arrived(origin, message, length, Way.EAGER);
    if (reading != null && !closed && !message.isUntagged() && reading.readsNow(origin.peer())) {
      origin.consumed(length);
      reading.read(origin.peer(), message);
      return;
    }
    PostedReceive receive = matchArrival(message, origin.peer(), length);
    if (receive != null) {
      matched(receive, origin, number, message);
      origin.consumed(length);
      outcomes.complete(receive, origin.peer(), message);
      spareReceives.giveBack(receive);
    } else if (!closed) {
      keep(spares.keep(origin, message, tableOf(message.isUntagged()).unexpectedCount()), number);
    } else {
      late(new Envelope(origin, message, 0, length));
    }
  }

  @Override
  public void datagram(FrameOrigin origin, MessageView message) {
    if (failed) {
      return;
    }
    PostedReceive receive = matchArrival(message, origin.peer(), message.length());
    if (receive != null) {
      outcomes.complete(receive, origin.peer(), message);
      spareReceives.giveBack(receive);
    } else {
      origin.datagramDropped();
    }
  }

  private long arrived(FrameOrigin origin, MessageView message, long length, Way way) {
    return trace.isOn() ? trace.arrived(origin, message, length, way) : 0;
  }

  private void matched(
      PostedReceive receive, FrameOrigin origin, long number, MessageView message) {
    if (trace.isOn()) {
      trace.matched(receive, origin, number, message.tag(), false);
    }
  }

  private void addUnexpected(UnexpectedMessage message, long number) {
    tableOf(message.untagged).addUnexpected(message);
    if (trace.isOn()) {
      trace.kept(message, number, unexpectedCount());
    }
  }

  private void keep(UnexpectedMessage message, long number) {
    addUnexpected(message, number);
    unexpectedBytes += message.length;
    peakUnexpectedBytes = Math.max(peakUnexpectedBytes, unexpectedBytes);
  }

  @Override
  public void first(FrameOrigin origin, MessageView part, long message, long total) {
    if (failed) {
      return;
    }
    if (assembly.find(origin) != null) {
      origin.breach(
          "message=" + message + " begins before all bytes of the one before it have come");
      return;
    }
    long number = arrived(origin, part, total, Way.PARTS);
    PostedReceive receive = matchArrival(part, origin.peer(), total);
    Envelope envelope = new Envelope(origin, part, message, total);
    int bytes = (int) total;
    Assembly.Partial partial;
    if (receive != null) {
      matched(receive, origin, number, part);
      origin.consumed(bytes);
      partial = assembly.begin(new InboundTransfer(receive, envelope));
    } else if (closed) {
      partial = assembly.begin(envelope);
    } else {
      UnexpectedMessage waiting = new UnexpectedMessage(envelope, new byte[bytes]);
      keep(waiting, number);
      partial = assembly.begin(waiting);
    }
    arrivedPart(partial, 0, part.buffer(), part.offset(), part.length());
  }

  @Override
  public void next(
      FrameOrigin origin, long message, long position, DirectBuffer bytes, int offset, int length) {
    if (failed) {
      return;
    }
    Assembly.Partial partial = assembly.find(origin, message);
    if (partial == null) {
      origin.breach("bytes come of message=" + message + " that has not begun, or has ended");
    } else {
      arrivedPart(partial, position, bytes, offset, length);
    }
  }

  private void arrivedPart(
      Assembly.Partial partial, long position, DirectBuffer payload, int offset, int length) {
    if (!partial.add(position, payload, offset, length)) {
      partial.origin.breach(partial.misfit(position, length));
    } else if (partial.isWhole()) {
      assembly.remove(partial);
      if (partial.transfer() != null) {
        outcomes.completeTransfer(partial.transfer());
      } else if (partial.waiting() == null) {
        late(partial.envelope);
      }
    }
  }

  @Override
  public void aborted(FrameOrigin origin, long message, int errorCode) {
    if (failed) {
      return;
    }
    FabricError error = FabricError.find(errorCode).orElse(FabricError.OTHER);
    Assembly.Partial partial = assembly.find(origin, message);
    if (partial != null) {
      assembly.remove(partial);
      drop(partial, error, "the sender has cancelled the message");
      return;
    }
    UnexpectedMessage announced = findAnnounced(origin, message);
    UnexpectedMessage claimed = claims.findAnnounced(origin, message);
    if (announced != null) {
      remove(announced);
      origin.consumed();
    } else if (claimed == null) {
      transfers.abort(origin, message, error);
    } else if (claimed.lostBy() == null) {
      claimed.lose(error, "the sender has cancelled the message");
      origin.consumed();
    }
  }

  private UnexpectedMessage findAnnounced(FrameOrigin origin, long message) {
    UnexpectedMessage[] found = new UnexpectedMessage[1];
    forEachUnexpected(
        each -> {
          if (each.origin == origin && each.isAnnounced() && each.envelope.message == message) {
            found[0] = each;
          }
        });
    return found[0];
  }

  private void late(Envelope message) {
    if (StreamEnd.of(message.hasData, message.data) != null) {
      return;
    }
    lateMessages++;
    if (firstLate == null) {
      firstLate = UnexpectedMessage.info(message);
    }
  }

  private void refused(MessageInfo message) {
    if (StreamEnd.of(message.hasData(), message.data()) != null) {
      return;
    }
    refusedMessages++;
    if (firstRefused == null) {
      firstRefused = message;
    }
  }

  private void refuseIfAnnounced(UnexpectedMessage message) {
    if (message.isAnnounced() && message.lostBy() == null) {
      refused(message.info());
    }
  }

  private void drop(Assembly.Partial partial, FabricError error, String detail) {
    InboundTransfer transfer = partial.transfer();
    UnexpectedMessage waiting = partial.waiting();
    if (transfer != null) {
      ended(transfer, error, detail);
    } else if (waiting != null) {
      if (!remove(waiting)) {
        waiting.lose(error, detail);
      }
      unexpectedBytes -= waiting.length;
      partial.origin.consumed(waiting.length);
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
    if (receive == null && closed) {
      refused(UnexpectedMessage.info(kept));
    } else if (receive != null) {
      matched(receive, origin, number, envelope);
      origin.consumed();
      transfers.begin(new InboundTransfer(receive, kept));
    } else {
      addUnexpected(new UnexpectedMessage(kept, null), number);
    }
  }

  @Override
  public void data(
      FrameOrigin origin, long receive, long position, DirectBuffer bytes, int offset, int length) {
    if (!failed) {
      transfers.data(origin, receive, position, bytes, offset, length);
    }
  }

  @Override
  public void placed(FrameOrigin origin, long receive, long position, int length) {
    if (!failed) {
      transfers.placed(origin, receive, position, length);
    }
  }

  /** Sets what runs when {@link #pull} has to be called; unset if each pass calls it. */
  public void whenDue(Runnable marks) {
    transfers.whenDue(marks);
  }

  /**
   * Reads a part of a message that lies in memory which both sides share. Returns the work done.
   */
  public int pull() {
    return transfers.pull();
  }

  /** What takes a message now; null if it has to wait. */
  private PostedReceive matchArrival(MessageView message, int source, long length) {
    long tag = message.tag();
    MatchTable<PostedReceive, UnexpectedMessage> itsTable =
        message.isUntagged() ? tableOf(true) : table;
    PostedReceive receive = itsTable.peekArrival(tag, source);
    if (receive != null && receive.many() == null && stalled.isEmpty()) {
      itsTable.remove(receive);
    } else if (receive != null) {
      receive = choose(itsTable, tag, source, length, null);
      if (receive == LATER) {
        return null;
      }
    }
    if (receive != null || message.isUntagged()) {
      return receive;
    }
    receive = subscriptions.matchArrival(tag, source);
    if (receive == null && reading != null && !closed) {
      return reading.next(source);
    }
    return receive == null && isUnwanted(tag) ? sink.next() : receive;
  }

  /**
   * The earliest receive that fits a message, taken out or asked for its next part; null if there
   * is none. {@link #LATER} if it cannot be said yet: the earliest takes many messages and has no
   * slot, or could get one of those that wait for such a receive and came before.
   *
   * @param itself the message, if it is one of those that wait
   */
  private PostedReceive choose(
      MatchTable<PostedReceive, UnexpectedMessage> itsTable,
      long tag,
      int source,
      long length,
      UnexpectedMessage itself) {
    PostedReceive receive;
    while ((receive = itsTable.peekArrival(tag, source)) != null) {
      ManyMessages many = receive.many();
      if ((many != null && many.isStalled()) || hasEarlier(itsTable, receive, itself)) {
        return LATER;
      }
      if (many == null) {
        itsTable.remove(receive);
        return receive;
      }
      if (!many.takes(length)) {
        retire(many);
      } else if (many.reserve()) {
        return nextOf(many, length);
      } else {
        stall(many);
        return LATER;
      }
    }
    return null;
  }

  private boolean hasEarlier(
      MatchTable<PostedReceive, UnexpectedMessage> itsTable,
      PostedReceive receive,
      UnexpectedMessage itself) {
    if (stalled.isEmpty()) {
      return false;
    }
    UnexpectedMessage earliest = itsTable.peek(receive.tag(), receive.ignore(), receive.source());
    return earliest != null && earliest != itself;
  }

  private boolean isUnwanted(long tag) {
    return unwanted != null && unwanted.test(tag);
  }

  /**
   * Takes and drops messages whose tag nobody wants any more and that fit no receive and no
   * subscription: those that wait, and those that come from now on.
   *
   * @param tags which; takes the place of what was said before
   */
  void discard(LongPredicate tags) {
    unwanted = tags;
    List<UnexpectedMessage> waiting = new ArrayList<>();
    table.forEachUnexpected(
        message -> {
          if (tags.test(message.tag())) {
            waiting.add(message);
          }
        });
    for (UnexpectedMessage message : waiting) {
      table.remove(message);
      takeWaiting(sink.next(), message);
    }
  }

  /** A transfer has all its bytes, or none will follow: error is then not null. */
  private void ended(InboundTransfer transfer, FabricError error, String detail) {
    if (error == null) {
      outcomes.completeTransfer(transfer);
    } else {
      outcomes.fail(
          transfer.receive(), error, transfer.origin().peer(), transfer.envelope().tag, detail);
    }
  }

  /** Whether a receive with an equal context has matched a message whose bytes still come. */
  boolean isTaking(Object context) {
    return transfers.has(transfer -> isEqual(context, transfer.receive().context()));
  }

  /** Whether a context is the one that is meant, which no two need to be the same object for. */
  public static boolean isEqual(Object context, Object other) {
    return context == other || (context != null && context.equals(other));
  }

  /** Cancels the earliest posted receive with an equal context; false if none is waiting. */
  public boolean cancel(Object context) {
    PostedReceive[] found = new PostedReceive[1];
    forEachPosted(
        receive -> {
          if (found[0] == null && isEqual(context, receive.context())) {
            found[0] = receive;
          }
        });
    if (found[0] == null || !remove(found[0])) {
      return false;
    }
    outcomes.fail(found[0], FabricError.CANCELED, found[0].source(), found[0].tag(), "cancelled");
    return true;
  }

  /** Adds a subscription and gives it what is waiting; does nothing once closed. */
  void subscribe(Subscription subscription) {
    if (closed) {
      return;
    }
    subscriptions.add(subscription);
    TagSelector selector = subscription.selector();
    UnexpectedMessage message;
    while ((message = table.matchPost(selector.tag(), selector.ignore(), selector.source()))
        != null) {
      takeWaiting(subscription.next(), message);
    }
  }

  /** Takes a subscriber's subscriptions away; what they have matched before is still delivered. */
  void unsubscribe(Object subscriber) {
    subscriptions.remove(subscriber);
  }

  /**
   * The flow with a peer has ended: receives that name it fail, what it announced is forgotten. If
   * another endpoint that shares these receives still has it as a peer, only what came by the flow
   * that has ended.
   *
   * @param forGood whether receives that are posted later and name it fail too
   */
  public void peerLost(int peer, FabricError error, String detail, boolean forGood) {
    transfers.endLost(peer, error, detail);
    if (!elsewhere.test(peer)) {
      if (forGood) {
        lostPeers.put(
            peer, new Completion.Failed(null, error, peer, 0, 0, 0, Direction.RECEIVE, detail));
      }
      failNaming(peer, error, detail);
    }
    forget(peer, error, detail);
    if (reading != null && !elsewhere.test(peer)) {
      reading.lost(peer, error, detail, forGood);
    }
  }

  /**
   * One of the endpoints that share these receives closes and has ended its flow with a peer: what
   * came half way by it ends.
   */
  public void flowLost(int peer, FabricError error, String detail) {
    transfers.endLost(peer, error, detail);
    List<UnexpectedMessage> announced = forget(peer, error, detail);
    if (!closed) { // else the close has counted them
      announced.forEach(each -> refused(each.info()));
    }
  }

  private void failNaming(int peer, FabricError error, String detail) {
    List<PostedReceive> naming = new ArrayList<>();
    forEachPosted(
        receive -> {
          if (receive.source() == peer) {
            naming.add(receive);
          }
        });
    for (PostedReceive receive : naming) {
      remove(receive);
      outcomes.fail(receive, error, peer, receive.tag(), detail);
    }
  }

  /** Returns what the peer had announced and no receive has taken. */
  private List<UnexpectedMessage> forget(int peer, FabricError error, String detail) {
    List<UnexpectedMessage> announced = new ArrayList<>();
    forEachUnexpected(
        message -> {
          if (message.isAnnounced() && isLost(message.origin, peer)) {
            announced.add(message);
          }
        });
    announced.forEach(this::remove);
    claims.losePeer(peer, error, detail);
    for (Assembly.Partial partial : assembly.removeLost(peer)) {
      drop(partial, error, detail);
    }
    return announced;
  }

  static boolean isLost(FrameOrigin origin, int peer) {
    return origin.peer() == peer && origin.isLost();
  }

  /** Cancels all posted receives and takes no more; returns how many were cancelled. */
  public int close() {
    if (!closed) {
      closed = true;
      forEachUnexpected(this::refuseIfAnnounced);
      claims.all().forEach(this::refuseIfAnnounced);
    }
    List<PostedReceive> posted = new ArrayList<>();
    forEachPosted(posted::add);
    stalled.clear();
    for (PostedReceive receive : posted) {
      remove(receive);
      failClosed(receive);
    }
    subscriptions.clear();
    claims.close();
    return posted.size();
  }

  /**
   * Messages that arrived and that no receive gets any more, but for ends of streams.
   *
   * @param whole came with all their bytes, so their senders may think them received
   * @param refused wait at their senders, which hear that this side has closed
   * @param first one of them, the first whole one that came if it has a tag; null if there is none
   */
  public record Dropped(int whole, int refused, MessageInfo first) {}

  /** What the close has dropped; nothing where a reader takes all. */
  public Dropped dropped() {
    if (reading != null) {
      return new Dropped(0, 0, null);
    }
    List<UnexpectedMessage> whole = new ArrayList<>();
    forEachUnexpected(whole::add);
    whole.addAll(claims.all());
    whole.removeIf(
        each ->
            each.isAnnounced()
                || each.lostBy() != null
                || assembly.find(each) != null
                || StreamEnd.of(each.hasData, each.data) != null);
    MessageInfo first = whole.isEmpty() ? firstLate : whole.get(0).info();
    return new Dropped(
        whole.size() + lateMessages, refusedMessages, first == null ? firstRefused : first);
  }

  /** What waits here now. */
  public TagMatcher.State state() {
    return new TagMatcher.State(
        postedCount(), unexpectedCount(), unexpectedBytes, peakUnexpectedBytes, claimedCount());
  }

  int postedCount() {
    return table.postedCount() + (untaggedTable == null ? 0 : untaggedTable.postedCount());
  }

  int unexpectedCount() {
    return table.unexpectedCount() + (untaggedTable == null ? 0 : untaggedTable.unexpectedCount());
  }

  int claimedCount() {
    return claims.count();
  }

  /** The messages that no receive has been posted for: tagged, untagged, then those claimed. */
  List<MessageInfo> unexpected() {
    List<MessageInfo> messages = new ArrayList<>();
    forEachUnexpected(each -> messages.add(each.info()));
    claims.all().forEach(each -> messages.add(each.info()));
    return messages;
  }

  /** What the posted receives take, in the order posted: those with a tag, then those without. */
  List<TagMatcher.ReceiveInfo> posted() {
    List<TagMatcher.ReceiveInfo> receives = new ArrayList<>();
    forEachPosted(
        each ->
            receives.add(
                new TagMatcher.ReceiveInfo(
                    !each.isUntagged(),
                    new TagSelector(each.tag(), each.ignore(), each.source()))));
    return receives;
  }

  long unexpectedBytes() {
    return unexpectedBytes;
  }

  long peakUnexpectedBytes() {
    return peakUnexpectedBytes;
  }
}
