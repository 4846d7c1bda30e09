package io.tagfabric.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.access.Access;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionOptions;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.testkit.FabricTest;
import io.tagfabric.testkit.TestFabric;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** The table of completions in docs/20-using.md has those that come, none of them as "never". */
@FabricTest(endpoints = {"near", "far"})
class CompletionsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Pattern ROW = Pattern.compile("^\\| `([A-Z]\\w+)` \\|(.*)\\|$");

  private static Set<String> rows() {
    Set<String> rows = new TreeSet<>();
    Pages.rows(Pages.root().resolve("docs/20-using.md"), ROW).stream()
        .filter(row -> isCompletion(row.group(1)) && !row.group(2).contains("| never "))
        .forEach(row -> rows.add(row.group(1)));
    return rows;
  }

  private static boolean isCompletion(String name) {
    return Set.of(Completion.class.getPermittedSubclasses()).stream()
        .anyMatch(type -> type.getSimpleName().equals(name));
  }

  private static String next(CompletionQueue queue) {
    return queue.readBlocking(PATIENCE).getClass().getSimpleName();
  }

  @Test
  void shouldListTheCompletionsThatCome(TestFabric fabric) {
    Endpoint near = fabric.endpoint("near");
    Endpoint far = fabric.endpoint("far");
    int toFar = fabric.peer("far");
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);
    CompletionQueue told = fabric.domain().openCompletionQueue();
    Region region =
        fabric
            .domain()
            .register(
                new UnsafeBuffer(new byte[8]), RegionRight.all(), RegionOptions.DEFAULT.to(told));
    RemoteRegion there = new RemoteRegion(toFar, region.descriptor());
    Set<String> came = new TreeSet<>();

    far.post(
        TaggedReceive.of(TagSelector.exact(7)).into(new UnsafeBuffer(new byte[8]), 0, 8).many(1),
        "many");
    near.sendTagged(toFar, bytes, 0, 8, 7, "send");
    came.add(next(near.transmitQueue()));
    came.add(next(far.receiveQueue()));
    came.add(next(far.receiveQueue()));
    near.memory()
        .post(Access.write(there, 0, bytes, 0, 8).signal().with(SendOptions.DEFAULT), "write");
    came.add(next(near.transmitQueue()));
    came.add(next(told));
    region.close().toCompletableFuture().join();
    SendOptions answered = SendOptions.DEFAULT.at(CompletionLevel.DELIVERY);
    near.memory().write(there, 0, bytes, 0, 8, answered, "after its close");
    came.add(next(near.transmitQueue()));

    assertThat(rows()).isEqualTo(came).hasSize(Completion.class.getPermittedSubclasses().length);
  }
}
