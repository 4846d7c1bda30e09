package io.tagfabric.cluster.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class KeyProofTest {
  private static final UUID KEY = new UUID(0x0123456789abcdefL, 0xfedcba9876543210L);

  /** By openssl dgst -sha256 -mac HMAC, twice. */
  private static final String EXPECTED =
      "04a4815d9c83744c31e4fd299e3b483bdfc96a2ca6a1854b33f917a9162e794f";

  private final KeyProof proofs = new KeyProof(KEY, "test");

  @Test
  void shouldHoldForTheSamePartsAndKey() {
    byte[] proof = proofs.over(KeyProof.part(1, 2), KeyProof.part("there"));

    assertThat(proof).hasSize(KeyProof.BYTES);
    assertThat(new KeyProof(KEY, "test").holds(proof, KeyProof.part(1, 2), KeyProof.part("there")))
        .isTrue();
  }

  @Test
  void shouldNotHoldForAnotherKeyPurposeOrPart() {
    byte[] proof = proofs.over(KeyProof.part("one"), KeyProof.part("two"));
    UUID other = new UUID(KEY.getMostSignificantBits(), KEY.getLeastSignificantBits() ^ 1);

    assertThat(new KeyProof(other, "test").holds(proof, KeyProof.part("one"), KeyProof.part("two")))
        .isFalse();
    assertThat(new KeyProof(KEY, "tests").holds(proof, KeyProof.part("one"), KeyProof.part("two")))
        .isFalse();
    assertThat(proofs.holds(proof, KeyProof.part("on"), KeyProof.part("etwo"))).isFalse();
    assertThat(proofs.holds(proof, KeyProof.part("onetwo"))).isFalse();
    assertThat(proofs.holds(new byte[0], KeyProof.part("one"), KeyProof.part("two"))).isFalse();
  }

  @Test
  void shouldProveByTheFirstKeyAndTakeAProofByAny() {
    UUID other = new UUID(3, 4);
    KeyProof both = new KeyProof(List.of(KEY, other), "test");
    byte[] part = KeyProof.part("one");

    assertThat(both.over(part)).isEqualTo(proofs.over(part)).isEqualTo(both.over(0, part));
    assertThat(both.keyOf(both.over(part), part)).isZero();
    byte[] byOther = new KeyProof(other, "test").over(part);
    assertThat(both.over(1, part)).isEqualTo(byOther);
    assertThat(both.keyOf(byOther, part)).isEqualTo(1);
    assertThat(both.holds(byOther, part)).isTrue();
    byte[] byNone = new KeyProof(new UUID(5, 6), "test").over(part);
    assertThat(both.keyOf(byNone, part)).isEqualTo(KeyProof.NO_KEY);
    assertThat(both.holds(byNone, part)).isFalse();
  }

  @Test
  void shouldBeTheHmacOfTheStandard() {
    assertThat(HexFormat.of().formatHex(proofs.over(KeyProof.part("abc")))).isEqualTo(EXPECTED);
  }

  @Test
  void shouldNotTellTheKey() {
    byte[] proof = proofs.over();

    assertThat(HexFormat.of().formatHex(proof))
        .doesNotContain(
            HexFormat.of()
                .formatHex(
                    ByteBuffer.allocate(Long.BYTES).putLong(KEY.getMostSignificantBits()).array()));
  }
}
