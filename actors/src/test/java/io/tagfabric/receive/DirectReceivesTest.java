package io.tagfabric.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionOutbox;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.error.FabricError;
import io.tagfabric.link.LoopEntry;
import io.tagfabric.match.core.ReceiveCore;
import io.tagfabric.progress.IdlePolicy;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** A receive whose call meets a defect. */
class DirectReceivesTest {
  private final ProgressLoop loop = new ProgressLoop(() -> 0);
  private final CompletionQueue queue =
      CompletionQueue.open(8, loop, ProgressMode.MANUAL, new IdlePolicy(0, 0, 1), behavior -> null);
  private final CompletionOutbox outbox = queue.outbox();
  private final ReceiveCore core = new ReceiveCore(4, this::entry);
  private final DirectReceives direct =
      new DirectReceives(
          new LoopEntry(loop, ProgressMode.MANUAL),
          core,
          outbox,
          defect -> {
            throw defect;
          });
  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);
  private boolean failed;

  /** Fails once. */
  private CompletionEntry entry() {
    if (!failed) {
      failed = true;
      throw new IllegalStateException("on purpose");
    }
    return outbox.next();
  }

  private int flushOutbox() {
    outbox.flush();
    return 1;
  }

  private boolean post(Object context) {
    assertThat(queue.ring().tryReserve()).isTrue();
    return direct.post(queue.ring(), buffer, 0, 8, 1, 0, -1, false, context);
  }

  @Test
  void shouldPublishWhatItCancelsAndLeaveToThePassWhatComesLaterWhenTheDefectIsThrownOn() {
    outbox.whenDue(loop.flushWhenDue(this::flushOutbox));
    assertThat(post("waits")).isTrue();
    core.receiveNothing();

    assertThatThrownBy(() -> post("is refused, and that fails")).hasMessage("on purpose");

    assertThat(queue.ring().size()).as("published, by no pass").isEqualTo(1);
    Completion.Failed canceled = (Completion.Failed) queue.read(8).get(0);
    assertThat(canceled.context()).isEqualTo("waits");
    assertThat(canceled.error()).isEqualTo(FabricError.CANCELED);
    assertThat(loop.isDriving()).isFalse();

    assertThat(queue.ring().tryReserve()).isTrue();
    outbox.next().setSent("later", 1, 2, 3);
    assertThat(loop.advance()).isPositive();
    assertThat(queue.read(8)).hasSize(1);
  }
}
