package io.tagfabric.trials.roll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.trials.roll.Book.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class BookTest {
  private final Book book = new Book("2.1");

  @Test
  void shouldReadWhatItHasWritten() {
    book.send(Kind.TELL, "0.0");
    book.tellLeaving("0.0", 77);
    book.send(Kind.TAGGED, "0.0");
    book.settle(Kind.TAGGED, "0.0", book.send(Kind.TAGGED, "0.0"), false);
    book.receive(Kind.STREAM, "1.0", 0);
    book.ask("0.0");
    book.answer("0.0", 12, true);
    book.ask("0.0");
    book.lose("0.0");
    book.stop(99);

    Book read = Book.parse(book.lines());

    assertThat(read.lines()).isEqualTo(book.lines());
    assertThat(read.lines())
        .containsExactlyInAnyOrder(
            "node 2.1 99",
            "sent TELL 0.0 2 0 =1 =77",
            "sent TAGGED 0.0 2 1 =1 =",
            "received STREAM 1.0 =0",
            "asked 0.0 2 1 1 12",
            "end");
  }

  @Test
  void shouldCountSendsThatAreNotSettled() {
    long number = book.send(Kind.TAGGED, "0.0");
    book.send(Kind.TELL, "0.0");

    assertThat(book.unsettled()).isEqualTo(1);
    book.settle(Kind.TAGGED, "0.0", number, true);
    assertThat(book.unsettled()).isZero();
  }

  @Test
  void shouldTakeOnlyTheLongestAnswerOfANodeThatStays() {
    book.ask("0.0");
    book.answer("0.0", 9_000, false);
    book.ask("0.0");
    book.answer("0.0", 5, true);

    assertThat(book.asked().get("0.0").longestMs()).isEqualTo(5);
    assertThat(book.asked().get("0.0").answered()).isEqualTo(2);
  }

  @Test
  void shouldRefuseABookThatIsNotWhole() {
    assertThatThrownBy(() -> Book.parse(List.of("node 2.1 99")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 lines has no end");
    assertThatThrownBy(() -> Book.parse(List.of("node 2.1 99", "lost 3", "end")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lost 3");
  }
}
