package io.tagfabric.match.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionOutbox;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Completions;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.PlacedListener;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.progress.IdlePolicy;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.MessageViews;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Receives of one message and of many, with tags and without, in a queue that is often full or told
 * to listeners, against lists that are walked from the front.
 */
class ManyMessagesModelTest {
  private static final int PEERS = 2;
  private static final int SLOTS = 6;

  /** A receive that is posted. */
  private static final class Posted {
    final String name;
    final TagSelector selector;
    final boolean untagged;
    final int capacity;
    final int least; // 0 for one message
    final boolean told; // to a listener, of many messages
    final byte[] buffer;
    int used;
    int underWay;
    boolean closed;
    boolean released;
    boolean failed;
    boolean stalled;

    Posted(
        String name,
        TagSelector selector,
        boolean untagged,
        int capacity,
        int least,
        boolean told) {
      this.name = name;
      this.selector = selector;
      this.untagged = untagged;
      this.capacity = capacity;
      this.least = least;
      this.told = told;
      buffer = new byte[capacity];
    }

    boolean fits(Sent message) {
      return untagged == message.untagged
          && (selector.source() < 0 || selector.source() == message.source)
          && ((selector.tag() ^ message.tag) & ~selector.ignore()) == 0;
    }
  }

  /** A message; {@code at} is where its bytes go, when it has been matched. */
  private static final class Sent {
    final int source;
    final long tag;
    final boolean untagged;
    final byte[] bytes;
    int arrived;
    Posted into;
    int at;
    int placed;

    Sent(int source, long tag, boolean untagged, byte[] bytes) {
      this.source = source;
      this.tag = tag;
      this.untagged = untagged;
      this.bytes = bytes;
    }

    boolean isWhole() {
      return arrived == bytes.length;
    }
  }

  private final List<Posted> posted = new ArrayList<>();
  private final List<Sent> waiting = new ArrayList<>();
  private final Sent[] partial = new Sent[PEERS];
  private final List<Posted> stalled = new ArrayList<>();
  private final List<String> expected = new ArrayList<>();
  private final List<String> found = new ArrayList<>();
  private final List<String> expectedTold = new ArrayList<>();
  private final List<String> foundTold = new ArrayList<>();
  private final List<Sent> ended = new ArrayList<>();
  private int free = SLOTS;

  private final ProgressLoop loop = new ProgressLoop(() -> 0);
  private final CompletionQueue queue =
      CompletionQueue.open(
          SLOTS, loop, ProgressMode.MANUAL, new IdlePolicy(0, 0, 1), behavior -> null);
  private final CompletionOutbox outbox = queue.outbox();
  private final ReceiveCore receives = new ReceiveCore(2, outbox);
  private final ScriptedOrigin[] origins = {new ScriptedOrigin(0), new ScriptedOrigin(1)};
  private Random random;
  private int number;
  private int resumesAsked;
  private boolean asked;

  @Property(tries = 2_000)
  void shouldDoAsListsWalkedFromTheFront(@ForAll long seed) {
    new ManyMessagesModelTest().run(seed);
  }

  private void run(long seed) {
    random = new Random(seed);
    receives.whenStalled(() -> resumesAsked++);
    for (int i = 0; i < 120; i++) {
      step(random.nextInt(100));
      outbox.flush();
      assertThat(receives.state().postedReceives()).isEqualTo(posted.size());
      assertThat(receives.state().unexpectedMessages()).isEqualTo(waiting.size());
      assertThat(foundTold).isEqualTo(expectedTold);
    }
    receives.close();
    for (Posted each : inTables()) {
      posted.remove(each);
      fail(each, FabricError.CANCELED);
    }
    for (int source = 0; source < PEERS; source++) {
      rest(source);
    }
    outbox.flush();
    read(Integer.MAX_VALUE);
    assertThat(found).isEqualTo(expected);
    assertThat(foundTold).isEqualTo(expectedTold);
    for (Sent each : ended) {
      assertThat(Arrays.copyOfRange(each.into.buffer, each.at, each.at + each.placed))
          .isEqualTo(Arrays.copyOf(each.bytes, each.placed));
    }
    for (int i = 0; i < SLOTS; i++) {
      assertThat(queue.ring().tryReserve()).as("slot %d is free", i).isTrue();
    }
  }

  /** As the product walks them: those with tags first. */
  private List<Posted> inTables() {
    List<Posted> all = new ArrayList<>();
    posted.stream().filter(each -> !each.untagged).forEach(all::add);
    posted.stream().filter(each -> each.untagged).forEach(all::add);
    return all;
  }

  private void step(int dice) {
    if (dice < 30) {
      post(random.nextInt(2) == 0);
    } else if (dice < 65) {
      arrive(random.nextInt(PEERS));
    } else if (dice < 75) {
      rest(random.nextInt(PEERS));
    } else if (dice < 90) {
      read(random.nextInt(4));
    } else if (dice < 96) {
      resume();
    } else if (!posted.isEmpty()) {
      Posted chosen = posted.get(random.nextInt(posted.size()));
      assertThat(receives.cancel(chosen.name)).isTrue();
      posted.remove(chosen);
      fail(chosen, FabricError.CANCELED);
    }
  }

  /** Writes down what a listener hears. */
  private final class Teller implements PlacedListener {
    @Override
    public void onMessage(Completion message) {
      foundTold.add(said(message));
    }

    @Override
    public void onFailed(Completion.Failed failure) {
      foundTold.add(said(failure));
    }

    @Override
    public void onReleased(Completion.Released released) {
      foundTold.add(said(released));
    }
  }

  private List<String> expectedOf(Posted receive) {
    return receive.told ? expectedTold : expected;
  }

  // ---- posts ----

  private void post(boolean many) {
    boolean untagged = random.nextInt(2) == 0;
    int source = random.nextInt(PEERS + 1) - 1;
    TagSelector selector =
        untagged
            ? new TagSelector(0, 0, source)
            : new TagSelector(random.nextInt(3), random.nextInt(2) == 0 ? 0 : -1L, source);
    int capacity = 1 + random.nextInt(30);
    int least = many ? 1 + random.nextInt(capacity) : 0;
    boolean told = many && random.nextInt(3) == 0;
    Posted model = new Posted("receive" + number++, selector, untagged, capacity, least, told);
    UnsafeBuffer buffer = new UnsafeBuffer(model.buffer);
    if (!many && !untagged && random.nextBoolean()) {
      postLent(model, buffer);
      return;
    }
    TaggedReceive wanted =
        (untagged ? TaggedReceive.untagged(source) : TaggedReceive.of(selector)).into(buffer);
    if (many) {
      wanted.many(least);
    }
    PostedReceive receive =
        told
            ? PostedReceive.into(wanted, model.name, new Teller())
            : PostedReceive.reserve(queue, wanted, Completions.ALL, model.name);
    int slots = told ? 0 : many ? 2 : 1;
    assertThat(receive != null).isEqualTo(free >= slots);
    if (receive == null) {
      return;
    }
    free -= slots;
    receives.post(receive);
    posted.add(model);
    matchWaiting();
  }

  /** A receive of one message without an object of its own. */
  private void postLent(Posted model, UnsafeBuffer buffer) {
    boolean reserved = queue.ring().tryReserve();
    assertThat(reserved).isEqualTo(free > 0);
    if (!reserved) {
      return;
    }
    free--;
    TagSelector selector = model.selector;
    receives.post(
        queue.ring(),
        buffer,
        0,
        buffer.capacity(),
        selector.tag(),
        selector.ignore(),
        selector.source(),
        false,
        model.name);
    posted.add(model);
    matchWaiting();
  }

  /** As if those that wait came now: each takes the earliest receive that fits it. */
  private void matchWaiting() {
    stalled.forEach(each -> each.stalled = false);
    stalled.clear();
    List<Sent> all = new ArrayList<>(waiting);
    all.sort(Comparator.comparing(each -> each.untagged)); // as in inTables
    for (Sent message : all) {
      Posted receive = choose(message);
      if (receive != null) {
        waiting.remove(message);
        take(receive, message);
      }
    }
  }

  /** The receive of a message; null if there is none, or it is too early to say. */
  private Posted choose(Sent message) {
    for (Posted receive : List.copyOf(posted)) {
      if (!receive.fits(message)) {
        continue;
      }
      Sent first = waiting.stream().filter(receive::fits).findFirst().orElse(message);
      if (receive.stalled || first != message) {
        return null;
      }
      if (receive.least == 0) {
        posted.remove(receive);
        return receive;
      }
      if (!hasRoom(receive, message)) {
        close(receive);
        continue;
      }
      if (receive.told || free > 0) {
        free -= receive.told ? 0 : 1;
        return receive;
      }
      receive.stalled = true;
      stalled.add(receive);
      asked = true;
      return null;
    }
    return null;
  }

  private static boolean hasRoom(Posted many, Sent message) {
    return many.used == 0 || message.bytes.length <= many.capacity - many.used;
  }

  private void close(Posted many) {
    posted.remove(many);
    many.closed = true;
    release(many);
  }

  private void release(Posted many) {
    if (many.closed && many.underWay == 0 && !many.released) {
      many.released = true;
      free += many.told || many.failed ? 0 : 1;
      expectedOf(many).add(many.name + " released " + many.used);
    }
  }

  private void fail(Posted receive, FabricError error) {
    expectedOf(receive).add(receive.name + " " + error);
    if (receive.least > 0) {
      receive.failed = true;
      receive.closed = true;
      release(receive);
    }
  }

  /** A receive takes a message, which may have more bytes to come. */
  private void take(Posted receive, Sent message) {
    message.into = receive;
    message.at = receive.used;
    message.placed = Math.min(message.bytes.length, receive.capacity - receive.used);
    if (receive.least > 0) {
      receive.used += message.placed;
      receive.underWay++;
      if (receive.capacity - receive.used < receive.least) {
        posted.remove(receive);
        receive.closed = true;
      }
    }
    if (message.isWhole()) {
      end(message);
    }
  }

  private void end(Sent message) {
    Posted receive = message.into;
    int overflow = message.bytes.length - message.placed;
    expectedOf(receive)
        .add(
            receive.name
                + (overflow > 0 ? " TRUNCATED " : " received ")
                + message.at
                + "+"
                + message.placed
                + (message.untagged ? " untagged" : " tag " + message.tag));
    ended.add(message);
    if (receive.least > 0) {
      receive.underWay--;
      release(receive);
    }
  }

  // ---- arrivals ----

  private void arrive(int source) {
    if (partial[source] != null) {
      rest(source);
      return;
    }
    boolean untagged = random.nextInt(2) == 0;
    byte[] bytes = new byte[1 + random.nextInt(20)];
    random.nextBytes(bytes);
    Sent message = new Sent(source, untagged ? 0 : random.nextInt(3), untagged, bytes);
    boolean whole = random.nextInt(3) > 0;
    message.arrived = whole ? bytes.length : random.nextInt(bytes.length);
    MessageView view = MessageViews.of(message.tag, new UnsafeBuffer(bytes), 0, message.arrived);
    if (untagged) {
      view.showUntagged();
    }
    match(message);
    if (whole) {
      receives.whole(origins[source], view);
    } else {
      partial[source] = message;
      receives.first(origins[source], view, 1, bytes.length);
    }
  }

  private void match(Sent message) {
    Posted receive = choose(message);
    if (receive == null) {
      waiting.add(message);
    } else {
      take(receive, message);
    }
  }

  /** The rest of the message that a peer has begun. */
  private void rest(int source) {
    Sent message = partial[source];
    if (message == null) {
      return;
    }
    partial[source] = null;
    int at = message.arrived;
    message.arrived = message.bytes.length;
    if (message.into != null) {
      end(message);
    }
    receives.next(
        origins[source], 1, at, new UnsafeBuffer(message.bytes), at, message.bytes.length - at);
  }

  // ---- the queue ----

  private void resume() {
    assertThat(resumesAsked > 0).as("somebody is to call again").isEqualTo(asked);
    resumesAsked = 0;
    asked = false;
    receives.resume();
    matchWaiting();
  }

  private void read(int limit) {
    int before = found.size();
    queue.read(entry -> found.add(said(entry.toCompletion())), limit);
    free += found.size() - before;
    assertThat(found).isEqualTo(expected.subList(0, found.size()));
  }

  private static String said(Completion completion) {
    if (completion instanceof Completion.Released released) {
      return released.context() + " released " + released.length();
    } else if (completion instanceof Completion.Received received) {
      return received.context()
          + " received "
          + received.offset()
          + "+"
          + received.length()
          + (received.tagged() ? " tag " + received.tag() : " untagged");
    }
    Completion.Failed failed = (Completion.Failed) completion;
    return failed.error() == FabricError.TRUNCATED
        ? failed.context()
            + " TRUNCATED "
            + failed.offset()
            + "+"
            + failed.length()
            + (failed.tagged() ? " tag " + failed.tag() : " untagged")
        : failed.context() + " " + failed.error();
  }
}
