package io.tagfabric.kryo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class KryoConcurrencyTest {
  private static final int THREADS = 16;
  private static final int ROUNDS = 500;
  private static final int POOL_SIZE = 4;

  private final KryoCodec codec =
      new KryoCodec(Samples.REGISTRATIONS, new KryoSettings(1 << 20, 64, POOL_SIZE, 4096));

  @Test
  void shouldKeepMessagesApartWhenManyThreadsEncodeAndDecode() throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    CountDownLatch start = new CountDownLatch(THREADS);
    try {
      List<Future<Integer>> results = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        results.add(executor.submit(() -> work(thread, start)));
      }
      for (Future<Integer> result : results) {
        assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo(ROUNDS);
      }
    } finally {
      executor.shutdownNow();
    }
    assertThat(codec.idleWorkers()).isBetween(1, POOL_SIZE);
  }

  private int work(int thread, CountDownLatch start) throws InterruptedException {
    start.countDown();
    start.await();
    ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    int equal = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Object message = message(thread, round);
      codec.encode(message, buffer.clear());
      Object fromBuffer = codec.decode(buffer.flip());
      Object fromArray = codec.decode(codec.encode(message));
      equal += fromBuffer.equals(message) && fromArray.equals(message) ? 1 : 0;
    }
    return equal;
  }

  private static Object message(int thread, int round) {
    Samples.Point point = new Samples.Point(thread, round);
    String text = ("thread " + thread + " ż").repeat(round % 100);
    return new Samples.Box<Object>(point, List.of(text, round), Map.of(text, point));
  }
}
