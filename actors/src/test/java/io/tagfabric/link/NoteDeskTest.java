package io.tagfabric.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.progress.StepQueue;
import io.tagfabric.trace.InboundTrace;
import io.tagfabric.wire.Announced;
import io.tagfabric.wire.Answer;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketPool;
import io.tagfabric.wire.sbe.MessageHeaderEncoder;
import io.tagfabric.wire.sbe.NoteDecoder;
import io.tagfabric.wire.sbe.NoteEncoder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Notes from one desk to another, frame by frame. */
class NoteDeskTest {
  private static final int PEER = 3;
  private static final int CHANNEL = 70_000;

  /** The peer that writes, as the reader sees it. */
  private static final class Writer implements FrameOrigin {
    final List<String> breaches = new ArrayList<>();
    int admitted;
    int givenBack;
    boolean hasNoCredit;

    @Override
    public int peer() {
      return PEER;
    }

    @Override
    public String name() {
      return "writer";
    }

    @Override
    public boolean admit(long heldBytes, long messageBytes) {
      throw new AssertionError("a note takes no credit of tagged messages");
    }

    @Override
    public InboundTrace inbound() {
      return new InboundTrace(0, 0, 0);
    }

    @Override
    public boolean isOwn() {
      return false;
    }

    @Override
    public boolean admitRequest() {
      throw new AssertionError("a note is no request");
    }

    @Override
    public boolean admitActive() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void consumedActive() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void answer(Answer answer) {
      throw new AssertionError("a note is not answered");
    }

    @Override
    public void awaitsRest(boolean awaits) {}

    @Override
    public void datagramDropped() {}

    @Override
    public boolean admitReply() {
      if (hasNoCredit) {
        return false;
      }
      admitted++;
      return true;
    }

    @Override
    public void consumed(int heldBytes) {
      throw new AssertionError("nothing was admitted");
    }

    @Override
    public void consumed() {
      throw new AssertionError("nothing was admitted");
    }

    @Override
    public void consumedReply() {
      givenBack++;
    }

    @Override
    public Announced announced() {
      throw new AssertionError("a note is not announced");
    }

    @Override
    public boolean isLost() {
      return false;
    }

    @Override
    public void breach(String rule) {
      breaches.add(rule);
    }
  }

  private final PacketPool pool = new PacketPool(512, 8 * 1024);
  private final StepQueue steps = new StepQueue();
  private final FrameServices services = new FrameServices();
  private final List<RuntimeException> defects = new ArrayList<>();
  private boolean isOnLoop = true;
  private final NoteDesk reader = new NoteDesk(steps, () -> isOnLoop, defects::add);
  private final NoteDesk writer = new NoteDesk(steps, () -> isOnLoop, defects::add);
  private final ArrayDeque<OutgoingNote.Part> onTheWay = new ArrayDeque<>();
  private final Writer origin = new Writer();
  private final List<byte[]> read = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  @BeforeEach
  void open() {
    reader.open(services, (peer, frame) -> {});
    writer.open(
        new FrameServices(),
        (peer, frame) -> {
          assertThat(peer).isEqualTo(PEER);
          onTheWay.add((OutgoingNote.Part) frame);
        });
  }

  private void send(int channel, byte[] note) {
    writer.send(PEER, channel, note, (error, detail) -> failures.add(error + " " + detail));
    steps.run();
  }

  private void arrive(Packet packet) {
    new FrameWriter().sealUncounted(packet, 1, 2);
    FrameCursor cursor = new FrameCursor();
    assertThat(cursor.wrap(packet)).isTrue();
    assertThat(cursor.nextFrame()).isEqualTo(NoteDecoder.TEMPLATE_ID);
    services.of(NoteDecoder.TEMPLATE_ID).onFrame(origin, cursor);
    packet.release();
    steps.run();
  }

  private void arriveAll() {
    while (!onTheWay.isEmpty()) {
      Packet packet = pool.acquire(1024);
      onTheWay.remove().write(packet);
      arrive(packet);
    }
  }

  private void arrive(int channel, int position, int total, int length) {
    Packet packet = pool.acquire(1024);
    int at = packet.length();
    int overhead = MessageHeaderEncoder.ENCODED_LENGTH + NoteEncoder.BLOCK_LENGTH;
    new NoteEncoder()
        .wrapAndApplyHeader(packet.buffer(), at, new MessageHeaderEncoder())
        .channel(channel)
        .position(position)
        .total(total);
    packet.append(overhead + length);
    arrive(packet);
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  @Test
  void shouldRefuseCallsFromOutsideTheLoop() {
    isOnLoop = false;

    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> writer.send(PEER, 1, new byte[1], (error, detail) -> {}),
            () -> reader.receive(1, (peer, note) -> {}),
            () -> reader.endReceive(1),
            () -> reader.discard(channel -> true))) {
      assertThatThrownBy(call)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("domain's loop");
    }
  }

  @Test
  void shouldBringNotesOfAnyLengthInOrder() {
    reader.receive(CHANNEL, (peer, note) -> read.add(note));
    int[] lengths = {0, 1, 511, 512, 513, 5000, NoteDesk.MOST_NOTE_BYTES};
    for (int length : lengths) {
      send(CHANNEL, bytes(length));
    }
    arriveAll();

    assertThat(read).hasSize(lengths.length);
    for (int i = 0; i < lengths.length; i++) {
      assertThat(read.get(i)).isEqualTo(bytes(lengths[i]));
    }
    assertThat(origin.givenBack).isEqualTo(origin.admitted);
    assertThat(defects).isEmpty();
    assertThatThrownBy(() -> send(CHANNEL, bytes(NoteDesk.MOST_NOTE_BYTES + 1)))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("longest note's");
  }

  @Test
  void shouldKeepANoteUntilSomebodyReadsItsChannel() {
    send(CHANNEL, bytes(600));
    arriveAll();
    assertThat(read).isEmpty();

    reader.receive(CHANNEL + 1, (peer, note) -> read.add(note));
    steps.run();
    assertThat(read).isEmpty();
    reader.receive(CHANNEL, (peer, note) -> read.add(note));
    steps.run();

    assertThat(read).containsExactly(bytes(600));
    reader.endReceive(CHANNEL);
    send(CHANNEL, bytes(3));
    arriveAll();
    assertThat(read).hasSize(1);
  }

  @Test
  void shouldNotGiveCreditBackForMoreThanItKeepsUntilItIsRead() {
    int notes = 2 * NoteDesk.KEPT_BYTES / NoteDesk.MOST_NOTE_BYTES;
    for (int i = 0; i < notes; i++) {
      send(CHANNEL, bytes(NoteDesk.MOST_NOTE_BYTES));
      arriveAll();
    }
    assertThat(origin.admitted - origin.givenBack).isEqualTo(notes / 2);

    reader.receive(CHANNEL, (peer, note) -> read.add(note));
    steps.run();

    assertThat(read).hasSize(notes);
    assertThat(origin.givenBack).isEqualTo(origin.admitted);
  }

  @Test
  void shouldDropWhatIsOver() {
    send(CHANNEL, bytes(5));
    arriveAll();
    reader.discard(channel -> channel == CHANNEL);
    steps.run();
    send(CHANNEL, bytes(6));
    arriveAll();

    reader.receive(CHANNEL, (peer, note) -> read.add(note));
    steps.run();

    assertThat(read).isEmpty();
    assertThat(origin.givenBack).isEqualTo(origin.admitted);
  }

  @Test
  void shouldSayOnceWhyANoteDoesNotLeave() {
    send(CHANNEL, bytes(2000));
    onTheWay.forEach(part -> part.onFailed(FabricError.CONNECTION_RESET, "gone"));

    assertThat(onTheWay).hasSize(4);
    assertThat(failures).containsExactly("CONNECTION_RESET gone");
  }

  @Test
  void shouldEndTheFlowOfAWriterThatSendsPartsThatAreNotDue() {
    reader.receive(CHANNEL, (peer, note) -> read.add(note));
    int[][] wrong = {
      {CHANNEL, 8, 16, 8}, // none has begun
      {CHANNEL, 0, 7, 8}, // more than the whole
      {CHANNEL, 0, NoteDesk.MOST_NOTE_BYTES + 1, 8},
      {CHANNEL, 0, -1, 8},
    };
    for (int[] part : wrong) {
      arrive(part[0], part[1], part[2], part[3]);
    }
    assertThat(origin.breaches).hasSize(wrong.length);
    origin.breaches.clear();
    int[][] wrongNext = {
      {CHANNEL + 1, 8, 16, 8},
      {CHANNEL, 4, 16, 8},
      {CHANNEL, 8, 17, 8},
      {CHANNEL, 8, 16, 16},
      {CHANNEL, 8, 16, 0}
    };
    for (int[] part : wrongNext) {
      arrive(CHANNEL, 0, 16, 8);
      arrive(part[0], part[1], part[2], part[3]);
    }

    assertThat(origin.breaches).hasSize(wrongNext.length);
    assertThat(origin.breaches.get(1)).contains("position=4").contains("position=8");
    assertThat(read).isEmpty();
  }

  @Test
  void shouldKeepNothingBeyondTheCreditOfReplies() {
    reader.receive(CHANNEL, (peer, note) -> read.add(note));
    origin.hasNoCredit = true;
    arrive(CHANNEL, 0, 8, 8);

    assertThat(read).isEmpty();
    assertThat(origin.givenBack).isZero();
  }
}
