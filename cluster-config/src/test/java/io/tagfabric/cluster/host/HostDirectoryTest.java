package io.tagfabric.cluster.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is a user's and what is not: nothing is taken from others, nothing of theirs removed. */
class HostDirectoryTest {
  private static final ProcessId DEAD = new ProcessId(ProcessHandle.current().pid(), 1);
  private static final int NOBODY = 65534;

  @TempDir Path place;

  private HostDirectory chosen() {
    return HostDirectory.choose(settings(Map.of("tagfabric.launch.directory", place.toString())));
  }

  private static Settings settings(Map<String, String> values) {
    return Settings.of(ConfigFactory.parseMap(values).withFallback(ConfigFactory.load()), Map.of());
  }

  /** Paths below a directory, with what is in the files. */
  private static Map<String, String> content(Path directory) throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.toList()) {
        content.put(path.toString(), Files.isRegularFile(path) ? Files.readString(path) : "");
      }
    }
    return content;
  }

  private static String mode(Path path) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    } catch (IOException gone) {
      throw new AssertionError(gone);
    }
  }

  @Test
  void shouldLeaveAPlaceWithFilesAsItWas() throws IOException {
    for (String name : List.of("f", "lock", "driver", "users/1-1", "aeron/cnc.dat", "jobs/x/y")) {
      Path file = place.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, "of the user: " + name);
    }
    Map<String, String> before = content(place);

    JobDirectory job = JobDirectory.join(chosen(), UUID.randomUUID());
    Files.writeString(job.path().resolve("ring"), "x");
    job.leave();

    assertThat(content(place)).isEqualTo(before);
  }

  @Test
  void shouldLeaveForeignFilesInItsOwnDirectory() throws IOException {
    HostDirectory host = chosen();
    JobDirectory job = JobDirectory.join(host, UUID.randomUUID());
    MediaDriverDirectory.of(host).add(DEAD);
    Path foreign = Files.writeString(host.path().resolve("thesis"), "text");
    Path amongUsers = Files.writeString(host.path().resolve("users").resolve("notes"), "text");

    job.leave();

    assertThat(foreign).hasContent("text");
    assertThat(amongUsers).hasContent("text");
    assertThat(host.jobs()).doesNotExist();
  }

  @Test
  void shouldSweepNothingThatHasNotTheNameOfAJob() throws IOException {
    HostDirectory host = chosen();
    JobDirectory job = JobDirectory.join(host, UUID.randomUUID());
    Path foreign = Files.createDirectory(host.jobs().resolve("code"));
    Path elsewhere = Files.createDirectory(place.resolve("elsewhere"));
    Files.writeString(elsewhere.resolve("f"), "text");
    Path users = Files.createDirectory(elsewhere.resolve("users"));
    Files.writeString(users.resolve(DEAD.toString()), "text");
    Path link = Files.createSymbolicLink(host.job(UUID.randomUUID()), elsewhere);
    Map<String, String> before = content(elsewhere);

    host.whileLocked(host::sweepJobs);
    job.leave();

    assertThat(foreign).isDirectory();
    assertThat(link).isSymbolicLink();
    assertThat(content(elsewhere)).isEqualTo(before);
  }

  @Test
  void shouldNotSweepThroughALinkInsideAJob() throws IOException {
    HostDirectory host = chosen();
    Path elsewhere = Files.createDirectory(place.resolve("elsewhere"));
    Files.writeString(elsewhere.resolve(DEAD.toString()), "text");
    UUID dead = UUID.randomUUID();
    host.whileLocked(() -> host.makeJob(dead));
    Files.createSymbolicLink(host.job(dead).resolve("users"), elsewhere);

    host.whileLocked(host::removeIfUnused);

    assertThat(host.path()).doesNotExist();
    assertThat(elsewhere.resolve(DEAD.toString())).hasContent("text");
  }

  @Test
  void shouldRefuseALink() throws IOException {
    HostDirectory host = chosen();
    Path elsewhere = Files.createDirectory(place.resolve("elsewhere"));
    PrivateFiles.makeDirectory(elsewhere.resolve("own"));
    Files.createSymbolicLink(host.path(), elsewhere.resolve("own"));

    assertRefused(host, host.path() + " is a link, which may lead to files of others: remove it");
    assertThat(elsewhere.resolve("own")).isEmptyDirectory();
  }

  @Test
  void shouldRefuseALinkInPlaceOfItsJobs() throws IOException {
    HostDirectory host = chosen();
    Path thesis = Files.createDirectories(place.resolve("elsewhere").resolve("thesis"));
    Path named = Files.createDirectory(thesis.resolveSibling(UUID.randomUUID().toString()));
    host.lock().close();
    Files.createSymbolicLink(host.jobs(), thesis.getParent());

    assertRefused(host, host.jobs() + " is a link");
    host.whileLocked(host::removeIfUnused);

    assertThat(thesis).isDirectory();
    assertThat(named).isDirectory();
  }

  @Test
  void shouldRefuseALinkInPlaceOfAJob() throws IOException {
    HostDirectory host = chosen();
    UUID key = UUID.randomUUID();
    Path elsewhere = Files.createDirectory(place.resolve("elsewhere"));
    host.lock().close();
    PrivateFiles.makeDirectory(host.jobs());
    Files.createSymbolicLink(host.job(key), elsewhere);

    assertThatThrownBy(() -> JobDirectory.join(host, key))
        .isInstanceOf(LaunchException.class)
        .hasMessageStartingWith(host.job(key) + " is a link");
    assertThat(JobDirectory.find(host, List.of(key))).isEmpty();
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void shouldRefuseADirectoryThatOthersMayEnter() throws IOException {
    HostDirectory host = chosen();
    Files.createDirectory(host.path());
    for (String mode : List.of("rwxrwxrwx", "rwx--x---", "rwx-----x")) {
      Files.setPosixFilePermissions(host.path(), PosixFilePermissions.fromString(mode));

      assertRefused(host, host.path() + " has mode 7");
    }
    assertThat(host.path()).isEmptyDirectory();
  }

  @Test
  void shouldRefuseADirectoryOfAnotherUser() throws IOException {
    HostDirectory host = chosen();
    PrivateFiles.makeDirectory(host.path());
    assumeTrue(FileOwner.uid() == 0, "only root can give a directory away");
    Files.setAttribute(host.path(), "unix:uid", NOBODY);

    assertRefused(host, host.path() + " belongs to user 65534 and not to this user 0: remove it");
  }

  private static void assertRefused(HostDirectory host, String sentence) {
    assertThatThrownBy(() -> JobDirectory.join(host, UUID.randomUUID()))
        .isInstanceOf(LaunchException.class)
        .hasMessageStartingWith(sentence)
        .hasMessageEndingWith(", or name another place by TAGFABRIC_LAUNCH_DIRECTORY");
    assertThatThrownBy(() -> JobDirectory.join(host, UUID.randomUUID()))
        .extracting(Throwable::getMessage)
        .asString()
        .hasLineCount(1);
  }

  @Test
  void shouldLetNobodyElseReadWhatItMakes() throws IOException {
    HostDirectory host = chosen();
    JobDirectory job = JobDirectory.join(host, UUID.randomUUID());
    MediaDriverDirectory driver = MediaDriverDirectory.of(host);
    driver.writeDriver(DEAD, DEAD);
    driver.add(ProcessId.current());
    job.markFormed();
    job.markEnding(3);
    job.markEnding(40);
    job.mark(0, StartPhase.SYSTEM);
    job.mark(0, StartPhase.MEETING);
    job.endedRanks().add(0, 1);
    job.endedRanks().add(1, 2);
    job.keep();
    job.append("commands", "a\n");
    job.append("commands", "b\n");
    job.writeKeys(new byte[] {1, 2, 3});

    try (Stream<Path> all = Files.walk(host.path())) {
      assertThat(all)
          .hasSizeGreaterThan(10)
          .allSatisfy(
              path ->
                  assertThat(mode(path))
                      .as(path.toString())
                      .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------"));
    }
    assertThat(job.endingCode()).hasValue(40);
    assertThat(job.phases()).containsExactly(Map.entry(0, StartPhase.MEETING));
    assertThat(job.path().resolve("ended")).hasContent("0 1\n1 2\n");
    assertThat(job.path().resolve("commands")).hasContent("a\nb\n");
    assertThat(job.path().resolve("tls.p12")).hasBinaryContent(new byte[] {1, 2, 3});
  }

  @Test
  void shouldFollowAPlaceThatIsALink() throws IOException {
    Path real = Files.createDirectory(place.resolve("real"));
    Path link = Files.createSymbolicLink(place.resolve("link"), real);

    JobDirectory job = JobDirectory.join(HostDirectory.below(link), UUID.randomUUID());

    assertThat(real.resolve(link.relativize(job.path()))).isDirectory();
    job.leave();
    assertThat(real).isEmptyDirectory();
  }

  @Test
  void shouldMakeThePlaceIfItIsMissing() {
    Path missing = place.resolve("a").resolve("b");

    JobDirectory.join(HostDirectory.below(missing), UUID.randomUUID()).leave();

    assertThat(missing).isEmptyDirectory();
    assertThat(mode(missing)).isEqualTo("rwx------");
  }

  @Test
  void shouldUseTheDirectoryOfTheLauncher() {
    Path launchers = place.resolve("tagfabric-x@127.0.0.2");
    Map<String, String> values =
        Map.of(
            "tagfabric.launch.directory", place.resolve("other").toString(),
            "tagfabric.job.host-directory", launchers.toString());

    assertThat(HostDirectory.locate(settings(values)).path()).isEqualTo(launchers);
    assertThat(HostDirectory.choose(settings(values)).path())
        .isEqualTo(place.resolve("other").resolve("tagfabric-" + FileOwner.name()));
  }

  @Test
  void shouldTakeNoDirectoryOfALauncherThatNoneHasMade() {
    Settings settings = settings(Map.of("tagfabric.job.host-directory", place.toString()));

    assertThatThrownBy(() -> HostDirectory.locate(settings))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("is not named tagfabric-...")
        .hasMessageContaining("choose a place by TAGFABRIC_LAUNCH_DIRECTORY");
  }

  @Test
  void shouldTellUsersWithoutANameApart() throws IOException {
    assertThat(FileOwner.nameOf("ann", 1000)).isEqualTo("ann");
    assertThat(FileOwner.nameOf("?", 1000)).isEqualTo("1000");
    assertThat(FileOwner.nameOf("", 1000)).isEqualTo("1000");
    assertThat(FileOwner.nameOf("a/b", 1000)).isEqualTo("1000");
    Path own = Files.writeString(place.resolve("own"), "", StandardOpenOption.CREATE_NEW);
    assertThat(FileOwner.uid()).isEqualTo(Files.getAttribute(own, "unix:uid"));
  }
}
