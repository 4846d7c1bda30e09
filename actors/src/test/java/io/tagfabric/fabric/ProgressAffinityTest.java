package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.cluster.settings.SettingsException;
import io.tagfabric.progress.CoreBinding;
import io.tagfabric.progress.CoreSet;
import io.tagfabric.progress.ProgressMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which cores the setting {@code tagfabric.progress.affinity} stands for. */
class ProgressAffinityTest {
  private static final int CORES = Runtime.getRuntime().availableProcessors();
  private static final Path SELF = Path.of("/proc/thread-self/status");
  private static final String LIST = "Cpus_allowed_list:";

  @Test
  void shouldBindNobodyByDefault() {
    assertThat(cores("")).isEqualTo(CoreSet.NONE);
  }

  @Test
  void shouldGiveEachRankACoreOfItsOwn() {
    int last = CORES - 1;

    assertThat(cores(job("auto", CORES, last))).isEqualTo(CoreSet.allowed().nth(last));
  }

  @Test
  void shouldBindNobodyWhereRanksOutnumberCores() {
    assertThat(cores(job("auto", CORES + 1, 0))).isEqualTo(CoreSet.NONE);
  }

  @Test
  void shouldTakeASetAsItIs() {
    assertThat(cores("tagfabric.progress.affinity = \"-1\""))
        .isEqualTo(CoreSet.of(CoreSet.allowed().length() - 1));
  }

  /** On each core there is, so that no core is right by chance. */
  @Test
  void shouldTakeTheCoreOfTheThreadThatOpensTheDomain() {
    assumeTrue(Files.exists(SELF), "only Linux shows where a thread may run");
    ActorTestKit kit =
        ActorTestKit.create(
            ConfigFactory.parseString("tagfabric.progress.affinity = here\nakka.loglevel = ERROR")
                .withFallback(ConfigFactory.load()));
    try {
      for (int core = 0; core < CORES; core++) {
        CoreSet here = CoreSet.allowed().nth(core);
        Domain domain = inThread(() -> opened(kit, here));
        assertThat(inThread(() -> allowedTo(domain))).isEqualTo(here);
        domain.close(Duration.ZERO);
      }
    } finally {
      kit.shutdownTestKit();
    }
  }

  private static Domain opened(ActorTestKit kit, CoreSet here) {
    assertThat(CoreBinding.bindCurrentThread(here)).isTrue();
    return Fabric.get(kit.system()).openDomain("here", ProgressMode.MANUAL);
  }

  /** Where a thread may run that asks for the same cores as the progress thread. */
  private static CoreSet allowedTo(Domain domain) {
    assertThat(domain.bindCurrentThread()).isTrue();
    try (Stream<String> lines = Files.lines(SELF)) {
      String list = lines.filter(line -> line.startsWith(LIST)).findFirst().orElseThrow();
      return CoreSet.parse(list.substring(LIST.length()).strip(), 1 << 16);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** In a thread of its own, which keeps to itself where it is bound. */
  private static <T> T inThread(Supplier<T> action) {
    return CompletableFuture.supplyAsync(action, task -> new Thread(task, "bound").start()).join();
  }

  @Test
  void shouldNameTheSettingThatIsWrong() {
    assertThatThrownBy(() -> cores("tagfabric.progress.affinity = everywhere"))
        .isInstanceOf(SettingsException.class)
        .hasMessage(
            "tagfabric.progress.affinity=everywhere: [everywhere] is no set of cores, write numbers"
                + " as in 0:3 or 1:7:2,12");
  }

  private static String job(String affinity, int size, int rank) {
    return "tagfabric { progress.affinity = "
        + affinity
        + ", job { size = "
        + size
        + ", rank = "
        + rank
        + " } }";
  }

  private static CoreSet cores(String configuration) {
    return FabricDefaults.progress(
            Settings.of(
                ConfigFactory.parseString(configuration).withFallback(ConfigFactory.load())))
        .cores();
  }
}
