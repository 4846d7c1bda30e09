package io.tagfabric.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.error.FabricError;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameBatchPool;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.MessageViews;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Random programs and arrivals, step by step beside {@link NaiveReceives}: the same events in the
 * same order, and every byte where it belongs. A failure prints the seed.
 */
class ReceiveContextModelTest {
  private static final int PEERS = 3;
  private static final int PACKET = 32 * 1024;

  /** A receive's buffer and name, given as the context of the receive. */
  @SuppressWarnings("ArrayRecordComponent") // compared by identity of the context
  private record Slot(String name, byte[] buffer, int offset, int capacity) {}

  private final FrameBatchPool pool = new FrameBatchPool(1024, PACKET);
  private final FrameWriter writer = new FrameWriter();
  private final List<CompletionEntry> entries = new ArrayList<>();
  private final List<String> events = new ArrayList<>();
  private final Map<Integer, InboundTransfer> transfers = new HashMap<>();
  private final ScriptedOrigin[] origins = new ScriptedOrigin[PEERS];
  private final Map<String, Object> contexts = new HashMap<>();
  private final NaiveReceives model = new NaiveReceives();
  private final ReceiveContext receives =
      new ReceiveContext(
          2,
          this::entry,
          new TransferListener() {
            @Override
            public void onMatched(InboundTransfer transfer) {
              cleared(transfer);
            }

            @Override
            public void onAborted(FrameOrigin origin, long message, FabricError error) {
              throw new AssertionError("nothing is aborted here");
            }
          });
  private Random random = new Random(0);
  private int numbers;

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void shouldDoAsTheModelDoes(@ForAll long seed) {
    ReceiveContextModelTest fresh = new ReceiveContextModelTest();
    fresh.random = new Random(seed);
    fresh.run();
  }

  private void run() {
    for (int i = 0; i < PEERS; i++) {
      origins[i] = new ScriptedOrigin(i);
    }
    int steps = 20 + random.nextInt(150);
    for (int i = 0; i < steps; i++) {
      step(random.nextInt(100));
      compare();
    }
    List.copyOf(transfers.keySet()).forEach(this::finish);
    model.close();
    assertThat(receives.close()).isEqualTo(modelPostedBefore);
    compare();
    for (int i = 0; i < 5; i++) {
      step(random.nextInt(90));
      compare();
    }
  }

  private int modelPostedBefore;

  private void step(int dice) {
    if (dice < 35) {
      post();
    } else if (dice < 75) {
      arrive();
    } else if (dice < 83) {
      if (!transfers.isEmpty()) {
        List<Integer> moving = new ArrayList<>(transfers.keySet());
        finish(moving.get(random.nextInt(moving.size())));
      }
    } else if (dice < 88) {
      cancel();
    } else if (dice < 92) {
      String name = "route" + numbers++;
      TagSelector selector = selector();
      int maxLength = 5 + random.nextInt(40);
      contexts.put(name, name);
      model.addRoute(name, selector, maxLength);
      receives.addRoute(
          new TagRoute(selector, name, maxLength, message -> delivered(name, message)));
    } else if (dice < 96) {
      String name = "route" + random.nextInt(numbers + 1);
      model.removeRoute(name);
      receives.removeRoutes(name);
    } else if (dice == 96) {
      losePeer(random.nextInt(PEERS));
    }
  }

  private TagSelector selector() {
    long ignore = new long[] {0, 0, 0, 1, 3, -1}[random.nextInt(6)];
    return new TagSelector(random.nextInt(6), ignore, random.nextInt(PEERS + 2) % (PEERS + 1) - 1);
  }

  private void post() {
    TagSelector selector = selector();
    int capacity = random.nextInt(40);
    if (random.nextInt(3) == 0) {
      String name = "whole" + numbers++;
      contexts.put(name, name);
      model.post(name, selector, capacity);
      receives.post(new PostedReceive(selector, capacity, name, listener(name)));
    } else {
      String name = "receive" + numbers++;
      int offset = random.nextInt(3);
      byte[] buffer = new byte[offset + capacity + 2];
      Arrays.fill(buffer, (byte) 0x77);
      Slot slot = new Slot(name, buffer, offset, capacity);
      contexts.put(name, slot);
      model.post(name, selector, capacity);
      receives.post(new PostedReceive(selector, new UnsafeBuffer(buffer), offset, capacity, slot));
    }
  }

  /** One packet with one to three messages of one peer. */
  private void arrive() {
    int peer = random.nextInt(PEERS);
    if (model.lost.contains(peer)) {
      return;
    }
    FrameBatch batch = pool.acquire(4096);
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      int number = ++numbers;
      long tag = random.nextInt(6);
      int length = random.nextInt(4) == 0 ? 0 : random.nextInt(45);
      boolean announced = random.nextInt(3) == 0;
      Long data = number % 2 == 0 ? (long) number : null;
      MessageView message = MessageViews.of(tag, data, payload(number, length));
      if (announced) {
        writer.requestToSend(batch, message, number, false, null);
      } else {
        writer.eager(batch, message);
      }
      model.arrive(new NaiveReceives.Message(number, peer, tag, length, announced));
    }
    writer.seal(batch).sequence(1);
    batch.origin(origins[peer]);
    receives.arrived(batch);
    // The packet's memory is used again at once: nothing may still point into it.
    Arrays.fill(batch.array(), (byte) 0x33);
    batch.release();
  }

  private static byte[] payload(int number, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (number * 13 + i);
    }
    return bytes;
  }

  private void finish(int number) {
    InboundTransfer transfer = transfers.remove(number);
    boolean fails = random.nextInt(5) == 0;
    if (fails) {
      model.ended(number, FabricError.IO);
      receives.ended(transfer, FabricError.IO, "broken");
      return;
    }
    UnsafeBuffer bytes = new UnsafeBuffer(payload(number, transfer.wanted()));
    int half = transfer.wanted() / 2;
    assertThat(transfer.clearMore(16, 64)).isEqualTo(transfer.wanted());
    transfer.place(0, bytes, 0, half);
    assertThat(transfer.isComplete()).isEqualTo(transfer.wanted() == 0);
    transfer.place(transfer.wanted() - 1, bytes, 0, 2);
    transfer.place(-1, bytes, 0, 1);
    transfer.place(half, bytes, half, transfer.wanted() - half);
    assertThat(transfer.isComplete()).isTrue();
    model.ended(number, null);
    receives.ended(transfer, null, null);
  }

  private void cancel() {
    List<String> names = new ArrayList<>(contexts.keySet());
    if (!names.isEmpty()) {
      String name = names.get(random.nextInt(names.size()));
      boolean waits = model.posted.stream().anyMatch(each -> each.name.equals(name));
      model.cancel(name);
      assertThat(receives.cancel(contexts.get(name))).as(name).isEqualTo(waits);
    }
  }

  private void losePeer(int peer) {
    if (model.lost.contains(peer)) {
      return;
    }
    origins[peer].lost = true;
    for (int number : List.copyOf(transfers.keySet())) {
      if (transfers.get(number).origin() == origins[peer]) {
        model.ended(number, FabricError.CONNECTION_RESET);
        receives.ended(transfers.remove(number), FabricError.CONNECTION_RESET, "lost");
      }
    }
    model.peerLost(peer);
    receives.peerLost(peer, FabricError.CONNECTION_RESET, "lost");
  }

  // ---- what the context tells ----

  private CompletionEntry entry() {
    drainEntries();
    CompletionEntry entry = new CompletionEntry();
    entries.add(entry);
    return entry;
  }

  private void cleared(InboundTransfer transfer) {
    drainEntries();
    int number = (int) transfer.message();
    transfers.put(number, transfer);
    events.add("clear " + number + " " + transfer.wanted());
  }

  private ReceiveListener listener(String name) {
    return new ReceiveListener() {
      @Override
      public void onReceived(TaggedMessage message) {
        delivered(name, message);
      }

      @Override
      public void onFailed(Completion.Failed failure) {
        drainEntries();
        assertThat(failure.context()).isEqualTo(name);
        events.add(name + " failed " + words(failure));
      }
    };
  }

  private static String words(Completion.Failed failure) {
    boolean truncated = failure.error() == FabricError.TRUNCATED;
    return failure.error()
        + (truncated ? " " + failure.length() + "+" + failure.overflowLength() : "")
        + (failure.hasData() ? " data " + failure.data() : "");
  }

  private void delivered(String name, TaggedMessage message) {
    drainEntries();
    byte[] bytes = message.payload().array();
    int number = numberOf(message.hasData(), message.data(), bytes, bytes.length);
    assertThat(bytes).isEqualTo(payload(number, bytes.length));
    events.add(name + " got " + number + " of " + bytes.length);
  }

  /** Every second message says its number; of the others the first byte tells, or the model. */
  private int numberOf(boolean hasData, long data, byte[] bytes, int length) {
    if (hasData) {
      return (int) data;
    }
    String expected = model.events.get(events.size());
    int number = Integer.parseInt(expected.replaceAll(".* got (\\d+) of.*", "$1"));
    assertThat(length == 0 || bytes[0] == (byte) (number * 13)).isTrue();
    return number;
  }

  private void drainEntries() {
    for (CompletionEntry entry : entries) {
      Slot slot = (Slot) entry.context();
      int placed = (int) entry.length();
      if (entry.kind() == CompletionEntry.Kind.RECEIVED) {
        byte[] bytes = Arrays.copyOfRange(slot.buffer, slot.offset, slot.offset + placed);
        int number = numberOf(entry.hasData(), entry.data(), bytes, placed);
        assertThat(bytes).isEqualTo(payload(number, placed));
        events.add(slot.name + " got " + number + " of " + placed);
      } else {
        events.add(slot.name + " failed " + words((Completion.Failed) entry.toCompletion()));
      }
      for (int i = 0; i < slot.buffer.length; i++) {
        if (i < slot.offset || i >= slot.offset + slot.capacity) {
          assertThat(slot.buffer[i]).as("outside of %s at %d", slot, i).isEqualTo((byte) 0x77);
        }
      }
    }
    entries.clear();
  }

  private void compare() {
    drainEntries();
    assertThat(events).isEqualTo(model.events);
    assertThat(receives.postedCount()).isEqualTo(model.posted.size());
    assertThat(receives.unexpectedCount()).isEqualTo(model.unexpected.size());
    long bytes =
        model.unexpected.stream()
            .filter(each -> !each.announced())
            .mapToLong(m -> m.length())
            .sum();
    assertThat(receives.unexpectedBytes()).isEqualTo(bytes);
    assertThat(receives.peakUnexpectedBytes()).isGreaterThanOrEqualTo(bytes);
    for (ScriptedOrigin origin : origins) {
      assertThat(origin.consumedMessages).isEqualTo(model.consumed.getOrDefault(origin.peer(), 0));
    }
    modelPostedBefore = model.posted.size();
  }
}
