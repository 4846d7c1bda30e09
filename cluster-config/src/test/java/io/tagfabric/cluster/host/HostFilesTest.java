package io.tagfabric.cluster.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class HostFilesTest {
  private static final ProcessId DEAD = new ProcessId(ProcessHandle.current().pid(), 1);

  @TempDir Path parent;
  private HostDirectory host;

  @BeforeEach
  void choose() {
    host = HostDirectory.at(parent.resolve("host"));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldHoldTheLockAgainstOtherProcessesUntilItIsClosed() throws Exception {
    HostLock lock = host.lock();
    Object inode = Files.getAttribute(host.path().resolve("lock"), "unix:ino");
    assertThat(locksOfFile(inode)).hasSize(1);

    Thread waiting = new Thread(() -> host.lock().close());
    waiting.start();
    while (waiting.getState() != Thread.State.TIMED_WAITING) {
      assertThat(waiting.isAlive()).isTrue();
      Thread.onSpinWait();
    }
    assertThat(locksOfFile(inode)).as("another thread has tried").hasSize(1);

    lock.close();
    waiting.join();
    assertThat(locksOfFile(inode)).isEmpty();
  }

  private static List<String> locksOfFile(Object inode) throws IOException {
    return Files.readAllLines(Path.of("/proc/locks")).stream()
        .filter(line -> line.contains(":" + inode + " "))
        .toList();
  }

  @Test
  void shouldBeReadableByTheUserOnly() throws Exception {
    host.lock().close();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(host.path())))
        .isEqualTo("rwx------");
  }

  @Test
  void shouldTellAProcessFromALaterOneWithTheSamePid() {
    assertThat(ProcessId.current().isAlive()).isTrue();
    assertThat(DEAD.isAlive()).isFalse();
    assertThat(ProcessId.parse(ProcessId.current().toString())).contains(ProcessId.current());
    assertThat(ProcessId.parse("lock")).isEmpty();
    assertThat(ProcessId.parse("12")).isEmpty();
  }

  @Test
  void shouldForgetUsersThatHaveDied() {
    Users users = new Users(parent.resolve("users"));
    users.add(DEAD);
    users.add(ProcessId.current());
    users.add(ProcessId.current());

    assertThat(users.living()).containsExactly(ProcessId.current());
    assertThat(parent.resolve("users").resolve(DEAD.toString())).doesNotExist();
  }

  @Test
  void shouldRemoveTheJobAndTheDirectoryWhenTheLastProcessLeaves() throws Exception {
    JobDirectory job = JobDirectory.join(host, UUID.randomUUID());
    Files.writeString(job.path().resolve("ring"), "x");

    assertThat(job.isFormed()).isFalse();
    job.markFormed();
    job.markFormed();
    assertThat(job.isFormed()).isTrue();
    job.leave();

    assertThat(host.path()).doesNotExist();
  }

  @Test
  void shouldJoinAndLeaveOnAThreadThatIsInterruptedAndLeaveItSo() {
    Thread.currentThread().interrupt();
    JobDirectory job = JobDirectory.join(host, UUID.randomUUID());
    boolean afterJoin = Thread.currentThread().isInterrupted();
    boolean joined = Files.isDirectory(job.path());
    job.leave();
    boolean afterLeave = Thread.interrupted();

    assertThat(joined).isTrue();
    assertThat(afterJoin).isTrue();
    assertThat(afterLeave).isTrue();
    assertThat(host.path()).doesNotExist();
  }

  /** A process that ends in the midst of making the directory again would leave it behind. */
  @Test
  void shouldNotMakeTheDirectoryAgainToLeaveAJobThatIsGone() {
    JobDirectory job = JobDirectory.join(host, UUID.randomUUID());
    job.delete();
    assertThat(host.path()).doesNotExist();

    AtomicInteger ran = new AtomicInteger();
    host.whileLockedIfThere(ran::incrementAndGet);
    job.leave();
    job.delete();

    assertThat(ran).hasValue(0);
    assertThat(host.path()).doesNotExist();
  }

  @Test
  void shouldRemoveWhatOnlyHoldsAnOldLock() throws Exception {
    PrivateFiles.makeDirectory(host.path());
    Files.createFile(host.path().resolve("lock"));

    host.whileLockedIfThere(host::removeIfUnused);

    assertThat(host.path()).doesNotExist();
  }

  @Test
  void shouldKeepAJobWhoseProcessesLiveAndSweepOneWhoseProcessesDied() {
    JobDirectory alive = JobDirectory.join(host, UUID.randomUUID());
    Path dead = host.job(UUID.randomUUID());
    new Users(dead.resolve("users")).add(DEAD);

    host.whileLocked(host::removeIfUnused);

    assertThat(alive.path()).exists();
    assertThat(dead).doesNotExist();
  }

  @Test
  void shouldFindNoDriverWhereNoneIsAndLeaveNoDirectory() {
    MediaDriverDirectory driver = MediaDriverDirectory.of(host);

    assertThat(driver.findActive()).isEmpty();
    assertThat(driver.register()).isEmpty();
    assertThat(host.path()).doesNotExist();
  }

  @Test
  void shouldFindNoDriverWhenItsProcessHasDied() {
    MediaDriverDirectory driver = MediaDriverDirectory.of(host);
    host.whileLocked(() -> driver.writeDriver(DEAD, DEAD));

    assertThat(driver.register()).isEmpty();
  }

  @Test
  void shouldLetOneInAtATimeEvenWhenTheDirectoryComesAndGoes() {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(CompletableFuture.runAsync(() -> enterOften(inside, most)));
    }

    threads.forEach(CompletableFuture::join);

    assertThat(most).hasValue(1);
    assertThat(host.path()).doesNotExist();
  }

  @Test
  void shouldSayWhenTheDirectoryIsAFile() throws Exception {
    Files.writeString(host.path(), "");

    assertThatThrownBy(host::lock)
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("is not a directory: remove it");
  }

  private void enterOften(AtomicInteger inside, AtomicInteger most) {
    for (int i = 0; i < 25; i++) {
      host.whileLocked(
          () -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            inside.decrementAndGet();
            // gives the lock up as well: its file is gone
            host.removeIfUnused();
          });
    }
  }
}
