package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import java.io.IOException;
import java.io.Reader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is seen of a domain from outside. */
class ObservedDomainTest {
  private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

  @TempDir private Path directory;
  private ActorSystem<Void> system;

  private Fabric fabric(String settings) {
    system =
        ActorSystem.create(
            Behaviors.empty(),
            "observed-domain",
            ConfigFactory.parseString(
                    "tagfabric.provider.use = [local]\nakka.loglevel = OFF\n" + settings)
                .withFallback(ConfigFactory.load()));
    return Fabric.get(system);
  }

  @AfterEach
  void stop() throws Exception {
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private static Set<ObjectName> beans(Fabric fabric) {
    String incarnation = Long.toHexString(fabric.incarnation());
    try {
      return BEANS.queryNames(
          new ObjectName("io.tagfabric:type=Domain,incarnation=" + incarnation + ",*"), null);
    } catch (MalformedObjectNameException e) {
      throw new AssertionError(e);
    }
  }

  private static DomainMXBean bean(ObjectName name) {
    return JMX.newMXBeanProxy(BEANS, name, DomainMXBean.class);
  }

  /** Leaves two receives, one unexpected message and one that was received. */
  private static Endpoint exchange(Domain domain) {
    Endpoint near = domain.openEndpoint("near");
    Endpoint far = domain.openEndpoint("far");
    int toFar = domain.addressVector().insert(far.address());
    var first = far.futures().receiveTagged(TagSelector.exact(1));
    var unused = far.futures().receiveTagged(TagSelector.exact(2));
    var unused2 = far.futures().receiveTagged(TagSelector.exact(3));
    Await.get(near.futures().sendTagged(toFar, new byte[9], 1));
    Await.get(near.futures().sendTagged(toFar, new byte[9], 4));
    Await.get(first);
    while (Await.get(far.futures().matcherState()).unexpectedMessages() == 0) {
      domain.loop().advance();
    }
    assertThat(unused.toCompletableFuture()).isNotDone();
    assertThat(unused2.toCompletableFuture()).isNotDone();
    return near;
  }

  @Test
  void shouldShowAnOpenDomainToConsoles() throws Exception {
    Fabric fabric = fabric("");
    Domain domain = fabric.openDomain("seen", ProgressMode.MANUAL);
    exchange(domain);

    assertThat(beans(fabric)).hasSize(1);
    DomainMXBean bean = bean(beans(fabric).iterator().next());
    assertThat(bean.getName()).isEqualTo("seen");
    assertThat(bean.getRank()).isZero();
    assertThat(bean.getProgressMode()).isEqualTo("MANUAL");
    assertThat(bean.isApplicationWaiting()).isFalse();
    assertThat(bean.getPostedReceives()).isEqualTo(2);
    assertThat(bean.getUnexpectedMessages()).isEqualTo(1);
    assertThat(bean.getWaitingSends()).isZero();
    assertThat(bean.getValues())
        .containsEntry("endpoints", 2L)
        .containsEntry("unexpected-bytes", 9L)
        .containsEntry("eager-messages-sent", 2L);
    assertThat(bean.getFlows()).isNotEmpty();
    assertThat(bean.getFlows().values())
        .anySatisfy(flow -> assertThat(flow.get("eager-messages-sent")).isEqualTo(2))
        .allSatisfy(flow -> assertThat(flow).containsKey("credit-messages"));
    assertThat(bean.getProviders().keySet()).isEqualTo(bean.getFlows().keySet());
    assertThat(bean.getProviders().values()).containsOnly("local: it is the first choice");

    domain.close();
    assertThat(beans(fabric)).isEmpty();
  }

  @Test
  void shouldNameDomainsApart() throws Exception {
    Fabric fabric = fabric("");
    Domain first = fabric.openDomain("twice", ProgressMode.AUTO);
    first.close();
    Domain again = fabric.openDomain("twice", ProgressMode.AUTO);
    Domain other = fabric.openDomain("other", ProgressMode.AUTO);

    assertThat(beans(fabric))
        .extracting(name -> name.getKeyProperty("name"))
        .containsExactlyInAnyOrder("twice~2", "other");

    again.close();
    other.close();
  }

  @Test
  void shouldShowOldValuesWhileTheLoopIsTaken() throws Exception {
    Fabric fabric = fabric("");
    Domain domain = fabric.openDomain("busy", ProgressMode.MANUAL);
    exchange(domain);
    DomainMXBean bean = bean(beans(fabric).iterator().next());
    assertThat(bean.getPostedReceives()).isEqualTo(2);
    CountDownLatch taken = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    CompletableFuture<Void> driver =
        CompletableFuture.runAsync(
            () -> {
              while (!domain.loop().tryEnter()) {
                domain.loop().advance();
              }
              taken.countDown();
              Await.until("the test has looked", () -> over.getCount() == 0);
              domain.loop().leave();
            });
    taken.await();

    assertThat(bean.getPostedReceives()).isEqualTo(2);
    assertThat(bean.getAgeMillis()).isPositive();

    over.countDown();
    driver.get(60, TimeUnit.SECONDS);
    domain.close();
  }

  @Test
  void shouldShowNothingIfTold() throws Exception {
    Fabric fabric = fabric("tagfabric.observe.management = off\n");
    Domain domain = fabric.openDomain("hidden", ProgressMode.AUTO);

    assertThat(beans(fabric)).isEmpty();
    domain.close();
  }

  @Test
  void shouldShowAnOpenDomainLaterWhereNoManagementServerRuns() throws Exception {
    Fabric fabric = fabric("");
    MBeanServerFactory.releaseMBeanServer(BEANS);
    try {
      Domain closed = fabric.openDomain("closed", ProgressMode.AUTO);
      closed.close();
      Domain open = fabric.openDomain("open", ProgressMode.AUTO);
      Await.until("a bean is there", () -> !beans(fabric).isEmpty());

      assertThat(beans(fabric))
          .extracting(name -> name.getKeyProperty("name"))
          .containsExactly("open");
      open.close();
      assertThat(beans(fabric)).isEmpty();
    } finally {
      MBeanServerFactory.createMBeanServer();
    }
  }

  private Properties stats() throws IOException {
    Properties stats = new Properties();
    try (Reader reader = Files.newBufferedReader(directory.resolve("rank-0.stats"))) {
      stats.load(reader);
    }
    return stats;
  }

  @Test
  void shouldWriteWhatItHasDoneWhenItCloses() throws Exception {
    Fabric fabric =
        fabric("tagfabric.observe.stats-file = \"" + directory.resolve("rank-%.stats") + "\"\n");
    Domain domain = fabric.openDomain("d", ProgressMode.MANUAL);
    Endpoint near = exchange(domain);
    Await.get(near.close(Duration.ofSeconds(5))); // what it has done is kept
    domain.close();

    assertThat(stats())
        .containsEntry("rank", "0")
        .containsEntry("process", Long.toString(ProcessHandle.current().pid()))
        .containsEntry("domain.d.endpoints", "1")
        .containsEntry("domain.d.posted-receives", "2")
        .containsEntry("domain.d.unexpected-messages", "1")
        .containsEntry("domain.d.eager-messages-sent", "2");
    assertThat(stats().stringPropertyNames())
        .hasSizeGreaterThan(FlowCounters.Snapshot.class.getRecordComponents().length);
  }

  @Test
  void shouldWriteWhichProviderHasCarriedAFlow() throws Exception {
    Fabric fabric =
        fabric("tagfabric.observe.stats-file = \"" + directory.resolve("rank-%.stats") + "\"\n");
    Domain domain = fabric.openDomain("d", ProgressMode.MANUAL);
    exchange(domain);
    domain.close();

    assertThat(stats())
        .containsKey("domain.d.flow.0.peer")
        .containsEntry("domain.d.flow.0.provider", "local: it is the first choice");
  }

  @Test
  void shouldWriteAllDomainsThatHaveBeen() throws Exception {
    Fabric fabric =
        fabric("tagfabric.observe.stats-file = \"" + directory.resolve("rank-%.stats") + "\"\n");
    fabric.openDomain("one", ProgressMode.AUTO).close();
    fabric.openDomain("two", ProgressMode.AUTO).close();

    assertThat(stats()).containsKeys("domain.one.endpoints", "domain.two.endpoints");
    assertThat(directory).isDirectoryNotContaining(file -> file.toString().endsWith(".part"));
  }

  @Test
  void shouldWriteIntoAPipeAndNotReplaceIt() throws Exception {
    Path pipe = directory.resolve("pipe");
    assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0);
    Path read = directory.resolve("read");
    Process reader =
        new ProcessBuilder("cat", pipe.toString()).redirectOutput(read.toFile()).start();
    try {
      Fabric fabric = fabric("tagfabric.observe.stats-file = \"" + pipe + "\"\n");
      fabric.openDomain("d", ProgressMode.AUTO).close();

      assertThat(reader.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(read).content().startsWith("rank=0\n").contains("domain.d.endpoints=0");
      assertThat(Files.isRegularFile(pipe)).isFalse();
    } finally {
      reader.destroyForcibly();
    }
  }
}
