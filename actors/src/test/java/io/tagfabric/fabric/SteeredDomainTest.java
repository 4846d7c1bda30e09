package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.ProgressThread;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.trace.LiveRecording;
import io.tagfabric.trace.WatchDesk;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A domain that does what somebody who watches it says. */
class SteeredDomainTest {
  private static final int MOST_STEPS = 200;

  @TempDir private Path directory;
  private ActorSystem<Void> system;
  private Domain domain;
  private WatchDesk desk;

  private void open(ProgressMode mode, boolean steered) throws IOException {
    system =
        ActorSystem.create(
            Behaviors.empty(),
            "steered-domain",
            ConfigFactory.parseString(
                    "tagfabric.provider.use = [local]\nakka.loglevel = OFF\n"
                        + ("tagfabric.trace.directory = \"" + directory + "\"\n")
                        + ("tagfabric.trace.steered = " + steered + "\n"))
                .withFallback(ConfigFactory.load()));
    domain = Fabric.get(system).openDomain("d", mode);
    try (Stream<Path> files = Files.walk(directory)) {
      desk = LiveRecording.open(files.filter(Files::isRegularFile).findFirst().get()).desk();
    }
  }

  @AfterEach
  void stop() throws Exception {
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private void tell(WatchDesk.Command command) {
    Await.until("the last command is obeyed", desk::isIdle);
    assertThat(desk.tell(command)).isTrue();
    Await.until(command + " is obeyed", desk::isIdle);
    desk.beat();
  }

  private CompletableFuture<?> receive(Endpoint endpoint, int tag) {
    return endpoint.futures().receiveTagged(TagSelector.exact(tag)).toCompletableFuture();
  }

  private static boolean standsStill() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(
            frame ->
                frame.getClassName().equals(DomainSteering.class.getName())
                    && frame.getMethodName().equals("stop"));
  }

  private Endpoint endpoint;
  private int self;

  private void openEndpoint() throws Exception {
    endpoint = domain.openEndpoint("e");
    self = domain.addressVector().insert(endpoint.address());
    CompletableFuture<?> first = receive(endpoint, 1);
    endpoint.futures().sendTagged(self, new byte[3], 1);
    first.get(60, TimeUnit.SECONDS);
  }

  private CompletableFuture<?> exchange(int tag) {
    CompletableFuture<?> received = receive(endpoint, tag);
    endpoint.futures().sendTagged(self, new byte[3], tag);
    return received;
  }

  @Test
  void shouldStandStillUntilItMayGoOn() throws Exception {
    open(ProgressMode.AUTO, true);
    openEndpoint();

    tell(WatchDesk.Command.FREEZE);
    assertThat(desk.state().frozen()).isTrue();
    Await.until("a pass stands still", SteeredDomainTest::standsStill);
    CompletableFuture<?> second = exchange(2);
    assertThat(domain.loop().advance()).as("work of a pass beside").isZero();
    assertThat(second).isNotDone();

    tell(WatchDesk.Command.GO);
    assertThat(desk.state().frozen()).isFalse();
    second.get(60, TimeUnit.SECONDS);
    domain.close();
  }

  @Test
  void shouldLetThreadsThatWaitSleepWhileItStandsStill() throws Exception {
    open(ProgressMode.AUTO, true);
    openEndpoint();
    tell(WatchDesk.Command.FREEZE);
    Await.until("a pass stands still", SteeredDomainTest::standsStill);
    CompletableFuture<?> second = exchange(2); // leaves mail that no pass may take
    Thread waiter = new Thread(() -> domain.await(second::isDone, Duration.ofSeconds(60)));
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    waiter.start();
    Await.until("it waits", () -> domain.loop().hasWaiters());

    long cpuNs = clock.getThreadCpuTime(waiter.getId());
    long beginNs = System.nanoTime();
    for (int i = 0; i < 20; i++) {
      TimeUnit.MILLISECONDS.sleep(50);
      desk.beat();
    }
    cpuNs = clock.getThreadCpuTime(waiter.getId()) - cpuNs;
    // One that polls takes all the time that it gets.
    assertThat(cpuNs).isLessThan((System.nanoTime() - beginNs) / 8);

    tell(WatchDesk.Command.GO);
    second.get(60, TimeUnit.SECONDS);
    waiter.join(TimeUnit.SECONDS.toMillis(60));
    assertThat(waiter.isAlive()).isFalse();
    domain.close();
  }

  @Test
  void shouldTakeAPassAtATimeWhenItIsTold() throws Exception {
    open(ProgressMode.AUTO, true);
    openEndpoint();
    tell(WatchDesk.Command.FREEZE);
    Await.until("a pass stands still", SteeredDomainTest::standsStill);
    CompletableFuture<?> second = exchange(2);

    int steps = 0;
    while (!second.isDone()) {
      tell(WatchDesk.Command.STEP);
      steps++;
      assertThat(steps).as("steps").isLessThan(MOST_STEPS);
    }

    assertThat(steps).isPositive();
    Await.until("it stands still again", SteeredDomainTest::standsStill);
    assertThat(desk.state().frozen()).isTrue();
    domain.close();
    assertThat(standsStill()).as("after the close").isFalse();
  }

  @Test
  void shouldGoOnWhenNobodyWatchesAnyMore() throws Exception {
    open(ProgressMode.AUTO, true);
    openEndpoint();
    tell(WatchDesk.Command.FREEZE);
    Await.until("a pass stands still", SteeredDomainTest::standsStill);
    CompletableFuture<?> second = exchange(2);

    second.get(60, TimeUnit.SECONDS); // no beat comes
    Await.until("it says so", () -> !desk.state().frozen());
    domain.close();
  }

  @Test
  void shouldChangeWhoMakesProgress() throws Exception {
    open(ProgressMode.AUTO, true);
    assertThat(desk.state()).isEqualTo(new WatchDesk.State(false, false, true));

    tell(WatchDesk.Command.MANUAL);
    assertThat(desk.state().manual()).isTrue();
    assertThat(isDriving()).isFalse();

    tell(WatchDesk.Command.AUTO);
    assertThat(desk.state().manual()).isFalse();
    assertThat(isDriving()).isTrue();
    domain.close();
  }

  private boolean isDriving() {
    return Await.get(
            domain
                .futures()
                .<ProgressThread.Command, ProgressThread.State>ask(
                    domain.progress(), ProgressThread.GetState::new, Duration.ofSeconds(60)))
        .driving();
  }

  @Test
  void shouldLeaveADomainAloneThatItsProgramDrives() throws Exception {
    open(ProgressMode.MANUAL, true);

    tell(WatchDesk.Command.AUTO);

    assertThat(desk.state().switches()).isFalse();
    domain.close();
  }

  @Test
  void shouldShowHowMuchWaits() throws Exception {
    open(ProgressMode.AUTO, true);
    openEndpoint();
    CompletableFuture<?> never = receive(endpoint, 9);
    endpoint.futures().sendTagged(self, new byte[3], 8);

    Await.until(
        "gauges are shown", () -> desk.gauges().posted() == 1 && desk.gauges().unexpected() == 1);
    assertThat(desk.gauges().unexpectedBytes()).isEqualTo(3);
    assertThat(never).isNotDone();
    domain.close();
  }

  @Test
  void shouldObeyNobodyUnlessTold() throws Exception {
    open(ProgressMode.AUTO, false);

    assertThat(desk.obeys()).isFalse();
    domain.close();
  }
}
