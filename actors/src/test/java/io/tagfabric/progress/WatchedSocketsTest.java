package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A datagram ends a sleep, whoever sleeps; every test would last an hour if it did not. */
class WatchedSocketsTest {
  private static final IdlePolicy ASLEEP = new IdlePolicy(0, 0, TimeUnit.HOURS.toNanos(1));

  private final ProgressLoop loop = new ProgressLoop(TimeSource.SYSTEM);
  private final AtomicInteger arrived = new AtomicInteger();
  private final ByteBuffer buffer = ByteBuffer.allocate(64);

  /** The common pool may have one worker only. */
  private static final Executor OWN_THREAD = task -> new Thread(task, "waiter").start();

  private DatagramChannel socket;
  private DatagramChannel sender;

  @BeforeEach
  void open() throws IOException {
    socket = DatagramChannel.open();
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    socket.configureBlocking(false);
    sender = DatagramChannel.open();
    sender.connect(socket.getLocalAddress());
    loop.addPoll(this::receive);
    loop.watch(socket);
  }

  @AfterEach
  void close() throws IOException {
    loop.unwatch(socket);
    socket.close();
    sender.close();
  }

  private int receive() {
    try {
      buffer.clear();
      boolean came = socket.isOpen() && socket.receive(buffer) != null;
      return came ? arrived.incrementAndGet() : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void send() throws IOException {
    sender.write(ByteBuffer.wrap(new byte[8]));
  }

  private boolean awaitArrivals(int count) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    return loop.await(() -> arrived.get() >= count, deadlineNs, ASLEEP);
  }

  private Thread startResident(CountDownLatch ended) {
    Thread resident =
        new Thread(
            () -> {
              while (ended.getCount() > 0) {
                if (loop.hasWaiters() || loop.advance() == 0) {
                  loop.parkResident(ASLEEP.maxParkNs());
                }
              }
            });
    resident.setDaemon(true);
    resident.start();
    return resident;
  }

  @Test
  void shouldWakeAWaiterWhenADatagramComes() throws Exception {
    CompletableFuture<Boolean> waits =
        CompletableFuture.supplyAsync(() -> awaitArrivals(1), OWN_THREAD);

    send();

    assertThat(waits.get(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldWakeAllWaitersWhenOneOfThemListens() throws Exception {
    CompletableFuture<Boolean> one =
        CompletableFuture.supplyAsync(() -> awaitArrivals(2), OWN_THREAD);
    CompletableFuture<Boolean> two =
        CompletableFuture.supplyAsync(() -> awaitArrivals(1), OWN_THREAD);

    send();
    assertThat(two.get(60, TimeUnit.SECONDS)).isTrue();
    send();

    assertThat(one.get(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldWakeTheResidentDriverWhenNobodyWaits() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    Thread resident = startResident(ended);

    send();
    while (arrived.get() == 0) {
      Thread.onSpinWait();
    }

    ended.countDown();
    loop.wakeResident();
    resident.join(60_000);
    assertThat(resident.isAlive()).isFalse();
  }

  @Test
  void shouldServeDatagramsWhenWaitersComeAndGoBesideTheResidentDriver() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    Thread resident = startResident(ended);

    for (int i = 1; i <= 200; i += 2) {
      send();
      assertThat(awaitArrivals(i)).as("waited for %s", i).isTrue();
      send();
      int count = i + 1;
      long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (arrived.get() < count && System.nanoTime() - deadlineNs < 0) {
        Thread.yield();
      }
      assertThat(arrived).as("nobody waited").hasValue(count);
    }

    ended.countDown();
    loop.wakeResident();
    resident.join(60_000);
    assertThat(resident.isAlive()).isFalse();
  }

  @Test
  void shouldWatchASocketAgainThatWasLeftAMomentAgoBesideASleeper() throws Exception {
    try (DatagramChannel other = DatagramChannel.open()) {
      other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      other.configureBlocking(false);
      CountDownLatch ended = new CountDownLatch(1);
      Thread resident = startResident(ended);

      for (int i = 0; i < 300; i++) {
        loop.unwatch(other);
        loop.watch(other);
      }
      loop.unwatch(socket);
      loop.watch(socket);
      send();

      assertThat(awaitArrivals(1)).isTrue();
      loop.unwatch(other);
      ended.countDown();
      loop.wakeResident();
      resident.join(60_000);
      assertThat(resident.isAlive()).isFalse();
    }
  }

  @Test
  void shouldWakeAListenerWhenATaskIsQueued() throws Exception {
    CompletableFuture<Boolean> waits =
        CompletableFuture.supplyAsync(() -> awaitArrivals(1), OWN_THREAD);

    loop.execute(arrived::incrementAndGet);

    assertThat(waits.get(60, TimeUnit.SECONDS)).isTrue();
  }

  /** Sockets that some selector of this process has told the system to watch. */
  private static long watchedByTheSystem() throws IOException {
    long count = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/self/fdinfo"))) {
      for (Path file : files) {
        try {
          count +=
              Files.readAllLines(file).stream().filter(line -> line.startsWith("tfd:")).count();
        } catch (IOException e) {
          // closed meanwhile
        }
      }
    }
    return count;
  }

  @Test
  void shouldLeaveTheSocketAloneFromHushingUntilTheNextSleep() throws Exception {
    send();
    assertThat(awaitArrivals(1)).isTrue();
    loop.await(() -> false, System.nanoTime() + 2_000_000, ASLEEP);
    long watched = watchedByTheSystem();

    loop.hush();
    assertThat(watchedByTheSystem()).isEqualTo(watched - 1);
    loop.hush();
    assertThat(watchedByTheSystem()).isEqualTo(watched - 1);
    loop.await(() -> false, System.nanoTime() + 2_000_000, ASLEEP);

    assertThat(watchedByTheSystem()).isEqualTo(watched);
    loop.hush();
    assertThat(watchedByTheSystem()).isEqualTo(watched - 1);
  }

  @Test
  void shouldWakeAWaiterByADatagramAfterHushing() throws Exception {
    for (int i = 1; i <= 50; i++) {
      int count = i;
      loop.hush();
      CompletableFuture<Boolean> waits =
          CompletableFuture.supplyAsync(() -> awaitArrivals(count), OWN_THREAD);

      send();

      assertThat(waits.get(60, TimeUnit.SECONDS)).as("%s", i).isTrue();
    }
  }

  @Test
  void shouldMissNoDatagramWhileItIsHushedAgainAndAgain() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    Thread husher =
        new Thread(
            () -> {
              while (!ended.get()) {
                loop.hush();
                Thread.yield();
              }
            });
    husher.setDaemon(true);
    husher.start();
    try {
      for (int i = 1; i <= 300; i++) {
        int count = i;
        CompletableFuture<Boolean> waits =
            CompletableFuture.supplyAsync(() -> awaitArrivals(count), OWN_THREAD);
        send();
        assertThat(waits.get(60, TimeUnit.SECONDS)).as("%s", i).isTrue();
      }
    } finally {
      ended.set(true);
      husher.join(60_000);
    }
  }

  @Test
  void shouldMissNoDatagramWhenAnotherSocketIsForgotten() throws Exception {
    for (int i = 1; i <= 300; i++) {
      try (DatagramChannel other = DatagramChannel.open()) {
        other.configureBlocking(false);
        loop.watch(other);
        int count = i;
        CompletableFuture<Boolean> waits =
            CompletableFuture.supplyAsync(() -> awaitArrivals(count), OWN_THREAD);
        for (int turn = 0; turn < i * 50; turn++) {
          Thread.onSpinWait(); // the thread that waits is elsewhere each time
        }
        loop.unwatch(other);
        send();
        assertThat(waits.get(30, TimeUnit.SECONDS)).as("%s", i).isTrue();
      }
    }
  }

  @Test
  void shouldKeepHearingAChannelThatSaysMoreThanThatItCanBeRead() throws Exception {
    AtomicInteger heard = new AtomicInteger();
    Pipe bell = Pipe.open();
    bell.source().configureBlocking(false);
    ByteBuffer rung = ByteBuffer.allocate(1);
    loop.watch(
        bell.source(),
        SelectionKey.OP_READ,
        () -> {
          heard.incrementAndGet();
          try {
            bell.source().read(rung);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    loop.await(() -> false, System.nanoTime() + 2_000_000, ASLEEP);
    long watched = watchedByTheSystem();
    loop.hush();
    assertThat(watchedByTheSystem()).isEqualTo(watched - 1);

    CompletableFuture<Boolean> waits =
        CompletableFuture.supplyAsync(
            () ->
                loop.await(
                    () -> heard.get() > 0,
                    System.nanoTime() + TimeUnit.SECONDS.toNanos(60),
                    ASLEEP),
            OWN_THREAD);
    bell.sink().write(ByteBuffer.wrap(new byte[1]));

    assertThat(waits.get(60, TimeUnit.SECONDS)).isTrue();
    loop.unwatch(bell.source());
    bell.sink().close();
    bell.source().close();
  }

  @Test
  void shouldHushAndSleepAfterASocketHasBeenClosed() throws Exception {
    DatagramChannel other = DatagramChannel.open();
    other.configureBlocking(false);
    loop.watch(other);
    loop.hush();
    other.close();
    loop.hush();
    CompletableFuture<Boolean> waits =
        CompletableFuture.supplyAsync(() -> awaitArrivals(1), OWN_THREAD);

    send();

    assertThat(waits.get(60, TimeUnit.SECONDS)).isTrue();
    loop.unwatch(other);
  }

  @Test
  void shouldFreeTheSocketWhenItIsClosedAndForgotten() throws Exception {
    int port = socket.socket().getLocalPort();

    socket.close();
    loop.unwatch(socket);

    try (DatagramChannel again = DatagramChannel.open()) {
      again.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      assertThat(again.socket().getLocalPort()).isEqualTo(port);
    }
  }
}
