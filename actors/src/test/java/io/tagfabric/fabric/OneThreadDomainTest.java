package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Counter;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.link.Posted;
import io.tagfabric.match.Claim;
import io.tagfabric.match.Probe;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.ThreadUse;
import io.tagfabric.tag.TagSelector;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A domain that one thread has for itself; its endpoint sends to itself. */
class OneThreadDomainTest {
  /** There before a domain opens, so that the domain is seen at once. */
  private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ConfigFactory.parseString(
                  "tagfabric { provider.use = [local], progress { threads = one, mode = manual } }")
              .withFallback(ConfigFactory.load()));
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final int BYTES = 8;

  private final Fabric fabric = Fabric.get(KIT.system());
  private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[BYTES]);
  private Domain domain;
  private CompletionQueue queue;
  private Endpoint endpoint;
  private int self;

  @BeforeEach
  void open() {
    domain = fabric.openDomain("one" + NUMBER.incrementAndGet());
    queue = domain.openCompletionQueue(2);
    endpoint = domain.openEndpoint("endpoint", queue, queue, domain.endpointDefaults());
    self = domain.addressVector().insert(endpoint.address());
  }

  @AfterEach
  void close() {
    domain.close(Duration.ZERO);
  }

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  /** What a call on a new thread throws; null if nothing. */
  private static Throwable thrownElsewhere(Runnable call) throws Exception {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                call.run();
                done.complete(null);
              } catch (Throwable e) {
                done.completeExceptionally(e);
              }
            },
            "other");
    thread.start();
    return done.handle((nothing, failure) -> failure).get(60, TimeUnit.SECONDS);
  }

  private void sendsToItself() {
    assertThat(endpoint.postReceive(bytes, 0, BYTES, 7, 0, self, "receive"))
        .isEqualTo(Posted.POSTED);
    assertThat(endpoint.injectTagged(self, bytes, 0, BYTES, 7)).isEqualTo(Posted.POSTED);
    assertThat(queue.readBlocking(PATIENCE)).isInstanceOf(Completion.Received.class);
  }

  @Test
  void shouldRefuseEachCallOfAnotherThreadAndKeepNothingOfIt() throws Exception {
    sendsToItself();
    Counter counter = domain.openCounter();
    Map<String, Runnable> calls = new LinkedHashMap<>();
    calls.put("receive", () -> endpoint.postReceive(bytes, 0, BYTES, 7, 0, self, null));
    calls.put("send", () -> endpoint.sendTagged(self, bytes, 0, BYTES, 7, null));
    calls.put("inject", () -> endpoint.injectTagged(self, bytes, 0, BYTES, 7));
    calls.put("peek", () -> endpoint.post(Probe.peek(TagSelector.exact(7).from(self)), null));
    calls.put(
        "claim",
        () -> endpoint.post(Probe.claim(TagSelector.exact(7).from(self), new Claim()), null));
    calls.put("send of a future", () -> endpoint.futures().sendTagged(self, new byte[BYTES], 7));
    calls.put("read", () -> queue.read(1));
    calls.put("blocking read", () -> queue.readBlocking(PATIENCE));
    calls.put("wait", () -> domain.await(() -> false, PATIENCE));
    calls.put("wait for a counter", () -> counter.await(1, PATIENCE));
    calls.put("open", () -> domain.openCompletionQueue(8));
    calls.put("giving up", domain::giveThreadUp);

    for (Map.Entry<String, Runnable> call : calls.entrySet()) {
      assertThat(thrownElsewhere(call.getValue()))
          .as(call.getKey())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("[other]")
          .hasMessageContaining("threads = one")
          .hasMessageContaining("giveThreadUp");
    }

    assertThat(queue.read(1)).isEmpty();
    for (int i = 0; i < 3; i++) { // each slot of the queue is free
      sendsToItself();
    }
  }

  @Test
  void shouldTakeMessagesOfAnyThreadToItsActors() throws Exception {
    sendsToItself();
    TestProbe<TagMatcher.ReceiveOutcome> probe = KIT.createTestProbe();
    TagSelector selector = new TagSelector(7, 0, self);
    TagMatcher.PostReceive told =
        new TagMatcher.PostReceive(TaggedReceive.of(selector).atMost(BYTES), "told", probe.ref());
    assertThat(thrownElsewhere(() -> endpoint.matcher().tell(told))).isNull();
    endpoint.injectTagged(self, bytes, 0, BYTES, 7);
    domain.await(() -> false, Duration.ofMillis(50));

    assertThat(probe.receiveMessage(PATIENCE)).isInstanceOf(TagMatcher.Received.class);
  }

  @Test
  void shouldBelongToTheNextThatCallsWhenGivenUp() throws Exception {
    sendsToItself();
    domain.giveThreadUp();

    assertThat(
            thrownElsewhere(
                () -> {
                  sendsToItself();
                  domain.giveThreadUp();
                }))
        .isNull();

    sendsToItself();
  }

  @Test
  void shouldBeClosedByAnotherThreadWhileItsOwnWaits() throws Exception {
    CompletableFuture<Completion> read = new CompletableFuture<>();
    Thread own =
        new Thread(
            () -> {
              endpoint.postReceive(bytes, 0, BYTES, 7, 0, self, "receive");
              read.complete(queue.readBlocking(PATIENCE));
            });
    own.start();
    while (!domain.loop().hasWaiters()) {
      Thread.onSpinWait();
    }

    domain.close(Duration.ZERO);

    assertThat(read.get(60, TimeUnit.SECONDS)).isInstanceOf(Completion.Failed.class);
    own.join();
  }

  @Test
  void shouldShowItselfToOthers() throws Exception {
    sendsToItself();
    endpoint.postReceive(bytes, 0, BYTES, 7, 0, self, "receive");
    AtomicReference<Long> posted = new AtomicReference<>();
    ObjectName name =
        new ObjectName(
            "io.tagfabric:type=Domain,incarnation="
                + Long.toHexString(fabric.incarnation())
                + ",name="
                + domain.name()
                + ",*");
    CompletableFuture<Throwable> looked = new CompletableFuture<>();
    Thread console =
        new Thread(
            () -> {
              try {
                ObjectName bean = BEANS.queryNames(name, null).iterator().next();
                posted.set((Long) BEANS.getAttribute(bean, "PostedReceives"));
                looked.complete(null);
              } catch (Exception e) {
                looked.complete(e);
              }
            });
    console.start();

    assertThat(domain.await(looked::isDone, PATIENCE)).isTrue();

    assertThat(looked.join()).isNull();
    assertThat(posted).hasValue(1L);
    console.join();
  }

  @Test
  void shouldChangeNothingWhereAProgressThreadDrives() throws Exception {
    Domain auto = fabric.openDomain("auto" + NUMBER.incrementAndGet(), ProgressMode.AUTO);
    assertThat(auto.progressSettings().threads()).isEqualTo(ThreadUse.ONE);
    Endpoint other = auto.openEndpoint("other");
    int itself = auto.addressVector().insert(other.address());

    other.injectTagged(itself, bytes, 0, BYTES, 7);
    assertThat(thrownElsewhere(() -> other.injectTagged(itself, bytes, 0, BYTES, 7))).isNull();

    auto.close(Duration.ZERO);
  }

  @Test
  void shouldNotBeGivenUpByAListener() {
    sendsToItself();
    assertThatIllegalStateException().isThrownBy(() -> inAPass(domain::giveThreadUp));
  }

  private void inAPass(Runnable call) {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    domain
        .loop()
        .execute(
            () -> {
              try {
                call.run();
                thrown.complete(null);
              } catch (RuntimeException e) {
                thrown.complete(e);
              }
            });
    assertThat(domain.await(thrown::isDone, PATIENCE)).isTrue();
    if (thrown.join() instanceof RuntimeException failure) {
      throw failure;
    }
  }
}
