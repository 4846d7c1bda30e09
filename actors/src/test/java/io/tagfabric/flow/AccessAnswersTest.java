package io.tagfabric.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.send.PendingAccess;
import io.tagfabric.provider.DirectRegion;
import io.tagfabric.wire.AccessWriter;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.Packet;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What a peer answers to a read, right and wrong. */
class AccessAnswersTest {
  private static final int BYTES = 16;

  private final FlowPair pair = new FlowPair(SmallFlows.COPYING, true);
  private final FlowSide victim = pair.b;
  private final FrameWriter writer = new FrameWriter();
  private final AccessWriter answers = writer.accesses();
  private final UnsafeBuffer theirs = new UnsafeBuffer(new byte[100]);
  private final UnsafeBuffer own = new UnsafeBuffer(new byte[2 * BYTES]);
  private long sequence;

  /** A read of 16 bytes. */
  private final class Reading extends PendingAccess {
    Reading() {
      super(0, CompletionLevel.DELIVERY, null);
      show(0, theirs, 0, 0);
    }

    @Override
    public long key() {
      return 1;
    }

    @Override
    public long generation() {
      return 2;
    }

    @Override
    public long regionOffset() {
      return 0;
    }

    @Override
    public long accessedBytes() {
      return BYTES;
    }

    @Override
    public FabricError reach(DirectRegion region, boolean its) {
      throw new AssertionError("the peer's channel reaches no region");
    }

    @Override
    public boolean signals() {
      return false;
    }

    @Override
    public int requestBytes() {
      return 0;
    }

    @Override
    public int packedBytes() {
      return 0;
    }

    @Override
    public void packInto(MutableDirectBuffer buffer) {
      throw new AssertionError("there is nothing to pack");
    }

    @Override
    public boolean bounce() {
      return false;
    }

    @Override
    public void unbounce() {
      throw new AssertionError("nothing was copied");
    }

    @Override
    public boolean isDivisible() {
      return false;
    }

    @Override
    public boolean awaitsAnswer() {
      return true;
    }

    @Override
    public int answerBytes() {
      return BYTES;
    }

    @Override
    public boolean isFlush() {
      return false;
    }

    @Override
    public int overheadBytes(int position) {
      return AccessWriter.READ_LENGTH;
    }

    @Override
    public void write(
        AccessWriter itsWriter,
        Packet packet,
        long number,
        int position,
        int bytes,
        boolean abort) {
      itsWriter.read(packet, number, 1, 2, 0, BYTES);
    }

    @Override
    public boolean take(int position, DirectBuffer from, int at, int bytes) {
      own.putBytes(position, from, at, bytes);
      return true;
    }

    @Override
    public String lostItsRoom() {
      return "";
    }
  }

  private void hear(Consumer<Packet> frames) {
    sequence++;
    Packet packet = victim.pool.acquire(4_000);
    frames.accept(packet);
    writer
        .seal(packet)
        .incarnation(FlowSide.INCARNATION)
        .sequence(sequence)
        .acknowledged(0)
        .grantedBytes(0)
        .grantedMessages(10)
        .grantedReplies(10)
        .isolation(5)
        .flow(0)
        .flags((short) 0);
    victim.hear(packet);
    packet.release();
  }

  private void read() {
    theirs.setMemory(0, 100, (byte) 7);
    hear(packet -> {});
    victim.flow.submit(new Reading());
    victim.flow.flush();
  }

  private void assertBreach(String detail, int placed) {
    assertThat(victim.lostError).isEqualTo(FabricError.PROTOCOL);
    assertThat(victim.lostDetail).contains(detail);
    assertThat(victim.accessEnds).containsExactly("PROTOCOL");
    for (int i = 0; i < own.capacity(); i++) {
      assertThat(own.getByte(i)).isEqualTo((byte) (i < placed ? 7 : 0));
    }
  }

  @Test
  void shouldEndWithTheLastByte() {
    read();
    hear(packet -> answers.readData(packet, 1, 0, theirs, 0, 10));
    assertThat(victim.accessEnds).isEmpty();
    hear(packet -> answers.readData(packet, 1, 10, theirs, 0, 6));

    assertThat(victim.accessEnds).containsExactly("done");
    assertThat(own.getByte(BYTES - 1)).isEqualTo((byte) 7);
    // What comes late for what has ended is nobody's.
    hear(packet -> answers.readData(packet, 1, 0, theirs, 0, 10));
    hear(packet -> answers.end(packet, 1, 0, -1, 0, 0, 0));
    assertThat(victim.lost).isZero();
    assertThat(victim.accessEnds).hasSize(1);
  }

  @Test
  void shouldTakeNoByteMoreThanItHasAskedFor() {
    read();
    hear(packet -> answers.readData(packet, 1, 0, theirs, 0, 10));
    hear(packet -> answers.readData(packet, 1, 10, theirs, 0, 7));

    assertBreach("position=10 payloadBytes=7 where position=10 of answerBytes=16", 10);
  }

  @Test
  void shouldTakeBytesInOrderOnly() {
    read();
    hear(packet -> answers.readData(packet, 1, 8, theirs, 0, 8));

    assertBreach("position=8 payloadBytes=8 where position=0", 0);
  }

  @Test
  void shouldNotEndBeforeTheLastByte() {
    read();
    hear(packet -> answers.end(packet, 1, 0, -1, 0, 0, 0));

    assertBreach("it has done operation=1 of which bytes are left", 0);
  }

  @Test
  void shouldEndWithARefusal() {
    read();
    hear(packet -> answers.end(packet, 1, FabricError.NO_KEY.code(), -1, 1, 0, BYTES));

    assertThat(victim.accessEnds).containsExactly("NO_KEY");
    assertThat(victim.lost).isZero();
  }
}
