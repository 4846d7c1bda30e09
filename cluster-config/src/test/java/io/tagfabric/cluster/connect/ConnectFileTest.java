package io.tagfabric.cluster.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.cluster.settings.SettingsException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectFileTest {
  private static Connections parse(int size, String... lines) {
    return ConnectFile.parse("in.txt", List.of(lines), size);
  }

  private static BitSet all(int size) {
    BitSet all = new BitSet();
    all.set(0, size);
    return all;
  }

  private static List<Integer> peers(Connections connections, int rank) {
    return connections.of(rank).stream().boxed().toList();
  }

  @Test
  void shouldConnectBothSidesOfALine() {
    Connections connections = parse(8, "0: 1 4-6", "7:0", "3:", "1: 1 0 0");

    assertThat(peers(connections, 0)).containsExactly(1, 4, 5, 6, 7);
    assertThat(peers(connections, 5)).containsExactly(0);
    assertThat(peers(connections, 1)).containsExactly(0);
    assertThat(peers(connections, 3)).isEmpty();
  }

  @Test
  void shouldReadTheLinesAfterABaseInIt() {
    Connections connections = parse(40, "size:40", "10: 11", "base:36", "z:0-1 10", "base: 10");

    assertThat(peers(connections, 35)).containsExactly(0, 1, 36);
    assertThat(peers(connections, 10)).containsExactly(11);
  }

  @Test
  void shouldReadTheFilesOfAllRanksAsOne() {
    assertThat(parse(4, "size:4", "base:16", "0: 1", "size: 4", "base:10", "2:3", "", "3: 2\t0"))
        .isEqualTo(parse(4, "0: 1 3", "2:3"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "size:5       | size=5 != 4 ranks of this job",
        "size:many    | size=\"many\" is no decimal number",
        "base:37      | base=37 is not within 2 to 36",
        "base:1       | base=1 is not within 2 to 36",
        "0: 4         | rank=4 is not within size=4",
        "9: 1         | rank=9 is not within size=4",
        "0: 1 x       | \"x\" is no number to the base 10",
        "0: 1-        | \"\" is no number to the base 10",
        "0: -1        | \"\" is no number to the base 10",
        "0: +1        | \"+1\" is no number to the base 10",
        "0: 3-1       | range=3-1 goes down",
        "0: 1-2-3     | \"2-3\" is no number to the base 10",
        "0 1          | \"0 1\" has no rank and colon",
        ": 1          | has no rank and colon",
        "'  0: 1'     | begins with a blank"
      })
  void shouldNameTheLineThatIsWrong(String line, String what) {
    assertThatThrownBy(() -> parse(4, "1: 2", "", line))
        .isInstanceOfSatisfying(
            SettingsException.class,
            e -> assertThat(e.key()).isEqualTo("tagfabric.connect.file-in"))
        .hasMessageStartingWith("in.txt:3: ")
        .hasMessageContaining(what)
        .hasMessageEndingWith("(tagfabric.connect.file-in)");
  }

  @Test
  void shouldWriteRunsAsRangesAndPairsAsTwo() {
    Connections connections = parse(40, "0: 1-3 5 6 35", "7: 8");

    assertThat(ConnectFile.write(connections, all(1), 36, true))
        .isEqualTo("size:40\nbase:36\n0: 1-3 5 6 z\n");
    assertThat(ConnectFile.write(connections, all(3), 10, false))
        .isEqualTo("0: 1-3 5 6 35\n1: 0\n2: 0\n");
  }

  @Test
  void shouldBeginAnotherLineWhenOneIsLong() {
    Connections connections = new Connections(2000);
    for (int peer = 1; peer < 2000; peer += 2) {
      connections.add(0, peer);
    }

    String text = ConnectFile.write(connections, all(1), 2, true);

    assertThat(text.lines()).hasSizeGreaterThan(50).allMatch(line -> line.length() < 130);
    assertThat(ConnectFile.parse("out", text.lines().toList(), 2000)).isEqualTo(connections);
  }

  @Test
  void shouldKeepARankApartFromAWord() {
    int base = Integer.parseInt("base", 36);
    Connections connections = new Connections(base + 1);
    connections.add(base, 0);

    String text = ConnectFile.write(connections, all(base + 1), 36, true);

    assertThat(text).contains("\n0base: 0\n");
    assertThat(ConnectFile.parse("out", text.lines().toList(), base + 1)).isEqualTo(connections);
  }

  /** One side of each pair is written, as by ranks that know only whom they have called. */
  @Property(tries = 300)
  void shouldReadWhatItWroteToEveryBase(
      @ForAll @IntRange(min = 1, max = 90) int size,
      @ForAll @IntRange(min = 2, max = 36) int base,
      @ForAll long seed) {
    Random random = new Random(seed);
    boolean[][] pairs = new boolean[size][size];
    Connections connections = new Connections(size);
    double density = random.nextDouble();
    for (int one = 0; one < size; one++) {
      for (int other = 0; other < one; other++) {
        pairs[one][other] = random.nextDouble() < density;
        if (pairs[one][other]) {
          connections.add(one, other);
        }
      }
    }
    List<String> lines = new ArrayList<>();
    BitSet shown = new BitSet();
    for (int rank = 0; rank < size; rank++) {
      shown.set(0, size, false);
      shown.set(rank);
      lines.addAll(ConnectFile.write(connections, shown, base, true).lines().toList());
    }

    Connections read = ConnectFile.parse("out", lines, size);

    for (int one = 0; one < size; one++) {
      for (int other = 0; other < size; other++) {
        assertThat(read.has(one, other)).isEqualTo(pairs[one][other] || pairs[other][one]);
      }
    }
  }

  @Test
  void shouldPutTheRankIntoTheName() {
    assertThat(ConnectFile.nameFor("out/%.txt", 12)).isEqualTo("out/12.txt");
    assertThat(ConnectFile.nameFor("all.txt", 12)).isEqualTo("all.txt");
  }
}
