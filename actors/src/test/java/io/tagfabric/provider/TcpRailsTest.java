package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several connections of a pair of domains, by several interfaces. */
class TcpRailsTest extends TcpSides {
  private static final String TWO = "tagfabric.tcp.interfaces = [\"127.0.0.1\", \"::1\"]\n";
  private static final byte[] SIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  private static final int LENGTH = 300_000;

  private static void requireSecondLoopback() {
    assumeTrue(canListenAtSix(), "this host has no IPv6 loopback");
  }

  private static boolean canListenAtSix() {
    try (ServerSocket six = new ServerSocket(0, 1, InetAddress.getByAddress(SIX))) {
      return six.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private static void exchange(Side near, Side far, int count) {
    int toFar = near.indexOf(far);
    int toNear = far.indexOf(near);
    List<byte[]> there = new ArrayList<>();
    List<byte[]> back = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      there.add(far.post(toNear, LENGTH, i, 0));
      back.add(near.post(toFar, LENGTH, i, 0));
    }
    for (int i = 0; i < count; i++) {
      int length = i % 3 == 0 ? 8 : LENGTH;
      near.send(toFar, Side.pattern(length, i), i, CompletionLevel.TRANSMIT);
      far.send(toNear, Side.pattern(length, -i), i, CompletionLevel.TRANSMIT);
    }
    await(() -> near.poll() + far.poll() >= 0 && near.hasEnded(count) && far.hasEnded(count));
    assertThat(near.sent).allMatch(Completion.Sent.class::isInstance);
    assertThat(far.sent).allMatch(Completion.Sent.class::isInstance);
    for (int i = 0; i < count; i++) {
      int length = i % 3 == 0 ? 8 : LENGTH;
      assertThat(there.get(i)).startsWith(Side.pattern(length, i));
      assertThat(back.get(i)).startsWith(Side.pattern(length, -i));
    }
  }

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void shouldSpreadWindowsOverPathsHoweverManyRailsThereAre(boolean nearTwo, boolean farTwo) {
    requireSecondLoopback();
    String paths = "tagfabric.path.lmc = 2\n";
    Side near = open("near", paths + (nearTwo ? TWO : ""));
    Side far = open("far", paths + (farTwo ? TWO : ""));

    exchange(near, far, 30);

    for (Side side : List.of(near, far)) {
      assertThat(flow(side).provider()).isEqualTo("tcp");
      assertThat(flow(side).paths()).hasSize(4);
      assertThat(flow(side).paths().subList(1, 4))
          .as("the first is for control alone")
          .allMatch(path -> path.bytes() > LENGTH);
    }
  }

  @Test
  void shouldUseAsManyPathsAsBothOffer() {
    Side near = open("near", "tagfabric.path.lmc = 2\n");
    Side far = open("far", "tagfabric.path.lmc = 1\n");
    Side one = open("one", "");

    exchange(near, far, 6);
    near.sent.clear();
    near.received.clear();
    exchange(near, one, 6);

    assertThat(flow(far).paths()).hasSize(2);
    assertThat(flow(one).paths()).isEmpty();
  }

  @Test
  void shouldDialAnotherRailWhenOneIsClosed() throws IOException {
    requireSecondLoopback();
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    Side near = open("near", TWO);
    Side far = open("far", TWO);
    String told = far.endpoint.address().providers().get("tcp");
    String wrong = told.replaceFirst("127\\.0\\.0\\.1:\\d+", "127.0.0.1:" + closed);
    assertThat(wrong).isNotEqualTo(told).contains(",[");
    byte[] got = far.post(8, 5);
    int toFar = near.domain.addressVector().insert(withTcp(far, wrong));

    near.send(toFar, new byte[] {7}, 5, CompletionLevel.DELIVERY);
    await(() -> near.poll() + far.poll() >= 0 && near.sent.size() + far.received.size() == 2);

    assertThat(near.sent.get(0)).isInstanceOf(Completion.Sent.class);
    assertThat(got).startsWith(7);
  }

  private static EndpointAddress withTcp(Side side, String tcp) {
    EndpointAddress address = side.endpoint.address();
    return new EndpointAddress(
        address.incarnation(),
        address.endpoint(),
        address.name(),
        address.node(),
        address.vm(),
        Map.of("tcp", tcp));
  }
}
