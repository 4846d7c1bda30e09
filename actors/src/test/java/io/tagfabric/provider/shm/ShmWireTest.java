package io.tagfabric.provider.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.error.FabricError;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.ProviderUnavailableException;
import io.tagfabric.provider.shm.ring.LaneLayout;
import io.tagfabric.provider.shm.ring.ShmEntry;
import io.tagfabric.provider.shm.ring.ShmLayout;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.MessageViews;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShmWireTest {
  private static final Map<String, String> SMALL =
      Map.of("ring-size", "64 KiB", "inline-limit", "1 KiB", "slots", "2");
  private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

  @TempDir Path parent;
  private long nowNs = 1;
  private ShmSide near;
  private ShmSide far;

  /** No sender has a lane. */
  private static final Map<String, String> SHARED_RING = Map.of("lanes", "0");

  private void open(Map<String, String> settings) {
    near = new ShmSide(() -> nowNs, parent, settings);
    far = new ShmSide(() -> nowNs, parent, settings);
  }

  @AfterEach
  void close() {
    if (near != null) {
      near.close();
      far.close();
      assertThat(HostDirectory.below(parent).path()).doesNotExist();
    }
  }

  private static int fill(Channel channel, int length) {
    int taken = 0;
    while (taken < 1_000 && channel.offer(ShmSide.packet(length, taken))) {
      taken++;
    }
    return taken;
  }

  private static void assertReceived(ShmSide side, int count, int length) {
    assertThat(side.received).hasSize(count);
    for (int i = 0; i < count; i++) {
      assertThat(side.received.get(i)).isEqualTo(ShmSide.packet(length, i).array());
    }
  }

  @Test
  void shouldKeepTheOrderWhenShortAndLongPacketsAreMixed() {
    open(Map.of());
    Channel channel = near.connect(far);
    int[] lengths = {72, 9_000, 8_192, 65_536, 100, 8_193};

    for (int i = 0; i < lengths.length; i++) {
      assertThat(channel.offer(ShmSide.packet(lengths[i], i))).isTrue();
    }
    far.loop.advance();

    for (int i = 0; i < lengths.length; i++) {
      assertThat(far.received.get(i)).isEqualTo(ShmSide.packet(lengths[i], i).array());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 20_000})
  void shouldReadOnWhileAPacketClosesTheLastEndpoint(int length) {
    open(Map.of());
    Path file = far.file();
    Channel channel = near.connect(far);
    for (int i = 0; i < 3; i++) {
      assertThat(channel.offer(ShmSide.packet(length, i))).isTrue();
    }
    far.whenPacket = far.wire::close;

    far.loop.advance();

    assertReceived(far, 1, length);
    assertThat(file).doesNotExist();
    far.loop.advance();
  }

  @Test
  void shouldStayWhenAPacketClosesTheLastEndpointAndOpensOne() {
    open(Map.of());
    Channel channel = near.connect(far);
    far.whenPacket =
        () -> {
          far.wire.close();
          far.openWire();
        };
    channel.offer(ShmSide.packet(40, 0));
    far.loop.advance();
    far.whenPacket = () -> {};

    channel.offer(ShmSide.packet(40, 1));
    far.loop.advance();

    assertReceived(far, 2, 40);
  }

  @Test
  void shouldSayWhyAFileOfManyGigabytesIsNoDomain() throws IOException {
    open(Map.of());
    Path huge = near.file().resolveSibling("domain-1-1");
    try (SeekableByteChannel sparse =
        Files.newByteChannel(huge, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      sparse.position(3L << 30);
      sparse.write(ByteBuffer.allocate(1));
    }

    assertThat(near.wire.unreachableBecause(ShmSide.addressOf(huge + "#1")))
        .get()
        .asString()
        .contains("cannot map", "fileBytes=3221225473 > 2 GiB");
    Files.delete(huge);
  }

  @Test
  void shouldReadAllInAPassAndOneByOneWhatComesWhileTheLoopLooksOn() {
    open(Map.of());
    Channel channel = near.connect(far);
    for (int i = 0; i < 3; i++) {
      assertThat(channel.offer(ShmSide.packet(40, i))).isTrue();
    }
    far.loop.advance();
    assertReceived(far, 3, 40);
    int[] polls = {0};
    far.loop.addPoll(
        () -> {
          polls[0]++;
          for (int i = 3; i < 6 && polls[0] == 2; i++) {
            assertThat(channel.offer(ShmSide.packet(40, i))).isTrue();
          }
          return 0;
        });

    far.loop.advance(4);

    assertReceived(far, 4, 40);
    far.loop.advance(4);
    assertReceived(far, 6, 40);
  }

  private static boolean inject(Channel channel, int flow, long tag, Long data, byte[] payload) {
    return channel.inject(flow, MessageViews.of(tag, data, payload));
  }

  private static ShmSide.Injected injected(int flow, long tag, Long data, byte[] payload) {
    List<Byte> bytes = new ArrayList<>();
    for (byte each : payload) {
      bytes.add(each);
    }
    return new ShmSide.Injected(flow, tag, data, bytes);
  }

  @Test
  void shouldBringWhatWasInjectedWhenThereAreDataOrNoBytes() {
    open(Map.of());
    Channel channel = near.connect(far);
    byte[] nothing = {};
    byte[] some = "thirteen byte".getBytes(StandardCharsets.UTF_8);
    byte[] many = new byte[1_000];
    many[999] = 9;

    assertThat(inject(channel, 3, -7, null, some)).isTrue();
    assertThat(inject(channel, 4, 8, -1L, nothing)).isTrue();
    assertThat(inject(channel, 5, 9, null, nothing)).isTrue();
    assertThat(inject(channel, 6, 10, 0L, many)).isTrue();
    far.loop.advance();

    assertThat(far.injected)
        .containsExactly(
            injected(3, -7, null, some),
            injected(4, 8, -1L, nothing),
            injected(5, 9, null, nothing),
            injected(6, 10, 0L, many));
    assertThat(far.received).isEmpty();
  }

  @Test
  void shouldInjectNothingWhenTheRingIsFullOrTheMessageIsLong() {
    open(SMALL);
    Channel channel = near.connect(far);
    byte[] payload = new byte[1_000];

    assertThat(inject(channel, 1, 1, null, new byte[1_025])).isFalse();
    int taken = 0;
    while (taken < 1_000 && inject(channel, 1, taken, null, payload)) {
      taken++;
    }
    assertThat(taken).isBetween(50, 64);
    far.loop.advance();

    assertThat(far.injected).hasSize(taken);
    assertThat(inject(channel, 1, taken, null, payload)).isTrue();
  }

  @Test
  void shouldReachItsOwnDomainWhenAnEndpointSendsToItself() {
    open(Map.of());
    Channel channel = near.connect(near);

    channel.offer(ShmSide.packet(80, 1));
    channel.offer(ShmSide.packet(20_000, 2));
    near.loop.advance();

    assertThat(near.received).hasSize(2);
    assertThat(near.received.get(1)).isEqualTo(ShmSide.packet(20_000, 2).array());
  }

  @Test
  void shouldRefuseUntilThereIsRoomWhenTheRingIsFull() {
    open(SMALL);
    Channel channel = near.connect(far);

    int taken = fill(channel, 1_000);

    assertThat(taken).isBetween(50, 65);
    far.loop.advance();
    assertReceived(far, taken, 1_000);
    assertThat(channel.offer(ShmSide.packet(1_000, 0))).isTrue();
  }

  @Test
  void shouldRefuseUntilASlotComesBackWhenAllAreLent() {
    open(SMALL);
    Channel channel = near.connect(far);

    assertThat(fill(channel, 50_000)).isEqualTo(2);
    assertThat(channel.offer(ShmSide.packet(1_000, 0))).as("a short one needs none").isTrue();
    far.loop.advance();

    assertThat(far.received.get(1)).isEqualTo(ShmSide.packet(50_000, 1).array());
    assertThat(fill(channel, 50_000)).isEqualTo(2);
  }

  @Test
  void shouldKeepTheSlotWhenTheRingHasNoRoomForItsRecord() {
    open(SMALL);
    Channel channel = near.connect(far);
    fill(channel, 1_000);
    fill(channel, 1);

    assertThat(channel.offer(ShmSide.packet(50_000, 1))).isFalse();
    far.loop.advance();

    assertThat(fill(channel, 50_000)).isEqualTo(2);
  }

  @Test
  void shouldLookAgainSoonWhenAPacketWasRefused() {
    open(SMALL);
    Channel channel = near.connect(far);
    near.onLoop(() -> fill(channel, 1_000));

    assertThat(near.loop.timers().nextDeadlineNs() - nowNs).isBetween(1L, 1_000_000L);
  }

  @Test
  void shouldReadWhatWasWrittenBeforeWhenThePeerCloses() {
    open(Map.of());
    Channel channel = near.connect(far);
    Channel back = far.connect(near);
    channel.offer(ShmSide.packet(100, 1));
    channel.offer(ShmSide.packet(30_000, 2));

    near.close();
    nowNs += SECOND_NS;
    assertThat(back.closedBecause()).isNull();
    far.loop.advance();
    far.loop.advance();

    assertThat(far.received).hasSize(2);
    assertThat(far.received.get(1)).isEqualTo(ShmSide.packet(30_000, 2).array());
    assertThat(back.closedBecause()).isEqualTo("the peer's domain is closed");
    assertThat(far.closures).isEqualTo(1);
    assertThat(back.offer(ShmSide.packet(100, 1))).as("dropped").isTrue();
  }

  @Test
  void shouldTakeItsSlotsBackWhenThePeerClosesWithoutReading() {
    open(SMALL);
    Channel channel = near.connect(far);
    assertThat(fill(channel, 50_000)).isEqualTo(2);

    far.close();
    nowNs += SECOND_NS;
    near.loop.advance();
    near.loop.advance();
    ShmSide other = new ShmSide(() -> nowNs, parent, SMALL);

    assertThat(fill(near.connect(other), 50_000)).isEqualTo(2);
    other.close();
  }

  @Test
  void shouldSayWhyWhenAnAddressIsNotHere() {
    open(Map.of());

    assertThat(near.wire.unreachableBecause(ShmSide.addressOf("/nowhere/domain-1-0#ab")))
        .hasValue("there is no /nowhere/domain-1-0 here, the peer is on another host or has ended");
    assertThat(near.wire.unreachableBecause(ShmSide.addressOf(far.file() + "#0")))
        .hasValue(far.file() + " belongs to another domain by now");
    assertThat(near.wire.unreachableBecause(ShmSide.addressOf("nonsense#")))
        .hasValue("[nonsense#] is not an address of shm");
  }

  private static long mappingsOf(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines.filter(line -> line.endsWith(file.toString())).count();
    }
  }

  @Test
  void shouldMapAFileOnceHoweverItIsSpelled() throws IOException {
    open(Map.of());
    near.connect(far);
    long before = mappingsOf(far.file());
    String spelled = far.wire.address().replace("/domain-", "/../" + name(far) + "/./domain-");
    assertThat(spelled).isNotEqualTo(far.wire.address());

    Channel channel = near.connect(ShmSide.addressOf(spelled));
    channel.offer(ShmSide.packet(100, 1));
    far.loop.advance();

    assertThat(mappingsOf(far.file())).isEqualTo(before);
    assertReceived(far, 1, 100, 1);
  }

  private static String name(ShmSide side) {
    return side.file().getParent().getFileName().toString();
  }

  @Test
  void shouldKeepNoMappingOfAFileWhoseTokenIsAnother() throws IOException {
    open(Map.of());
    long before = mappingsOf(far.file());

    assertThat(near.wire.unreachableBecause(ShmSide.addressOf(far.file() + "#0"))).isPresent();

    assertThat(mappingsOf(far.file())).isEqualTo(before);
  }

  @Test
  void shouldMapFilesOfDomainsBelowItsOwnDirectoryOnly() throws IOException {
    open(Map.of());
    String token = far.wire.address().substring(far.wire.address().indexOf('#'));
    Path elsewhere = Files.copy(far.file(), parent.resolve("domain-1-1"));
    Path another = Files.copy(far.file(), far.file().resolveSibling("memory-1-1"));
    Path link = Files.createSymbolicLink(far.file().resolveSibling("domain-1-2"), elsewhere);

    for (Path file : List.of(elsewhere, another, link)) {
      assertThat(near.wire.unreachableBecause(ShmSide.addressOf(file + token)))
          .as("%s", file)
          .get()
          .asString()
          .startsWith("cannot map " + file);
    }
    Files.delete(another);
    Files.delete(link);
  }

  // ---- what is broken ----

  private static void assertReceived(ShmSide side, int count, int length, int seed) {
    assertThat(side.received).hasSize(count);
    assertThat(side.received.get(count - 1)).isEqualTo(ShmSide.packet(length, seed).array());
  }

  /** Two domains that talk; then something is done to the memory of one. */
  private void breakFar(Consumer<UnsafeBuffer> harm) throws IOException {
    open(Map.of());
    Channel there = near.connect(far);
    Channel back = far.connect(near);
    there.offer(ShmSide.packet(100, 1));
    try (ShmFile file = ShmFile.open(far.file())) {
      harm.accept(file.buffer());
    }
    advanceOverGaps(far);
    assertThat(back.closedBecause()).contains(far.file() + ", is broken");
    assertThat(back.closedWith()).isEqualTo(FabricError.IO);
    assertThat(far.closures).isEqualTo(1);
    assertThat(back.offer(ShmSide.packet(100, 1))).as("dropped").isTrue();
    assertThat(back.offer(ShmSide.packet(60_000, 1))).as("dropped").isTrue();
    assertThat(back.inject(1, MessageViews.of(1, null, new byte[1]))).isFalse();
    assertThat(far.wire.unreachableBecause(near.address())).get().asString().contains("is broken");

    advanceOverGaps(near);
    assertThat(there.closedBecause()).contains(far.file() + ", is ");
    assertThat(there.closedWith()).isEqualTo(FabricError.IO);
    assertThat(there.offer(ShmSide.packet(60_000, 1))).as("dropped").isTrue();
  }

  /** Passes; who touches memory that is cut off is told so by the JVM, now or a little later. */
  private void advanceOverGaps(ShmSide side) {
    for (int i = 0; i < 4; i++) {
      nowNs += SECOND_NS;
      try {
        side.loop.advance();
        // A call of the system, at which the JVM throws what it has put off.
        assertThat(Files.exists(parent)).isTrue();
      } catch (InternalError cut) {
        assertThat(cut).hasMessageContaining("unsafe memory access");
      }
    }
  }

  private static int tailOf(UnsafeBuffer file) {
    int ringBytes = file.getInt(ShmLayout.RING_BYTES_AT);
    int tailAt = ShmLayout.RING_AT + ringBytes + RingBufferDescriptor.TAIL_POSITION_OFFSET;
    return ShmLayout.RING_AT + ((int) file.getLongVolatile(tailAt) & (ringBytes - 1));
  }

  /** A packet whose header is not sealed, with so many bytes of frames. */
  private static Packet unsealed(int frameBytes, int seed) {
    return ShmSide.packet(Packet.HEADER_LENGTH + frameBytes, seed);
  }

  @Test
  void shouldBringFramesWithoutAHeaderInTheOrderWritten() {
    open(SMALL);
    Channel channel = near.connect(far);

    assertThat(channel.offerFrames(5L << 32 | 3, unsealed(40, 1))).isTrue();
    assertThat(channel.offer(ShmSide.packet(100, 2))).isTrue();
    assertThat(channel.offerFrames(4, unsealed(0, 3))).isTrue();
    assertThat(channel.offerFrames(4, unsealed(Short.MAX_VALUE, 3))).as("a long one").isFalse();
    far.whenPacket = () -> assertThat(far.bare).as("what came before the packet").hasSize(1);
    far.onLoop(() -> {});

    List<Byte> frames = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      frames.add(unsealed(40, 1).buffer().getByte(Packet.HEADER_LENGTH + i));
    }
    assertThat(far.bare)
        .containsExactly(new ShmSide.Bare(3, frames), new ShmSide.Bare(4, List.of()));
    assertThat(far.received).containsExactly(ShmSide.packet(100, 2).array());
  }

  @Test
  void shouldOfferNoFramesWhenTheRingIsFull() {
    open(SMALL);
    Channel channel = near.connect(far);
    int taken = 0;
    while (taken < 1_000 && channel.offerFrames(1, unsealed(200, taken))) {
      taken++;
    }
    assertThat(taken).isBetween(1, 999);

    for (int i = 0; i < 20; i++) {
      far.onLoop(() -> {}); // a lane hands over some in each pass
    }

    assertThat(far.bare).hasSize(taken);
    assertThat(channel.offerFrames(1, unsealed(200, taken))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        ShmArrivals.FRAMES_FLAG | ShmArrivals.SLOT_FLAG,
        ShmArrivals.FRAMES_FLAG | ShmArrivals.INJECT_FLAG
      })
  void shouldEndAllFlowsWhenARecordIsTwoThingsAtOnce(int flags) throws IOException {
    breakFar(
        file -> {
          int tail = tailOf(file);
          file.putInt(tail + 4, flags | 1);
          file.putIntVolatile(tail, 24);
        });
  }

  @Test
  void shouldEndAllFlowsWhenFramesNameNoFlow() throws IOException {
    breakFar(
        file -> {
          int tail = tailOf(file);
          file.putInt(tail + 4, ShmArrivals.FRAMES_FLAG | ShmArrivals.typeOf(ShmSide.ENDPOINT));
          file.putIntVolatile(tail, 8 + Integer.BYTES);
        });
  }

  @Test
  void shouldEndAllFlowsWhenARecordPassesTheEndOfTheRing() throws IOException {
    breakFar(file -> file.putIntVolatile(tailOf(file), Integer.MAX_VALUE));

    assertReceived(far, 1, 100, 1);
  }

  @Test
  void shouldEndAllFlowsWhenARecordHasATypeThatNobodyWrites() throws IOException {
    breakFar(
        file -> {
          int tail = tailOf(file);
          file.putInt(tail + 4, ShmArrivals.SLOT_FLAG | ShmArrivals.INJECT_FLAG | 1);
          file.putIntVolatile(tail, 24);
        });
  }

  @ParameterizedTest
  @CsvSource({"2, 100", "-1, 100", "2147483647, 100", "0, -1", "1, 65537", "0, 2147483647"})
  void shouldPassOverARecordOfASlotThatThePeerHasNot(int slot, int length) throws IOException {
    open(SMALL);
    Channel channel = near.connect(far);
    channel.offer(ShmSide.packet(100, 1));
    try (ShmFile file = ShmFile.open(far.file())) {
      assertThat(file.buffer().getInt(ShmLayout.SLOT_BYTES_AT)).isEqualTo(65_536);
      UnsafeBuffer record = new UnsafeBuffer(new byte[ShmArrivals.SLOT_RECORD_BYTES]);
      record.putInt(4, slot);
      record.putInt(8, length);
      int type = ShmArrivals.typeOf(ShmSide.ENDPOINT) | ShmArrivals.SLOT_FLAG;
      assertThat(ringOf(file.buffer()).write(type, record, 0, record.capacity())).isTrue();
    }
    channel.offer(ShmSide.packet(60_000, 2));
    far.loop.advance();

    assertThat(far.received).as("those before and behind it").hasSize(2);
    assertReceived(far, 2, 60_000, 2);
  }

  private static ManyToOneRingBuffer ringOf(UnsafeBuffer file) {
    int bytes = file.getInt(ShmLayout.RING_BYTES_AT) + RingBufferDescriptor.TRAILER_LENGTH;
    return new ManyToOneRingBuffer(new UnsafeBuffer(file, ShmLayout.RING_AT, bytes));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 4_096, ShmLayout.RING_AT + 4_096})
  void shouldEndAllFlowsWhenTheFileIsCut(long bytes) throws IOException {
    breakFar(
        notUsed -> {
          try (FileChannel file = FileChannel.open(far.file(), StandardOpenOption.WRITE)) {
            file.truncate(bytes);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @Test
  void shouldLoseAPeerWhoseFileIsCutAndNoOther() throws IOException {
    open(Map.of());
    Channel there = near.connect(far);
    try (ShmSide third = new ShmSide(() -> nowNs, parent, Map.of())) {
      Channel other = near.connect(third);
      try (FileChannel file = FileChannel.open(far.file(), StandardOpenOption.WRITE)) {
        file.truncate(0);
      }

      advanceOverGaps(near);
      assertThat(there.closedBecause()).contains(far.file().toString(), "is cut short");
      assertThat(there.offer(ShmSide.packet(100, 1))).as("dropped").isTrue();
      assertThat(there.closedWith()).isEqualTo(FabricError.IO);
      assertThat(near.closures).isEqualTo(1);
      assertThat(other.closedBecause()).isNull();
      assertThat(other.offer(ShmSide.packet(100, 2))).isTrue();
      third.loop.advance();
      assertReceived(third, 1, 100, 2);
    }
  }

  @Test
  void shouldLoseAPeerWhoseFileIsCutWhileAnotherOneComes() throws IOException {
    open(Map.of());
    near.connect(far);
    Channel back = far.connect(near);
    far.loop.advance();
    try (ShmSide third = new ShmSide(() -> nowNs, parent, Map.of())) {
      Channel other = third.connect(far);
      try (FileChannel file = FileChannel.open(near.file(), StandardOpenOption.WRITE)) {
        file.truncate(ShmLayout.RING_AT);
      }
      advanceOverGaps(far);
      assertThat(back.closedBecause()).contains(near.file().toString(), "is cut short");

      assertThat(other.offer(ShmSide.packet(100, 1))).isTrue();
      advanceOverGaps(far);
      assertReceived(far, 1, 100, 1);
    }
  }

  /** A sender may register at any time. */
  @Test
  void shouldFindAnotherPeerWhileThePeersAreGoneThrough() {
    open(Map.of());
    ShmSettings settings = ShmSettings.of(ShmSide.settings(parent, Map.of()));
    ShmPeers peers = new ShmPeers(far.file(), settings, () -> {});
    List<ShmPeer> gone = new ArrayList<>();
    assertThat(peers.find(near.file())).isNotNull();
    try {
      peers
          .all()
          .forEach(
              each -> {
                gone.add(each);
                assertThat(peers.find(far.file())).isNotNull();
              });
      assertThat(gone).hasSize(1);
      assertThat(peers.all()).hasSize(2);
    } finally {
      peers.all().forEach(ShmPeer::close);
    }
  }

  @ParameterizedTest
  @CsvSource({"on, 1", "off, 0"})
  void shouldWriteALongPayloadByWholeLinesUnlessToldNotTo(String setting, int byLines) {
    open(Map.of("whole-lines", setting));
    Packet packet = near.connect(far).largePacket();
    byte[] payload = new byte[20_000];
    new Random(1).nextBytes(payload);

    new FrameWriter().data(packet, 1, 0, new UnsafeBuffer(payload), 0, payload.length);

    assertThat(near.domain.copiedByLines()).isEqualTo(byLines);
    byte[] there = new byte[payload.length];
    packet.buffer().getBytes(Packet.HEADER_LENGTH + PacketLayout.DATA_OVERHEAD, there);
    assertThat(there).isEqualTo(payload);
    packet.release();
  }

  /** It lives and may not know it yet. Without lanes it shares the ring. */
  @ParameterizedTest
  @ValueSource(ints = {0, 16})
  void shouldLetNobodyHaveTheEntryOfALivingSenderWhoseFileWasCut(int lanes) throws IOException {
    open(Map.of("lanes", String.valueOf(lanes)));
    Channel there = near.connect(far);
    Channel back = far.connect(near);
    assertThat(there.offer(ShmSide.packet(100, 0))).isTrue();
    far.loop.advance();
    try (FileChannel file = FileChannel.open(near.file(), StandardOpenOption.WRITE)) {
      file.truncate(ShmLayout.RING_AT);
    }
    advanceOverGaps(far);
    assertThat(back.closedBecause()).contains(near.file().toString(), "is cut short");

    try (ShmSide third = new ShmSide(() -> nowNs, parent, Map.of());
        ShmFile file = ShmFile.open(far.file())) {
      Channel other = third.connect(far);
      assertThat(file.buffer().getInt(ShmLayout.senderAt(0))).isEqualTo(ShmLayout.SENDER_CUT_OFF);
      assertThat(file.buffer().getInt(ShmLayout.senderAt(1))).isEqualTo(ShmLayout.SENDER_READY);
      for (int i = 1; i < 3; i++) {
        assertThat(other.offer(ShmSide.packet(100, i))).isTrue();
        assertThat(there.offer(ShmSide.packet(200, i))).as("it may write on").isTrue();
        far.loop.advance();
      }
      assertThat(far.received.stream().filter(each -> each.length == 100))
          .containsExactly(
              ShmSide.packet(100, 0).array(),
              ShmSide.packet(100, 1).array(),
              ShmSide.packet(100, 2).array());
      pass(3);
      assertThat(other.closedBecause()).isNull();
      advanceOverGaps(near);
      assertThat(there.closedBecause()).contains(far.file().toString(), "takes no more from here");
    }
  }

  /** It was cut before anybody had mapped it. */
  @Test
  void shouldKeepTheEntryOfALivingSenderWhoseFileCannotBeMapped() throws IOException {
    open(Map.of());
    Channel there = near.connect(far);
    try (FileChannel file = FileChannel.open(near.file(), StandardOpenOption.WRITE)) {
      file.truncate(0);
    }
    try (ShmFile file = ShmFile.open(far.file())) {
      pass(5);
      assertThat(file.buffer().getInt(ShmLayout.senderAt(0))).isEqualTo(ShmLayout.SENDER_READY);
      assertThat(there.offer(ShmSide.packet(100, 1))).isTrue();
      pass(1);
      assertReceived(far, 1, 100, 1);

      near.close();
      pass(5);
      assertThat(file.buffer().getInt(ShmLayout.senderAt(0))).isEqualTo(ShmLayout.SENDER_FREE);
    }
  }

  /** Its claim is open all the time. */
  @Test
  void shouldNotRepairWhatALivingSenderWritesWhoseFileCannotBeMapped() throws Exception {
    open(SHARED_RING);
    Path odd = near.file().resolveSibling("domain-1-1");
    Channel channel = near.connect(far);
    try (ShmFile living = ShmFile.create(odd, 1 << 12); // too short for a domain's
        Unfinished slow = claim(100, living.path())) {
      channel.offer(ShmSide.packet(100, 3));
      pass(5);
      assertThat(far.received).isEmpty();

      slow.finish();
      pass(1);
      assertThat(far.received).hasSize(2);
    }
  }

  @Test
  void shouldTellWhoHasDiedFromWhoLives() throws IOException {
    open(Map.of());
    ShmSettings settings = ShmSettings.of(ShmSide.settings(parent, Map.of()));
    Path copy = Files.copy(near.file(), near.file().resolveSibling("domain-1-1"));
    try (ShmPeer living = ShmPeer.open(near.file(), settings, () -> {});
        ShmPeer dead = ShmPeer.open(copy, settings, () -> {})) { // nobody has its lock
      assertThat(living.findLeaving()).isNull();
      assertThat(dead.findLeaving()).isEqualTo("the peer's process has ended");
      dead.leave("it has died");
      assertThat(dead.goneWith()).isEqualTo(FabricError.CONNECTION_RESET);
    }
    Files.delete(copy);
  }

  @Test
  void shouldTakeOnlyALivingSenderWhoseFileWasCutForOneThatMayWriteOn() throws IOException {
    open(Map.of());
    ShmSettings settings = ShmSettings.of(ShmSide.settings(parent, Map.of()));
    Path copy = Files.copy(near.file(), near.file().resolveSibling("domain-1-1"));
    try (ShmPeer living = ShmPeer.open(near.file(), settings, () -> {});
        ShmPeer dead = ShmPeer.open(copy, settings, () -> {})) {
      assertThat(living.mayWriteOn()).isFalse();
      living.cut();
      dead.cut();

      assertThat(living.mayWriteOn()).isTrue();
      assertThat(dead.mayWriteOn()).as("nobody has its lock").isFalse();
    }
    Files.delete(copy);
  }

  @Test
  void shouldLoseTheSenderOfABrokenLaneAndNoOther() throws IOException {
    open(Map.of());
    Channel there = near.connect(far);
    Channel back = far.connect(near);
    try (ShmSide third = new ShmSide(() -> nowNs, parent, Map.of())) {
      Channel other = third.connect(far);
      assertThat(there.offer(ShmSide.packet(100, 1))).isTrue();
      try (ShmFile file = ShmFile.open(far.file())) {
        int lane = layoutOf(file.buffer()).laneAt(0);
        file.buffer().putLong(lane + LaneLayout.DATA_AT + 128, LaneLayout.header(7, -8));
      }
      assertThat(other.offer(ShmSide.packet(100, 2))).isTrue();
      far.loop.advance();

      assertThat(far.received).as("what came before, and of others").hasSize(2);
      assertThat(far.wire.unreachableBecause(third.address())).isEmpty();
      assertThat(back.closedBecause())
          .contains(near.file().toString(), "has written what no sender writes", "length=-8");
      assertThat(back.closedWith()).isEqualTo(FabricError.PROTOCOL);
      assertThat(back.offer(ShmSide.packet(100, 3))).as("dropped").isTrue();
      assertThat(far.closures).isEqualTo(1);

      advanceOverGaps(near);
      assertThat(there.closedBecause()).contains(far.file().toString(), "takes no more from here");
      assertThat(there.closedWith()).isEqualTo(FabricError.IO);

      pass(5);
      assertThat(other.closedBecause()).isNull();
      assertThat(other.offer(ShmSide.packet(100, 4))).isTrue();
      Channel again = near.connect(far);
      assertThat(again.offer(ShmSide.packet(100, 5))).isTrue();
      far.loop.advance();
      assertThat(far.received).as("by another lane").hasSize(4);
    }
  }

  @Test
  void shouldStillNoticeWhoHasLeftWhenASendersPathIsNone() throws Exception {
    open(Map.of());
    Channel back = far.connect(near);
    try (Unfinished odd = claim(100, parent.resolve("gone"))) {
      odd.buffer.putByte(ShmLayout.senderAt(100) + ShmLayout.SENDER_PATH + 3, (byte) 0);
      pass(3);
      near.close();
      pass(3);

      assertThat(back.closedBecause()).isEqualTo("the peer's domain is closed");
    }
  }

  @Test
  void shouldNotStopTheRingWhenAMessageCannotBeCopied() {
    open(Map.of());
    Channel channel = near.connect(far);
    UnsafeBuffer tooShort = new UnsafeBuffer(new byte[10]);

    assertThatThrownBy(() -> channel.inject(1, MessageViews.of(1, tooShort, 0, 100)))
        .isInstanceOf(IndexOutOfBoundsException.class);
    channel.offer(ShmSide.packet(100, 2));
    far.loop.advance();

    assertReceived(far, 1, 100, 2);
  }

  @Test
  void shouldNotMapWhenAFileIsNoDomains() throws Exception {
    open(Map.of());
    Path file = Files.write(near.file().resolveSibling("domain-1-1"), new byte[1 << 20]);

    assertThat(near.wire.unreachableBecause(ShmSide.addressOf(file + "#1")).orElseThrow())
        .contains("is not the file of a domain of this version");
    Files.delete(file);
  }

  @Test
  void shouldKeepOtherUsersOut() throws Exception {
    open(Map.of());

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(near.file())))
        .isEqualTo("rw-------");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(ShmDirectory.bellOf(near.file()))))
        .isEqualTo("rw-------");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(HostDirectory.below(parent).path())))
        .isEqualTo("rwx------");
  }

  @Test
  void shouldSayTheCureWhenThePathIsTooLongForASocket() {
    Path deep = parent.resolve("d".repeat(80));

    assertThatThrownBy(() -> new ShmSide(() -> nowNs, deep, Map.of()))
        .isInstanceOf(ProviderUnavailableException.class)
        .hasMessageContaining("is longer than a socket's may be (106 bytes)")
        .hasMessageContaining("set tagfabric.launch.directory to a shorter one");
    assertThat(deep).isEmptyDirectory();
  }

  @Test
  void shouldHangTheBellWhenItsPathIsAsLongAsOneMayBeAndRefuseALongerOne() throws IOException {
    boolean anyLetters = "UTF-8".equals(System.getProperty("sun.jnu.encoding"));
    String letters = anyLetters ? "\u00e4\u00e4" : "dd"; // of two bytes each, if paths have them
    // that of the other tests may be too long already
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    Path base = Files.createDirectory(temporary.resolve("t" + ProcessHandle.current().pid()));
    int others;
    String spare;
    do { // the next one's number may have a digit more
      open(Map.of());
      Path bell = ShmDirectory.bellOf(far.file());
      int below = bell.toString().length() - parent.toString().length();
      others = ShmDirectory.MAX_SOCKET_PATH_BYTES - base.toString().length() - below;
      spare = bell.getFileName().toString();
      close();
      near = null;
    } while (spare.endsWith("9"));
    int rest = others - 1 - letters.getBytes(StandardCharsets.UTF_8).length;

    try {
      assumeTrue(rest >= 0, () -> temporary + " is too long for this test");
      refuseOneByteMore(base.resolve(letters + "d".repeat(rest)));
    } finally {
      IoUtil.delete(base.toFile(), false);
    }
  }

  /** A domain in a directory has the longest bell there may be, one beside it a longer one. */
  private void refuseOneByteMore(Path longest) {
    try (ShmSide heard = new ShmSide(() -> nowNs, longest, Map.of())) {
      Path bell = ShmDirectory.bellOf(heard.file());
      assertThat(bell.toString().getBytes(StandardCharsets.UTF_8)).hasSize(106);
      assertThat(bell).exists();
    }
    Path longer = longest.resolveSibling(longest.getFileName() + "d");
    assertThatThrownBy(() -> new ShmSide(() -> nowNs, longer, Map.of()))
        .isInstanceOf(ProviderUnavailableException.class)
        .hasMessageContaining("is longer than a socket's may be (106 bytes)");
  }

  /** A socket in it could be bound, but peers have other working directories. */
  @Test
  void shouldMeasureTheWholePathWhenTheDirectoryIsARelativeOne() throws IOException {
    open(Map.of());
    int below = ShmDirectory.bellOf(far.file()).toString().length() - parent.toString().length();
    Path base = Path.of("target", "t" + ProcessHandle.current().pid());
    // of the number behind the next one's name there may be two digits more
    int rest = ShmDirectory.MAX_SOCKET_PATH_BYTES - 2 - below - base.toString().length() - 1;
    Path relative = base.resolve("d".repeat(rest));

    try {
      assertThatThrownBy(() -> new ShmSide(() -> nowNs, relative, Map.of()))
          .isInstanceOf(ProviderUnavailableException.class)
          .hasMessageContaining("the path " + relative.toAbsolutePath())
          .hasMessageContaining("is longer than a socket's may be (106 bytes)");
    } finally {
      IoUtil.delete(base.toFile(), false);
    }
  }

  private static int takenBy(Path file) {
    return ShmEntry.takenBy(file.toString().getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void shouldKnowWhoMayHaveTakenAnEntryAndLives() throws IOException {
    open(Map.of());
    ShmPeers peers =
        new ShmPeers(near.file(), ShmSettings.of(ShmSide.settings(parent, Map.of())), () -> {});
    Path dead = Files.createFile(near.file().resolveSibling("domain-1-1"));
    Path job = Files.createDirectory(near.file().getParent().resolveSibling("another"));
    Path other = job.resolve("domain-1-2");

    assertThat(peers.mayHaveTaken(takenBy(far.file()))).isTrue();
    assertThat(peers.mayHaveTaken(takenBy(dead))).as("nobody has its lock").isFalse();
    assertThat(peers.mayHaveTaken(takenBy(other))).as("there is no such file").isFalse();
    ShmFile living = ShmFile.create(other, 1 << 12);
    assertThat(peers.mayHaveTaken(takenBy(other))).as("of another job").isTrue();
    living.close();
    assertThat(peers.mayHaveTaken(takenBy(other))).isFalse();
    Files.delete(job);
    Files.delete(dead);
  }

  // ---- claims that nobody commits ----

  private static ShmLayout layoutOf(UnsafeBuffer file) {
    return new ShmLayout(
        file.getInt(ShmLayout.RING_BYTES_AT),
        file.getInt(ShmLayout.LANES_AT),
        file.getInt(ShmLayout.LANE_BYTES_AT),
        file.getInt(ShmLayout.SLOTS_AT),
        file.getInt(ShmLayout.SLOT_BYTES_AT));
  }

  private Unfinished claim(int sender, Path senderFile) throws Exception {
    return new Unfinished(ShmFile.open(far.file()), sender, senderFile);
  }

  /** A sender that has claimed a record and gets no further. */
  private static final class Unfinished implements AutoCloseable {
    private final ShmFile file;
    private final UnsafeBuffer buffer;
    private final ManyToOneRingBuffer ring;
    private final int claimsAt;
    private final int index;

    Unfinished(ShmFile file, int sender, Path senderFile) {
      this.file = file;
      buffer = file.buffer();
      ShmLayout layout = layoutOf(buffer);
      ring =
          new ManyToOneRingBuffer(
              new UnsafeBuffer(buffer, ShmLayout.RING_AT, layout.ringTotalBytes()));
      int at = ShmLayout.senderAt(sender);
      byte[] path = senderFile.toString().getBytes(StandardCharsets.UTF_8);
      buffer.putInt(at + ShmLayout.SENDER_PATH_LENGTH, path.length);
      buffer.putBytes(at + ShmLayout.SENDER_PATH, path);
      claimsAt = at + ShmLayout.SENDER_CLAIMS;
      buffer.putLong(claimsAt, 1);
      buffer.putIntVolatile(at, ShmLayout.SENDER_READY);
      index = ring.tryClaim(ShmArrivals.typeOf(ShmSide.ENDPOINT), 80);
    }

    void finish() {
      ring.commit(index);
      buffer.putLongVolatile(claimsAt, 2);
    }

    @Override
    public void close() {
      file.close();
    }
  }

  private void pass(int times) {
    for (int i = 0; i < times; i++) {
      nowNs += SECOND_NS;
      far.loop.advance();
    }
  }

  @Test
  void shouldSkipARecordWhenItsSenderDiedBeforeCommitting() throws Exception {
    open(SHARED_RING);
    Channel channel = near.connect(far);
    try (Unfinished dead = claim(100, parent.resolve("gone"))) {
      channel.offer(ShmSide.packet(100, 3));
      far.loop.advance();
      assertThat(far.received).isEmpty();

      pass(5);

      assertThat(far.received).hasSize(1);
      assertThat(far.received.get(0)).isEqualTo(ShmSide.packet(100, 3).array());
      assertThat(dead.buffer.getIntVolatile(ShmLayout.senderAt(100)))
          .as("its entry serves another")
          .isEqualTo(ShmLayout.SENDER_FREE);
    }
  }

  @Test
  void shouldWaitHoweverLongWhenALivingSenderHasNotCommitted() throws Exception {
    open(SHARED_RING);
    Channel channel = near.connect(far);
    try (Unfinished slow = claim(100, near.file());
        Unfinished dead = claim(101, parent.resolve("gone"))) {
      assertThat(dead.index).isPositive();
      channel.offer(ShmSide.packet(100, 3));

      pass(30);
      assertThat(far.received).isEmpty();
      slow.finish();
      far.loop.advance();

      assertThat(far.received.get(0)).hasSize(80);
    }
  }
}
