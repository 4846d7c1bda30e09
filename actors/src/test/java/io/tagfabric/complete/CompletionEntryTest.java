package io.tagfabric.complete;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.error.FabricError;
import org.junit.jupiter.api.Test;

class CompletionEntryTest {
  private static final Object CONTEXT = "request 7";
  private static final Completion TRUNCATED =
      new Completion.Failed(
          CONTEXT, FabricError.TRUNCATED, 2, 9, 64, 36, Direction.RECEIVE, "100 bytes into 64");

  private final CompletionEntry entry = new CompletionEntry();

  @Test
  void shouldBecomeTheValueItWasSetTo() {
    assertThat(entry.setSent(CONTEXT, 2, 9, 100).toCompletion())
        .isEqualTo(new Completion.Sent(CONTEXT, 2, 9, 100));
    assertThat(entry.setReceived(CONTEXT, 2, 9, 100).toCompletion())
        .isEqualTo(new Completion.Received(CONTEXT, 2, 9, 100, false, 0));
    assertThat(entry.setReceived(CONTEXT, 2, 9, 100).setData(0xfeed).toCompletion())
        .isEqualTo(new Completion.Received(CONTEXT, 2, 9, 100, true, 0xfeed));
    assertThat(truncated(entry).toCompletion()).isEqualTo(TRUNCATED);
  }

  @Test
  void shouldKeepNothingOfTheFormerCompletionWhenSetAgain() {
    truncated(entry).setData(1);
    entry.setReceived(null, 0, 1, 2);

    assertThat(entry.error()).isNull();
    assertThat(entry.detail()).isEmpty();
    assertThat(entry.overflowLength()).isZero();
    assertThat(entry.hasData()).isFalse();
    assertThat(entry.direction()).isEqualTo(Direction.RECEIVE);
  }

  @Test
  void shouldForgetTheContextWhenCleared() {
    truncated(entry).clear();

    assertThat(entry)
        .usingRecursiveComparison()
        .withStrictTypeChecking()
        .isEqualTo(new CompletionEntry());
    assertThat(entry).hasToString("Empty");
  }

  @Test
  void shouldTellTheSameWhenCopied() {
    CompletionEntry copy = new CompletionEntry();

    copy.copyFrom(truncated(entry).setData(5));

    assertThat(copy).usingRecursiveComparison().isEqualTo(entry);
    assertThat(copy.toCompletion()).isEqualTo(TRUNCATED);
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

  private static CompletionEntry truncated(CompletionEntry entry) {
    return entry.setFailed(
        CONTEXT, FabricError.TRUNCATED, 2, 9, 64, 36, Direction.RECEIVE, "100 bytes into 64");
  }
}
