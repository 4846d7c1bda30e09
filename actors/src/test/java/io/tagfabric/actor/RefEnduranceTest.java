package io.tagfabric.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.AskPattern;
import io.tagfabric.support.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is left of asks and of children that answered one session each. */
class RefEnduranceTest extends PatternSystems {
  private static final int WINDOW = 200;

  /**
   * Numbers that may be left: of the asked actors, and of children that no collection has taken.
   */
  private static final int FEW = 500;

  private static final long GROWTH_BYTES = 8L << 20;

  @Test
  @Timeout(120)
  void shouldLeaveNothingOfAsksAndSessions() {
    requireFlat(4_000);
  }

  @Tag("exhaustive")
  @Test
  @Timeout(3600)
  void shouldLeaveNothingOfAMillionAsksAndSessions() {
    requireFlat(500_000);
  }

  /** Half of them come before the heap is looked at for the first time. */
  private void requireFlat(int half) {
    start(Kind.TWINS);
    ActorRef<Ask> left = spawn(near, echo(), "left");
    ActorRef<Ask> right = spawn(near, echo(), "right");
    ActorRef<Ask> target =
        spawnFar(sessions(reach(far, near, left), reach(far, near, right)), "sessions");

    askAll(target, 0, half);
    long before = settledBytes();
    askAll(target, half, 2 * half);
    long after = settledBytes();

    assertThat(after - before)
        .as("bytes that the heap has grown by %d sessions", half)
        .isLessThan(GROWTH_BYTES);
    assertThat(FabricActors.get(near).counters().byArtery()).isZero();
    assertThat(FabricActors.get(far).counters().byArtery()).isZero();
  }

  private void askAll(ActorRef<Ask> target, int from, int to) {
    for (int i = from; i < to; i += WINDOW) {
      List<CompletionStage<Reply>> answers = new ArrayList<>();
      for (int each = i; each < Math.min(to, i + WINDOW); each++) {
        String text = "s" + each;
        answers.add(
            AskPattern.ask(
                target,
                (ActorRef<Reply> replyTo) -> new Ask(text, replyTo),
                LONG,
                near.scheduler()));
      }
      for (int each = 0; each < answers.size(); each++) {
        String text = "s" + (i + each);
        assertThat(Await.get(answers.get(each)).text())
            .isEqualTo("answer to " + text + " left, answer to " + text + " right");
      }
    }
  }

  /** Bytes in use when the numbers of children that have ended are given back. */
  private long settledBytes() {
    Await.until(
        "few actors are known",
        () -> {
          System.gc();
          return FabricActors.get(far).counters().known() < FEW
              && FabricActors.get(near).counters().known() < FEW;
        });
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
