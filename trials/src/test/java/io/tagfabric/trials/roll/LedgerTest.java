package io.tagfabric.trials.roll;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.trials.roll.Book.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.BeforeTry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LedgerTest {
  private static final long STOPPED_MS = 10_000;
  private static final long LONGEST_MS = 100;

  private Book sender;
  private Book receiver;

  @BeforeEach
  @BeforeTry
  void openBooks() {
    sender = new Book("0.0");
    receiver = new Book("1.0");
  }

  private List<String> check() {
    // as a node writes its book and the command reads it
    Collection<Book> books = List.of(Book.parse(sender.lines()), Book.parse(receiver.lines()));
    return Ledger.check(books, Set.of());
  }

  private void tell(int count) {
    for (int i = 0; i < count; i++) {
      sender.send(Kind.TELL, "1.0");
    }
  }

  private void receive(Kind kind, long... numbers) {
    for (long number : numbers) {
      receiver.receive(kind, "0.0", number);
    }
  }

  private void answer(long ms) {
    sender.ask("1.0");
    sender.answer("1.0", ms, true);
  }

  // ---- cases ----

  @Test
  void shouldFindNothingWhenAllHasCome() {
    tell(3);
    receive(Kind.TELL, 0, 1, 2);
    answer(7);

    assertThat(check()).isEmpty();
    assertThat(Ledger.longestMs(List.of(sender, receiver), Set.of())).isEqualTo(7);
  }

  @Test
  void shouldMissATellInTheMidst() {
    tell(4);
    receive(Kind.TELL, 0, 1, 3);

    assertThat(check()).containsExactly("TELL 0.0 -> 1.0: 2 to 2 have not come, but 3 has");
  }

  @Test
  void shouldMissTheLastTellToANodeThatDoesNotLeave() {
    tell(4);
    receive(Kind.TELL, 0, 1, 2);

    assertThat(check())
        .singleElement()
        .asString()
        .contains("3 of 4 was told to a node that was not known to leave");
  }

  @Test
  void shouldLetATellGoThatWasOnItsWayWhenItsReceiverStopped() {
    answer(LONGEST_MS);
    tell(1);
    sender.tellLeaving("1.0", STOPPED_MS - LONGEST_MS);
    receive(Kind.TELL, 0);
    receiver.stop(STOPPED_MS);

    assertThat(check()).isEmpty();
  }

  @Test
  void shouldMissATellThatWasToldLongBeforeItsReceiverStopped() {
    answer(LONGEST_MS);
    tell(1);
    sender.tellLeaving("1.0", STOPPED_MS - LONGEST_MS - 1);
    receive(Kind.TELL, 0);
    receiver.stop(STOPPED_MS);

    assertThat(check())
        .containsExactly(
            "TELL 0.0 -> 1.0: 1 was told 101 ms before the receiver stopped, and no answer took"
                + " longer than 100 ms");
  }

  @Test
  void shouldFindWhatComesTwiceOrLate() {
    tell(3);
    receive(Kind.TELL, 0, 2, 1, 2);

    assertThat(check()).contains("TELL 0.0 -> 1.0: 1 has come twice or behind 2");
  }

  @Test
  void shouldFindWhatWasNotSent() {
    tell(1);
    receive(Kind.TELL, 0, 1);
    receive(Kind.STREAM, 0);

    assertThat(check())
        .containsExactlyInAnyOrder(
            "TELL 0.0 -> 1.0: 1 has come, but 1 were sent",
            "STREAM 0.0 -> 1.0: 0 came and were not sent");
  }

  @Test
  void shouldFindSendsThatNeitherSucceedNorFail() {
    sender.send(Kind.TAGGED, "1.0");
    receive(Kind.TAGGED, 0);

    assertThat(check()).containsExactly("TAGGED 0.0 -> 1.0: 1 of 1 neither succeed nor fail");
  }

  @Test
  void shouldFindASendThatHasSucceededAndNotCome() {
    for (int i = 0; i < 3; i++) {
      sender.settle(Kind.TAGGED, "1.0", sender.send(Kind.TAGGED, "1.0"), i != 1);
    }
    receive(Kind.TAGGED, 0);

    assertThat(check()).containsExactly("TAGGED 0.0 -> 1.0: 2 of 3 has succeeded and has not come");
  }

  @Test
  void shouldFindAQuestionWithoutAnAnswer() {
    sender.ask("1.0");
    sender.lose("1.0");

    assertThat(check()).containsExactly("ASK 0.0 -> 1.0: 1 of 1 were not answered");
  }

  @Test
  void shouldAskNothingOfNodesThatWereKilledButOrder() {
    sender.send(Kind.TELL, "2.0");
    sender.ask("2.0");
    sender.lose("2.0");
    sender.receive(Kind.TELL, "2.0", 0);
    receiver.receive(Kind.TELL, "2.0", 0);
    receiver.receive(Kind.TELL, "2.0", 2);

    assertThat(Ledger.check(List.of(sender, receiver), Set.of("2.0")))
        .containsExactly("TELL 2.0 -> 1.0: 1 to 1 have not come, but 2 has");
    assertThat(Ledger.check(List.of(sender, receiver), Set.of()))
        .contains("TELL 0.0 -> 2.0: the receiver has left no book");
  }

  // ---- against a naive model ----

  /** What is done to the numbers that come. */
  enum Edit {
    NONE,
    REMOVE,
    REPEAT,
    SWAP
  }

  private static List<Integer> came(int end, Edit edit, int at) {
    List<Integer> came = new ArrayList<>(IntStream.range(0, end).boxed().toList());
    if (at + 1 < end) {
      switch (edit) {
        case REMOVE -> came.remove(at);
        case REPEAT -> came.add(came.get(at));
        case SWAP -> Collections.swap(came, at, at + 1);
        case NONE -> {}
      }
    }
    return came;
  }

  private static boolean isRising(List<Integer> numbers) {
    return IntStream.range(1, numbers.size()).allMatch(i -> numbers.get(i - 1) < numbers.get(i));
  }

  @Property
  void shouldJudgeTellsAsANaiveModelDoes(
      @ForAll @IntRange(max = 6) int known,
      @ForAll @Size(max = 4) List<@IntRange(max = 200) Integer> lateMs,
      @ForAll @IntRange(max = 11) int end,
      @ForAll Edit edit,
      @ForAll @IntRange(max = 8) int at) {
    List<Integer> came = came(end, edit, at);
    List<Integer> late = lateMs.stream().sorted(Comparator.reverseOrder()).toList();
    answer(LONGEST_MS);
    tell(known);
    late.forEach(ms -> sender.tellLeaving("1.0", STOPPED_MS - ms));
    came.forEach(number -> receive(Kind.TELL, number));
    receiver.stop(STOPPED_MS);

    int count = known + late.size();
    boolean first = isRising(came) && came.equals(IntStream.range(0, came.size()).boxed().toList());
    boolean right = first && came.size() <= count && came.size() >= known;
    if (right && came.size() < count) {
      right = late.get(came.size() - known) <= LONGEST_MS;
    }
    assertThat(check().isEmpty())
        .as("known=%d late=%s came=%s", known, late, came)
        .isEqualTo(right);
  }

  /** What a sender is told of a send. */
  enum Outcome {
    SUCCESS,
    FAILURE,
    NONE
  }

  @Property
  void shouldJudgeSendsAsANaiveModelDoes(
      @ForAll @Size(max = 6) List<Outcome> outcomes,
      @ForAll @IntRange(max = 7) int end,
      @ForAll Edit edit,
      @ForAll @IntRange(max = 6) int at) {
    List<Integer> came = came(end, edit, at);
    outcomes.forEach(any -> sender.send(Kind.TAGGED, "1.0"));
    for (int number = 0; number < outcomes.size(); number++) {
      if (outcomes.get(number) != Outcome.NONE) {
        boolean succeeded = outcomes.get(number) == Outcome.SUCCESS;
        sender.settle(Kind.TAGGED, "1.0", number, succeeded);
      }
    }
    came.forEach(number -> receive(Kind.TAGGED, number));

    boolean right =
        isRising(came)
            && came.stream().allMatch(number -> number < outcomes.size())
            && !outcomes.contains(Outcome.NONE)
            && IntStream.range(0, outcomes.size())
                .allMatch(i -> outcomes.get(i) == Outcome.FAILURE || came.contains(i));
    assertThat(check().isEmpty()).as("%s came=%s", outcomes, came).isEqualTo(right);
  }
}
