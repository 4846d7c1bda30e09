package io.tagfabric.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tagfabric.bench.compare.Namespaces.Side;
import io.tagfabric.progress.CoreSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamespacesTest {
  private static final String LOOPBACK = "1: lo    inet 10.9.9.9/32 scope global lo\\  valid_lft";
  private static final Namespaces BOTH =
      new Namespaces(List.of(new Side("red", "10.1.0.1", 24), new Side("blue", "fd00::2", 64)));

  private static String interfaces(String name) throws IOException {
    return switch (name) {
      case "red" ->
          LOOPBACK
              + "\n2: v0    inet6 fd00::1/64 scope global \\       valid_lft forever"
              + "\n2: v0    inet 10.1.0.1/24 scope global v0\\       valid_lft forever"
              + "\n3: v1    inet 10.2.0.1/16 brd 10.2.255.255 scope global v1\\       valid_lft";
      case "blue" -> "2: v0@if3    inet6 fd00::2/64 scope global \\       valid_lft forever";
      case "twin" -> "7: w0    inet 10.1.0.1/24 scope global w0\\       valid_lft forever";
      case "bare" -> LOOPBACK;
      default ->
          throw new IOException("Cannot open network namespace \"" + name + "\": No such file");
    };
  }

  /** Namespace {@code blue} cannot be entered by a second name, {@code locked}. */
  private static String run(List<String> command) throws IOException {
    if (command.get(1).equals("-n")) {
      String name = command.get(2);
      return interfaces(name.equals("locked") ? "blue" : name);
    }
    if (command.get(3).equals("locked")) {
      throw new IOException("unshare: unshare failed: Operation not permitted");
    }
    return "";
  }

  @Test
  void shouldFindTheAddressesOfBothSides() {
    assertThat(Namespaces.find("red,blue", NamespacesTest::run)).isEqualTo(BOTH);
    assertThat(BOTH.address(1)).isEqualTo("fd00::2");
    assertThat(BOTH).hasToString("red (10.1.0.1) and blue (fd00::2)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "red | 'red' is not two namespaces, such as A,B",
        "red,red | 'red,red' is not two namespaces, such as A,B",
        "red,blue,twin | 'red,blue,twin' is not two namespaces, such as A,B",
        "red,gone | there is no namespace gone (Cannot open network namespace \"gone\": No such"
            + " file), `ip netns` lists all",
        "bare,red | bare has no address besides loopback, give it one: ip -n bare address add"
            + " ADDRESS/BITS dev INTERFACE",
        "red,twin | red and twin have the same address=10.1.0.1",
        "red,locked | nothing can be started in locked: unshare: unshare failed: Operation not"
            + " permitted",
      })
  void shouldSayWhyNamespacesCannotBeUsed(String names, String sentence) {
    assertThatThrownBy(() -> Namespaces.find(names, NamespacesTest::run))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(sentence);
  }

  @Test
  void shouldNeedRootAndTheProgramsOfTheSystem() {
    ProgramFinder nothing = new ProgramFinder(Map.of("PATH", ""), Path.of("/"));

    assertThatThrownBy(() -> Namespaces.find("red,blue", nothing))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .isIn(
            "only Linux has network namespaces",
            "only root may enter namespaces, call it by sudo",
            "no ip in PATH, install it with: apt-get install iproute2");
  }

  @Test
  void shouldBeTheSameAfterItWasAWord() {
    assertThat(Namespaces.parse(BOTH.toWord())).isEqualTo(BOTH);
  }

  @Test
  void shouldPlaceARankInEach() {
    var plan = BOTH.plan();

    assertThat(plan.place(2)).containsExactly(0, 1);
    assertThat(plan.hosts()).extracting(host -> host.address()).contains("10.1.0.1", "fd00::2");
    assertThat(plan.spawner().words(plan.hosts().get(1), "exec java"))
        .isEqualTo(BOTH.in(1, List.of("sh", "-c", "exec java")));
  }

  @Test
  void shouldSeeNeitherInterfacesNorSharedMemoryOfTheOther() throws Exception {
    try (MadeNamespaces made = MadeNamespaces.make()) {
      Namespaces both = made.find();
      String file = "/dev/shm/" + made.first();

      String first = MadeNamespaces.run(both.in(0, List.of("sh", "-c", "ip -o address; >" + file)));
      String second =
          MadeNamespaces.run(
              both.in(1, List.of("sh", "-c", "ip -o address; test -e " + file + " || echo alone")));

      assertThat(first).contains(both.address(0) + "/24").doesNotContain(both.address(1) + "/24");
      assertThat(second).contains(both.address(1) + "/24").doesNotContain(both.address(0) + "/24");
      assertThat(second).contains("alone");
      assertThat(Path.of(file)).doesNotExist();
    }
  }

  @ParameterizedTest
  @CsvSource({"0", "1"})
  void shouldGiveEachRankACoreOfItsOwn(int rank) throws Exception {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "needs two cores");
    assumeTrue(
        new ProgramFinder(System.getenv(), Path.of("/")).find("taskset").isPresent(),
        "needs taskset of the package util-linux");
    List<String> command = new ArrayList<>(List.of("env", "RANK=" + rank));
    command.addAll(
        Namespaces.bound(
            "RANK",
            List.of("sh", "-c", "grep Cpus_allowed_list /proc/self/status; echo $0", "last word")));

    int core = CoreSet.allowed().nth(rank).toBitSet().nextSetBit(0);
    assertThat(MadeNamespaces.run(command))
        .matches("Cpus_allowed_list:\\s+" + core + "\nlast word\n");
  }
}
