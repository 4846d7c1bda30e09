package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command of the zip, in a directory with a blank and a letter beyond ASCII, where the user may
 * write nothing. Root may write everywhere, so its tests run as the user {@code nobody}.
 */
@Tag("jvms")
@EnabledOnOs(OS.LINUX)
@Timeout(
    value = 5,
    unit = TimeUnit.MINUTES) // an archive takes its time; each command has a deadline
class DistributionRunTest {
  private static final String NOBODY = "nobody";
  private static final String PREPARING =
      "tagfabric: preparing for faster starts, once for this installation and Java ...";

  @TempDir Path temporary;
  private Path directory;
  private Path unpacked;
  private Path writable;
  private List<String> user;

  @BeforeEach
  void unpack() throws Exception {
    directory = temporary.toRealPath();
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    user = System.getProperty("user.name").equals("root") ? asNobody() : List.of();
    unpacked = Distribution.unpack(Files.createDirectory(directory.resolve("für alle")));
    writable = Files.createDirectory(directory.resolve("writable"));
    for (String name : List.of("jobs", "cache", "work")) {
      Files.createDirectory(writable.resolve(name));
    }
    if (!user.isEmpty()) {
      giveTo(writable);
    }
    protect();
  }

  @Test
  void shouldRunFromAReadOnlyPlaceThroughALinkInAnyLocale() throws Exception {
    Map<Path, Object> before = state();
    Files.createDirectory(directory.resolve("my bin"));
    Path link = Files.createSymbolicLink(directory.resolve("my bin/tf"), Path.of("../tf"));
    Files.createSymbolicLink(
        directory.resolve("tf"), directory.relativize(unpacked.resolve("bin/tagfabric")));
    UserProgram program = UserProgram.make(directory.resolve("prógram"), classPath());

    Command.Result first =
        end(command(link, "run", "-n", "2", "pingpong", "--iters", "10", "--warm-up", "5"));
    Command.Result second =
        end(command(link, "run", "-n", "3", "--jar", program.jar().toString(), "é"));

    assertThat(first.out()).contains("[0] bytes").contains("[0] 64k");
    // not every Java archives classes of such a place, and then it is said
    assertThat(first.err().lines()).first().isEqualTo(PREPARING);
    assertThat(first.err().lines().skip(1).filter(line -> !line.contains("starting for ")))
        .allMatch(line -> line.endsWith("a path of letters of ASCII without blanks cures that"))
        .hasSizeLessThan(2);
    // a start that takes long tells so
    assertThat(second.err().lines()).allMatch(line -> line.contains("starting for "));
    assertThat(second.lines())
        .hasSize(3)
        .contains("[2] greeting2of3|é|" + writable.resolve("work") + "|null");
    assertThat(archives()).hasSize(1).allSatisfy(file -> assertThat(file).isNotEmptyFile());
    assertThat(state()).isEqualTo(before);
  }

  @Tag("exhaustive")
  @Test
  void shouldMakeAnotherArchiveWhenItHasMoved() throws Exception {
    assertThat(end(command(script(), "programs")).err()).startsWith(PREPARING);
    assertThat(archives()).hasSize(1);

    move();
    requireArchiveInUse(PREPARING);
    assertThat(archives()).hasSize(2);
  }

  @Tag("exhaustive")
  @Test
  void shouldMakeAnotherArchiveWhenAJarHasChanged() throws Exception {
    move();
    requireArchiveInUse(PREPARING);
    requireArchiveInUse("");
    assertThat(archives()).hasSize(1);

    touch(unpacked.resolve("lib"));
    requireArchiveInUse(PREPARING);
    assertThat(archives()).hasSize(2);
  }

  /** To a path whose classes any Java archives. */
  private void move() throws IOException {
    // a directory that is given another parent has to be writable
    Files.setPosixFilePermissions(unpacked, PosixFilePermissions.fromString("rwxr-xr-x"));
    unpacked = Files.move(unpacked, directory.resolve("moved"));
    protect();
  }

  private void requireArchiveInUse(String said) throws IOException {
    Path program = directory.resolve("prógram");
    if (Files.notExists(program)) {
      UserProgram.make(program, classPath());
    }
    Path loaded = writable.resolve("work/loaded");
    String log = "-Xlog:class+load=info:file=" + loaded;
    Command.Result result =
        end(command(script(), "run", "-n", "1", "--jvm-opts", log, "--jar", program + "/app.jar"));

    assertThat(result.err()).isEqualTo(said);
    assertThat(loaded).content().contains("akka.actor.typed.ActorSystem source: shared objects");
  }

  @Test
  void shouldRunWithoutAnArchiveWhenNothingCanBeWritten() {
    ProcessBuilder builder = command(script(), "run", "-n", "2", "hello");
    builder.environment().put("XDG_CACHE_HOME", unpacked.resolve("cache").toString());

    Command.Result result = end(builder);

    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains("[0] hello from rank 0 of 2");

    ProcessBuilder homeless = command(script(), "programs");
    homeless.environment().remove("XDG_CACHE_HOME");
    homeless.environment().remove("HOME");
    assertThat(end(homeless).err()).isEmpty();
    assertThat(archives()).isEmpty();
  }

  /** What the first page says is typed as it stands there, in an empty directory. */
  @Tag("exhaustive")
  @Test
  void shouldRunTheProgramOfTheReadmeByItsCommands() throws IOException {
    String page = Files.readString(Distribution.root().resolve("README.md"));
    Path work = writable.resolve("work");
    Files.writeString(work.resolve("Ring.java"), block(page, "```java\nimport "));
    Files.createSymbolicLink(work.resolve("tagfabric"), script());
    // makes the archive of classes, in its own time
    end(command(script(), "programs"));
    ProcessBuilder builder = command(Path.of("sh"), "-e", "-c", block(page, "```\njavac "));
    // javac reads names by the locale, too
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder
        .environment()
        .merge("PATH", System.getProperty("java.home") + "/bin", (path, bin) -> bin + ":" + path);

    assertThat(end(builder).lines())
        .containsExactlyInAnyOrder(
            "[0] rank 3 says hello",
            "[1] rank 0 says hello",
            "[2] rank 1 says hello",
            "[3] rank 2 says hello");
  }

  /** The text of the block that begins so, without its fences. */
  private static String block(String page, String beginning) {
    int begin = page.indexOf(beginning);
    assertThat(begin).as("a block begins with " + beginning).isNotNegative();
    int first = page.indexOf('\n', begin) + 1;
    return page.substring(first, page.indexOf("\n```\n", first));
  }

  @Test
  void shouldSayWhatIsMissing() throws IOException {
    Path alone = Files.createDirectories(directory.resolve("alone/bin")).resolve("tagfabric");
    Files.copy(script(), alone);

    requireFailure(
        command(alone, "programs"),
        directory + "/alone/lib has no tagfabric-cli-*.jar, unpack the whole distribution again");
    Path colon = Files.createDirectories(directory.resolve("a:b"));
    Files.createSymbolicLink(colon.resolve("lib"), unpacked.resolve("lib"));
    Files.createDirectory(colon.resolve("bin"));
    requireFailure(
        command(Files.copy(script(), colon.resolve("bin/tagfabric")), "programs"),
        colon + " has a colon, which separates the places of a class path, move it elsewhere");
  }

  private void requireFailure(ProcessBuilder builder, String sentence) {
    try (Command command = Command.start(writable.resolve("jobs"), builder)) {
      Command.Result result = command.end();

      assertThat(result.code()).isEqualTo(1);
      assertThat(result.out()).isEmpty();
      assertThat(result.err()).isEqualTo("tagfabric: " + sentence);
    }
  }

  private Path script() {
    return unpacked.resolve("bin/tagfabric");
  }

  /** What a person without further rights starts in a locale without letters beyond ASCII. */
  private ProcessBuilder command(Path script, String... arguments) {
    List<String> words = new ArrayList<>(user);
    words.add(script.toString());
    words.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(words).directory(writable.resolve("work").toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("TAGFABRIC_"));
    environment.remove("LANG");
    environment.remove("LC_CTYPE");
    environment.put("LC_ALL", "C");
    environment.put("HOME", unpacked.toString());
    environment.put("XDG_CACHE_HOME", writable.resolve("cache").toString());
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    return builder;
  }

  private Command.Result end(ProcessBuilder builder) {
    Path jobs = writable.resolve("jobs");
    try (Command command = Command.start(jobs, builder)) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.err()).isZero();
      Command.until(
          Command.LEFTOVERS_S,
          "its files are gone",
          () -> jobs.toFile().list().length == 0,
          () -> List.of(jobs.toFile().list()).toString());
      return result;
    }
  }

  private List<Path> archives() {
    try (Stream<Path> files = Files.walk(writable.resolve("cache"))) {
      return files.filter(file -> file.toString().endsWith(".jsa")).toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private String classPath() throws IOException {
    try (Stream<Path> jars = Files.list(unpacked.resolve("lib"))) {
      return String.join(":", jars.map(Path::toString).toList());
    }
  }

  /** Permissions bind this user, since the tests do not run as root or start others as nobody. */
  private List<String> asNobody() throws Exception {
    List<String> words =
        List.of("setpriv", "--reuid", NOBODY, "--regid", "nogroup", "--clear-groups", "--");
    Path java = Path.of(System.getProperty("java.home"), "bin/java");
    List<String> probe =
        Stream.concat(words.stream(), Stream.of(java.toString(), "-version")).toList();
    boolean works;
    try {
      works =
          new ProcessBuilder(probe)
                  .directory(directory.toFile())
                  .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                  .redirectError(ProcessBuilder.Redirect.DISCARD)
                  .start()
                  .waitFor()
              == 0;
    } catch (IOException missing) {
      works = false;
    }
    assumeTrue(works, "root may write everywhere, and cannot run Java as " + NOBODY);
    return words;
  }

  private static void giveTo(Path tree) throws IOException {
    UserPrincipal owner =
        tree.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(NOBODY);
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.toList()) {
        Files.setOwner(file, owner);
      }
    }
  }

  private void protect() throws IOException {
    try (Stream<Path> files = Files.walk(unpacked)) {
      for (Path file : files.filter(Files::isDirectory).toList()) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r-xr-xr-x"));
      }
    }
  }

  /** As when a newer jar of the same length has taken its place. */
  private static void touch(Path lib) throws IOException {
    try (Stream<Path> jars = Files.list(lib)) {
      Path jar = jars.sorted().toList().get(0);
      Files.setLastModifiedTime(
          jar, FileTime.from(Files.getLastModifiedTime(jar).toInstant().plusSeconds(1)));
    }
  }

  private Map<Path, Object> state() throws IOException {
    Map<Path, Object> state = new TreeMap<>();
    try (Stream<Path> files = Files.walk(unpacked)) {
      for (Path file : files.toList()) {
        state.put(file, List.of(Files.getLastModifiedTime(file), Files.size(file)));
      }
    }
    return state;
  }
}
