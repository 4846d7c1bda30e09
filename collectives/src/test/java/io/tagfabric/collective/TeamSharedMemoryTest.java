package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.ReduceOp;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.collective.run.SharedMemoryUse;
import io.tagfabric.error.FabricException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Teams of one host in shared memory, whose members are all in this JVM for once. */
class TeamSharedMemoryTest {
  @TempDir Path directory;

  private ActorTestKit kit;

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
  }

  private Crew crew(int size, Path place) {
    kit = Crew.kitWithHostDirectory(place);
    return new Crew(
        kit.system(),
        size,
        settings -> settings.withSharedCell(false).withSharedMemory(SharedMemoryUse.ALWAYS));
  }

  private static List<CollectiveCompletion> sums(Crew crew, int count) {
    List<Elements> data = new ArrayList<>();
    for (int rank = 0; rank < crew.size(); rank++) {
      data.add(Elements.of(new long[count]));
    }
    return crew.collective(team -> team.allreduce(data.get(team.rank()), Reduction.SUM));
  }

  private List<Path> files() throws IOException {
    if (!Files.exists(directory.resolve("host"))) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(directory.resolve("host"))) {
      return all.filter(file -> file.getFileName().toString().startsWith("team-")).toList();
    }
  }

  @Test
  void shouldSayHowItWasDone() {
    try (Crew crew = crew(3, directory.resolve("host"))) {
      assertThat(sums(crew, 1))
          .allSatisfy(each -> assertThat(each.tier()).isEqualTo("shm"))
          .allSatisfy(each -> assertThat(each.algorithm()).isEqualTo("flags"))
          .allSatisfy(each -> assertThat(each.messages()).isZero());
      assertThat(sums(crew, 50_000))
          .allSatisfy(each -> assertThat(each.algorithm()).isEqualTo("slices"));
    }
  }

  @Test
  void shouldLeaveNoFileOnceAllHaveMappedIt() throws IOException {
    try (Crew crew = crew(3, directory.resolve("host"))) {
      sums(crew, 1);

      assertThat(files()).isEmpty();
    }
  }

  @Test
  void shouldRemoveTheFileWhenTheOthersNeverMapIt() throws IOException {
    try (Crew crew = crew(2, directory.resolve("host"))) {
      var members = List.of(crew.endpoints.get(0).address(), crew.endpoints.get(1).address());
      Team alone =
          Team.open(crew.domain, crew.endpoints.get(0), members, 8, crew.team(0).settings());
      CompletableFuture<?> call = alone.barrier().toCompletableFuture();
      crew.settle();
      assertThat(files()).hasSize(1);

      alone.close();
      crew.settle();

      assertThat(call).isCompletedExceptionally();
      assertThat(files()).isEmpty();
    }
  }

  @Test
  void shouldSendMessagesWhenThereIsNoMemory() throws IOException {
    Path file = Files.createFile(directory.resolve("no-directory"));
    try (Crew crew = crew(3, file)) {
      assertThat(sums(crew, 1)).allSatisfy(each -> assertThat(each.tier()).isEqualTo("messages"));
    }
  }

  @Test
  void shouldTakeFabricMemoryAsAnyOther() {
    try (Crew crew = crew(2, directory.resolve("host"))) {
      int count = 5_000;
      List<Elements> data = new ArrayList<>();
      for (int rank = 0; rank < crew.size(); rank++) {
        var memory = crew.domain.allocate(count * Long.BYTES);
        memory.buffer().putLong(8, rank + 1L);
        data.add(Elements.over(ElementKind.INT64, memory.buffer(), 0, count));
      }

      crew.collective(team -> team.allreduce(data.get(team.rank()), Reduction.SUM));

      assertThat(data).allSatisfy(each -> assertThat(each.longs()).startsWith(0, 3, 0));
    }
  }

  @Test
  void shouldNameWhoCallsSomethingElse() {
    try (Crew crew = crew(3, directory.resolve("host"))) {
      crew.all(Team::barrier);
      List<CompletableFuture<?>> calls = crew.sumsAndABarrierAt(1);

      for (CompletableFuture<?> call : calls) {
        assertThat(call).isCompletedExceptionally();
        assertThat(catchThrowable(call::join).getCause())
            .isInstanceOf(FabricException.class)
            .hasMessageContaining("calls [")
            .hasMessageContaining("barrier");
      }
    }
  }

  @Test
  void shouldFailAtAllWhenAnOperatorThrows() {
    ReduceOp throwing =
        ReduceOp.ofLongs(
            "throwing",
            true,
            (left, right) -> {
              throw new IllegalStateException("on purpose");
            });
    try (Crew crew = crew(3, directory.resolve("host"))) {
      List<CompletableFuture<long[]>> calls =
          crew.start(team -> team.allreduce(new long[] {1}, throwing));
      crew.settle();

      assertThat(calls)
          .allSatisfy(
              each -> assertThat(catchThrowable(each::join)).hasMessageContaining("on purpose"));
    }
  }
}
