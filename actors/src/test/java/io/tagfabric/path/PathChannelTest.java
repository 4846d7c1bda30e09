package io.tagfabric.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tagfabric.provider.Channel;
import io.tagfabric.provider.PathInfo;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.MessageViews;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketPool;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class PathChannelTest {
  private static final int COUNT = 4;
  private static final int PART_BYTES = 4096;
  private static final int RANK = 4;
  private static final int PATH_OF_RANK = 2;

  private final PacketPool pool = new PacketPool(1024, 8192);
  private final FrameWriter writer = new FrameWriter();
  private final List<Road> roads = new ArrayList<>();
  private long sequence;

  private static final class Road implements Channel {
    private final List<Packet> taken = new ArrayList<>();
    private boolean full;
    private String closed;

    @Override
    public boolean offer(Packet packet) {
      if (!full) {
        taken.add(packet);
      }
      return !full;
    }

    @Override
    public String closedBecause() {
      return closed;
    }
  }

  private PathChannel channel(PathPolicy policy) {
    for (int i = 0; i < COUNT; i++) {
      roads.add(new Road());
    }
    PathSettings settings = new PathSettings(COUNT, policy, 2 * PART_BYTES);
    return new PathChannel(List.copyOf(roads), settings, RANK, 0);
  }

  private Packet control() {
    return pool.acquire(0);
  }

  private Packet small() {
    Packet packet = pool.acquire(64);
    writer.eager(packet, MessageViews.of(1, null, new byte[8]));
    packet.sequence(++sequence);
    return packet;
  }

  private Packet bulk() {
    Packet packet = pool.acquire(FrameWriter.dataLength(PART_BYTES));
    writer.data(packet, 1, 0, new UnsafeBuffer(new byte[PART_BYTES]), 0, PART_BYTES);
    packet.sequence(++sequence);
    return packet;
  }

  private List<Integer> loads() {
    return roads.stream().map(road -> road.taken.size()).toList();
  }

  @Test
  void shouldKeepPathZeroForControlAndOnePathForShortMessages() {
    PathChannel channel = channel(PathPolicy.ADAPTIVE);

    channel.offer(control());
    channel.offer(small());
    channel.offer(small());
    channel.offer(control());

    assertThat(loads()).containsExactly(2, 0, 2, 0);
  }

  @Test
  void shouldSprayWindowsOverTheDataPaths() {
    PathChannel channel = channel(PathPolicy.ADAPTIVE);

    for (int i = 0; i < 12; i++) {
      assertThat(channel.offer(bulk())).isTrue();
    }

    assertThat(loads()).containsExactly(0, 4, 4, 4);
    assertThat(channel.paths()).extracting(PathInfo::windows).containsExactly(0L, 2L, 2L, 2L);
    assertThat(roads.get(PATH_OF_RANK + 1).taken)
        .as("packets of a window keep together")
        .extracting(Packet::sequence)
        .containsExactly(1L, 2L, 7L, 8L);
  }

  @Test
  void shouldAvoidThePathThatIsNotAcknowledged() {
    PathChannel channel = channel(PathPolicy.ADAPTIVE);
    for (int i = 0; i < 6; i++) {
      channel.offer(bulk());
    }
    int slow = PATH_OF_RANK;
    assertThat(channel.paths().get(slow).outstandingBytes()).isPositive();

    // Windows 1 and 2 are acknowledged, on paths 3 and 1; window 3 on path 2 is not.
    channel.acknowledged(4);
    for (int i = 0; i < 4; i++) {
      channel.offer(bulk());
    }

    assertThat(loads()).containsExactly(0, 4, 2, 4);
    channel.acknowledged(sequence);
    assertThat(channel.paths()).extracting(PathInfo::outstandingBytes).containsOnly(0L);
  }

  @Test
  void shouldTakeAnotherPathWhenOneHasNoRoom() {
    PathChannel channel = channel(PathPolicy.ADAPTIVE);
    roads.get(3).full = true;

    assertThat(channel.offer(bulk())).isTrue();
    assertThat(channel.offer(bulk())).isTrue();

    assertThat(loads()).containsExactly(0, 2, 0, 0);
    assertThat(channel.paths().get(3).refusals()).isEqualTo(1);
  }

  @Test
  void shouldRefuseWhenNoDataPathHasRoom() {
    PathChannel channel = channel(PathPolicy.ADAPTIVE);
    roads.subList(1, COUNT).forEach(road -> road.full = true);

    assertThat(channel.offer(bulk())).isFalse();
    assertThat(channel.offer(small())).isFalse();
    assertThat(channel.offer(control())).isTrue();
    assertThat(channel.paths()).extracting(PathInfo::packets).containsExactly(1L, 0L, 0L, 0L);
  }

  @Test
  void shouldStayOnItsPathWhenThePolicyIsStatic() {
    PathChannel channel = channel(PathPolicy.STATIC_SRC);
    channel.offer(bulk());
    channel.offer(small());
    roads.get(PATH_OF_RANK).full = true;

    assertThat(channel.offer(bulk())).isFalse();
    assertThat(loads()).containsExactly(0, 0, 2, 0);
  }

  @Test
  void shouldUseTheBasePathForAllWhenToldSo() {
    PathChannel channel = channel(PathPolicy.STATIC_BASE);

    channel.offer(control());
    channel.offer(small());
    channel.offer(bulk());

    assertThat(loads()).containsExactly(3, 0, 0, 0);
  }

  @Test
  void shouldCountAPacketOnceAsOutstandingWhenItIsSentAgain() {
    PathChannel channel = channel(PathPolicy.ADAPTIVE);
    Packet packet = small();

    channel.offer(packet);
    channel.offer(packet);

    PathInfo info = channel.paths().get(PATH_OF_RANK);
    assertThat(info.packets()).isEqualTo(2);
    assertThat(info.bytes()).isEqualTo(2L * packet.length());
    assertThat(info.outstandingBytes()).isEqualTo(packet.length());
  }

  @Test
  void shouldBeClosedWhenAnyPathIs() {
    PathChannel channel = channel(PathPolicy.ADAPTIVE);
    assertThat(channel.closedBecause()).isNull();

    roads.get(3).closed = "broken";

    assertThat(channel.closedBecause()).isEqualTo("broken");
  }

  @Test
  void shouldRefuseSettingsThatFitNoPaths() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PathSettings(3, PathPolicy.ADAPTIVE, 1))
        .withMessage("count=3 is no power of two from 1 to 8");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PathSettings(16, PathPolicy.ADAPTIVE, 1));
    assertThat(new PathSettings(8, PathPolicy.ADAPTIVE, 1).atMost(5).count()).isEqualTo(4);
  }
}
