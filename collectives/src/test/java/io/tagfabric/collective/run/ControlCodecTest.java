package io.tagfabric.collective.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.error.FabricError;
import java.util.BitSet;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ControlCodecTest {
  @Test
  void shouldReadWhatItWrote() {
    BitSet lost = BitSet.valueOf(new long[] {0b1001, 1});
    for (ControlMessage message :
        List.of(
            new Notice(new TeamFailure(3, FabricError.CONNECTION_RESET, "failed: gone")),
            new Proposal(7, 2, true, new Decision(-5, lost, 12), new BitSet()),
            new Proposal(7, 3, false, new Decision(-5, new BitSet(), 12), lost),
            new Departure(1L << 40))) {
      assertThat(ControlCodec.decode(ControlCodec.encode(message), 100)).isEqualTo(message);
    }
  }

  @Property
  void shouldRefuseOrReadAnyBytes(@ForAll byte[] bytes) {
    try {
      assertThat(ControlCodec.decode(bytes, 4)).isNotNull();
    } catch (IllegalArgumentException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }

  @Test
  void shouldRefuseWhatNamesNoMember() {
    byte[] notice = ControlCodec.encode(new Notice(new TeamFailure(4, FabricError.OTHER, "x")));

    assertThatThrownBy(() -> ControlCodec.decode(notice, 4)).hasMessage("member=4 is outside 0..3");
    assertThatThrownBy(() -> ControlCodec.decode(new byte[] {9}, 4))
        .hasMessage("type=9 is unknown");
  }
}
