package io.tagfabric.provider.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.provider.tcp.Proof.Answer;
import io.tagfabric.provider.tcp.Proof.Dial;
import io.tagfabric.provider.tcp.Proof.NodeId;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ProofTest {
  private static final UUID OLD = new UUID(1, 1);
  private static final UUID NEW = new UUID(2, 2);
  private static final String PURPOSE = "tcp";
  private static final Dial DIAL = new Dial(1, 2, new NodeId(3, 4), 5, 6);
  private static final Answer WELCOME = new Answer(Proof.WELCOME, 7);

  private final KeyProof proofs = new KeyProof(OLD, PURPOSE);
  private final byte[] dial = Proof.dial(proofs, DIAL, 8, 9);
  private final byte[] answer = Proof.answer(proofs, 0, dial, WELCOME, 10, 11);
  private final byte[] finish = Proof.position(proofs, 0, 12, dial, answer);
  private final byte[] go = Proof.position(proofs, 0, 13, dial, answer, finish);

  @Property
  void shouldReadWhatItWrote(
      @ForAll long incarnation,
      @ForAll long token,
      @ForAll long wantedIncarnation,
      @ForAll long wantedToken,
      @ForAll long stream,
      @ForAll long peersStream,
      @ForAll long position) {
    Dial said =
        new Dial(
            incarnation, token, new NodeId(wantedIncarnation, wantedToken), stream, peersStream);

    byte[] message = Proof.dial(proofs, said, position, stream);
    byte[] answered = Proof.answer(proofs, 0, message, new Answer(Proof.ENDED, stream), 1, 2);
    byte[] finished = Proof.position(proofs, 0, position, message, answered);

    assertThat(message).hasSize(Proof.DIAL_BYTES);
    assertThat(Proof.keyOfDial(proofs, message)).isZero();
    assertThat(Proof.readDial(message)).isEqualTo(said);
    assertThat(said.from()).isEqualTo(new NodeId(incarnation, token));
    assertThat(answered).hasSize(Proof.ANSWER_BYTES);
    assertThat(Proof.keyOfAnswer(proofs, message, answered)).isZero();
    assertThat(Proof.readAnswer(answered)).isEqualTo(new Answer(Proof.ENDED, stream));
    assertThat(finished).hasSize(Proof.POSITION_BYTES);
    assertThat(Proof.isPosition(proofs, 0, finished, message, answered)).isTrue();
    assertThat(Proof.readPosition(finished)).isEqualTo(position);
  }

  private static void shouldRefuseEachBit(byte[] message, Predicate<byte[]> isTaken) {
    assertThat(isTaken.test(message)).isTrue();
    for (int bit = 0; bit < 8 * message.length; bit++) {
      byte[] flipped = message.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(isTaken.test(flipped)).as("bit " + bit).isFalse();
    }
  }

  @Test
  void shouldRefuseEachMessageOfWhichABitDiffers() {
    shouldRefuseEachBit(dial, said -> Proof.keyOfDial(proofs, said) != KeyProof.NO_KEY);
    shouldRefuseEachBit(answer, said -> Proof.keyOfAnswer(proofs, dial, said) != KeyProof.NO_KEY);
    shouldRefuseEachBit(finish, said -> Proof.isPosition(proofs, 0, said, dial, answer));
    shouldRefuseEachBit(go, said -> Proof.isPosition(proofs, 0, said, dial, answer, finish));
  }

  @Test
  void shouldRefuseEachMessageIfABitOfWhatWasBeforeDiffers() {
    shouldRefuseEachBit(dial, said -> Proof.keyOfAnswer(proofs, said, answer) != KeyProof.NO_KEY);
    shouldRefuseEachBit(dial, said -> Proof.isPosition(proofs, 0, finish, said, answer));
    shouldRefuseEachBit(answer, said -> Proof.isPosition(proofs, 0, finish, dial, said));
    shouldRefuseEachBit(finish, said -> Proof.isPosition(proofs, 0, go, dial, answer, said));
  }

  @Test
  void shouldBeWorthNothingASecondTime() {
    byte[] second = Proof.answer(proofs, 0, dial, WELCOME, 10, 12);

    assertThat(Proof.isPosition(proofs, 0, finish, dial, second)).as("replayed").isFalse();
    assertThat(Proof.isPosition(proofs, 0, go, dial, answer)).as("for a finish").isFalse();
    assertThat(Proof.isPosition(proofs, 0, finish, dial, answer, finish))
        .as("the dialler's own, sent back")
        .isFalse();
  }

  @Test
  void shouldBeWorthNothingByAnotherKeyOrForAnotherPurpose() {
    KeyProof another = new KeyProof(NEW, PURPOSE);
    KeyProof elsewhere = new KeyProof(OLD, "shm");

    for (KeyProof reader : List.of(another, elsewhere, proofs.toward("x"))) {
      assertThat(Proof.keyOfDial(reader, dial)).isEqualTo(KeyProof.NO_KEY);
      assertThat(Proof.keyOfAnswer(reader, dial, answer)).isEqualTo(KeyProof.NO_KEY);
      assertThat(Proof.isPosition(reader, 0, finish, dial, answer)).isFalse();
    }
  }

  @Test
  void shouldGoOnByTheKeyOfTheDialWhileKeysRoll() {
    KeyProof before = new KeyProof(List.of(OLD, NEW), PURPOSE);
    KeyProof after = new KeyProof(List.of(NEW, OLD), PURPOSE);

    byte[] said = Proof.dial(before, DIAL, 1, 2);
    int listenersKey = Proof.keyOfDial(after, said);
    byte[] answered = Proof.answer(after, listenersKey, said, WELCOME, 3, 4);
    int diallersKey = Proof.keyOfAnswer(before, said, answered);
    byte[] finished = Proof.position(before, diallersKey, 5, said, answered);

    assertThat(listenersKey).isEqualTo(1);
    assertThat(diallersKey).isZero();
    assertThat(Proof.isPosition(after, listenersKey, finished, said, answered)).isTrue();
    assertThat(Proof.isPosition(after, 0, finished, said, answered)).as("by the other").isFalse();
  }

  @Property
  void shouldSetOneOfTwoNodesAboveTheOther(
      @ForAll long incarnation, @ForAll long token, @ForAll long other, @ForAll boolean same) {
    NodeId first = new NodeId(incarnation, token);
    NodeId second = new NodeId(same ? incarnation : other, other);

    assertThat(first.isAbove(first)).isFalse();
    assertThat(first.isAbove(second)).isEqualTo(!first.equals(second) && !second.isAbove(first));
  }
}
