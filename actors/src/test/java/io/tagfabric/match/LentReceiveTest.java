package io.tagfabric.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionRing;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.wire.MessageViews;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Receives without an object of their own: what is asked of one is not forgotten at its end. */
class LentReceiveTest {
  private static final long TAG = 7;
  private static final int BYTES = 8;

  private final List<CompletionEntry> entries = new ArrayList<>();
  private final CompletionRing ring = new CompletionRing(600);
  private final ScriptedOrigin origin = new ScriptedOrigin(3);
  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[BYTES]);
  private final ReceiveCore receives = new ReceiveCore(4, this::next);

  private CompletionEntry next() {
    CompletionEntry entry = new CompletionEntry();
    entries.add(entry);
    return entry;
  }

  private PostedReceive lend(ReceiveCore from, Object context) {
    assertThat(ring.tryReserve()).isTrue();
    return from.lend(ring, buffer, 0, BYTES, TAG, 0, TagSelector.ANY_SOURCE, context);
  }

  private void arrive(ReceiveCore at, byte[] payload) {
    at.whole(origin, MessageViews.of(TAG, null, payload));
  }

  @Test
  void shouldLeaveNoEntryAndFreeTheSlotWhenItIsSilent() {
    PostedReceive receive = lend(receives, "silent");
    receive.silence();
    receives.post(receive);

    arrive(receives, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});

    assertThat(entries).isEmpty();
    assertThat(buffer.getByte(7)).isEqualTo((byte) 8);
    assertThatThrownBy(ring::release).hasMessageContaining("openReservations=0");
  }

  @Test
  void shouldTellTheDataOfAMessageAndWhatDidNotFit() {
    receives.post(lend(receives, "data"));
    receives.post(lend(receives, "long"));

    receives.whole(origin, MessageViews.of(TAG, 42L, new byte[BYTES]));
    arrive(receives, new byte[BYTES + 1]);

    assertThat(entries.get(0).hasData()).isTrue();
    assertThat(entries.get(0).data()).isEqualTo(42);
    assertThat(entries.get(1).kind()).isEqualTo(CompletionEntry.Kind.FAILED);
    assertThat(entries.get(1).overflowLength()).isEqualTo(1);
  }

  @Test
  void shouldKeepNothingOfTheProgramWhenItIsReused() {
    for (int i = 0; i < 2 * SpareReceives.MOST; i++) {
      receives.post(lend(receives, i));
    }
    for (int i = 0; i < 2 * SpareReceives.MOST; i++) {
      arrive(receives, new byte[BYTES]);
    }
    entries.forEach(entry -> assertThat(entry.kind()).isEqualTo(CompletionEntry.Kind.RECEIVED));
    assertThat(entries).extracting(CompletionEntry::context).doesNotHaveDuplicates();
    entries.clear();
    PostedReceive first = receives.lend(ring, buffer, 0, BYTES, TAG, 0, 3, "first");
    PostedReceive second = receives.lend(ring, buffer, 0, BYTES, TAG, 0, 3, "second");

    assertThat(first).isNotSameAs(second);
    receives.post(first);
    receives.post(second);
    arrive(receives, new byte[BYTES]);
    arrive(receives, new byte[BYTES]);

    assertThat(entries).extracting(CompletionEntry::context).containsExactly("first", "second");
  }
}
