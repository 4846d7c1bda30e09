package io.tagfabric.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CirclesTest {
  @TempDir private Path directory;

  private Set<String> largest(String... sources) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String source : sources) {
      Path file = directory.resolve("F" + files.size() + ".java");
      files.add(Files.writeString(file, "package p;\n" + source));
    }
    return Circles.of(files).largest("p");
  }

  @Test
  void shouldFindClassesThatNameOneAnother() throws IOException {
    assertThat(
            largest("class A { B b; }", "class B { C c; }", "class C { A a; }", "class D { A a; }"))
        .containsExactly("A", "B", "C");
  }

  @Test
  void shouldFindNoCircleWhereNoArrowGoesBack() throws IOException {
    assertThat(largest("class A { B b; }", "class B { C c; }", "class C {}")).hasSize(1);
  }

  @Test
  void shouldCountANestedClassWithTheOneAroundIt() throws IOException {
    assertThat(largest("class A { static class N { B b; } }", "class B { A.N n; }"))
        .containsExactly("A", "B");
  }

  @Test
  void shouldSeeAConstantOfAnotherClass() throws IOException {
    assertThat(
            largest(
                "class A { static final int X = 1; B b; }",
                "import static p.A.X; class B { int x = X; }"))
        .containsExactly("A", "B");
  }

  @Test
  void shouldNotCountThatASealedParentListsItsChildren() throws IOException {
    assertThat(largest("sealed interface A permits B {}", "final class B implements A {}"))
        .hasSize(1);
  }

  @Test
  void shouldNotTakeANestedClassForTheOneOfThePackage() throws IOException {
    assertThat(largest("class A { static class B {} B b; }", "class B { A a; }")).hasSize(1);
  }

  @Test
  void shouldNotReadComments() throws IOException {
    assertThat(largest("/** {@link B}. */ class A {}", "class B { A a; }")).hasSize(1);
  }
}
