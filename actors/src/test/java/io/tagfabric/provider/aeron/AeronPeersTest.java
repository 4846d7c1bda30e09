package io.tagfabric.provider.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes that talk over UDP. */
@Tag("jvms")
class AeronPeersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String LOOPBACK = "127.0.0.1";
  private static final String NAMESPACE = "tf" + ProcessHandle.current().pid() % 1_000_000 + "p";
  private static final String NEAR_ADDRESS = "198.18.77.1";
  private static final String FAR_ADDRESS = "198.18.77.2";

  @TempDir private Path directory;
  private ActorSystem<Void> system;
  private Endpoint endpoint;

  private Domain open(String host) {
    system = ActorSystem.create(Behaviors.empty(), "near", EchoPeer.config(host, directory));
    Domain domain = Fabric.get(system).openDomain("near", ProgressMode.AUTO);
    endpoint = domain.openEndpoint("near");
    return domain;
  }

  private EchoPeer peer(String host, String... before) throws IOException {
    return EchoPeer.start(List.of(before), host, directory);
  }

  @AfterEach
  void stop() {
    if (system != null) {
      system.terminate();
      Await.get(system.getWhenTerminated());
    }
  }

  private void shouldEcho(int peer, int length) {
    byte[] message = new byte[length];
    new Random(length).nextBytes(message);
    var echo = endpoint.futures().receiveTagged(TagSelector.exact(length).from(peer));
    var sent = endpoint.futures().sendTagged(peer, message, length);

    assertThat(Await.get(echo).payload().array()).isEqualTo(message);
    assertThat(Await.get(sent)).isNotNull();
  }

  @Test
  void shouldExchangeMessagesOfAllSizesWithAnotherProcess() throws Exception {
    Domain domain = open(LOOPBACK);
    try (EchoPeer echo = peer(LOOPBACK)) {
      int peer = domain.addressVector().insert(echo.address());

      for (int length : new int[] {0, 8, 1500, 70_000, 1 << 20}) {
        shouldEcho(peer, length);
      }
    }
  }

  @Test
  void shouldLoseAPeerAtOnceWhenItsProcessIsKilled() throws Exception {
    Domain domain = open(LOOPBACK);
    Path shared = HostDirectory.below(directory).path();
    EchoPeer echo = peer(LOOPBACK);
    int peer = domain.addressVector().insert(echo.address());
    shouldEcho(peer, 8);
    endpoint.postReceive(new UnsafeBuffer(new byte[8]), 0, 8, 1, 0, peer, "pending");

    echo.kill();
    Completion lost = endpoint.receiveQueue().readBlocking(PATIENCE);
    endpoint.post(
        TaggedSend.of(peer, new UnsafeBuffer(new byte[8]), 0, 8, 1).level(CompletionLevel.TRANSMIT),
        2);
    Completion late = endpoint.transmitQueue().readBlocking(PATIENCE);

    for (Completion completion : List.of(lost, late)) {
      assertThat(completion)
          .isInstanceOfSatisfying(
              Completion.Failed.class,
              failed -> {
                assertThat(failed.error()).isEqualTo(FabricError.CONNECTION_RESET);
                assertThat(failed.detail()).contains("echo@akka://echo", "nobody listens at UDP");
              });
    }
    stop();
    system = null;
    assertThat(shared).as("also what the killed process left").doesNotExist();
  }

  @Test
  void shouldTalkAcrossNetworkNamespacesWhenALinkJoinsThem() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "only root makes namespaces");
    assumeTrue(
        Files.exists(Path.of("/proc/self/ns/net")),
        "there are no namespaces, which iproute2 needs");
    assumeTrue(
        run("ip", "netns", "add", NAMESPACE), "the command ip of iproute2 cannot make namespaces");
    try {
      must("ip", "link", "add", "tft-near", "type", "veth", "peer", "name", "tft-far");
      must("ip", "link", "set", "tft-far", "netns", NAMESPACE);
      must("ip", "addr", "add", NEAR_ADDRESS + "/30", "dev", "tft-near");
      must("ip", "link", "set", "tft-near", "up");
      must("ip", "-n", NAMESPACE, "addr", "add", FAR_ADDRESS + "/30", "dev", "tft-far");
      must("ip", "-n", NAMESPACE, "link", "set", "tft-far", "up");
      Domain domain = open(NEAR_ADDRESS);
      try (EchoPeer echo = peer(FAR_ADDRESS, "ip", "netns", "exec", NAMESPACE)) {
        int peer = domain.addressVector().insert(echo.address());

        assertThat(echo.address().providers().get("aeron"))
            .startsWith(FAR_ADDRESS)
            .contains(";1472;");
        for (int length : new int[] {8, 70_000, 1 << 20}) {
          shouldEcho(peer, length);
        }
      }
    } finally {
      run("ip", "netns", "del", NAMESPACE);
      run("ip", "link", "del", "tft-near");
    }
  }

  @Test
  void shouldSayWhyWhenAPeerListensOnTheLoopbackOfAnotherNamespace() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "only root makes namespaces");
    assumeTrue(
        run("ip", "netns", "add", NAMESPACE), "the command ip of iproute2 cannot make namespaces");
    try {
      must("ip", "-n", NAMESPACE, "link", "set", "lo", "up");
      Domain domain = open(LOOPBACK);
      try (EchoPeer echo = peer(LOOPBACK, "ip", "netns", "exec", NAMESPACE)) {
        int peer = domain.addressVector().insert(echo.address());
        Throwable failure = Await.failure(endpoint.futures().sendTagged(peer, new byte[8], 1));

        assertThat(failure).hasMessageContaining("listens on loopback only");
      }
    } finally {
      run("ip", "netns", "del", NAMESPACE);
    }
  }

  private static void must(String... command) throws IOException, InterruptedException {
    assertThat(run(command)).as(Arrays.toString(command)).isTrue();
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).inheritIO().start();
      return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException notInstalled) {
      return false;
    }
  }
}
