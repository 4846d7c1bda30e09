package io.tagfabric.match.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.tagfabric.tag.TagSelector;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Counts looked-at nodes and allocated bytes: what the table claims about cost, without a clock.
 */
class MatchTableCostTest {
  private static final int PEER = 1;
  private static final int ANY = TagSelector.ANY_SOURCE;
  private static final int MAX_STEPS = 4;
  private static final int MAX_STEPS_SHORT_QUEUE = PostedQueue.LINEAR_DEPTH;

  private final MatchTable<Receive, Message> table = new MatchTable<>();

  /** The stride puts the running part of the tag in low, middle and high bits. */
  @ParameterizedTest
  @CsvSource({"100, 0", "1000, 8", "10000, 0", "10000, 40", "100000, 0", "100000, 47"})
  void shouldLookAtFewNodesWhenReceivesAreTakenInReverse(int depth, int shift) {
    for (long i = 0; i < depth; i++) {
      table.addPosted(Receive.of(TagSelector.exact(i << shift).from(PEER)));
    }

    long before = table.steps();
    for (long i = depth - 1L; i >= 0; i--) {
      assertThat(table.matchArrival(i << shift, PEER).tag()).isEqualTo(i << shift);
    }

    assertThat(table.steps() - before).isLessThan((long) MAX_STEPS * depth);
  }

  @ParameterizedTest
  @CsvSource({"100, 0", "1000, 8", "10000, 0", "10000, 40", "100000, 0", "100000, 47"})
  void shouldLookAtFewNodesWhenMessagesAreReceivedInReverse(int depth, int shift) {
    for (long i = 0; i < depth; i++) {
      table.addUnexpected(Message.of(i << shift, PEER));
    }

    long before = table.steps();
    for (long i = depth - 1L; i >= 0; i--) {
      assertThat(table.matchPost(i << shift, 0, ANY).tag()).isEqualTo(i << shift);
    }

    assertThat(table.steps() - before).isLessThan((long) MAX_STEPS * depth);
    assertThat(table.slowScans()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 100_000})
  void shouldLookAtFewNodesWhenAllTagsAreEqual(int depth) {
    long before = table.steps();
    for (int i = 0; i < depth; i++) {
      table.addPosted(Receive.of(TagSelector.exact(5)));
      table.addUnexpected(Message.of(6, PEER));
    }
    for (int i = 0; i < depth; i++) {
      assertThat(table.matchArrival(5, PEER).postStamp()).isEqualTo(i);
      assertThat(table.matchPost(6, 0, PEER).arrivalStamp()).isEqualTo(i);
    }

    assertThat(table.steps() - before).isLessThan(4L * MAX_STEPS * depth);
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 100_000})
  void shouldLookAtFewNodesWhenCancelledInAnyOrder(int depth) {
    List<Receive> receives =
        IntStream.range(0, depth)
            .mapToObj(i -> Receive.of(TagSelector.exact(i / 10)))
            .collect(Collectors.toList());
    receives.forEach(table::addPosted);
    Collections.shuffle(receives, new Random(1));

    long before = table.steps();
    receives.forEach(receive -> assertThat(table.remove(receive)).isTrue());

    assertThat(table.steps() - before).isLessThan((long) MAX_STEPS * depth);
  }

  @Test
  void shouldLookAtOneNodeAClassWhenMasksMix() {
    int depth = 10_000;
    for (int i = 0; i < depth; i++) {
      table.addPosted(Receive.of(TagSelector.masked((long) i << 8, 1L << (i % 4))));
    }

    long before = table.steps();
    for (long i = depth - 1L; i >= 0; i--) {
      assertThat(table.matchArrival(i << 8, PEER).tag()).isEqualTo(i << 8);
    }

    assertThat(table.postedClasses()).isZero();
    assertThat(table.steps() - before).isLessThan(4L * MAX_STEPS * depth);
  }

  @Test
  void shouldLookAtFewNodesWhenAnyTagOfOnePeerIsWantedBehindAnother() {
    int depth = 10_000;
    for (int i = 0; i < depth; i++) {
      table.addUnexpected(Message.of(i, PEER + 1));
    }
    for (int i = 0; i < depth; i++) {
      table.addUnexpected(Message.of(i, PEER));
    }

    long before = table.steps();
    for (int i = 0; i < depth; i++) {
      assertThat(table.matchPost(0, -1L, PEER).tag()).isEqualTo(i);
    }
    for (int i = 0; i < depth; i++) {
      assertThat(table.matchPost(0, -1L, ANY).tag()).isEqualTo(i);
    }

    assertThat(table.steps() - before).isLessThan(2L * MAX_STEPS * depth);
  }

  @Test
  void shouldCompareOneByOneOnlyUpToAShortQueue() {
    for (int i = 0; i < PostedQueue.LINEAR_DEPTH; i++) {
      table.addPosted(Receive.of(TagSelector.exact(i)));
    }
    assertThat(table.postedClasses()).isZero();
    assertThat(table.matchArrival(-1, PEER)).isNull();
    assertThat(table.steps()).isEqualTo(MAX_STEPS_SHORT_QUEUE);

    table.addPosted(Receive.of(TagSelector.exact(99)));
    assertThat(table.postedClasses()).isEqualTo(1);
  }

  @Test
  void shouldLookAtOneOfManyThatAreAlike() {
    int depth = 1000;
    for (int i = 0; i < depth; i++) {
      table.addPosted(Receive.of(TagSelector.masked(8 + i % 8, 7).from(PEER)));
    }

    assertThat(table.postedClasses()).isZero();
    assertThat(table.matchArrival(16, PEER)).isNull();
    assertThat(table.matchArrival(8, PEER + 1)).isNull();
    assertThat(table.matchArrival(15, PEER).postStamp()).isZero();
    assertThat(table.steps()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({"9, 7, 2", "16, 7, 1", "8, 6, 1", "8, 7, -1"})
  void shouldHashManyThatWereAlikeWithTheFirstThatDiffers(long tag, long ignore, int source) {
    int depth = 1000;
    for (int i = 0; i < depth; i++) {
      table.addPosted(Receive.of(TagSelector.masked(8, 7).from(PEER)));
    }
    TagSelector other = TagSelector.masked(tag, ignore);
    table.addPosted(Receive.of(source == ANY ? other : other.from(source)));

    assertThat(table.postedClasses()).isBetween(1, 2);
    for (int i = 0; i < depth; i++) {
      assertThat(table.matchArrival(8, PEER).postStamp()).isEqualTo(i);
    }
    assertThat(table.matchArrival(tag, source == ANY ? PEER + 5 : source).postStamp())
        .isEqualTo(depth);
    assertThat(table.postedClasses()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 2000})
  void shouldNotAllocateOnceWarm(int depth) {
    Receive[] receives = new Receive[depth];
    Message[] messages = new Message[depth];
    for (int i = 0; i < depth; i++) {
      receives[i] = new Receive();
      messages[i] = new Message();
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int rounds = 40_000 / depth;
    for (int i = 0; i < rounds; i++) {
      round(receives, messages);
    }

    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    for (int i = 0; i < rounds; i++) {
      round(receives, messages);
    }
    long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;

    assertThat(allocated).isLessThan(4096);
  }

  @Test
  void shouldGiveMemoryBackWhenABurstIsOver() {
    int depth = 50_000;
    long base = retainedAfterTraffic(1000);
    burst(depth);
    assertThat((long) table.retained()).isGreaterThan(depth);

    assertThat(retainedAfterTraffic(600_000)).isLessThanOrEqualTo(base);
  }

  @Test
  void shouldGiveMemoryBackWhenStandingEntriesNeverLetTheQueuesEmpty() {
    for (int i = 0; i < 2 * PostedQueue.LINEAR_DEPTH; i++) {
      table.addPosted(Receive.of(TagSelector.exact(-1 - i)));
      table.addUnexpected(Message.of(-1000 - i, PEER));
    }
    burst(50_000);
    assertThat((long) table.retained()).isGreaterThan(50_000);

    assertThat(retainedAfterTraffic(600_000)).isLessThan(1000);
  }

  /** Two classes of receives and two of messages, all taken out again. */
  private void round(Receive[] receives, Message[] messages) {
    for (int i = 0; i < receives.length; i++) {
      table.addPosted(receives[i].wants(i, i % 2, PEER));
      table.addUnexpected(messages[i].sent(i, PEER));
    }
    for (int i = 0; i < receives.length; i++) {
      table.matchArrival(i, PEER);
    }
    for (int i = messages.length - 1; i >= 0; i--) {
      table.matchPost(i, 0, i % 2 == 0 ? PEER : ANY);
    }
    if (table.postedCount() + table.unexpectedCount() != 0) {
      throw new IllegalStateException("posted=" + table.postedCount() + " after a round");
    }
  }

  private void burst(int depth) {
    for (int i = 0; i < depth; i++) {
      table.addPosted(Receive.of(TagSelector.exact(i)));
      table.addUnexpected(Message.of(i, PEER));
    }
    for (int i = 0; i < depth; i++) {
      table.matchArrival(i, PEER);
      table.matchPost(i, 0, i % 2 == 0 ? PEER : ANY);
    }
  }

  private long retainedAfterTraffic(int messages) {
    Receive receive = new Receive();
    Message message = new Message();
    for (int i = 0; i < messages; i++) {
      table.addPosted(receive.wants(i, 0, ANY));
      table.matchArrival(i, PEER);
      table.addUnexpected(message.sent(i, PEER));
      table.matchPost(i, 0, ANY);
    }
    return table.retained();
  }
}
