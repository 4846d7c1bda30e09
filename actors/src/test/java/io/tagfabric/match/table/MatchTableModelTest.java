package io.tagfabric.match.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Compares the table with two lists; few tags and sources, so nearly everything collides. */
class MatchTableModelTest {
  private static final long HIGH = 1L << 62;
  private static final long[] TAGS = {0, 1, 2, 3, 0x100, 0x101, HIGH, HIGH | 1, -1L, 0x7f00_0001L};
  private static final long[] MASKS = {0, 1, 3, HIGH, 0xff, ~1L, -1L, 0x0f0f_0f0fL, HIGH | 1, 2};
  private static final int STEPS = 20_000;

  private enum Kind {
    ARRIVE,
    POST,
    PEEK,
    CANCEL,
    DISCARD,
    LOSE_PEER
  }

  private record Step(Kind kind, long tag, long ignore, int source, int nth) {
    void runOn(ComparedTable compared) {
      switch (kind) {
        case ARRIVE -> compared.arrive(tag, source == -1 && nth % 4 != 0 ? 0 : source);
        case POST -> compared.post(tag, ignore, source);
        case PEEK -> compared.peek(tag, ignore, source);
        case CANCEL -> compared.cancel(nth);
        case DISCARD -> compared.discard(nth);
        case LOSE_PEER -> compared.losePeer(source);
      }
      compared.compareCounts();
    }
  }

  @Provide
  Arbitrary<Step> steps() {
    return Combinators.combine(
            Arbitraries.frequency(
                Tuple.of(10, Kind.ARRIVE),
                Tuple.of(10, Kind.POST),
                Tuple.of(2, Kind.PEEK),
                Tuple.of(2, Kind.CANCEL),
                Tuple.of(2, Kind.DISCARD),
                Tuple.of(1, Kind.LOSE_PEER)),
            Arbitraries.integers().between(0, TAGS.length - 1),
            Arbitraries.integers().between(0, MASKS.length - 1),
            Arbitraries.integers().between(-1, 2),
            Arbitraries.integers().between(0, 1000))
        .as((kind, tag, mask, source, nth) -> new Step(kind, TAGS[tag], MASKS[mask], source, nth));
  }

  @Property(tries = 2000)
  void shouldAnswerAsTwoListsWhenStepsAreFew(
      @ForAll @Size(max = 200) List<@From("steps") Step> steps,
      @ForAll @IntRange(min = 1, max = 4) int maxClasses) {
    ComparedTable compared = new ComparedTable(maxClasses);

    steps.forEach(step -> step.runOn(compared));

    compared.compareAll();
  }

  /** Phases that mostly post or mostly send build queues of hundreds and drain them again. */
  @Property(tries = 150)
  void shouldAnswerAsTwoListsWhenQueuesSwellAndDrain(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 9) int maxClasses) {
    SplittableRandom random = new SplittableRandom(seed);
    ComparedTable compared = new ComparedTable(maxClasses);

    int done = 0;
    while (done < STEPS) {
      int length = random.nextInt(1, 600);
      int postsPercent = random.nextInt(4) * 33;
      int masks = random.nextInt(1, MASKS.length + 1);
      int firstMask = random.nextInt(MASKS.length);
      int uniqueTagsPercent = random.nextInt(3) * 45;
      for (int i = 0; i < length; i++) {
        long tag =
            random.nextInt(100) < uniqueTagsPercent
                ? 0x5000L + random.nextInt(500)
                : TAGS[random.nextInt(TAGS.length)];
        long ignore = MASKS[(firstMask + random.nextInt(masks)) % MASKS.length];
        int source = random.nextInt(-1, 4);
        stepOf(random, postsPercent, tag, ignore, source).runOn(compared);
      }
      compared.compareAll();
      done += length;
    }
    while (!compared.model.posted.isEmpty() || !compared.model.unexpected.isEmpty()) {
      compared.cancel(random.nextInt(1 << 20));
      compared.discard(random.nextInt(1 << 20));
    }
    compared.compareAll();

    assertThat(compared.table.postedClasses()).isZero();
  }

  /** Windows of equal receives, which now and then another one interrupts. */
  @Property(tries = 300)
  void shouldAnswerAsTwoListsWhenReceivesAreAlike(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ComparedTable compared = new ComparedTable(2);

    for (int phase = 0; phase < 12; phase++) {
      long tag = TAGS[random.nextInt(TAGS.length)];
      long ignore = MASKS[random.nextInt(MASKS.length)];
      int source = random.nextInt(-1, 2);
      int othersPerMille = random.nextInt(3) * 10;
      int postsPercent = 20 + random.nextInt(4) * 20;
      for (int i = 0; i < 120; i++) {
        boolean other = random.nextInt(1000) < othersPerMille;
        stepOf(
                random,
                postsPercent,
                other ? TAGS[random.nextInt(TAGS.length)] : tag,
                other ? MASKS[random.nextInt(MASKS.length)] : ignore,
                other ? random.nextInt(-1, 2) : source)
            .runOn(compared);
      }
      compared.compareAll();
    }
  }

  private static Step stepOf(
      SplittableRandom random, int postsPercent, long tag, long ignore, int source) {
    int dice = random.nextInt(1000);
    Kind kind;
    if (dice < 2) {
      kind = Kind.LOSE_PEER;
    } else if (dice < 40) {
      kind = Kind.CANCEL;
    } else if (dice < 80) {
      kind = Kind.DISCARD;
    } else if (dice < 130) {
      kind = Kind.PEEK;
    } else {
      kind = random.nextInt(100) < postsPercent ? Kind.POST : Kind.ARRIVE;
    }
    return new Step(kind, tag, ignore, source, random.nextInt(1 << 20));
  }
}
