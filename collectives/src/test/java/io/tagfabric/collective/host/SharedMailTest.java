package io.tagfabric.collective.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members of a team that write to one another in the memory of their host, one thread. */
class SharedMailTest {
  /** A member, and what it has read: the sender, then the message. */
  private static final class Side implements SharedMail.Reader {
    final List<List<byte[]>> read = new ArrayList<>();
    final List<Integer> brokenLengths = new ArrayList<>();
    final SharedMail mail;

    Side(SharedSegment segment, int rank, List<Integer> woken, int[] sent, int[] come) {
      for (int member = 0; member < sent.length; member++) {
        read.add(new ArrayList<>());
      }
      mail = new SharedMail(segment, rank, woken::add, this, sent, come);
    }

    @Override
    public void onMail(int from, byte[] message) {
      read.get(from).add(message);
    }

    @Override
    public void onBroken(int from, int lengthBytes) {
      brokenLengths.add(lengthBytes);
    }
  }

  private final List<Integer> woken = new ArrayList<>();

  private List<Side> sides(int members) {
    SharedSegment segment = SharedSegment.inMemory(members, 2, 64);
    List<Side> sides = new ArrayList<>();
    for (int rank = 0; rank < members; rank++) {
      sides.add(new Side(segment, rank, woken, new int[members], new int[members]));
    }
    return sides;
  }

  private static byte[] bytes(int length, Random random) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  @Property(tries = 200)
  void shouldBringAllMessagesOfAPairInOrderWhateverTheirLengths(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 20) int members) {
    Random random = new Random(seed);
    List<Side> sides = sides(members);
    List<List<List<byte[]>>> sent = new ArrayList<>();
    for (int to = 0; to < members; to++) {
      sent.add(new ArrayList<>());
      for (int from = 0; from < members; from++) {
        sent.get(to).add(new ArrayList<>());
      }
    }
    for (int i = 0; i < 200; i++) {
      int from = random.nextInt(members);
      int to = (from + 1 + random.nextInt(members - 1)) % members;
      byte[] message = bytes(random.nextInt(10) == 0 ? random.nextInt(5000) : i % 40, random);
      sides.get(from).mail.send(to, message);
      sent.get(to).get(from).add(message);
      while (random.nextInt(3) > 0) {
        sides.get(random.nextInt(members)).mail.advance();
      }
    }
    boolean moved = true;
    while (moved) {
      moved = false;
      for (Side side : sides) {
        moved |= side.mail.advance() > 0;
      }
    }

    for (int to = 0; to < members; to++) {
      assertThat(sides.get(to).mail.hasWaiting()).isFalse();
      for (int from = 0; from < members; from++) {
        assertThat(sides.get(to).read.get(from).stream().map(ByteBuffer::wrap))
            .containsExactlyElementsOf(
                sent.get(to).get(from).stream().map(ByteBuffer::wrap).toList());
      }
    }
  }

  @Test
  void shouldReadARingWhenWhatWasSentBeforeByOtherMeansHasCome() {
    SharedSegment segment = SharedSegment.inMemory(2, 2, 64);
    Side writer = new Side(segment, 0, woken, new int[] {0, 2}, new int[2]);
    Side reader = new Side(segment, 1, woken, new int[2], new int[] {1, 0});
    writer.mail.send(1, new byte[] {7});

    assertThat(reader.mail.advance()).isZero();
    assertThat(reader.mail.announce()).isTrue();
    assertThat(reader.read.get(0)).isEmpty();

    reader.mail.noteCame(0);
    assertThat(reader.mail.announce()).isFalse();
    assertThat(reader.mail.advance()).isPositive();
    assertThat(reader.read.get(0)).containsExactly(new byte[] {7});
  }

  @Test
  void shouldWakeASleeperForAMessageAndForRoom() {
    List<Side> sides = sides(3);
    SharedMail one = sides.get(0).mail;
    SharedMail other = sides.get(1).mail;
    assertThat(other.announce()).as("it has not looked yet").isFalse();
    assertThat(one.advance() + other.advance()).isZero();
    assertThat(other.announce()).isTrue();

    one.send(2, new byte[1]);
    assertThat(woken).isEmpty();
    one.send(1, new byte[2000]); // more than there is room for
    assertThat(woken).containsExactly(1);
    assertThat(other.announce()).isFalse();

    assertThat(one.announce()).isTrue();
    other.advance();
    assertThat(woken).containsExactly(1, 0);
    assertThat(one.announce()).isFalse();
    one.advance();
    other.advance();
    assertThat(sides.get(1).read.get(0)).containsExactly(new byte[2000]);
    assertThat(other.announce()).isTrue();
    other.withdraw();
    woken.clear();
    one.send(1, new byte[1]);
    assertThat(woken).isEmpty();
  }

  @Test
  void shouldForgetWhatWaitsForAMemberThatIsGone() {
    List<Side> sides = sides(2);
    sides.get(0).mail.send(1, new byte[5000]);
    assertThat(sides.get(0).mail.hasWaiting()).isTrue();

    sides.get(0).mail.forget(1);
    sides.get(0).mail.send(1, new byte[5000]);

    assertThat(sides.get(0).mail.hasWaiting()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, SharedMail.MOST_BYTES + 1})
  void shouldReadNothingMoreOfWhoWritesALengthThatNoMessageHas(int lengthBytes) {
    SharedSegment segment = SharedSegment.inMemory(3, 2, 64);
    List<Side> sides = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      sides.add(new Side(segment, rank, woken, new int[3], new int[3]));
    }
    sides.get(0).mail.send(1, new byte[4]);
    segment
        .buffer()
        .putInt(segment.layout().mailDataAt(0, 1), lengthBytes, ByteOrder.LITTLE_ENDIAN);
    sides.get(0).mail.send(1, new byte[8]);
    sides.get(2).mail.send(1, new byte[] {7});

    sides.get(1).mail.advance();
    sides.get(1).mail.readAll();

    assertThat(sides.get(1).brokenLengths).containsExactly(lengthBytes);
    assertThat(sides.get(1).read.get(0)).isEmpty();
    assertThat(sides.get(1).read.get(2)).containsExactly(new byte[] {7});
  }

  @Test
  void shouldBringTheLongestMessageAndRefuseALongerOne() {
    List<Side> sides = sides(2);
    sides.get(0).mail.send(1, new byte[SharedMail.MOST_BYTES]);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sides.get(0).mail.send(1, new byte[SharedMail.MOST_BYTES + 1]))
        .withMessageContaining("131073 > 131072");

    while (sides.get(0).mail.hasWaiting()) {
      sides.get(0).mail.advance();
      sides.get(1).mail.advance();
    }
    assertThat(sides.get(1).read.get(0)).hasSize(1).first().isEqualTo(new byte[1 << 17]);
  }

  @Test
  void shouldTouchNothingWhenItsMemoryIsGone(@TempDir Path directory) throws IOException {
    SharedSegment segment = SharedSegment.create(directory.resolve("team"), 1, 2, 2, 64);
    Side side = new Side(segment, 0, woken, new int[2], new int[2]);
    side.mail.close();
    segment.close();

    side.mail.send(1, new byte[8]);
    side.mail.noteCame(1);
    side.mail.forget(1);

    assertThat(side.mail.readAll()).isZero();
    assertThat(side.mail.advance()).isZero();
    assertThat(side.mail.announce()).isTrue();
    side.mail.withdraw();
    assertThat(side.mail.hasWaiting()).isFalse();
  }
}
