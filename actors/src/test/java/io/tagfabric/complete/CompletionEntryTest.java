package io.tagfabric.complete;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.error.FabricError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CompletionEntryTest {
  private static final Object CONTEXT = "request 7";
  private static final String DETAIL = "100 bytes into 64";

  private final CompletionEntry entry = new CompletionEntry();

  @Test
  void shouldTellOfATaggedMessageThatWasSent() {
    entry.setSent(CONTEXT, 2, 9, 100);

    assertThat(entry.kind()).isEqualTo(CompletionEntry.Kind.SENT);
    assertFields(Direction.SEND, 2, true, 9, 0, 100);
    assertThat(entry.toCompletion())
        .isEqualTo(new Completion.Sent(CONTEXT, 2, 9, 100))
        .isEqualTo(new Completion.Sent(CONTEXT, 2, true, 9, 100));
  }

  @Test
  void shouldTellOfAnUntaggedMessageThatWasSent() {
    entry.setSent(CONTEXT, 2, 9, 100).setUntagged();

    assertFields(Direction.SEND, 2, false, 0, 0, 100);
    assertThat(entry.toCompletion()).isEqualTo(new Completion.Sent(CONTEXT, 2, false, 0, 100));
  }

  @Test
  void shouldTellOfATaggedMessageThatWasReceived() {
    entry.setReceived(CONTEXT, 2, 9, 100);

    assertThat(entry.kind()).isEqualTo(CompletionEntry.Kind.RECEIVED);
    assertFields(Direction.RECEIVE, 2, true, 9, 0, 100);
    assertThat(entry.toCompletion())
        .isEqualTo(new Completion.Received(CONTEXT, 2, 9, 100, false, 0))
        .isEqualTo(new Completion.Received(CONTEXT, 2, true, 9, 0, 100, false, 0));
  }

  @Test
  void shouldTellOfAnUntaggedMessageThatWasReceivedInTheMiddleOfABuffer() {
    entry.setReceived(CONTEXT, 2, 0, 100).setUntagged().setOffset(4096).setData(0xfeed);

    assertFields(Direction.RECEIVE, 2, false, 0, 4096, 100);
    assertThat(entry.hasData()).isTrue();
    assertThat(entry.data()).isEqualTo(0xfeed);
    assertThat(entry.toCompletion())
        .isEqualTo(new Completion.Received(CONTEXT, 2, false, 0, 4096, 100, true, 0xfeed));
  }

  @Test
  void shouldTellThatABufferIsReleased() {
    entry.setReleased(CONTEXT, 5000);

    assertThat(entry.kind()).isEqualTo(CompletionEntry.Kind.RELEASED);
    assertFields(Direction.RECEIVE, -1, false, 0, 0, 5000);
    assertThat(entry.toCompletion()).isEqualTo(new Completion.Released(CONTEXT, 5000));
  }

  @ParameterizedTest
  @EnumSource(names = {"READ", "WRITE", "ATOMIC"})
  void shouldTellOfAnAccessThatThisSideStarted(Direction direction) {
    entry.setAccessed(CONTEXT, 2, direction, 8);

    assertThat(entry.kind()).isEqualTo(CompletionEntry.Kind.ACCESSED);
    assertFields(direction, 2, false, 0, 0, 8);
    assertThat(entry.toCompletion()).isEqualTo(new Completion.Accessed(CONTEXT, 2, direction, 8));
  }

  @ParameterizedTest
  @EnumSource(
      names = {"READ", "WRITE", "ATOMIC"},
      mode = EnumSource.Mode.EXCLUDE)
  void shouldRefuseAnAccessThatThisSideCannotStart(Direction direction) {
    entry.setSent(CONTEXT, 2, 9, 100);

    assertThatThrownBy(() -> entry.setAccessed(CONTEXT, 2, direction, 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("direction=" + direction + " is no access of this side");
    assertThatThrownBy(() -> new Completion.Accessed(CONTEXT, 2, direction, 8))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(entry.toCompletion()).isEqualTo(new Completion.Sent(CONTEXT, 2, 9, 100));
  }

  @ParameterizedTest
  @EnumSource(names = {"REMOTE_READ", "REMOTE_WRITE", "REMOTE_ATOMIC"})
  void shouldTellOfAnAccessThatAPeerStarted(Direction direction) {
    entry.setAccessedByPeer(CONTEXT, 2, direction, 64, 8);

    assertThat(entry.kind()).isEqualTo(CompletionEntry.Kind.ACCESSED_BY_PEER);
    assertFields(direction, 2, false, 0, 64, 8);
    assertThat(entry.toCompletion())
        .isEqualTo(new Completion.AccessedByPeer(CONTEXT, 2, direction, 64, 8, false, 0));
    assertThat(entry.setData(5).toCompletion())
        .isEqualTo(new Completion.AccessedByPeer(CONTEXT, 2, direction, 64, 8, true, 5));
  }

  @ParameterizedTest
  @EnumSource(
      names = {"REMOTE_READ", "REMOTE_WRITE", "REMOTE_ATOMIC"},
      mode = EnumSource.Mode.EXCLUDE)
  void shouldRefuseAnAccessThatAPeerCannotStart(Direction direction) {
    entry.setSent(CONTEXT, 2, 9, 100);

    assertThatThrownBy(() -> entry.setAccessedByPeer(CONTEXT, 2, direction, 64, 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("direction=" + direction + " is no access by a peer");
    assertThatThrownBy(() -> new Completion.AccessedByPeer(CONTEXT, 2, direction, 64, 8, false, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(entry.toCompletion()).isEqualTo(new Completion.Sent(CONTEXT, 2, 9, 100));
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void shouldTellOfAFailureOfEachDirection(Direction direction) {
    boolean isMessage = direction == Direction.SEND || direction == Direction.RECEIVE;
    entry.setFailed(CONTEXT, FabricError.TRUNCATED, 2, 9, 64, 36, direction, DETAIL);

    assertThat(entry.kind()).isEqualTo(CompletionEntry.Kind.FAILED);
    assertFields(direction, 2, isMessage, 9, 0, 64);
    assertThat(entry.error()).isEqualTo(FabricError.TRUNCATED);
    assertThat(entry.overflowLength()).isEqualTo(36);
    assertThat(entry.detail()).isEqualTo(DETAIL);
    assertThat(entry.toCompletion())
        .isEqualTo(
            new Completion.Failed(
                CONTEXT,
                FabricError.TRUNCATED,
                2,
                isMessage,
                9,
                0,
                64,
                36,
                false,
                0,
                direction,
                false,
                DETAIL));
  }

  @Test
  void shouldTellOfAMessageThatFailedInTheMiddleOfABuffer() {
    truncated(entry).setUntagged().setOffset(4096).setData(7);

    assertFields(Direction.RECEIVE, 2, false, 0, 4096, 64);
    assertThat(entry.toCompletion())
        .isEqualTo(
            new Completion.Failed(
                CONTEXT,
                FabricError.TRUNCATED,
                2,
                false,
                0,
                4096,
                64,
                36,
                true,
                7,
                Direction.RECEIVE,
                false,
                DETAIL));
  }

  @Test
  void shouldTakeAFailureWithATagForThatOfATaggedMessage() {
    Completion.Failed failed =
        new Completion.Failed(
            CONTEXT, FabricError.TRUNCATED, 2, 9, 64, 36, Direction.RECEIVE, DETAIL);

    assertThat(failed.tagged()).isTrue();
    assertThat(failed.offset()).isZero();
    assertThat(failed.hasData()).isFalse();
    assertThat(truncated(entry).toCompletion()).isEqualTo(failed);
    assertThatThrownBy(
            () ->
                new Completion.Failed(
                    CONTEXT, FabricError.ACCESS, 2, 9, 0, 0, Direction.WRITE, DETAIL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tagged=true with direction=WRITE");
  }

  @Test
  void shouldSayOfSendsAloneThatTheirMessageMayHaveArrived() {
    entry.setFailed(CONTEXT, FabricError.TIMED_OUT, 2, 9, 0, 0, Direction.SEND, DETAIL);
    assertThat(entry.mayHaveArrived()).isFalse();
    assertThat(((Completion.Failed) entry.toCompletion()).mayHaveArrived()).isFalse();

    entry.setMayHaveArrived();

    assertThat(entry.mayHaveArrived()).isTrue();
    assertThat(((Completion.Failed) entry.toCompletion()).mayHaveArrived()).isTrue();
    CompletionEntry received = truncated(new CompletionEntry()).setMayHaveArrived();
    assertThatThrownBy(received::toCompletion)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("mayHaveArrived=true with direction=RECEIVE");
  }

  @Test
  void shouldKeepNothingOfTheFormerCompletionWhenSetAgain() {
    truncated(entry).setData(1).setOffset(2).setUntagged();
    entry.setReceived(null, 0, 1, 2);

    assertThat(entry)
        .usingRecursiveComparison()
        .withStrictTypeChecking()
        .isEqualTo(new CompletionEntry().setReceived(null, 0, 1, 2));
    assertThat(entry.error()).isNull();
    assertThat(entry.detail()).isEmpty();
    assertThat(entry.overflowLength()).isZero();
    assertThat(entry.hasData()).isFalse();
    assertThat(entry.data()).isZero();
    assertThat(entry.offset()).isZero();
    assertThat(entry.tagged()).isTrue();
    assertThat(entry.direction()).isEqualTo(Direction.RECEIVE);
  }

  @Test
  void shouldKeepNothingOfTheFormerCompletionWhenItBecomesAFailureOrAnAccess() {
    entry.setReceived(CONTEXT, 1, 2, 3).setData(4).setOffset(5).setUntagged();
    assertThat(truncated(entry))
        .isSameAs(entry)
        .usingRecursiveComparison()
        .isEqualTo(truncated(new CompletionEntry()));

    assertThat(entry.setAccessedByPeer(null, 1, Direction.REMOTE_READ, 64, 8))
        .isSameAs(entry)
        .usingRecursiveComparison()
        .isEqualTo(new CompletionEntry().setAccessedByPeer(null, 1, Direction.REMOTE_READ, 64, 8));

    entry.setData(6);
    assertThat(entry.setAccessed(null, 1, Direction.WRITE, 8))
        .isSameAs(entry)
        .usingRecursiveComparison()
        .isEqualTo(new CompletionEntry().setAccessed(null, 1, Direction.WRITE, 8));

    assertThat(entry.setReleased(CONTEXT, 9))
        .isSameAs(entry)
        .usingRecursiveComparison()
        .isEqualTo(new CompletionEntry().setReleased(CONTEXT, 9));
  }

  @Test
  void shouldForgetTheContextWhenCleared() {
    truncated(entry).clear();

    assertThat(entry.context()).isNull();
    assertThat(entry.direction()).isNull();
    assertThat(entry.tagged()).isFalse();
    assertThat(entry).hasToString("Empty");
  }

  @Test
  void shouldRefuseAValueWhenEmpty() {
    assertThatThrownBy(entry::toCompletion)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("kind=EMPTY has no completion");
  }

  @Test
  void shouldGrowTheBatchAndEmptyItWhenCleared() {
    CompletionBatch batch = new CompletionBatch();
    for (int i = 0; i < 100; i++) {
      batch.next().setSent(i, 0, 0, 0);
    }
    assertThat(batch.size()).isEqualTo(100);
    assertThat(batch.get(99).context()).isEqualTo(99);
    CompletionEntry first = batch.get(0);

    batch.clear();

    assertThat(batch.isEmpty()).isTrue();
    assertThat(first.context()).isNull();
    assertThat(batch.next()).isSameAs(first);
    assertThatThrownBy(() -> batch.get(1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  private void assertFields(
      Direction direction, int peer, boolean tagged, long tag, long offset, long length) {
    assertThat(entry.context()).isEqualTo(CONTEXT);
    assertThat(entry.direction()).isEqualTo(direction);
    assertThat(entry.peer()).isEqualTo(peer);
    assertThat(entry.tagged()).isEqualTo(tagged);
    assertThat(entry.tag()).isEqualTo(tag);
    assertThat(entry.offset()).isEqualTo(offset);
    assertThat(entry.length()).isEqualTo(length);
    assertThat(entry.toCompletion().context()).isEqualTo(CONTEXT);
    assertThat(entry.toCompletion().direction()).isEqualTo(direction);
  }

  private static CompletionEntry truncated(CompletionEntry entry) {
    return entry.setFailed(CONTEXT, FabricError.TRUNCATED, 2, 9, 64, 36, Direction.RECEIVE, DETAIL);
  }
}
