package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.address.Protocols;
import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.error.FabricError;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.Greeting;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketPool;
import io.tagfabric.wire.SetUpFrames;
import io.tagfabric.wire.sbe.RefuseDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What asks for a closed endpoint, of any build, hears that it is closed. */
class AbsentEndpointsTest {
  private static final long HERE = 7;
  private static final KeyProof PROOF = new KeyProof(new UUID(1, 1), "tagfabric set-up of flows");
  private static final KeyProof WRONG = new KeyProof(new UUID(2, 2), "tagfabric set-up of flows");
  private static final EndpointAddress ASKER =
      new EndpointAddress(9, 3, "asker", "node", "vm", Map.of());

  private final List<String> asked = new ArrayList<>();
  private final List<Greeting.Refusal> answers = new ArrayList<>();
  private final AbsentEndpoints absent =
      new AbsentEndpoints(HERE, PROOF, (asker, packet) -> keep(asker, packet));

  private void keep(EndpointAddress asker, Packet packet) {
    FrameCursor cursor = new FrameCursor();
    assertThat(cursor.wrapSetUp(packet)).isEqualTo(RefuseDecoder.TEMPLATE_ID);
    SetUpFrames frames = new SetUpFrames(PROOF);
    assertThat(frames.isProven(cursor)).isTrue();
    asked.add(asker.name());
    answers.add(frames.readRefusal(cursor));
  }

  private void ask(KeyProof proof, long incarnation, Protocols protocols) {
    Packet packet = new PacketPool(2_048, 64 * 1024).single(1_500);
    new SetUpFrames(proof)
        .hello(
            packet,
            ASKER.incarnation(),
            new Greeting.Hello(
                new Greeting.Question(
                    protocols, 5, 2, new Greeting.Nonce(11, 12), incarnation, ASKER.encode()),
                Greeting.Limits.NONE,
                0,
                0,
                ""));
    new FrameWriter().sealUncounted(packet, ASKER.incarnation(), 1);
    absent.onPacket(packet);
  }

  @Test
  void shouldTellAnAskerOfAnotherBuildThatItIsClosedAndWhatIsSpokenHere() {
    int later = Protocols.OWN.most() + 1;

    ask(PROOF, HERE, new Protocols(later, later + 1));

    // There is no pair of protocols yet: a refusal has the whole range of who refuses.
    assertThat(asked).containsExactly("asker");
    assertThat(answers)
        .containsExactly(
            new Greeting.Refusal(
                Protocols.OWN,
                5,
                new Greeting.Nonce(11, 12),
                FabricError.SHUTDOWN.code(),
                "endpoint=2 is closed"));
  }

  @Test
  void shouldAnswerNobodyWithoutTheKeyNorWhoMeansAnotherIncarnation() {
    ask(WRONG, HERE, Protocols.OWN);
    ask(PROOF, HERE + 1, Protocols.OWN);

    assertThat(answers).isEmpty();
  }
}
