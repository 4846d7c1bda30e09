package io.tagfabric.trials.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tagfabric.match.TagMatcher;
import io.tagfabric.trials.fuzz.Canaries.Part;
import io.tagfabric.trials.fuzz.Ledger.Operation;
import io.tagfabric.trials.fuzz.Ledger.Target;
import io.tagfabric.trials.fuzz.Ledger.Use;
import io.tagfabric.trials.fuzz.Violation.Promise;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Each check of the fuzzer sees what it is there for, and nothing else. */
class ChecksTest {
  private static final int PART = 1000;

  private final Canaries canaries = new Canaries(3, PART, 42);

  private static void assertViolation(Promise promise, ThrowingCallable check) {
    assertThatExceptionOfType(Violation.class)
        .isThrownBy(check)
        .matches(violation -> violation.promise() == promise);
  }

  private void poke(int index) {
    canaries.buffer().putByte(index, (byte) ~canaries.buffer().getByte(index));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, -200, 60, 99, 100, 999, 1000, 1200})
  void shouldSeeAByteOutsideOfAMessage(int place) {
    canaries.take(PART);
    Part part = canaries.take(100);
    poke(part.offset() + place);

    assertViolation(Promise.BUFFER, () -> canaries.check(part, 60));
  }

  @Test
  void shouldLetAMessageBeWhereItBelongs() {
    Part part = canaries.take(100);
    for (int i = 0; i < 60; i++) {
      poke(part.offset() + i);
    }

    assertThatCode(() -> canaries.check(part, 60)).doesNotThrowAnyException();
    canaries.give(part);
    for (int i = 0; i < 3; i++) {
      Part again = canaries.take(PART);
      assertThatCode(() -> canaries.check(again, 0)).doesNotThrowAnyException();
    }
    assertThat(canaries.take(1)).isNull();
  }

  @Test
  void shouldSeeAWriteBesideAPartThatIsStillPosted() {
    Part part = canaries.take(100);
    poke(part.offset() + 50);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 50; i++) {
      canaries.checkAny(random);
    }
    poke(part.offset() + 100);

    assertViolation(
        Promise.BUFFER,
        () -> {
          for (int i = 0; i < 50; i++) {
            canaries.checkAny(random);
          }
        });
  }

  @Test
  void shouldSeeThatAMessageOfTheFriendIsWrong() {
    long number = 8;
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[FriendMessages.longest()]);
    FriendMessages.fill(number, buffer, 0);
    long tag = FriendMessages.tag(number);
    int length = FriendMessages.length(number);
    assertThat(length).isPositive();

    assertThatCode(() -> FriendMessages.check("it", number, tag, length, buffer, 0))
        .doesNotThrowAnyException();
    assertViolation(
        Promise.FRIEND, () -> FriendMessages.check("it", number + 1, tag, length, buffer, 0));
    assertViolation(
        Promise.FRIEND, () -> FriendMessages.check("it", number, tag, length - 1, buffer, 0));
    buffer.putByte(length - 1, (byte) (buffer.getByte(length - 1) + 1));
    assertViolation(
        Promise.FRIEND, () -> FriendMessages.check("it", number, tag, length, buffer, 0));
  }

  @Test
  void shouldSeeThatAnOperationEndsTwiceOrNever() {
    Ledger ledger = new Ledger();
    Operation once = ledger.begin(Use.SEND, null, null);
    ledger.takeBack(ledger.begin(Use.SEND, null, null));
    assertViolation(Promise.END, ledger::requireAllEnded);
    ledger.end(once);

    assertThatCode(ledger::requireAllEnded).doesNotThrowAnyException();
    assertThat(ledger.accepted()).isEqualTo(1);
    assertViolation(Promise.END, () -> ledger.end(once));
  }

  @Test
  void shouldSeeThatAnOperationOutlivesItsFlow() {
    Ledger ledger = new Ledger();
    Target target = new Target(3);
    Operation left = ledger.begin(Use.RECEIVE, target, null);
    assertThatCode(() -> target.check(100, 10)).doesNotThrowAnyException();
    target.ended(100);

    assertThatCode(() -> target.check(110, 10)).doesNotThrowAnyException();
    assertViolation(Promise.END, () -> target.check(111, 10));
    ledger.end(left);
    assertThatCode(() -> target.check(111, 10)).doesNotThrowAnyException();
  }

  @Test
  void shouldSeeTooMuchMemory() {
    assertThatCode(() -> Victim.requireBounded(1 << 20)).doesNotThrowAnyException();
    assertViolation(Promise.MEMORY, () -> Victim.requireBounded(1L << 30));
    assertThatCode(() -> Victim.requireWithin(new TagMatcher.State(0, 1, 100, 100, 0), 100))
        .doesNotThrowAnyException();
    assertViolation(
        Promise.MEMORY, () -> Victim.requireWithin(new TagMatcher.State(0, 1, 0, 101, 0), 100));
    HeapWatch heap = new HeapWatch();
    for (int round = 0; round < 10; round++) {
      heap.look(50L << 20);
    }
    assertViolation(Promise.MEMORY, () -> heap.look(500L << 20));
  }

  @Test
  void shouldHearErrorsOfTheProject() {
    try (LogErrors errors = new LogErrors()) {
      LoggerFactory.getLogger("org.example.Other").error("of somebody else");
      LoggerFactory.getLogger("io.tagfabric.trials.fuzz.Test").warn("a warning");
      assertThatCode(errors::requireNone).doesNotThrowAnyException();

      LoggerFactory.getLogger("io.tagfabric.trials.fuzz.Test").error("as a test");

      assertViolation(Promise.LIFE, errors::requireNone);
    }
  }
}
