package io.tagfabric.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CeilingsTest {
  private static final String TWO = "package\tcircle\tlongest-file\np\t4\t200\n";

  @Test
  void shouldStayBelowTheCeilingsAndLowerThem() throws IOException {
    Map<String, Map<String, Integer>> measured = Ceilings.measured();
    System.out.print(Ceilings.table(measured));

    assertThat(Ceilings.broken(Ceilings.listed(), measured)).isEmpty();
  }

  @Test
  void shouldReadWhatItPrints() {
    assertThat(Ceilings.table(Ceilings.read(TWO))).startsWith(TWO);
  }

  private static List<String> broken(int circle, int longestFile) {
    return Ceilings.broken(
        Ceilings.read(TWO), Map.of("p", Map.of("circle", circle, "longest-file", longestFile)));
  }

  @Test
  void shouldSayWhatIsAboveItsCeiling() {
    assertThat(broken(5, 200)).containsExactly("p: circle=5 > 4, make it smaller");
    assertThat(broken(4, 201)).containsExactly("p: longest-file=201 > 200, make it smaller");
  }

  @Test
  void shouldWantACeilingLoweredOnceItsNumberHasFallen() {
    assertThat(broken(3, 200)).containsExactly("p: circle=3, lower its ceiling of 4");
    assertThat(broken(4, 139)).containsExactly("p: longest-file=139, lower its ceiling of 200");
    assertThat(broken(4, 140)).isEmpty();
  }

  @Test
  void shouldWantWhatExistsListedAndNothingElse() {
    Map<String, Map<String, Integer>> listed = Ceilings.read(TWO);

    assertThat(Ceilings.broken(listed, Map.of("q", Map.of("circle", 1))))
        .containsExactly(
            "q is not listed, add it with {circle=1}", "p is listed and has no classes, remove it");
  }
}
