package io.tagfabric.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.error.FabricError;
import io.tagfabric.trace.InboundTrace;
import io.tagfabric.wire.Announced;
import io.tagfabric.wire.Answer;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketPool;
import io.tagfabric.wire.sbe.AccessEndDecoder;
import io.tagfabric.wire.sbe.ReadDataDecoder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A peer of a target: writes down what it is answered, at once, in small parts. */
final class RecordingOrigin implements FrameOrigin {
  private static final int PART = 7;

  /** What was answered: an end with its error, or bytes. */
  private static final class Said {
    final long operation;
    final int error;
    final byte[] bytes;

    Said(long operation, int error, byte[] bytes) {
      this.operation = operation;
      this.error = error;
      this.bytes = bytes;
    }
  }

  final List<String> breaches = new ArrayList<>();
  private final PacketPool pool;
  private final FrameWriter seals = new FrameWriter();
  private final FrameCursor cursor = new FrameCursor();
  private final ReadDataDecoder data = new ReadDataDecoder();
  private final AccessEndDecoder end = new AccessEndDecoder();
  private final ArrayDeque<Said> said = new ArrayDeque<>();
  private int credits;

  RecordingOrigin(PacketPool pool) {
    this.pool = pool;
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
    if (answer.leftBytes() == 0) {
      write(answer, 0);
      answer.onEnd();
      return;
    }
    byte[] all = new byte[answer.leftBytes()];
    int filled = 0;
    long operation = 0;
    while (!answer.isOver()) {
      int part = Math.min(PART, answer.leftBytes());
      Said bytes = write(answer, part);
      said.removeLast();
      operation = bytes.operation;
      System.arraycopy(bytes.bytes, 0, all, filled, part);
      filled += part;
    }
    said.addLast(new Said(operation, 0, all));
    answer.onEnd();
  }

  private Said write(Answer answer, int bytes) {
    Packet packet = pool.acquire(1024);
    answer.write(seals.accesses(), packet, bytes);
    seals.sealUncounted(packet, 1, 5);
    Packet received = Packet.received(Arrays.copyOf(packet.array(), packet.length()));
    packet.release();
    assertThat(cursor.wrap(received)).isTrue();
    Said word;
    if (cursor.nextFrame() == AccessEndDecoder.TEMPLATE_ID) {
      end.wrap(cursor.buffer(), cursor.blockAt(), AccessEndDecoder.BLOCK_LENGTH, 2);
      word = new Said(end.operation(), end.errorCode(), null);
    } else {
      data.wrap(cursor.buffer(), cursor.blockAt(), ReadDataDecoder.BLOCK_LENGTH, 2);
      byte[] part = new byte[cursor.payloadLength()];
      cursor.buffer().getBytes(cursor.payloadAt(), part);
      word = new Said(data.operation(), 0, part);
    }
    said.addLast(word);
    return word;
  }

  /** The next answer is the end of an operation, with an error or none. */
  void requireEnd(long operation, FabricError error) {
    Said next = said.pollFirst();
    assertThat(next).as("an answer to operation %s", operation).isNotNull();
    assertThat(next.operation).isEqualTo(operation);
    assertThat(next.bytes).isNull();
    assertThat(next.error).isEqualTo(error == null ? 0 : error.code());
  }

  /** The next answer is bytes. */
  void requireBytes(long operation, byte[] wanted) {
    Said next = said.pollFirst();
    assertThat(next).as("an answer to operation %s", operation).isNotNull();
    assertThat(next.operation).isEqualTo(operation);
    assertThat(next.bytes).isEqualTo(wanted);
  }

  /** There is no further answer, and at most one request holds credit: a write that is coming. */
  void requireNothingMore() {
    assertThat(said).isEmpty();
    assertThat(breaches).isEmpty();
    assertThat(credits).isBetween(0, 1);
  }

  @Override
  public boolean admitRequest() {
    credits++;
    return true;
  }

  @Override
  public void consumed() {
    credits--;
  }

  @Override
  public int peer() {
    return 3;
  }

  @Override
  public String name() {
    return "peer";
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
  public boolean admit(long heldBytes, long messageBytes) {
    throw new AssertionError("an access takes no credit of bytes");
  }

  @Override
  public boolean admitReply() {
    throw new AssertionError("an access is no reply");
  }

  @Override
  public void consumed(int heldBytes) {
    throw new AssertionError("no bytes were admitted");
  }

  @Override
  public void consumedReply() {
    throw new AssertionError("an access is no reply");
  }

  @Override
  public void awaitsRest(boolean awaits) {}

  @Override
  public void datagramDropped() {
    throw new AssertionError("an access is no datagram");
  }

  @Override
  public Announced announced() {
    throw new AssertionError("an access is not announced");
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
