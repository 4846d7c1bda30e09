package io.tagfabric.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Metric;
import io.tagfabric.bench.ours.Providers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CompareOptionsTest {
  private static final ProgramFinder NOTHING = new ProgramFinder(Map.of("PATH", ""), Path.of("/"));
  private static final List<Group> ALL = new Contenders(NOTHING).groups();

  private static CompareOptions parsed(String line) {
    CompareOptions options = new CompareOptions();
    new CommandLine(options).parseArgs(line.isEmpty() ? new String[0] : line.split(" "));
    return options;
  }

  private static String pairs(List<Group> groups) {
    return groups.stream()
        .map(group -> names(group.ours()) + ":" + names(group.peers()))
        .collect(Collectors.joining(" "));
  }

  private static String betweenHosts() {
    return Providers.betweenHosts().stream()
        .map(provider -> provider + "," + provider + "-direct")
        .collect(Collectors.joining(","));
  }

  private static String names(List<Contender> contenders) {
    return contenders.stream().map(Contender::name).collect(Collectors.joining(","));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | shm,shm-auto,shm-fabric,shm-region:openmpi-shm,mpich-shm,mpj,jgroups-tcp,akka-tcp,aeron-ipc"
            + " NETWORK:openmpi-tcp,aeron-udp,c-epoll,java-selector artery-tcp:akka-tcp"
            + " artery-udp:akka-udp",
        "--only openmpi | shm,shm-auto,shm-fabric,shm-region:openmpi-shm NETWORK:openmpi-tcp",
        "--only akka-tcp | shm,shm-auto,shm-fabric,shm-region:akka-tcp artery-tcp:akka-tcp",
        "--ours artery | artery-tcp:akka-tcp artery-udp:akka-udp",
        "--ours shm-auto | shm-auto:openmpi-shm,mpich-shm,mpj,jgroups-tcp,akka-tcp,aeron-ipc",
        "--ours artery-tcp --only mpj,aeron | artery-tcp:mpj,aeron-ipc,aeron-udp",
        "--ours tcp --only openmpi-tcp | tcp,tcp-direct:openmpi-tcp",
        "--only nobody | ''",
      })
  void shouldChooseWhoCompetes(String line, String expected) {
    assertThat(pairs(parsed(line).chosen(ALL)))
        .isEqualTo(expected.replace("NETWORK", betweenHosts()));
  }

  @Test
  void shouldLetOnlyTransportsBetweenHostsCompeteBetweenNamespaces() {
    List<Namespaces.Side> sides =
        List.of(new Namespaces.Side("a", "10.0.0.1", 24), new Namespaces.Side("b", "10.0.0.2", 24));
    List<Group> all = new Contenders(NOTHING, Optional.of(new Namespaces(sides))).groups();

    assertThat(pairs(parsed("").chosen(all)))
        .isEqualTo(
            "aeron,aeron-direct,tcp,tcp-direct:openmpi-tcp,aeron-udp,c-epoll,java-selector artery-tcp:akka-tcp"
                + " artery-udp:akka-udp");
    assertThat(pairs(parsed("--ours shm").chosen(all))).isEmpty();
    assertThat(all).allMatch(group -> group.reach() == Group.Reach.NAMESPACES);
    assertThat(all)
        .flatExtracting(Group::ours)
        .allMatch(each -> ((JobContender) each).namespaces().isPresent());
  }

  @Test
  void shouldRunOursWithEachJavaAndPeersOnce() {
    String here = System.getProperty("java.home");
    int feature = Runtime.version().feature();

    assertThat(pairs(parsed("--only openmpi-shm --ours aeron --java " + here).chosen(ALL)))
        .isEqualTo("aeron@" + feature + ",aeron-direct@" + feature + ":openmpi-shm");
  }

  @Test
  void shouldDoAtLeastFiveRunsUnlessItIsQuick() {
    assertThat(parsed("").runs()).isEqualTo(5);
    assertThat(parsed("--quick").runs()).isEqualTo(2);
    assertThat(parsed("--quick --runs 7").runs()).isEqualTo(7);
  }

  @Test
  void shouldMeasureTheChosenTestsAndSizes() {
    List<Cell> cells =
        parsed("--tests rate,bandwidth,bibw,matching --sizes 8,64k --depth 10").workload().cells();

    assertThat(cells)
        .containsExactly(
            new Cell(Metric.RATE, 8, Group.USUAL_WINDOW),
            new Cell(Metric.BANDWIDTH, 65536, 64),
            new Cell(Metric.BIBW, 65536, 64),
            new Cell(Metric.MATCHING_POSTED, 10, 0),
            new Cell(Metric.MATCHING_UNEXPECTED, 10, 0));
  }

  @Test
  void shouldAccessMemoryInEachSizeButAddToOneNumber() {
    assertThat(parsed("--tests rma --sizes 8,1m").workload().cells())
        .containsExactly(
            new Cell(Metric.RMA_WRITE, 8, 1),
            new Cell(Metric.RMA_WRITE, 1 << 20, 1),
            new Cell(Metric.RMA_READ, 8, 1),
            new Cell(Metric.RMA_READ, 1 << 20, 1),
            new Cell(Metric.RMA_FETCH_ADD, 8, 1));
  }

  @Test
  void shouldWakeOnlyThoseThatSleep() {
    Cell wake = parsed("--tests wake").workload().cells().get(0);

    assertThat(wake).isEqualTo(new Cell(Metric.WAKE, 8, 1_000));
    assertThat(ALL.stream().flatMap(group -> group.ours().stream()))
        .filteredOn(each -> each.measures(wake))
        .extracting(Contender::name)
        .containsExactly("aeron", "tcp", "artery-tcp", "artery-udp");
    assertThat(ALL.stream().flatMap(group -> group.peers().stream()))
        .filteredOn(each -> each.measures(wake))
        .extracting(Contender::name)
        .containsExactly("c-epoll", "java-selector");
    assertThat(ALL.get(1).peers())
        .filteredOn(each -> each.measures(new Cell(Metric.LATENCY, 8, 1)))
        .extracting(Contender::name)
        .containsExactly("openmpi-tcp", "aeron-udp");
  }

  @Test
  void shouldLetOnlyThoseAccessMemoryThatCan() {
    List<Contender> ours = ALL.get(0).ours();
    List<Contender> peers = ALL.get(0).peers();
    Cell access = new Cell(Metric.RMA_WRITE, 8, 1);

    assertThat(ours.stream().filter(each -> each.measures(access)).map(Contender::name))
        .containsExactly("shm-region");
    assertThat(peers.stream().filter(each -> each.measures(access)).map(Contender::name))
        .containsExactly("openmpi-shm", "mpich-shm");
    assertThat(ours.get(3).measures(new Cell(Metric.LATENCY, 8, 1))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "--ours shm, 64",
    "--ours aeron, 1000",
    "--ours shm --only aeron, 64",
    "--ours aeron --only aeron, 1000",
    "--ours aeron --window 32, 32"
  })
  void shouldTakeAWindowAsLongAsTheWay(String line, int window) {
    CompareOptions options = parsed(line + " --tests rate,bandwidth --sizes 1k");

    assertThat(options.chosen(ALL).get(0).fitted(options.workload()).cells())
        .containsExactly(new Cell(Metric.RATE, 8, window), new Cell(Metric.BANDWIDTH, 1024, 64));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--runs 0 | --runs=0 is not within 1 to 100",
        "--tests speed | --tests=speed is unknown, choose of latency,rate,bandwidth,bibw,matching,rma,wake",
        "--window 0 | --window=0 is not within 1 to 1048576",
        "--depth 0 | --depth=0 is not within 1 to 1000000",
        "--sizes 8q | --sizes: '8q' is no size, give bytes such as 8,1k,64k,1m or 1..4m or all",
        "--java /none | --java: /none has no bin/java, give the directory of a JDK 17 or newer",
        "--report / | --report=/ is no file that can be written",
        "--pictures /none | --pictures=/none is no directory",
      })
  void shouldSayWhatIsWrong(String line, String sentence) {
    assertThat(parsed(line).complaint(NOTHING)).isEqualTo(sentence);
  }

  @Test
  void shouldForetellTheTimeOfARunByItsCells() {
    Contender contender = new Pretender("one", true, null, List.of());

    long whole = RunTime.of(contender, parsed("").workload()).toMillis();
    long part = RunTime.of(contender, parsed("--tests latency").workload()).toMillis();

    assertThat(whole).isGreaterThan(part).isBetween(3_000L, 60_000L);
  }
}
