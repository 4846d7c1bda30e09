package io.tagfabric.collective.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.collective.run.ControlMessage.CallAnswer;
import io.tagfabric.collective.run.ControlMessage.CallQuestion;
import io.tagfabric.collective.run.ControlMessage.Estimate;
import io.tagfabric.collective.run.ControlMessage.Gather;
import io.tagfabric.collective.run.ControlMessage.LeaveTeam;
import io.tagfabric.collective.run.ControlMessage.Notice;
import io.tagfabric.collective.run.ControlMessage.Report;
import io.tagfabric.collective.run.ControlMessage.SegmentAnswer;
import io.tagfabric.collective.run.ControlMessage.SegmentOffer;
import io.tagfabric.collective.run.ControlMessage.SegmentVerdict;
import io.tagfabric.collective.run.ControlMessage.Verdict;
import io.tagfabric.collective.run.ControlMessage.Wake;
import io.tagfabric.error.FabricError;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ControlMessageTest {
  private static final int SIZE = 100;

  @Provide
  Arbitrary<ControlMessage> messages() {
    Arbitrary<BitSet> members =
        Arbitraries.integers()
            .between(0, SIZE - 1)
            .set()
            .map(
                set -> {
                  BitSet bits = new BitSet();
                  set.forEach(bits::set);
                  return bits;
                });
    Arbitrary<Long> longs = Arbitraries.longs();
    Arbitrary<Integer> ints = Arbitraries.integers();
    Arbitrary<String> texts = Arbitraries.strings().alpha().withChars('é', '☃').ofMaxLength(300);
    Arbitrary<Notice> notices =
        Combinators.combine(
                Arbitraries.integers().between(0, SIZE - 1),
                Arbitraries.of(TeamFailure.Reason.class),
                Arbitraries.of(FabricError.class),
                texts)
            .as(Notice::new);
    Arbitrary<MemberNumbers> numbers =
        Combinators.combine(Arbitraries.integers().between(0, SIZE - 1), ints)
            .as(MemberNumbers::of)
            .list()
            .ofMaxSize(9)
            .map(MemberNumbers::of);
    Arbitrary<Decision> decisions = Combinators.combine(longs, members, numbers).as(Decision::new);
    Arbitrary<Boolean> truths = Arbitraries.of(true, false);
    Arbitrary<Long> ballots =
        Arbitraries.longs().between(0, Agreement.ballotsBefore(SIZE, SIZE) - 1);
    Arbitrary<Verdict> verdicts =
        Combinators.combine(longs, ballots, members, decisions).as(Verdict::new);
    return Arbitraries.oneOf(
        notices,
        Combinators.combine(longs, ballots, members).as(Gather::new),
        Combinators.combine(longs, ballots, truths, decisions).as(Estimate::new),
        verdicts,
        Combinators.combine(longs, members).as(Report::new),
        Combinators.combine(longs, truths, verdicts.list().ofMaxSize(3)).as(LeaveTeam::new),
        Combinators.combine(longs, texts).as(SegmentOffer::new),
        truths.map(SegmentAnswer::new),
        truths.map(SegmentVerdict::new),
        Combinators.combine(longs, longs.list().ofMaxSize(70)).as(CallQuestion::new),
        Combinators.combine(longs, texts).as(CallAnswer::new),
        Arbitraries.just(new Wake()));
  }

  @Property(tries = 300)
  void shouldReadWhateverItWrote(@ForAll("messages") ControlMessage message) {
    assertThat(ControlMessage.decode(ControlMessage.CODEC.encode(message), SIZE))
        .isEqualTo(message);
  }

  @Property(tries = 300)
  void shouldRefuseOrReadChangedBytes(
      @ForAll("messages") ControlMessage message,
      @ForAll List<Integer> places,
      @ForAll byte value,
      @ForAll @IntRange(max = 9) int cut) {
    byte[] bytes = ControlMessage.CODEC.encode(message);
    places.forEach(place -> bytes[Math.floorMod(place, bytes.length)] ^= value);
    requireRefusalOrMessage(Arrays.copyOf(bytes, bytes.length - Math.min(cut, bytes.length) / 2));
    requireRefusalOrMessage(Arrays.copyOf(bytes, bytes.length + cut));
  }

  @Property(tries = 300)
  void shouldRefuseOrReadAnyBytes(@ForAll byte[] bytes) {
    requireRefusalOrMessage(bytes);
  }

  private static void requireRefusalOrMessage(byte[] bytes) {
    ControlMessage message;
    try {
      message = ControlMessage.decode(bytes, 4);
    } catch (IllegalArgumentException refused) {
      assertThat(refused.getMessage()).isNotBlank();
      return;
    }
    // what was read is a whole message, which goes the way again
    assertThat(ControlMessage.decode(ControlMessage.CODEC.encode(message), 4)).isEqualTo(message);
  }

  @Test
  void shouldReadWhatItWrote() {
    BitSet lost = BitSet.valueOf(new long[] {0b1001, 1});
    for (ControlMessage message :
        List.of(
            Notice.of(TeamFailure.lost(3, FabricError.CONNECTION_RESET, "failed: gone")),
            new Estimate(7, 2, true, new Decision(-5, lost, MemberNumbers.of(3, 4))),
            new LeaveTeam(1L << 40, true, List.of()))) {
      assertThat(ControlMessage.decode(ControlMessage.CODEC.encode(message), 100))
          .isEqualTo(message);
    }
  }

  @Test
  void shouldCutALongDetail() {
    Notice notice = Notice.of(TeamFailure.atFault(0, FabricError.OTHER, "x".repeat(1 << 20)));

    assertThat(notice.detail()).hasSize(Notice.MAX_DETAIL_CHARS);
    assertThat(ControlMessage.decode(ControlMessage.CODEC.encode(notice), 1)).isEqualTo(notice);
  }

  @Test
  void shouldRefuseWhatNamesNoMember() {
    byte[] notice = ControlMessage.CODEC.encode(Notice.of(TeamFailure.left(4)));

    assertThatThrownBy(() -> ControlMessage.decode(notice, 4))
        .hasMessage("member=4 is outside 0..3");
    byte[] unknown = ControlMessage.CODEC.encode(new Wake());
    unknown[2] = 9;
    assertThatThrownBy(() -> ControlMessage.decode(unknown, 4)).hasMessage("template=9 is unknown");
  }

  @Test
  void shouldRefuseAnAgreementOfALargerTeam() {
    BitSet fifth = new BitSet();
    fifth.set(4);
    Decision losing = new Decision(0, fifth, MemberNumbers.NONE);
    List<MemberNumbers.Run> tooMany = List.of(new MemberNumbers.Run(0, Integer.MAX_VALUE, 1));
    Decision numbering = new Decision(0, new BitSet(), new MemberNumbers(tooMany));
    for (ControlMessage message :
        List.of(
            new Estimate(1, 0, false, losing),
            new Estimate(1, 0, false, numbering),
            new Verdict(1, 0, new BitSet(), numbering),
            new Gather(1, 0, fifth),
            new Report(1, fifth),
            new LeaveTeam(1, true, List.of(new Verdict(1, 0, new BitSet(), losing))),
            new Gather(1, 1000, new BitSet()),
            new Verdict(1, -1, new BitSet(), Decision.NEUTRAL))) {
      byte[] bytes = ControlMessage.CODEC.encode(message);
      assertThatThrownBy(() -> ControlMessage.decode(bytes, 4))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("not of a team of size=4");
    }
  }
}
