package io.tagfabric.match.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionRing;
import io.tagfabric.error.FabricError;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.trace.LiveRecording;
import io.tagfabric.trace.Recorder;
import io.tagfabric.trace.TraceEvent;
import io.tagfabric.trace.TraceKind;
import io.tagfabric.wire.MessageViews;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  private boolean post(Object context) {
    return post(receives, false, context);
  }

  private boolean post(ReceiveCore to, boolean silent, Object context) {
    assertThat(ring.tryReserve()).isTrue();
    return to.post(ring, buffer, 0, BYTES, TAG, 0, TagSelector.ANY_SOURCE, silent, context);
  }

  private void arrive(ReceiveCore at, byte[] payload) {
    at.whole(origin, MessageViews.of(TAG, null, payload));
  }

  @Test
  void shouldLeaveNoEntryAndFreeTheSlotWhenItIsSilent() {
    assertThat(post(receives, true, "silent")).isFalse();

    arrive(receives, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});

    assertThat(entries).isEmpty();
    assertThat(buffer.getByte(7)).isEqualTo((byte) 8);
    assertThatThrownBy(ring::release).hasMessageContaining("openReservations=0");
  }

  @Test
  void shouldLeaveNoEntryWhenItIsSilentAndItsMessageWaits() {
    arrive(receives, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});

    assertThat(post(receives, true, "silent")).isTrue();

    assertThat(entries).isEmpty();
    assertThat(buffer.getByte(7)).isEqualTo((byte) 8);
    assertThatThrownBy(ring::release).hasMessageContaining("openReservations=0");
  }

  @Test
  void shouldGiveTheCreditOfAMessageThatWaitedBackOnce() {
    arrive(receives, new byte[BYTES]);
    arrive(receives, new byte[BYTES]);
    assertThat(receives.state().unexpectedBytes()).isEqualTo(2 * BYTES);

    assertThat(post("first")).isTrue();

    assertThat(origin.consumedBytes).isEqualTo(BYTES);
    assertThat(origin.consumedMessages).isEqualTo(1);
    assertThat(receives.state().unexpectedBytes()).isEqualTo(BYTES);
    assertThat(receives.state().unexpectedMessages()).isEqualTo(1);
  }

  @Test
  void shouldTellWhatAMessageThatWaitedHasBesideItsBytes() {
    receives.whole(origin, MessageViews.of(TAG, 42L, new byte[BYTES]));
    arrive(receives, new byte[BYTES + 1]);
    arrive(receives, new byte[0]);

    assertThat(post("data")).isTrue();
    assertThat(post("long")).isTrue();
    assertThat(post("empty")).isTrue();

    assertThat(entries.get(0).data()).isEqualTo(42);
    assertThat(entries.get(1).error()).isEqualTo(FabricError.TRUNCATED);
    assertThat(entries.get(2).kind()).isEqualTo(CompletionEntry.Kind.RECEIVED);
    assertThat(entries.get(2).length()).isZero();
  }

  @Test
  void shouldBeRecordedWhenItsMessageWaits(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("events");
    Recorder.Owner owner = new Recorder.Owner(3, 4711, -9, "main");
    receives.record(Recorder.open(file, owner, 16, () -> 5, () -> 5));
    LiveRecording live = LiveRecording.open(file);
    arrive(receives, new byte[BYTES]);

    assertThat(post("recorded")).isTrue();
    arrive(receives, new byte[BYTES]);

    List<TraceEvent> events = new ArrayList<>();
    live.poll(events);
    assertThat(events)
        .extracting(TraceEvent::kind)
        .contains(TraceKind.RECEIVE_POSTED, TraceKind.MATCHED, TraceKind.RECEIVE_COMPLETED);
  }

  @Test
  void shouldRefuseWhereNothingIsReceived() {
    receives.receiveNothing();

    assertThat(post("refused")).isFalse();

    assertThat(entries.get(0).error()).isEqualTo(FabricError.OPERATION_NOT_SUPPORTED);
    assertThat(receives.state().postedReceives()).isZero();
  }

  @Test
  void shouldRefuseTagsThatAreReceivedElsewhere() {
    receives.takeOnly(0xf0, 0x10);

    assertThat(post("elsewhere")).isFalse();

    assertThat(entries.get(0).error()).isEqualTo(FabricError.INVALID);
    assertThat(receives.state().postedReceives()).isZero();
  }

  /** One that fits needs no receive, a longer one has one. */
  @ParameterizedTest
  @ValueSource(ints = {BYTES, BYTES + 1})
  void shouldFailTheReceiveOnceWhenTakingAMessageThatWaitedThrows(int length) {
    arrive(receives, new byte[length]);
    origin.onConsumed =
        () -> {
          throw new IllegalStateException("defect");
        };

    assertThatThrownBy(() -> post("taker")).hasMessage("defect");

    assertThat(entries).hasSize(1);
    assertThat(entries.get(0).context()).isEqualTo("taker");
    assertThat(entries.get(0).kind()).isEqualTo(CompletionEntry.Kind.FAILED);
    assertThat(entries.get(0).detail()).contains("defect");
    post("later");
    assertThat(entries.get(1).kind()).isEqualTo(CompletionEntry.Kind.FAILED);
  }

  @Test
  void shouldTellTheDataOfAMessageAndWhatDidNotFit() {
    post("data");
    post("long");

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
      post(i);
    }
    for (int i = 0; i < 2 * SpareReceives.MOST; i++) {
      arrive(receives, new byte[BYTES]);
    }
    entries.forEach(entry -> assertThat(entry.kind()).isEqualTo(CompletionEntry.Kind.RECEIVED));
    assertThat(entries).extracting(CompletionEntry::context).doesNotHaveDuplicates();
    entries.clear();
    post("first");
    post("second");
    arrive(receives, new byte[BYTES]);
    arrive(receives, new byte[BYTES]);

    assertThat(entries).extracting(CompletionEntry::context).containsExactly("first", "second");
  }
}
