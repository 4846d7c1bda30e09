package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.sun.management.UnixOperatingSystemMXBean;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a domain keeps of others that were opened, used and closed beside it. */
class ClosedPeersTest {
  private static final int MANY = 200;

  /** The living endpoint remembers why a peer is lost; the heap varies by more than that. */
  private static final int BYTES_PER_DOMAIN = 2_048;

  private ActorSystem<Void> system;
  private Domain living;
  private Endpoint endpoint;

  private void start(String provider) {
    system =
        ActorSystem.create(
            Behaviors.empty(),
            "closed-peers",
            ConfigFactory.parseString(
                    "tagfabric.provider.use = ["
                        + provider
                        + "]\nakka.loglevel = ERROR\nakka.log-dead-letters = off")
                .withFallback(ConfigFactory.load()));
    living = Fabric.get(system).openDomain("living", ProgressMode.AUTO);
    endpoint = living.openEndpoint("living");
  }

  @AfterEach
  void stop() throws Exception {
    living.close(Duration.ZERO);
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  /** A domain says something to the living one, hears its answer, and closes. */
  private WeakReference<Domain> comeAndGo(int number, boolean removed) {
    Domain domain = Fabric.get(system).openDomain("guest", ProgressMode.AUTO);
    Endpoint guest = domain.openEndpoint("guest" + number);
    int there = domain.addressVector().insert(endpoint.address());
    int here = living.addressVector().insert(guest.address());
    exchange(guest, there, endpoint);
    exchange(endpoint, here, guest);
    domain.close(Duration.ofSeconds(10));
    if (removed) {
      living.addressVector().remove(here);
    }
    return new WeakReference<>(domain);
  }

  private static void exchange(Endpoint from, int to, Endpoint peer) {
    CompletionStage<TaggedMessage> received = peer.futures().receiveTagged(TagSelector.exact(7));
    Await.get(from.futures().sendTagged(to, new byte[8], 7));
    assertThat(Await.get(received).payload().length()).isEqualTo(8);
  }

  private static long left(List<WeakReference<Domain>> domains) {
    return domains.stream().filter(each -> each.get() != null).count();
  }

  @Test
  void shouldKeepNoDomainThatHasClosed() {
    start("local");
    List<WeakReference<Domain>> domains = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      domains.add(comeAndGo(i, false));
    }
    Await.until(
        "the closed domains are collected",
        () -> {
          System.gc();
          return left(domains) <= 1; // a cache of the last use may hold one
        });
    assertThat(Await.get(endpoint.futures().flows()).flows()).hasSizeLessThan(MANY);
  }

  private static long heapBytes() {
    for (int i = 0; i < 4; i++) { // the serial collector returns all it can each fourth time
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static long descriptors() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : 0;
  }

  @Tag("exhaustive")
  @ParameterizedTest
  @ValueSource(strings = {"local", "shm"})
  void shouldNeedNoMoreHeapThreadsOrDescriptorsAfterTwoThousand(String provider) {
    start(provider);
    for (int i = 0; i < 500; i++) {
      comeAndGo(i, true);
    }
    long heap = heapBytes();
    long descriptors = descriptors();
    int threads = ManagementFactory.getThreadMXBean().getThreadCount();
    for (int i = 500; i < 2_000; i++) {
      comeAndGo(i, true);
    }
    long more = heapBytes() - heap;
    System.out.println(provider + ": bytes of heap for each more domain: " + more / 1_500);
    assertThat(more).as("heap after 2,000 domains").isLessThan(1_500L * BYTES_PER_DOMAIN);
    assertThat(descriptors()).isLessThan(descriptors + 20);
    assertThat(ManagementFactory.getThreadMXBean().getThreadCount()).isLessThan(threads + 20);
  }
}
