package io.tagfabric.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.job.Roster.Applicant;
import io.tagfabric.job.Roster.Stage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RosterTest {
  private static final Map<String, String> AGREED = Map.of("packet-size", "64 KiB");
  private static final Applicant ZERO = applicant(0);
  private static final Applicant ONE = applicant(1);

  private final Roster roster = new Roster(ZERO);

  private static Applicant applicant(int rank) {
    return new Applicant(
        rank, 2, "akka://tagfabric@h:" + rank, 70 + rank, "host", "process", AGREED);
  }

  private static EndpointAddress address(Applicant applicant) {
    return new EndpointAddress(
        applicant.incarnation(), 0, "rank-" + applicant.rank(), applicant.node(), "vm", Map.of());
  }

  @BeforeEach
  void enrollZero() {
    roster.enroll(ZERO);
  }

  private void assertRefused(Applicant applicant, FabricError error, String text) {
    assertThatThrownBy(() -> roster.enroll(applicant))
        .isInstanceOfSatisfying(FabricException.class, e -> assertThat(e.error()).isEqualTo(error))
        .hasMessageContaining(text);
  }

  private static EndpointAddress at(Applicant applicant, String tcp) {
    return new EndpointAddress(
        applicant.incarnation(),
        0,
        "rank-" + applicant.rank(),
        applicant.node(),
        "vm",
        Map.of("tcp", tcp));
  }

  @Test
  void shouldRefuseARankWithAnotherNumberOfRails() {
    roster.enroll(ONE);
    roster.ready(0, at(ZERO, "1;8;always;;10.0.0.1:1,10.0.1.1:2;4"));

    assertThatThrownBy(() -> roster.ready(1, at(ONE, "1;10;always;;10.0.0.2:1;4")))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.INVALID))
        .hasMessageContaining("ranks 1 and 0 have rails=1 and 2", "tagfabric.tcp.interfaces");
    roster.ready(1, at(ONE, "1;10;always;;10.0.0.2:1,10.0.1.2:1;4"));
  }

  @Test
  void shouldBeCompleteWhenAllAreReadyAndUp() {
    roster.enroll(ONE);
    roster.ready(0, address(ZERO));
    roster.up(ZERO.node(), ZERO.incarnation());
    roster.ready(1, address(ONE));
    assertThat(roster.isComplete()).isFalse();
    roster.up(ONE.node(), ONE.incarnation());

    assertThat(roster.isComplete()).isTrue();
    assertThat(roster.missing()).isEmpty();
    assertThat(roster.ranks())
        .isEqualTo(
            RankMap.of(
                List.of(address(ZERO), address(ONE)),
                List.of("host", "host"),
                List.of("process", "process")));
  }

  @Test
  void shouldTellHowFarTheMissingHaveCome() {
    assertThat(roster.missing()).containsEntry(0, Stage.OPENING).containsEntry(1, Stage.ABSENT);

    roster.ready(0, address(ZERO));
    assertThat(roster.missing()).containsEntry(0, Stage.JOINING);
  }

  @Test
  void shouldLetTheSameRankComeAgain() {
    roster.enroll(ONE);
    roster.enroll(ONE);

    assertThat(roster.isEnrolled(1, 71)).isTrue();
    assertThat(roster.isEnrolled(1, 72)).isFalse();
    assertThat(roster.isEnrolled(2, 71)).isFalse();
    assertThat(roster.rankOf(ONE.node(), 71)).isEqualTo(1);
    assertThat(roster.rankOf(ONE.node(), 72)).isEqualTo(-1);
  }

  @Test
  void shouldRefuseASecondRankOfTheSameNumber() {
    roster.enroll(ONE);

    assertRefused(
        new Applicant(1, 2, "akka://tagfabric@h:9", 99, "host", "process", AGREED),
        FabricError.ADDRESS_IN_USE,
        "rank=1 is taken by akka://tagfabric@h:1");
  }

  @Test
  void shouldRefuseOneThatWantsToReplaceALostRank() {
    roster.enroll(ONE);
    roster.gone(1);

    assertRefused(
        new Applicant(1, 2, "akka://tagfabric@h:9", 99, "host", "process", AGREED),
        FabricError.ADDRESS_IN_USE,
        "rank=1 is taken by akka://tagfabric@h:1, which the job has had and lost");
  }

  @Test
  void shouldNotTellThePartitionKeysThatDiffer() {
    Roster partitioned = new Roster(withPartition(ZERO, "4711"));
    assertThatThrownBy(() -> partitioned.enroll(withPartition(ONE, "815")))
        .hasMessageContaining("tagfabric.partition.key differs")
        .hasMessageNotContainingAny("4711", "815");
  }

  private static Applicant withPartition(Applicant of, String partition) {
    return new Applicant(
        of.rank(),
        of.size(),
        of.node(),
        of.incarnation(),
        of.host(),
        of.process(),
        Map.of("tagfabric.partition.key", partition));
  }

  @Test
  void shouldRefuseARankThatKnowsAnotherSize() {
    assertRefused(
        new Applicant(1, 3, "n", 1, "host", "process", AGREED),
        FabricError.INVALID,
        "size=3 != size=2 of rank 0");
  }

  @Test
  void shouldRefuseARankOutsideTheSize() {
    assertRefused(
        new Applicant(2, 2, "n", 1, "host", "process", AGREED),
        FabricError.INVALID,
        "rank=2 is not within size=2");
  }

  @Test
  void shouldNameEachSettingThatDiffers() {
    assertRefused(
        new Applicant(
            1, 2, "n", 1, "host", "process", Map.of("packet-size", "32 KiB", "extra", "1")),
        FabricError.INVALID,
        "extra=1 != , packet-size=32 KiB != 64 KiB");
  }
}
