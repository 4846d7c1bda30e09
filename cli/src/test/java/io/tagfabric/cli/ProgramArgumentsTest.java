package io.tagfabric.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramArgumentsTest {
  private static final String MAIN =
      "public class NAME { public static void main(String[] args) {} }";
  private static final Optional<String> NONE = Optional.empty();

  @TempDir Path temporary;
  private Path from;
  private Path classes;

  @BeforeEach
  void compile() throws IOException {
    from = temporary.toRealPath();
    classes = Sources.compile(from.resolve("classes"), "com.acme.Main", MAIN);
  }

  @Test
  void shouldFindAClassOnItsClassPath() {
    Program program = named("com.acme.Main", Optional.of("classes"), NONE).find(from);

    assertThat(program.mainClass()).isEqualTo("com.acme.Main");
    assertThat(program.arguments()).containsExactly("a", "");
    assertThat(program.files().classPath()).containsExactly(classes);
  }

  @Test
  void shouldRunTheClassOfAJarBeforeTheRestOfTheClassPath() throws IOException {
    Files.createDirectories(from.resolve("lib"));
    Path jar =
        Sources.jar(
            from.resolve("app.jar"),
            classes,
            Map.of(
                "Main-Class", "com.acme.Main",
                "Class-Path", "lib/",
                "Add-Opens", "java.base/java.lang"));

    Program program =
        new ProgramArguments(
                NONE,
                Optional.of(Path.of("app.jar")),
                List.of("x"),
                Optional.of("classes"),
                Optional.of("lib"),
                Optional.of(Path.of("work")))
            .find(from);

    assertThat(program.mainClass()).isEqualTo("com.acme.Main");
    assertThat(program.arguments()).containsExactly("x");
    assertThat(program.files().classPath()).containsExactly(jar, classes);
    assertThat(program.files().needed()).containsExactly(from.resolve("lib"));
    assertThat(program.files().directory()).contains(from.resolve("work"));
    assertThat(program.jvmFlags()).containsExactly("--add-opens=java.base/java.lang=ALL-UNNAMED");
  }

  @Test
  void shouldKnowProgramsByTheirShortNamesWhateverTheClassPath() throws IOException {
    Sources.compile(classes, "count", MAIN);

    assertThat(named("count", Optional.of("classes"), NONE).find(from).mainClass())
        .isEqualTo(CountArguments.class.getName());
  }

  @Test
  void shouldTakeTheClassOfTheLauncherBeforeOneOfTheSameName() throws IOException {
    Sources.compile(classes, CountArguments.class.getName(), "public class NAME {}");

    assertThat(
            named(CountArguments.class.getName(), Optional.of("classes"), NONE)
                .find(from)
                .mainClass())
        .isEqualTo(CountArguments.class.getName());
  }

  @Test
  void shouldLookIntoTheVariableForAClassOfNobodyElse() throws IOException {
    Sources.compile(classes, "Plain", MAIN);
    Optional<String> variable = Optional.of("no.jar:classes");

    for (String name : List.of("com.acme.Main", "Plain")) {
      assertThat(named(name, NONE, variable).find(from).files().classPath())
          .containsExactly(classes);
    }
    for (String own : List.of("count", CountArguments.class.getName())) {
      assertThat(named(own, NONE, variable).find(from).files().classPath()).isEmpty();
    }
    requireRefusal(
        named("com.acme.Main", Optional.of(""), variable),
        "class com.acme.Main is not on the class path (Tagfabric's own jars and " + from + "),");
  }

  @Test
  void shouldSayWhatIsWrongWithAClass() throws IOException {
    Sources.compile(classes, "Mainless", "public class NAME {}");
    Sources.compile(classes, "Hidden", "public class NAME { static void main(String[] args) {} }");
    Sources.compile(
        classes,
        "Counting",
        "public class NAME { public static int main(String[] a) { return 0; } }");
    Sources.compile(
        classes, "Instance", "public class NAME { public void main(String[] args) {} }");
    Sources.compile(classes, "Lost", "public class NAME {}");
    Sources.compile(
        classes,
        "Needing",
        "public class NAME { public static void main(String[] args) {} public void f(Lost l) {} }",
        "-cp",
        classes.toString());
    Files.delete(classes.resolve("Lost.class"));
    Files.writeString(classes.resolve("Broken.class"), "no class");
    String searched = "the class path (Tagfabric's own jars and " + classes + ")";

    requireRefusal(
        onPath("NoSuch"),
        "class NoSuch is not on "
            + searched
            + ", check the name or add its place by --class-path; `tagfabric programs` lists"
            + " programs");
    for (String name : List.of("Mainless", "Hidden", "Counting", "Instance")) {
      requireRefusal(
          onPath(name),
          "class "
              + name
              + " on "
              + searched
              + " has no `public static void main(String[] args)`, add one");
    }
    requireRefusal(
        onPath("Needing"),
        "class Needing cannot be loaded from "
            + searched
            + ": it needs the class Lost, which is not there");
    requireRefusal(onPath("Broken"), "class Broken cannot be loaded from " + searched + ": ");
  }

  @Test
  void shouldTakeAClassThatIsNotPublicAsAJvmDoes() throws IOException {
    Sources.compile(classes, "Quiet", MAIN.replaceFirst("public ", ""));

    assertThat(onPath("Quiet").find(from).mainClass()).isEqualTo("Quiet");
  }

  @Test
  void shouldShowTheFirstPlacesOfALongClassPath() throws IOException {
    Files.createDirectories(from.resolve("lib"));
    for (int i = 10; i < 30; i++) {
      Files.createFile(from.resolve("lib/" + i + ".jar"));
    }

    assertThatThrownBy(() -> named("No", Optional.of("lib/*"), NONE).find(from))
        .hasMessageContaining("/lib/17.jar and 12 more), check the name");
  }

  @Test
  void shouldSayHowToRunAJarThatStandsForAClass() throws IOException {
    Files.createFile(from.resolve("app.jar"));

    requireRefusal(
        named("app.jar", NONE, NONE), "'app.jar' is a jar and no class, write --jar app.jar");
    requireRefusal(
        named("app.jar", Optional.of("classes"), NONE),
        "'app.jar' is a jar and no class, write --jar app.jar, or put quotes around a class path"
            + " with *");
  }

  private ProgramArguments onPath(String name) {
    return named(name, Optional.of("classes"), NONE);
  }

  private static ProgramArguments named(
      String name, Optional<String> classPath, Optional<String> variable) {
    return new ProgramArguments(
        Optional.of(name),
        Optional.empty(),
        List.of("a", ""),
        classPath,
        variable,
        Optional.empty());
  }

  private void requireRefusal(ProgramArguments arguments, String reason) {
    assertThatThrownBy(() -> arguments.find(from))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith(reason)
        .hasMessageNotContaining("\n");
  }
}
