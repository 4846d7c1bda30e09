package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.TagMatcher;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Long messages over tcp, whose bytes go from the program's memory to the socket. */
class TcpLentBytesTest extends TcpSides {
  /** Four records and a part; not a multiple of 8. */
  private static final int LENGTH = 1024 * 1024 + 4_321;

  private static final int RECORD = 256 * 1024;

  private Relay relay;
  private Side near;
  private Side far;
  private int toFar;
  private int toNear;

  @BeforeEach
  void open() throws IOException {
    relay = new Relay();
    opened.add(relay);
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    relay.to(port);
    near = open("near", "tagfabric.tcp.dial = never");
    far =
        open(
            "far", "tagfabric.tcp { ports = " + port + ", canonical-port = " + relay.port() + " }");
    toFar = near.indexOf(far);
    toNear = far.indexOf(near);
    byte[] got = far.post(toNear, 8, 12345, 0);
    near.send(toFar, new byte[] {5}, 12345);
    await(() -> near.poll() + far.poll() >= 0 && near.sent.size() + far.received.size() == 2);
    assertThat(got).startsWith(5);
    near.sent.clear();
    far.received.clear();
  }

  private static UnsafeBuffer memory(String kind) {
    return kind.equals("heap")
        ? new UnsafeBuffer(new byte[LENGTH + 30])
        : new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH + 50), 10, LENGTH + 30);
  }

  private static void fill(UnsafeBuffer buffer, int length, long seed) {
    buffer.putBytes(7, Side.pattern(length, seed), 0, length);
  }

  private static byte[] content(UnsafeBuffer buffer, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(3, bytes);
    return bytes;
  }

  private void post(UnsafeBuffer buffer, int length, long tag) {
    assertThat(far.endpoint.postReceive(buffer, 3, length, tag, 0, toNear, tag))
        .isEqualTo(Posted.POSTED);
  }

  private void send(UnsafeBuffer buffer, int length, long tag) {
    assertThat(
            near.endpoint.post(
                TaggedSend.of(toFar, buffer, 7, length, tag).level(CompletionLevel.TRANSMIT), tag))
        .isEqualTo(Posted.POSTED);
  }

  @ParameterizedTest
  @CsvSource({"direct, direct", "direct, heap", "heap, direct", "heap, heap"})
  void shouldLoseNoByteWhereverTheConnectionIsCut(String source, String target) {
    UnsafeBuffer from = memory(source);
    UnsafeBuffer to = memory(target);
    Random random = new Random(11);
    for (int i = 0; i < 40; i++) {
      int length = LENGTH - random.nextInt(9);
      fill(from, length, i);
      to.setMemory(0, to.capacity(), (byte) 0);
      int cut = i < 20 ? i % 5 * (RECORD + 24) + i / 5 * 17 : random.nextInt(length);
      relay.cutAfter(cut);
      post(to, length, i);
      send(from, length, i);
      await(() -> near.poll() + far.poll() >= 0 && !near.sent.isEmpty());
      from.setMemory(0, from.capacity(), (byte) -1); // it may: the send has completed
      await(() -> near.poll() + far.poll() >= 0 && !far.received.isEmpty());

      assertThat(near.sent).allMatch(Completion.Sent.class::isInstance);
      assertThat(far.received).allMatch(Completion.Received.class::isInstance);
      assertThat(content(to, length)).isEqualTo(Side.pattern(length, i));
      assertThat(to.getByte(2)).as("before").isZero();
      assertThat(to.getByte(3 + length)).as("behind").isZero();
      near.sent.clear();
      far.received.clear();
    }
    assertThat(relay.connections()).isGreaterThan(20);
    assertThat(near.endpoint.flowCounters(toFar).toCompletableFuture().join().directBytes())
        .as("what went that way")
        .isGreaterThan(39L * (LENGTH - 9));
    assertThat(flow(near).provider()).isEqualTo("tcp");
  }

  @Test
  void shouldSendWhatWasThereWhenASendIsTakenBackHalfWay() {
    int count = 16;
    List<UnsafeBuffer> sources = new ArrayList<>();
    List<UnsafeBuffer> targets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sources.add(memory("direct"));
      targets.add(memory("direct"));
      fill(sources.get(i), LENGTH, i);
      post(targets.get(i), LENGTH, i);
    }
    for (int i = 0; i < count; i++) {
      send(sources.get(i), LENGTH, i);
    }
    for (int i = 0; i < count; i++) {
      Object context = (long) i;
      if (near.endpoint.futures().cancel(context).toCompletableFuture().join()
          instanceof TagMatcher.Cancelled) {
        sources.get(i).setMemory(0, sources.get(i).capacity(), (byte) -1);
      }
    }
    await(
        () -> near.poll() + far.poll() >= 0 && near.sent.size() + far.received.size() == 2 * count);

    for (Completion each : far.received) {
      if (each instanceof Completion.Received received) {
        int i = (int) received.tag();
        assertThat(content(targets.get(i), LENGTH)).isEqualTo(Side.pattern(LENGTH, i));
      } else {
        assertThat(((Completion.Failed) each).error()).isEqualTo(FabricError.CANCELED);
      }
    }
    post(targets.get(0), LENGTH, 99);
    fill(sources.get(0), LENGTH, 99);
    send(sources.get(0), LENGTH, 99);
    await(() -> near.poll() + far.poll() >= 0 && far.received.size() == count + 1);
    assertThat(content(targets.get(0), LENGTH))
        .as("the flow goes on")
        .isEqualTo(Side.pattern(LENGTH, 99));
  }

  @Test
  void shouldPutNothingIntoABufferAfterItsReceiveHasFailed() throws Exception {
    UnsafeBuffer target = memory("direct");
    UnsafeBuffer source = memory("direct");
    post(target, LENGTH, 1);
    relay.cutAfter(RECORD / 2);
    relay.to(1); // so it is not made again
    send(source, LENGTH, 1);
    fill(source, LENGTH, 1);

    far.endpoint.close(Duration.ZERO).toCompletableFuture().get(60, TimeUnit.SECONDS);
    target.setMemory(0, target.capacity(), (byte) 0);
    await(() -> near.poll() + far.poll() >= 0 && !near.sent.isEmpty());

    assertThat(near.sent.get(0)).isInstanceOf(Completion.Failed.class);
    for (int i = 0; i < target.capacity(); i++) {
      assertThat(target.getByte(i)).isZero();
    }
  }
}
