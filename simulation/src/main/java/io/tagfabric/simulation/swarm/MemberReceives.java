package io.tagfabric.simulation.swarm;

import akka.actor.typed.ActorRef;
import io.tagfabric.complete.CompletionRing;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.link.Posted;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.tag.TagSelector;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** The receives of a random program: what it posts, cancels, and posts at the end. */
final class MemberReceives {
  private static final int DRAINS_AT_ONCE = 2;
  private static final int LONGEST = 10 * 1024;
  private static final long ANY_TAG = Message.NUMBER_BITS | Message.TAG_BITS | Message.EXACT;

  private final SeedRun run;
  private final Member member;
  private final Node node;
  private final Endpoint endpoint;
  private final Mix mix;
  private final Choices choices;
  private final List<Receive> open = new ArrayList<>();
  private final ActorRef<TagMatcher.CancelOutcome> nobody;
  private int drains;
  private int untaggedDrains;

  MemberReceives(SeedRun run, Member member) {
    this.run = run;
    this.member = member;
    this.node = member.node;
    this.mix = run.mix();
    this.choices = run.choices();
    endpoint = node.simulated.endpoint();
    nobody = node.simulated.domain().fabric().system().ignoreRef();
  }

  // ---- posting ----

  void post(boolean anySource, boolean inMemory) {
    Receive receive = draw(anySource);
    posting(receive, inMemory);
    begin(
        receive,
        endpoint.postReceive(
            receive.buffer,
            receive.offset,
            receive.capacity,
            receive.tag,
            receive.ignore,
            sourceOf(receive),
            receive));
  }

  /** One with a tag and a source, that is not posted. */
  Receive draw(boolean anySource) {
    boolean exact = choices.below(100) < mix.exactShare;
    boolean anyTag = choices.below(3) == 2;
    int tagClass = Message.tagClass(choices.below(4));
    Node source = anySource ? null : member.anyPeer();
    int capacity = choices.below(4) == 3 ? 64 + choices.below(2_000) : longest();
    long ignore = (exact ? 0 : Message.NUMBER_BITS) | (anyTag ? Message.TAG_BITS : 0);
    return make(source, (exact ? Message.EXACT : 0) | tagClass, ignore, capacity);
  }

  /** One that takes messages without a tag. */
  void postUntagged() {
    Receive receive = untagged(choices.below(2) == 0 ? null : member.anyPeer(), longest());
    posting(receive, false);
    begin(
        receive,
        endpoint.post(
            TaggedReceive.untagged(sourceOf(receive))
                .into(receive.buffer, receive.offset, receive.capacity),
            receive));
  }

  private Receive untagged(Node source, int capacity) {
    Receive receive = make(source, 0, 0, capacity);
    receive.untagged = true;
    return receive;
  }

  /** One that takes many messages. */
  void postMany() {
    Node source = choices.below(2) == 0 ? null : member.anyPeer();
    int capacity = choices.of(2_000, 300, 12_000);
    int leastFree = choices.of(1, 64, capacity / 2, capacity);
    boolean untagged = choices.below(2) == 1;
    boolean anyTag = choices.below(2) == 0;
    Receive receive =
        untagged
            ? untagged(source, capacity)
            : make(
                source,
                anyTag ? 0 : Message.tagClass(choices.below(4)),
                anyTag ? ANY_TAG : Message.NUMBER_BITS,
                capacity);
    receive.many = new ManyParts(receive, leastFree);
    posting(receive, false);
    begin(
        receive,
        untagged
            ? endpoint.post(
                TaggedReceive.untagged(sourceOf(receive))
                    .into(receive.buffer, 0, capacity)
                    .many(leastFree),
                receive)
            : endpoint.post(
                TaggedReceive.of(new TagSelector(receive.tag, receive.ignore, sourceOf(receive)))
                    .into(receive.buffer, 0, capacity)
                    .many(leastFree),
                receive));
  }

  private Receive make(Node source, long tag, long ignore, int capacity) {
    return new Receive(
        node, run.nextReceive(), source, tag, ignore, capacity, run.scheduler().clock().nanoTime());
  }

  /** Bytes that hold any message, save for huge ones now and then. */
  private int longest() {
    return mix.huge && choices.below(3) == 2 ? Member.HUGEST : LONGEST;
  }

  private void posting(Receive receive, boolean inMemory) {
    place(receive, inMemory);
    run.ledger().posted(receive, run.nextOrder());
  }

  /** Gives it a buffer. */
  void place(Receive receive, boolean inMemory) {
    int offset = inMemory ? member.memoryFor(receive.capacity) : -1;
    receive.buffer = offset < 0 ? new UnsafeBuffer(new byte[receive.capacity]) : member.memory();
    receive.offset = Math.max(0, offset);
    receive.poison();
  }

  int sourceOf(Receive receive) {
    return receive.source == null ? TagSelector.ANY_SOURCE : node.peer(receive.source);
  }

  /** It was posted; false if it was refused. */
  private boolean begin(Receive receive, Posted posted) {
    if (posted == Posted.TRY_AGAIN) {
      run.ledger().refused(receive);
      return false;
    }
    open.add(receive);
    return true;
  }

  // ---- at the end ----

  boolean wantsDrain() {
    return wants(false) || wants(true) || isStuck();
  }

  private boolean wants(boolean untagged) {
    return (untagged ? untaggedDrains : drains) < DRAINS_AT_ONCE && node.expects(untagged);
  }

  /** All slots are held by receives that nothing matches, and one for many messages needs more. */
  private boolean isStuck() {
    CompletionRing ring = endpoint.receiveQueue().ring();
    if (!(node.expects(false) || node.expects(true)) || !ring.isEmpty()) {
      return false;
    }
    if (ring.tryReserve()) {
      ring.release();
      return false;
    }
    return open.stream().anyMatch(each -> each.many != null && !each.hasEnded())
        && open.stream().anyMatch(MemberReceives::mayCancel);
  }

  /** Takes whatever comes. */
  void drain() {
    if (isStuck()) {
      cancelOneForRoom();
    }
    if (wants(false)) {
      Receive receive = make(null, 0, ANY_TAG, longest());
      receive.drain = true;
      posting(receive, false);
      drained(
          receive,
          endpoint.postReceive(
              receive.buffer, 0, receive.capacity, 0, ANY_TAG, TagSelector.ANY_SOURCE, receive));
    }
    if (wants(true)) {
      Receive receive = untagged(null, longest());
      receive.drain = true;
      posting(receive, false);
      drained(
          receive,
          endpoint.post(
              TaggedReceive.untagged(TagSelector.ANY_SOURCE)
                  .into(receive.buffer, 0, receive.capacity),
              receive));
    }
  }

  private void drained(Receive receive, Posted posted) {
    if (!begin(receive, posted)) {
      cancelOneForRoom();
    } else if (receive.untagged) {
      untaggedDrains++;
    } else {
      drains++;
    }
  }

  /** One of its receives has an entry. */
  void onEntry(Receive receive) {
    if (receive.drain) {
      drains -= receive.untagged ? 0 : 1;
      untaggedDrains -= receive.untagged ? 1 : 0;
    }
  }

  private static boolean mayCancel(Receive receive) {
    return !receive.hasEnded() && !receive.drain && !receive.cancelRequested;
  }

  /** Receives that nothing will match may hold all slots. */
  private void cancelOneForRoom() {
    open.stream().filter(MemberReceives::mayCancel).findFirst().ifPresent(this::cancel);
  }

  // ---- cancels ----

  /** One that a counter has started. */
  void started(Receive receive) {
    open.add(receive);
  }

  void cancelOne() {
    open.removeIf(Receive::hasEnded);
    if (!open.isEmpty()) {
      cancel(open.get(choices.below(open.size())));
    }
  }

  private void cancel(Receive receive) {
    receive.cancelRequested = true;
    run.trace().note(40, receive.number, 0, 0, () -> "cancel  " + receive);
    if (choices.below(2) == 0) {
      endpoint.port().cancelReceive(receive);
    } else {
      endpoint.matcher().tell(new TagMatcher.CancelReceive(receive, nobody));
    }
  }
}
