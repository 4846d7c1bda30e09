package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class DueFlushesTest {
  private final ProgressLoop loop = new ProgressLoop(new ManualTime(0));
  private final List<String> ran = new ArrayList<>();

  private DueFlushes.Flush flush(String name) {
    return loop.flushWhenDue(
        () -> {
          ran.add(name);
          return 1;
        });
  }

  @Test
  void shouldRunOnlyWhatIsMarkedAndOnce() {
    DueFlushes.Flush first = flush("first");
    DueFlushes.Flush second = flush("second");
    flush("never");

    second.mark();
    first.mark();
    second.mark();

    assertThat(loop.advance()).isEqualTo(2);
    assertThat(loop.advance()).isZero();
    assertThat(ran).containsExactly("second", "first");
  }

  @Test
  void shouldRunInTheNextPassWhatIsMarkedByItself() {
    DueFlushes.Flush[] again = new DueFlushes.Flush[1];
    again[0] =
        loop.flushWhenDue(
            () -> {
              ran.add("again");
              if (ran.size() < 3) {
                again[0].mark();
              }
              return 1;
            });

    again[0].mark();

    assertThat(loop.advance()).isEqualTo(1);
    assertThat(ran).hasSize(1);
    assertThat(loop.advance() + loop.advance() + loop.advance()).isEqualTo(2);
  }

  @Test
  void shouldKeepWhatFailedAndWhatComesAfterIt() {
    boolean[] fails = {true};
    DueFlushes.Flush failing =
        loop.flushWhenDue(
            () -> {
              if (fails[0]) {
                throw new IllegalStateException("a defect");
              }
              ran.add("failing");
              return 1;
            });
    DueFlushes.Flush last = flush("last");
    flush("first").mark();
    failing.mark();
    last.mark();

    assertThatThrownBy(loop::advance).hasMessage("a defect");
    assertThat(ran).containsExactly("first");
    fails[0] = false;
    last.mark();
    loop.advance();

    assertThat(ran).containsExactly("first", "failing", "last");
  }

  @Test
  void shouldKeepWhatFailedAloneAndWhatIsMarkedMeanwhile() {
    boolean[] fails = {true};
    DueFlushes.Flush marked = flush("marked");
    DueFlushes.Flush failing =
        loop.flushWhenDue(
            () -> {
              marked.mark();
              if (fails[0]) {
                throw new IllegalStateException("a defect");
              }
              ran.add("failing");
              return 1;
            });
    failing.mark();

    assertThatThrownBy(loop::advance).hasMessage("a defect");
    assertThat(ran).isEmpty();
    fails[0] = false;
    loop.advance();
    loop.advance();

    assertThat(ran).contains("failing", "marked");
  }

  @Test
  void shouldNotRunWhatIsClosed() {
    DueFlushes.Flush closed = flush("closed");
    closed.mark();
    closed.close();

    assertThat(loop.advance()).isZero();
    assertThat(ran).isEmpty();
  }

  @Test
  void shouldNotRunWhatIsUnmarked() {
    DueFlushes.Flush first = flush("first");
    DueFlushes.Flush second = flush("second");
    first.mark();
    second.mark();
    first.unmark();
    first.unmark();

    assertThat(loop.advance()).isEqualTo(1);
    first.mark();
    second.mark();
    second.unmark();
    second.mark();
    assertThat(loop.advance()).isEqualTo(2);

    assertThat(ran).containsExactly("second", "first", "second");
  }

  @Test
  void shouldHaveNothingToFlushOnceTheLastIsUnmarked() {
    DueFlushes.Flush only = flush("only");
    only.mark();
    only.unmark();

    assertThat(loop.tryEnter()).isTrue();
    assertThat(loop.leave(true)).as("something is left to flush").isFalse();
    only.mark();
    assertThat(loop.tryEnter()).isTrue();
    assertThat(loop.leave(true)).as("something is left to flush").isTrue();
    loop.settle();

    assertThat(ran).containsExactly("only");
  }

  @Test
  void shouldHaveSomethingToFlushWhileOneBehindTheFirstIsMarked() {
    DueFlushes.Flush first = flush("first");
    flush("second");
    DueFlushes.Flush third = flush("third");
    first.mark();
    third.mark();
    first.unmark();

    assertThat(loop.tryEnter()).isTrue();
    assertThat(loop.leave(true)).as("something is left to flush").isTrue();
    loop.settle();

    assertThat(ran).containsExactly("third");
  }

  /** As a list of what is due says. */
  @Property
  void shouldRunWhatAListOfMarksSays(@ForAll List<@IntRange(max = 5) Integer> script) {
    List<DueFlushes.Flush> flushes = List.of(flush("0"), flush("1"), flush("2"));
    List<String> due = new ArrayList<>();
    for (int step : script) {
      String name = Integer.toString(step % 3);
      due.remove(name);
      if (step < 3) {
        flushes.get(step).mark();
        due.add(name);
      } else {
        flushes.get(step - 3).unmark();
      }
    }
    int before = ran.size();

    assertThat(loop.advance()).isEqualTo(due.size());

    assertThat(ran.subList(before, ran.size())).containsExactlyInAnyOrderElementsOf(due);
  }
}
