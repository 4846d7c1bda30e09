package io.tagfabric.link;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.TestInbox;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.address.Protocols;
import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.FlowState;
import io.tagfabric.link.send.SendListener;
import io.tagfabric.link.send.SendOperation;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.wire.MessageViews;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.sbe.HelloEncoder;
import io.tagfabric.wire.sbe.MessageHeaderDecoder;
import io.tagfabric.wire.sbe.MessageHeaderEncoder;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import io.tagfabric.wire.sbe.WelcomeEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two endpoints' cores over a wire that can be cut, under a clock moved by hand. */
class HandshakeTest extends CoreSides {
  @Test
  void shouldRepeatItsHelloAtTwiceTheDistanceUntilItGivesUp() {
    a.cut = true;
    int peer = a.insert(new Side("b", JOB, 1));
    connect(a, peer);

    sleep(TIMEOUT / MS - 1);
    assertThat(a.offeredMs)
        .startsWith(0L, 50L, 150L, 350L, 750L, 1550L, 2550L, 3550L)
        .endsWith(18_550L, 19_550L);
    assertThat(outcomes).isEmpty();

    sleep(1_000);
    assertThat(state(a)).isEqualTo(FlowState.LOST);
    assertThat(outcomes).singleElement().asString().contains("TIMED_OUT", "flow.connect-timeout");
    int offered = a.offeredMs.size();
    sleep(10 * TIMEOUT / MS);
    assertThat(a.offeredMs).hasSize(offered);
  }

  @Test
  void shouldConnectWhenTheWireHeals() {
    Side b = new Side("b", JOB, 1);
    int peer = a.insert(b);
    a.cut = true;
    connect(a, peer);
    sleep(1_000);
    a.cut = false;

    sleep(551);
    a.deliver();
    b.deliver();

    assertThat(state(a)).isEqualTo(FlowState.OPEN);
    assertThat(state(b)).isEqualTo(FlowState.OPEN);
    assertThat(outcomes).containsExactly("open");
  }

  @Test
  void shouldOfferTheHelloThatItHasBuiltAgain() {
    a.cut = true;
    connect(a, a.insert(new Side("b", JOB, 1)));

    sleep(1_000);

    Packet first = a.offered.get(0);
    assertThat(a.offered).hasSizeGreaterThan(3).allMatch(each -> each == first);
  }

  @Test
  void shouldWaitForRoomAndNotForAnAnswerWhileTheHelloCannotLeave() {
    Side b = new Side("b", JOB, 1);
    a.full = true;
    connect(a, a.insert(b));
    sleep(10 * TIMEOUT / MS);
    assertThat(outcomes).isEmpty();
    a.full = false;

    sleep(20);
    a.deliver();
    b.deliver();

    assertThat(outcomes).containsExactly("open");
    assertThat(a.offered).hasSize(1);
  }

  @Test
  void shouldGiveAPeerItsTimeToAnswerOnceTheHelloHasLeft() {
    a.full = true;
    connect(a, a.insert(new Side("b", JOB, 1)));
    sleep(TIMEOUT / MS);
    a.full = false;
    a.cut = true;

    sleep(TIMEOUT / MS - 1);
    assertThat(outcomes).isEmpty();
    sleep(20);

    assertThat(outcomes).singleElement().asString().contains("TIMED_OUT", "flow.connect-timeout");
  }

  @Test
  void shouldConnectOnceWhenTheAnswerIsLost() {
    Side b = new Side("b", JOB, 1);
    int peer = a.insert(b);
    b.cut = true;
    connect(a, peer);
    a.deliver();
    b.deliver();
    assertThat(state(b)).isEqualTo(FlowState.OPEN);
    assertThat(state(a)).isEqualTo(FlowState.CONNECTING);
    b.cut = false;

    sleep(51);
    a.deliver();
    b.deliver();
    connect(a, peer);

    assertThat(state(a)).isEqualTo(FlowState.OPEN);
    assertThat(a.core.flows()).hasSize(1);
    assertThat(b.core.flows()).hasSize(1);
    assertThat(outcomes).containsExactly("open", "open");
  }

  /** A reliable channel does not ask again, so the sender would wait for ever. */
  @Test
  void shouldAcknowledgeWhatHasOvertakenTheWelcome() {
    Side b = new Side("b", JOB, 1);
    connect(a, a.insert(b));
    b.cut = true;
    a.deliver();
    b.cut = false;
    forge(b, writer -> packet -> {});
    assertThat(state(a)).isEqualTo(FlowState.CONNECTING);

    sleep(51);
    a.deliver();
    b.deliver();
    assertThat(state(a)).isEqualTo(FlowState.OPEN);
    a.core.flush();

    assertThat(a.onTheWay).hasSize(1);
    PacketHeaderDecoder header = new PacketHeaderDecoder();
    header.wrap(
        new UnsafeBuffer(a.onTheWay.get(0)),
        MessageHeaderDecoder.ENCODED_LENGTH,
        PacketHeaderDecoder.BLOCK_LENGTH,
        PacketHeaderDecoder.SCHEMA_VERSION);
    assertThat(header.acknowledged()).isEqualTo(1);
  }

  /** A has given up before its Hello reaches B. */
  private Side answeringTooLate() {
    Side b = new Side("b", JOB, 1);
    connect(a, a.insert(b));
    sleep(TIMEOUT / MS + 1_000);
    assertThat(outcomes).singleElement().asString().contains("TIMED_OUT");
    a.deliver();
    assertThat(state(b)).isEqualTo(FlowState.OPEN);
    return b;
  }

  @Test
  void shouldTellAPeerThatAnswersTooLateThatItsFlowHasEnded() {
    Side b = answeringTooLate();

    b.deliver();
    a.deliver();

    assertThat(state(b)).isEqualTo(FlowState.LOST);
    assertThat(b.reports).last().asString().contains("the peer has given this flow up");
  }

  /** It had no room for the answer, and A does not ask again. */
  @Test
  void shouldAnswerWhenTheChannelHasRoomAgain() {
    Side b = new Side("b", JOB, 1);
    connect(a, a.insert(b));
    sleep(TIMEOUT / MS + 1_000);
    b.full = true;
    a.deliver();
    sleep(1_000);
    assertThat(b.onTheWay).isEmpty();
    assertThat(state(b)).isEqualTo(FlowState.OPEN);
    b.full = false;

    sleep(50);
    assertThat(b.onTheWay).hasSize(1);
    b.deliver();
    a.deliver();

    assertThat(state(b)).isEqualTo(FlowState.LOST);
    sleep(1_000);
    assertThat(b.onTheWay).isEmpty();
  }

  @Test
  void shouldTellItWhenTheChannelHasRoomAgain() {
    Side b = answeringTooLate();
    a.full = true;
    b.deliver();
    sleep(1_000);
    assertThat(a.onTheWay).isEmpty();
    a.full = false;

    sleep(50);
    a.deliver();

    assertThat(state(b)).isEqualTo(FlowState.LOST);
    sleep(1_000);
    assertThat(a.onTheWay).isEmpty();
  }

  /** A reliable channel does not ask again, so the peer would wait for ever. */
  @Test
  void shouldTellWhoHasBrokenARuleWhenTheChannelHasRoomAgain() {
    Side b = new Side("b", JOB, 1);
    connect(a, a.insert(b));
    a.deliver();
    b.deliver();
    assertThat(state(b)).isEqualTo(FlowState.OPEN);
    a.full = true;
    forgeData(b, 0, 8);
    assertThat(state(a)).isEqualTo(FlowState.LOST);
    sleep(1_000);
    assertThat(a.onTheWay).isEmpty();
    a.full = false;

    sleep(50);
    a.deliver();

    assertThat(state(b)).isEqualTo(FlowState.LOST);
    sleep(1_000);
    assertThat(a.onTheWay).isEmpty();
  }

  @Test
  void shouldFindOutWhomToTellWhenARuleIsBrokenBeforeTheAnswer() {
    Side b = new Side("b", JOB, 1);
    connect(a, a.insert(b));
    a.deliver();
    b.onTheWay.clear();
    a.full = true;
    forgeData(b, 0, 8);
    assertThat(state(a)).isEqualTo(FlowState.LOST);
    assertThat(state(b)).isEqualTo(FlowState.OPEN);
    sleep(1_000);
    a.full = false;

    sleep(50);
    a.deliver();
    b.deliver();
    a.deliver();

    assertThat(state(b)).isEqualTo(FlowState.LOST);
    sleep(1_000);
    assertThat(a.onTheWay).isEmpty();
  }

  @Test
  void shouldFindOutWhomToTellWhenTheAnswerWasLost() {
    Side b = answeringTooLate();
    b.onTheWay.clear();
    boolean accepted = b.core.inject(0, MessageViews.of(1, new UnsafeBuffer(new byte[8]), 0, 8));
    assertThat(accepted).isTrue();
    b.core.flush();
    b.onTheWay.clear();

    sleep(200);
    b.deliver();
    a.deliver();
    assertThat(state(b)).isEqualTo(FlowState.OPEN);
    b.deliver();
    a.deliver();

    assertThat(state(b)).isEqualTo(FlowState.LOST);
  }

  @Test
  void shouldBeRefusedByAnotherPartitionAndToldWhy() {
    Side b = new Side("b", JOB, 2);
    int peer = a.insert(b);
    connect(a, peer);
    a.deliver();
    b.deliver();

    assertThat(state(a)).isEqualTo(FlowState.LOST);
    assertThat(outcomes)
        .singleElement()
        .asString()
        .contains("KEY_REJECTED", "partition.key of a@node differs from partition.key here")
        .doesNotContain("=1", "=2");
    connect(a, peer);
    assertThat(outcomes).hasSize(2).last().asString().contains("KEY_REJECTED");
  }

  private Side speaking(String name, int least, int most) {
    return new Side(name, List.of(JOB), 1, new Protocols(least, most));
  }

  /** The address of a side as one may have it who learned it from an earlier build there. */
  private int insertAs(Side from, Side peer, Protocols claimed) {
    from.insert(peer);
    EndpointAddress at = peer.address;
    from.addresses.remove(0);
    return from.addresses.insert(
        new EndpointAddress(
            at.incarnation(), 0, at.name(), at.node(), at.vm(), at.providers(), null, claimed));
  }

  @ParameterizedTest
  @CsvSource({"7,8,8,9,8", "7,8,6,7,7", "7,9,6,8,8", "7,7,7,7,7", "6,9,7,8,8"})
  void shouldSetAFlowUpByTheHighestCommonProtocol(
      int least, int most, int otherLeast, int otherMost, int chosen) {
    Side one = speaking("one", least, most);
    Side other = speaking("other", otherLeast, otherMost);
    connect(one, one.insert(other));
    one.deliver();
    other.deliver();

    assertThat(outcomes).containsExactly("open");
    for (Side side : List.of(one, other)) {
      assertThat(side.core.flows()).singleElement().matches(flow -> flow.state() == FlowState.OPEN);
      assertThat(side.core.flows().get(0).setUp().protocol()).isEqualTo(chosen);
    }
  }

  @Test
  void shouldFailAtOnceWhereTheAddressNamesOtherProtocols() {
    Side later = speaking("later", 8, 9);
    int peer = a.insert(later);
    connect(a, peer);

    assertThat(outcomes)
        .singleElement()
        .asString()
        .contains(
            "INVALID",
            "protocols=8..9 of [later@node] and protocols=" + Protocols.OWN + " here",
            "no number in common",
            "run versions of Tagfabric");
    a.core.flush();
    assertThat(a.offered).isEmpty();
    assertThat(a.core.flows()).isEmpty();
    // nothing is held against the peer
    connect(a, peer);
    assertThat(outcomes).hasSize(2).last().asString().contains("no number in common");
  }

  @Test
  void shouldFailASendAtOnceWhereTheAddressNamesOtherProtocols() {
    TestInbox<Completion> told = TestInbox.create();
    SendOperation send =
        new SendOperation(
            a.insert(speaking("later", 8, 8)),
            CompletionLevel.DELIVERY,
            null,
            SendListener.telling(told.getRef()));
    send.show(5, new UnsafeBuffer(new byte[10]), 0, 10);
    a.core.send(send);

    assertThat(told.receiveMessage().toString()).contains("INVALID", "no number in common");
  }

  @Test
  void shouldRefuseOneThatSpeaksOtherProtocolsInOneExchange() {
    Side later = speaking("later", 8, 9);
    connect(later, insertAs(later, a, new Protocols(7, 9)));
    later.deliver();
    a.deliver();

    assertThat(state(later)).isEqualTo(FlowState.LOST);
    assertThat(outcomes)
        .singleElement()
        .asString()
        .contains(
            "INVALID", "protocols=8..9 of [later@node]", "protocols=" + Protocols.OWN + " here");
    assertThat(a.core.flows()).isEmpty();
    assertThat(a.core.strangers()).isZero();
  }

  /** Makes a Hello one of a later build, whose inner part means nothing here. */
  private static byte[] ofALaterBuild(byte[] hello, UUID key) {
    byte[] packet = hello.clone();
    UnsafeBuffer buffer = new UnsafeBuffer(packet);
    MessageHeaderEncoder header = new MessageHeaderEncoder();
    header.wrap(buffer, 0).version((short) 9);
    int at = Packet.HEADER_LENGTH;
    header.wrap(buffer, at).version((short) 9);
    int begin = at + MessageHeaderEncoder.ENCODED_LENGTH;
    new HelloEncoder().wrap(buffer, begin).least((short) 90).most((short) 91);
    Arrays.fill(
        packet,
        begin + HelloEncoder.objectFingerprintEncodingOffset(),
        begin + HelloEncoder.BLOCK_LENGTH,
        (byte) 0xEE);
    int frameEnd = at + buffer.getInt(at, ByteOrder.LITTLE_ENDIAN);
    buffer.putShort(frameEnd - 2, (short) 0xEEEE);
    prove(packet, key);
    return packet;
  }

  /** Proves anew what the first frame of a packet says. */
  private static void prove(byte[] packet, UUID key) {
    UnsafeBuffer buffer = new UnsafeBuffer(packet);
    int at = Packet.HEADER_LENGTH;
    int proofAt = at + MessageHeaderEncoder.ENCODED_LENGTH;
    int frameEnd = at + buffer.getInt(at, ByteOrder.LITTLE_ENDIAN);
    PacketHeaderDecoder header = new PacketHeaderDecoder();
    header.wrap(
        buffer,
        MessageHeaderDecoder.ENCODED_LENGTH,
        PacketHeaderDecoder.BLOCK_LENGTH,
        PacketHeaderDecoder.SCHEMA_VERSION);
    buffer.putBytes(
        proofAt,
        EndpointIdentity.setUpProofs(List.of(key))
            .over(
                KeyProof.part(header.incarnation()),
                Arrays.copyOfRange(packet, at, proofAt),
                Arrays.copyOfRange(packet, proofAt + KeyProof.BYTES, frameEnd)));
  }

  private byte[] helloOf(Side side, Side to) {
    connect(side, side.insert(to));
    side.core.flush();
    return side.onTheWay.get(0);
  }

  @Test
  void shouldRefuseAHelloOfALaterBuildWithProof() {
    Side b = new Side("b", JOB, 1);
    byte[] later = ofALaterBuild(helloOf(b, a), JOB);
    a.hear(later);
    a.core.flush();

    assertThat(a.onTheWay).hasSize(1);
    assertThat(a.core.flows()).isEmpty();
    // b has sent such a Hello in earnest, so it takes the answer; from whatever version it comes
    byte[] refusal = a.onTheWay.get(0);
    new MessageHeaderEncoder().wrap(new UnsafeBuffer(refusal), 0).version((short) 12);
    b.hear(refusal);
    assertThat(state(b)).isEqualTo(FlowState.LOST);
    assertThat(outcomes)
        .singleElement()
        .asString()
        .contains("INVALID", "protocols=90..91 of [b@node]", "protocols=" + Protocols.OWN);
  }

  @Test
  void shouldNotAnswerAHelloOfALaterBuildWithoutProof() {
    byte[] later = ofALaterBuild(helloOf(new Side("b", JOB, 1), a), new UUID(9, 9));
    a.hear(later);
    a.core.flush();

    assertThat(a.onTheWay).isEmpty();
    assertThat(a.core.flows()).isEmpty();
    assertThat(a.core.strangers()).isEqualTo(1);
  }

  @Test
  void shouldDropAWelcomeByAProtocolThatItHasNotOffered() {
    Side b = speaking("b", 7, 8);
    a.hear(helloOf(b, a));
    a.core.flush();
    byte[] welcome = a.onTheWay.get(0);
    WelcomeEncoder forged = new WelcomeEncoder();
    forged.wrap(
        new UnsafeBuffer(welcome), Packet.HEADER_LENGTH + MessageHeaderEncoder.ENCODED_LENGTH);
    for (int protocol : new int[] {0, 6, 9, 1 << 16 | 7}) {
      forged.protocol(protocol);
      prove(welcome, JOB);
      b.hear(welcome);
      assertThat(state(b)).isEqualTo(FlowState.CONNECTING);
    }
    assertThat(b.core.strangers()).isEqualTo(4);
    forged.protocol(8);
    prove(welcome, JOB);
    b.hear(welcome);
    assertThat(state(b)).isEqualTo(FlowState.OPEN);
    assertThat(b.core.flows().get(0).setUp().protocol()).isEqualTo(8);
  }

  /** The bytes of a key, in either order. */
  private static List<byte[]> bytesOf(UUID key) {
    List<byte[]> bytes = new ArrayList<>();
    for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
      for (long half : new long[] {key.getMostSignificantBits(), key.getLeastSignificantBits()}) {
        bytes.add(ByteBuffer.allocate(Long.BYTES).order(order).putLong(half).array());
      }
    }
    return bytes;
  }

  private static boolean contains(byte[] all, byte[] part) {
    return new String(all, StandardCharsets.ISO_8859_1)
        .contains(new String(part, StandardCharsets.ISO_8859_1));
  }

  @Test
  void shouldTellNobodyTheKeyOfItsJob() {
    UUID secret = new UUID(0x5ec4e7_1234_5678L, 0x5ec4e8_8765_4321L);
    Side b = new Side("b", secret, 1);
    Side c = new Side("c", secret, 2);
    connect(b, b.insert(c));
    b.core.flush();
    List<byte[]> packets = new ArrayList<>(b.onTheWay);
    b.deliver();
    c.core.flush();
    packets.addAll(c.onTheWay);
    c.deliver();

    assertThat(outcomes).singleElement().asString().contains("KEY_REJECTED");
    assertThat(packets).hasSize(2);
    for (byte[] part : bytesOf(secret)) {
      assertThat(packets).noneMatch(packet -> contains(packet, part));
    }
    assertThat(outcomes + " " + b.reports + " " + c.reports)
        .contains("refused [b@node]")
        .doesNotContain(secret.toString(), "5ec4e7");
  }

  @Test
  void shouldAnswerNobodyWithoutTheKeyOfItsJob() {
    Side b = new Side("b", new UUID(9, 9), 1);
    connect(a, a.insert(b));
    b.broken = true;
    a.core.flush();
    List<byte[]> hello = List.copyOf(a.onTheWay);
    for (int i = 0; i < 100; i++) {
      hello.forEach(b::hear);
      sleep(30);
    }
    b.core.flush();

    assertThat(b.core.strangers()).isEqualTo(100);
    assertThat(b.core.flows()).isEmpty();
    assertThat(b.addresses.snapshot().lookup(0)).isNull();
    assertThat(b.onTheWay).isEmpty();
    assertThat(b.reports).hasSize(100);
    assertThat(b.warnings)
        .hasSizeBetween(1, 4)
        .last()
        .asString()
        .contains("without proof", "tagfabric.job.key", "heldBack=")
        .doesNotContain("a@node");

    sleep(TIMEOUT / MS);
    assertThat(outcomes)
        .singleElement()
        .asString()
        .contains("TIMED_OUT", "a peer with another tagfabric.job.key does not answer");
  }

  @Test
  void shouldDropEveryGreetingOfWhichOneByteIsChanged() {
    Side b = new Side("b", JOB, 1);
    connect(a, a.insert(b));
    a.core.flush();
    byte[] hello = a.onTheWay.get(0);
    int proven = Packet.HEADER_LENGTH;
    int frameEnd = proven + ByteBuffer.wrap(hello).order(ByteOrder.LITTLE_ENDIAN).getInt(proven);
    for (int i = proven; i < frameEnd; i++) {
      byte[] forged = hello.clone();
      forged[i] ^= 0x10;
      b.hear(forged);
    }
    assertThat(b.core.flows()).isEmpty();
    b.core.flush();
    assertThat(b.onTheWay).isEmpty();
    b.hear(hello);
    assertThat(b.core.flows()).hasSize(1);

    Side c = new Side("c", JOB, 1);
    connect(c, c.insert(a));
    c.deliver();
    a.core.flush();
    byte[] welcome = a.onTheWay.get(a.onTheWay.size() - 1);
    for (int i = proven; i < welcome.length; i++) {
      byte[] forged = welcome.clone();
      forged[i] ^= 0x10;
      c.hear(forged);
    }
    assertThat(state(c)).isEqualTo(FlowState.CONNECTING);
    c.hear(welcome);
    assertThat(state(c)).isEqualTo(FlowState.OPEN);
  }

  @Test
  void shouldRefuseAHelloThatWasUsedBefore() {
    Side b = new Side("b", JOB, 1);
    int peer = a.insert(b);
    connect(a, peer);
    a.core.flush();
    byte[] hello = a.onTheWay.get(0);
    a.deliver();
    b.deliver();
    assertThat(state(b)).isEqualTo(FlowState.OPEN);

    // the same once more is a repeated question, and is answered
    b.hear(hello);
    assertThat(b.core.flows()).hasSize(1);

    // the flow ends, and b gives the peer another chance
    a.core.finishClose();
    int index = b.core.flows().get(0).peer();
    b.core.peerGone(index, FabricError.CONNECTION_RESET, "gone");
    b.addresses.remove(index);
    b.onTheWay.clear();
    b.hear(hello);

    assertThat(b.core.flows()).as("no flow comes of it").hasSize(1);
    assertThat(b.reports).last().asString().contains("this Hello was used before");
  }

  @Test
  void shouldWarnOfAPeerWhoseNodeIsGone() {
    Side b = new Side("b", JOB, 1);
    int peer = a.insert(b);
    connect(a, peer);
    a.deliver();
    b.deliver();
    a.deliver();
    assertThat(state(a)).isEqualTo(FlowState.OPEN);

    a.core.peerGone(peer, FabricError.CONNECTION_RESET, "its node is gone");

    assertThat(a.warnings).containsExactly("peer [" + b.address + "] lost: its node is gone");
    assertThat(a.news).isEmpty();
  }

  @Test
  void shouldTakeNothingThatIsMeantForTheOneThatHadItsPlaceBefore() {
    TestInbox<Completion> told = TestInbox.create();
    Side before = new Side("before", JOB, 1);
    int peer = a.insert(before);
    connect(a, peer);
    a.deliver();
    before.deliver();
    SendOperation send =
        new SendOperation(peer, CompletionLevel.INJECT, null, SendListener.telling(told.getRef()));
    send.show(5, new UnsafeBuffer(new byte[10]), 0, 10);
    a.core.send(send);
    a.core.flush();
    final List<byte[]> meantForBefore = List.copyOf(a.onTheWay);
    a.onTheWay.clear();

    Side after = new Side("after", JOB, 1);
    connect(a, a.insert(after));
    a.deliver();
    after.deliver();
    after.receives.post(
        PostedReceive.into(
            TaggedReceive.of(TagSelector.any()).into(new UnsafeBuffer(new byte[100]), 0, 100),
            null,
            null));
    assertThat(meantForBefore).isNotEmpty();
    meantForBefore.forEach(after::hear);

    assertThat(after.received).isEmpty();
    assertThat(after.desk.strangers()).isEqualTo(meantForBefore.size());
    assertThat(after.core.flows()).allMatch(flow -> flow.state() == FlowState.OPEN);
  }

  @Test
  void shouldNotBringAHelloToAnotherIncarnation() {
    Side b = new Side("b", JOB, 1);
    connect(a, a.insert(b));
    a.core.flush();
    byte[] hello = a.onTheWay.get(0);
    Side restarted = new Side("bb", JOB, 1);
    restarted.hear(hello);

    assertThat(restarted.core.flows()).isEmpty();
    assertThat(restarted.onTheWay).isEmpty();
    assertThat(restarted.core.strangers()).isEqualTo(1);
    assertThat(restarted.warnings).singleElement().asString().contains("meant for incarnation=");
  }

  @Test
  void shouldOutliveAPeersAddressThatBreaksAProvider() {
    Side b = new Side("b", JOB, 1);
    int peer = a.insert(b);
    b.broken = true;
    connect(a, peer);
    a.deliver();
    b.deliver();
    assertThat(b.core.flows()).isEmpty();
    assertThat(b.warnings).singleElement().asString().contains("cannot answer [a@node]");

    b.broken = false;
    sleep(51);
    a.deliver();
    b.deliver();
    assertThat(outcomes).containsExactly("open");
  }

  @Test
  void shouldFailWhoAsksForAnAddressThatBreaksAProvider() {
    a.broken = true;
    connect(a, a.insert(new Side("b", JOB, 1)));

    assertThat(outcomes)
        .singleElement()
        .asString()
        .contains("HOST_UNREACHABLE", "fake=its address is of no use", "breaks the provider");
  }

  @Test
  void shouldKeepWhatAPeerSaysOnOneLine() {
    Side b = new Side("b\n12:00 ERROR forged", JOB, 2);
    connect(b, b.insert(a));
    b.deliver();

    assertThat(a.warnings)
        .singleElement()
        .asString()
        .contains("refused [b\\u000a12:00 ERROR forged@node]")
        .doesNotContain("\n");
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 15, -1, 1, 100, 1L << 32})
  void shouldLoseWhoSendsBytesThatAreNotTheNext(long position) {
    Side b = new Side("b", JOB, 1);
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[500]);
    Flow flow = transferTo(b, buffer);

    forgeData(b, position, 16);

    assertThat(buffer.byteArray()).containsOnly(0);
    assertThat(flow.state()).isEqualTo(FlowState.LOST);
    assertThat(a.received).hasSize(1);
    assertThat(a.received.get(0).error()).isEqualTo(FabricError.PROTOCOL);
    assertThat(a.received.get(0).detail())
        .contains("bytes at position=" + position + " of message=1");
    // it is told, and others can still come
    a.deliver();
    assertThat(state(b)).isEqualTo(FlowState.LOST);
    Side c = new Side("c", JOB, 1);
    connect(c, c.insert(a));
    c.deliver();
    assertThat(a.core.flows()).hasSize(2).last().extracting(Flow::state).isEqualTo(FlowState.OPEN);
  }

  @Test
  void shouldLoseWhoSendsTheSameBytesTwice() {
    Side b = new Side("b", JOB, 1);
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[500]);
    Flow flow = transferTo(b, buffer);

    forgeData(b, 0, 50);
    assertThat(flow.state()).isEqualTo(FlowState.OPEN);
    assertThat(Arrays.copyOfRange(buffer.byteArray(), 200, 250)).containsOnly(1);
    forgeData(b, 0, 50);

    assertThat(flow.state()).isEqualTo(FlowState.LOST);
    assertThat(a.received).hasSize(1);
    assertThat(a.received.get(0).error()).isEqualTo(FabricError.PROTOCOL);
  }

  @Test
  void shouldSetUpNothingMoreOnceThePeersAreFixed() {
    Side b = new Side("b", JOB, 1);
    int peer = a.insert(b);
    a.core.fixPeers("it is not listed");
    connect(a, peer);

    assertThat(a.core.flows()).isEmpty();
    assertThat(outcomes)
        .singleElement()
        .asString()
        .contains("BAD_STATE", "peer [b@node] is not connected: it is not listed");

    // a peer may still ask
    connect(b, b.insert(a));
    b.deliver();
    a.deliver();
    connect(a, peer);
    assertThat(outcomes).endsWith("open", "open");
  }

  @Test
  void shouldTellThoseWhoWaitThatTheEndpointIsClosed() {
    int peer = a.insert(new Side("b", JOB, 1));
    a.cut = true;
    connect(a, peer);
    a.core.finishClose();

    assertThat(outcomes).singleElement().asString().contains("CANCELED");
    connect(a, peer);
    assertThat(outcomes).hasSize(2);
  }

  @Test
  void shouldNameAPeerThatIsUnknown() {
    connect(a, 5);

    assertThat(outcomes).singleElement().asString().contains("peer=5 is not in the address vector");
  }
}
