package io.tagfabric.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.FishingOutcomes;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import io.tagfabric.testkit.At;
import io.tagfabric.testkit.FabricTest;
import io.tagfabric.testkit.Face;
import io.tagfabric.testkit.TagProbe;
import io.tagfabric.testkit.TestFabric;
import io.tagfabric.testkit.TestNetwork;
import io.tagfabric.testkit.TestTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The code of the page on tests, beside that of its example. */
@FabricTest(endpoints = {"alice", "bob"})
class TestingTest {
  @Test
  void shouldExpect(TestFabric fabric, TagProbe alice, TagProbe bob) {
    // #expect
    alice.send("bob", 7, "hello");
    TaggedMessage hello = bob.expectTagged(7, "hello"); // tag and bytes
    bob.reply(hello, 8, "hello to you");
    alice.expectTagged(TagSelector.masked(0, 0xf), Duration.ofSeconds(1));
    alice.expectNoMessage(); // for 100 ms
    // #expect
    for (int i = 0; i < 3; i++) {
      alice.send("bob", i, "m" + i);
    }
    // #fish
    List<TaggedMessage> odd =
        bob.fishForMessage(
            Duration.ofSeconds(3),
            message ->
                message.tag() == 2
                    ? FishingOutcomes.complete()
                    : message.tag() == 1
                        ? FishingOutcomes.continueAndCollect()
                        : FishingOutcomes.continueAndIgnore());
    // #fish
    assertThat(odd).hasSize(2);
    // #face
    TagProbe direct = fabric.probe("bob", Face.DIRECT);
    // #face
    alice.send("bob", 7, "hello");
    direct.expectTagged(7, "hello");
  }

  @Test
  void shouldSayWhatWasThere(TagProbe alice, TagProbe bob) {
    alice.send("bob", 7, "first");
    bob.expectTagged(7, "first");
    alice.send("bob", 9, "hello");
    assertThatThrownBy(() -> bob.expectTagged(TagSelector.exact(7), Duration.ofMillis(200)))
        .hasMessage(
            """
            expected a message at bob with tag 0x7 from any: none came within 200 ms
            unexpected messages there: 1
              tag 0x9 from alice, 5 B
            posted receives there: none""");
    bob.expectTagged(9);
  }

  // #bounce
  @Test
  void shouldFindBobAgain(TestFabric fabric, TestNetwork network, TagProbe alice) {
    network.drop(0.1); // of all packets; which ones, the seed says
    network.bounce("bob"); // bob crashes, and another endpoint takes the name
    alice.send("bob", 7, "are you there?");
    fabric.probe("bob").expectTagged(7, "are you there?");
  }

  // #bounce

  // #virtual
  @FabricTest(
      endpoints = {"alice", "bob"},
      time = TestTime.VIRTUAL,
      settings = "tagfabric.flow.peer-timeout = 1 h")
  @Test
  void shouldGiveUpAfterAnHour(TestFabric fabric, Endpoint alice, @At("bob") TagProbe bob) {
    fabric.probe("alice").send("bob", 7, "hello");
    bob.expectTagged(7);
    var answer = alice.futures().receiveTagged(TagSelector.exact(8).from(fabric.peer("bob")));
    fabric.network().partition("alice", "bob");
    fabric.probe("alice").send("bob", 7, "are you there?");

    fabric.advance(Duration.ofMinutes(59));
    assertThat(answer.toCompletableFuture()).isNotDone();
    fabric.advance(Duration.ofMinutes(2));
    assertThatThrownBy(() -> fabric.await(answer)).hasMessageContaining("no sign of life");
  }

  // #virtual

  // #team
  @FabricTest(endpoints = {"m0", "m1", "m2", "m3"})
  @Test
  void shouldAddUp(TestFabric fabric, List<Team> teams) {
    List<CompletionStage<long[]>> sums =
        teams.stream()
            .map(team -> team.allreduce(new long[] {team.rank()}, Reduction.SUM))
            .toList();

    assertThat(sums).allSatisfy(sum -> assertThat(fabric.await(sum)).containsExactly(6));
  }
  // #team
}
