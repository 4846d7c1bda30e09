package io.tagfabric.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Metric;
import io.tagfabric.bench.measure.Sample;
import io.tagfabric.bench.measure.Workload;
import io.tagfabric.bench.measure.WorkloadPlayer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SelectorEndTest {
  @Test
  void shouldWakeTheOtherEndAndTakeItsAnswers() throws IOException {
    Cell first = new Cell(Metric.WAKE, 8, 200);
    Cell second = new Cell(Metric.WAKE, 3000, 100);
    Workload workload = new Workload(1, 2, 5, 4, List.of(first, second));
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    List<String> lines = new ArrayList<>();
    try (ServerSocketChannel listener = ServerSocketChannel.open().bind(any);
        SelectorEnd near = new SelectorEnd(SocketChannel.open(listener.getLocalAddress()));
        SelectorEnd far = new SelectorEnd(listener.accept())) {
      CompletableFuture<Void> serving =
          CompletableFuture.runAsync(
              () -> WorkloadPlayer.play(1, far, "selector", List.of(), lines::add),
              task -> new Thread(task, "far").start());

      WorkloadPlayer.play(0, near, "selector", workload.toWords(), lines::add);
      serving.join();
    }

    List<Sample> samples = lines.stream().map(line -> Sample.parse(line).orElseThrow()).toList();
    assertThat(samples).hasSize(2);
    assertThat(samples.get(0).isOf(first)).isTrue();
    assertThat(samples.get(1).isOf(second)).isTrue();
    assertThat(samples).allMatch(sample -> sample.value() > 0 && sample.p99Us() >= sample.value());
  }
}
