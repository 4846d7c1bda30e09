package io.tagfabric.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.Done;
import akka.actor.ActorRef;
import io.tagfabric.actor.twin.FabricRef;
import io.tagfabric.actor.twin.NearActors;
import io.tagfabric.actor.twin.TwinRoad;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RoadTwinsTest {
  private static final TwinRoad NOWHERE =
      new TwinRoad() {
        @Override
        public void tell(FabricRef twin, Object message, ActorRef sender) {}

        @Override
        public CompletionStage<Done> tellOrWait(FabricRef twin, Object message) {
          return CompletableFuture.completedFuture(Done.getInstance());
        }

        @Override
        public void watch(FabricRef twin, ActorRef watcher) {}

        @Override
        public void unwatch(FabricRef twin, ActorRef watcher) {}
      };

  private final RoadTwins twins = new RoadTwins(number -> {});

  private static FabricRef twin(int uid) {
    return new FabricRef(new NearActors(null), "akka://far@host:1/user/a#" + uid, NOWHERE);
  }

  private List<FabricRef> all() {
    List<FabricRef> all = new ArrayList<>();
    twins.forEach(all::add);
    return all;
  }

  @Test
  void shouldGiveOutTwinsInTheOrderEnteredWhateverTheirNames() {
    List<FabricRef> made = IntStream.range(0, 100).mapToObj(i -> twin(-7919 * i)).toList();

    made.forEach(each -> twins.enter(each, null));

    assertSame(made);
  }

  @Test
  void shouldPutWhatTakesAPlaceBehindTheOthers() {
    List<FabricRef> made = IntStream.range(0, 3).mapToObj(RoadTwinsTest::twin).toList();
    made.forEach(each -> twins.enter(each, null));
    FabricRef again = twin(0);

    assertThat(twins.enter(twin(1), null)).isSameAs(made.get(1));
    assertThat(twins.enter(again, made.get(0))).isSameAs(again);

    assertSame(List.of(made.get(1), made.get(2), again));
  }

  /** That they are given out; twins of one path are equal. */
  private void assertSame(List<FabricRef> expected) {
    List<FabricRef> all = all();
    assertThat(all).hasSameSizeAs(expected);
    for (int i = 0; i < all.size(); i++) {
      assertThat(all.get(i)).isSameAs(expected.get(i));
    }
  }
}
