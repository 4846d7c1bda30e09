package io.tagfabric.collective.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.explore.CodeListing;
import io.tagfabric.explore.Drift;
import io.tagfabric.explore.Exploration;
import io.tagfabric.explore.Explorer;
import io.tagfabric.explore.Mutant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.tree.ClassNode;

class MailModelTest {
  private static final int MOST_STATES = 3_000_000;

  private static Exploration explore(Mutant mutant, int room, int ofFirst, int ofSecond) {
    return Explorer.explore(new MailModel(mutant, room, ofFirst, ofSecond).model(), MOST_STATES);
  }

  @ParameterizedTest
  @CsvSource({"2,5,0", "1,3,0", "1,2,1", "2,3,1"})
  void shouldBringAllMailAndWakeWhoWaits(int room, int ofFirst, int ofSecond) {
    Exploration found = explore(Mutant.none(), room, ofFirst, ofSecond);

    assertThat(found.isSound()).as("%s", found).isTrue();
  }

  static Stream<Mutant> mutants() {
    String written = "buffer.putLongOrdered mailWrittenAt";
    return Stream.of(
        Mutant.without("SharedMail.wake", "buffer.getAndAddLong mailCountAt"),
        Mutant.swapped(
            "SharedMail.wake",
            "buffer.getAndAddLong mailCountAt",
            "buffer.getIntVolatile mailAsleepAt"),
        Mutant.without("SharedMail.wake", "waker.accept"),
        Mutant.always("SharedMail.wake", "awake"),
        Mutant.plain("SharedMail.publish", written),
        Mutant.swapped(
            "SharedMail.put", "buffer.putBytes mailDataAt+computed", "SharedMail.publish", written),
        Mutant.swapped(
            "SharedMail.take",
            "buffer.getBytes mailDataAt+computed",
            "SharedMail.release",
            "buffer.putLongOrdered mailReadAt"),
        Mutant.without("SharedMail.release", "buffer.putLongOrdered mailReadAt"),
        Mutant.plain("SharedMail.announce", "buffer.putIntVolatile mailAsleepAt"),
        Mutant.always("SharedMail.announce", "nothing to do"),
        Mutant.never("SharedMail.write", "no room"));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void shouldFindWhatIsMissing(Mutant mutant) {
    Exploration found = explore(mutant, 2, 5, 0);

    assertThat(found.problem()).as("%s", found).isNotEmpty();
  }

  private static Map<String, List<String>> listings() {
    return new MailModel(Mutant.none(), 2, 2, 2).model().listings();
  }

  private static List<ClassNode> classes() {
    return List.of(CodeListing.read(SharedMail.class));
  }

  @Test
  void shouldBeWhatTheClassDoes() {
    assertThat(Drift.between(listings(), classes())).isEmpty();
  }
}
