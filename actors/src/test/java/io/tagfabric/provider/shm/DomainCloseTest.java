package io.tagfabric.provider.shm;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.provider.AccessMark;
import io.tagfabric.provider.DirectRegion;
import io.tagfabric.provider.FabricMemory;
import io.tagfabric.provider.LocalRegions;
import io.tagfabric.support.Await;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A domain that closes while a peer is in the middle of an access which it does itself. */
class DomainCloseTest {
  private static final int BYTES = 4_096;

  @TempDir Path parent;
  private final Object visitor = new Object();
  private ActorSystem<Void> system;
  private Domain domain;
  private Region region;

  @BeforeEach
  void start() {
    system =
        ActorSystem.create(
            Behaviors.empty(),
            "domain-close",
            ConfigFactory.parseString(
                    "tagfabric.provider.use = [shm]\nakka.loglevel = ERROR\n"
                        + "tagfabric.launch.directory = \""
                        + parent
                        + "\"")
                .withFallback(ConfigFactory.load()));
    domain = Fabric.get(system).openDomain("closing", ProgressMode.AUTO);
    FabricMemory memory = domain.allocate(BYTES);
    region = domain.register(memory.buffer(), RegionRight.all());
  }

  @AfterEach
  void stop() throws Exception {
    LocalRegions.leave(visitor);
    domain.close();
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  /** A peer of this JVM that is inside. */
  private DirectRegion inside() {
    AccessMark mark = LocalRegions.enter(visitor);
    DirectRegion inside = LocalRegions.find(region.descriptor().generation(), mark);
    assertThat(inside.enter()).isTrue();
    return inside;
  }

  private Thread closing(Duration drainTimeout) {
    Thread closer = new Thread(() -> domain.close(drainTimeout), "closer");
    closer.start();
    return closer;
  }

  /** Until the close sleeps between two looks, or has ended although it must not. */
  private static void awaitThatItWaits(Thread closer) {
    Await.until(
        "the close waits or has ended",
        () -> closer.getState() == Thread.State.TIMED_WAITING || !closer.isAlive());
    assertThat(closer.isAlive()).as("the close waits").isTrue();
  }

  private static void end(Thread closer) throws InterruptedException {
    closer.join(TimeUnit.SECONDS.toMillis(60));
    assertThat(closer.isAlive()).isFalse();
  }

  @Test
  void shouldWaitForAPeerThatIsInside() throws Exception {
    DirectRegion peer = inside();
    AtomicBoolean left = new AtomicBoolean();
    boolean[] leftBefore = {false};
    Thread closer =
        new Thread(
            () -> {
              domain.close(Duration.ofHours(1));
              leftBefore[0] = left.get();
            });
    closer.start();
    Await.until("nobody may enter any more", () -> !peer.isOpen());
    awaitThatItWaits(closer);
    assertThat(peer.isCut()).as("it has time to end").isFalse();
    assertThat(peer.bytes().getLong(0)).isZero();
    peer.bytes().putLong(0, 1);

    left.set(true);
    peer.leave();

    end(closer);
    assertThat(leftBefore[0]).isTrue();
    assertThat(peer.enter()).isFalse();
    assertThat(Await.<Void>get(region.close())).isNull();
  }

  @Test
  void shouldCutAPeerOffWhoseTimeIsOver() throws Exception {
    DirectRegion peer = inside();
    Thread closer = closing(Duration.ZERO);
    Await.until("what is long ends with its next part", peer::isCut);
    awaitThatItWaits(closer);
    assertThat(peer.isOpen()).isFalse();

    peer.leave();

    end(closer);
    assertThat(Await.<Void>get(region.close())).isNull();
  }

  @Test
  void shouldEndTheCloseOfARegionThatWasClosingBefore() throws Exception {
    DirectRegion peer = inside();
    CompletionStage<Void> closed = region.close(Duration.ofHours(1));
    Thread closer = closing(Duration.ofHours(1));
    awaitThatItWaits(closer);
    assertThat(closed.toCompletableFuture()).isNotDone();

    peer.leave();

    end(closer);
    Await.get(closed);
  }

  @Test
  @Tag("jvms")
  void shouldWaitForAProcessThatIsInsideUntilItIsKilled() throws Exception {
    ShmDirectory directory = ShmDirectory.enter(Settings.of(system.settings().config()));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                GateVictim.class.getName(),
                directory.path().toString(),
                Long.toString(region.descriptor().generation()),
                Long.toString(region.key()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      assertThat(lines.readLine()).isEqualTo("inside");
      Thread closer = closing(Duration.ofHours(1));
      awaitThatItWaits(closer);
      process.destroyForcibly();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      end(closer);
    } finally {
      process.destroyForcibly();
      Files.deleteIfExists(directory.path().resolve("domain-2-2"));
      directory.close();
    }
  }
}
