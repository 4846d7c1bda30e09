package io.tagfabric.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.link.send.RepeatedSend;
import io.tagfabric.match.RepeatedReceive;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sends and receives of code on the loop that are begun with again and again. */
class RepeatedTransfersTest {
  private static final int LONGEST = 200_000;

  private final ActorTestKit kit =
      ActorTestKit.create(
          "repeated",
          ConfigFactory.parseMap(
                  Map.of(
                      "akka.actor.provider", "local", "tagfabric.progress.hand-over", handOver()))
              .withFallback(ConfigFactory.load()));
  private final Domain domain =
      Fabric.get(kit.system()).openDomain("repeated", ProgressMode.MANUAL);
  private final Endpoint near = domain.openEndpoint("near");
  private final Endpoint far = domain.openEndpoint("far");
  private final int toFar = domain.addressVector().insert(far.address());
  private final int toNear = domain.addressVector().insert(near.address());
  private final List<String> sent = new ArrayList<>();
  private final List<String> received = new ArrayList<>();
  private final UnsafeBuffer out = new UnsafeBuffer(new byte[LONGEST]);
  private final UnsafeBuffer in = new UnsafeBuffer(new byte[LONGEST]);

  private final RepeatedSend send =
      new RepeatedSend(
          toFar,
          new RepeatedSend.Listener() {
            @Override
            public void onSent() {
              sent.add("sent");
            }

            @Override
            public void onFailed(FabricError error, String detail) {
              sent.add(error + ": " + detail);
            }
          });

  private final RepeatedReceive.Listener hearer =
      new RepeatedReceive.Listener() {
        @Override
        public void onReceived(int lengthBytes) {
          received.add(lengthBytes + " bytes");
          whenReceived.run();
        }

        @Override
        public void onFailed(FabricError error, String detail) {
          received.add(error + ": " + detail);
        }
      };
  private final RepeatedReceive receive = new RepeatedReceive(toNear, in, 0, LONGEST, hearer);
  private Runnable whenReceived = () -> {};

  /** How the domain hands over. */
  String handOver() {
    return "call";
  }

  @AfterEach
  void stop() {
    domain.close(Duration.ZERO);
    kit.shutdownTestKit();
  }

  private void onLoop(Runnable something) {
    domain.loop().execute(something);
    settle();
  }

  private void settle() {
    while (domain.loop().advance() > 0) {
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
  }

  private void send(long tag, int length) {
    onLoop(() -> near.port().send(send, tag, out, 0, length));
  }

  private void receive(long tag) {
    onLoop(() -> far.port().receive(receive, tag));
  }

  /** What an endpoint knows of a peer. */
  private String known(Endpoint endpoint, int peer) {
    List<String> found = new ArrayList<>();
    onLoop(
        () ->
            found.add(endpoint.port().reaches(peer) + " " + endpoint.port().maxMessageBytes(peer)));
    return found.get(0);
  }

  @Test
  void shouldKnowTheLongestMessageOfBothWhileTheFlowIsOpen() {
    EndpointSettings usual = near.settings();
    Endpoint small =
        domain.openEndpoint(
            "small",
            domain.openCompletionQueue(),
            domain.openCompletionQueue(),
            new EndpointSettings(
                usual.injectBytes(),
                5_000,
                usual.maxPendingFutures(),
                usual.maxUnexpectedClasses(),
                usual.providers(),
                usual.packetBytes(),
                usual.askTimeout(),
                usual.flow(),
                usual.memory(),
                usual.active()));
    int toSmall = domain.addressVector().insert(small.address());
    List<String> ends = new ArrayList<>();
    assertThat(known(near, toSmall)).isEqualTo("false 0");

    onLoop(() -> near.port().connect(toSmall, failure -> ends.add("" + failure)));
    onLoop(() -> near.port().connect(toSmall, failure -> ends.add("" + failure)));
    assertThat(ends).containsExactly("null", "null");
    assertThat(known(near, toSmall)).isEqualTo("true 5000");
    assertThat(known(small, toNear)).isEqualTo("true 5000");

    small.close(Duration.ZERO);
    settle();
    assertThat(known(near, toSmall)).isEqualTo("false 0");
    onLoop(() -> near.port().connect(toSmall, failure -> ends.add(failure.getMessage())));
    assertThat(ends).hasSize(3);
    assertThat(ends.get(2)).contains("the peer's endpoint closed");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 64, 65, 3_000, 20_000, LONGEST})
  void shouldBringEachMessageWhicheverOfTheTwoComesFirst(int length) {
    for (int time = 0; time < 6; time++) {
      out.setMemory(0, length, (byte) (time + 1));
      if (time % 2 == 0) {
        receive(time);
        send(time, length);
      } else {
        send(time, length);
        receive(time);
      }

      assertThat(sent).hasSize(time + 1).containsOnly("sent");
      assertThat(received).hasSize(time + 1).containsOnly(length + " bytes");
      for (int i = 0; i < length; i++) {
        assertThat(in.getByte(i)).isEqualTo((byte) (time + 1));
      }
    }
  }

  @Test
  void shouldTakeTheNextMessageWhenItIsPostedAgainInItsListener() {
    long[] tag = {0};
    whenReceived =
        () -> {
          if (tag[0] < 4) {
            far.port().receive(receive, ++tag[0]);
          }
        };
    receive(0);
    for (int i = 0; i < 5; i++) {
      send(i, i);
    }

    assertThat(received).containsExactly("0 bytes", "1 bytes", "2 bytes", "3 bytes", "4 bytes");
    assertThat(receive.isPosted()).isFalse();
  }

  @Test
  void shouldKeepApartWhatComesWhileMessagesWaitForOtherReceives() {
    for (int i = 0; i < 40; i++) {
      out.putLong(0, i);
      send(i, Long.BYTES);
    }
    for (int i = 39; i >= 0; i--) {
      receive(i);
      assertThat(in.getLong(0)).isEqualTo(i);
    }
    assertThat(received).hasSize(40).containsOnly("8 bytes");
  }

  @Test
  void shouldGiveAListenerThatKeepsMessagesBytesOfItsOwn() {
    out.putLong(0, 1);
    send(1, Long.BYTES);
    var first = near(1);
    out.putLong(0, 2);
    send(2, Long.BYTES);
    var second = near(2);

    assertThat(first.payload().length()).isEqualTo(Long.BYTES);
    assertThat(new UnsafeBuffer(first.payload().array()).getLong(0)).isEqualTo(1);
    assertThat(new UnsafeBuffer(second.payload().array()).getLong(0)).isEqualTo(2);
  }

  private TaggedMessage near(long tag) {
    var message = far.futures().receiveTagged(TagSelector.exact(tag)).toCompletableFuture();
    settle();
    assertThat(message).isCompleted();
    return message.join();
  }

  @Test
  void shouldSayThatAMessageIsTooLong() {
    RepeatedReceive small = new RepeatedReceive(toNear, in, 0, 4, hearer);
    onLoop(() -> far.port().receive(small, 1));
    send(1, 8);

    assertThat(received).hasSize(1);
    assertThat(received.get(0)).startsWith("TRUNCATED: messageBytes=8 > bufferBytes=4");
  }

  @Test
  void shouldEndWhenItIsCancelledAndWhenTheEndpointOrThePeerCloses() {
    receive(1);
    onLoop(() -> far.port().cancelReceive(hearer));
    assertThat(received).containsExactly("CANCELED: cancelled");
    send(2, 8);
    receive(2);
    assertThat(received).hasSize(2).last().isEqualTo("8 bytes");

    receive(3);
    near.close(Duration.ZERO);
    settle();
    assertThat(received).hasSize(3).last().asString().startsWith("SHUTDOWN");
    send(4, 8);
    assertThat(sent).last().asString().startsWith("CANCELED");
    far.close(Duration.ZERO);
    settle();
    receive(5);
    assertThat(received).hasSize(4).last().asString().startsWith("CANCELED");
  }

  @Test
  void shouldRefuseBytesThatAreNotThereAndAReceiveThatWaits() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> near.port().send(send, 1, out, LONGEST - 1, 2));
    receive(1);
    assertThatIllegalStateException()
        .isThrownBy(() -> far.port().receive(receive, 2))
        .withMessageContaining("posted=true");
  }
}
