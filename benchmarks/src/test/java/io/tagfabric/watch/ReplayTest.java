package io.tagfabric.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.timeline.Timeline;
import io.tagfabric.trace.Recorder;
import io.tagfabric.trace.TraceKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run of two ranks and a network, played on a clock of the test. */
class ReplayTest {
  private static final long SENDER = 0xAA;
  private static final long RECEIVER = 0xBB;
  private static final long FLOW = 7;

  @TempDir Path directory;
  private long runNs = 1_000;
  private long nowNs;
  private Replay replay;

  private Recorder recorder(int rank, long incarnation, String domain) throws IOException {
    Recorder.Owner owner = new Recorder.Owner(rank, 1, incarnation, domain);
    return Recorder.open(directory.resolve(domain + rank), owner, 64, () -> runNs, () -> runNs);
  }

  /**
   * At 0 us a receive is posted, at 10 a message goes, at 20 it comes and is kept, at 30 it is
   * taken by a second receive, after 10 s rank 1 is killed.
   */
  @BeforeEach
  void play() throws IOException {
    Recorder decoy = recorder(1, RECEIVER, "actors"); // of the same ActorSystem as the receiver
    Recorder sender = recorder(0, SENDER, "main");
    Recorder receiver = recorder(1, RECEIVER, "main");
    Recorder network = recorder(-1, 0, "simulation");
    receiver.record(TraceKind.RECEIVE_POSTED, 0, 0, 0, 1, 9, 64, 0, 0, 0);
    runNs += 10_000;
    sender.record(TraceKind.SENT, TraceKind.Way.EAGER.code(), FLOW, 1, 1, 7, 3, RECEIVER, 0, 1);
    sender.record(TraceKind.CREDIT, 0, FLOW, 15, 0, 0, 4096, RECEIVER, 0, 1);
    network.record(TraceKind.PACKET, 1, 0, 1, 0, 0, 64, 0, 1, 0);
    runNs += 10_000;
    receiver.record(TraceKind.ARRIVED, TraceKind.Way.EAGER.code(), FLOW, 1, 0, 7, 3, SENDER, 0, 1);
    receiver.record(TraceKind.KEPT, 0, FLOW, 1, 0, 7, 1, SENDER, 0, 1);
    runNs += 10_000;
    receiver.record(TraceKind.RECEIVE_POSTED, 0, 0, 0, 2, 7, 64, 0, 0, 0);
    receiver.record(TraceKind.MATCHED, 1, FLOW, 1, 2, 7, 0, SENDER, 0, 1);
    receiver.passed(runNs - 1_000, 1);
    runNs += TimeUnit.SECONDS.toNanos(10);
    network.record(TraceKind.RANK_KILLED, 0, 0, 1, 0, 0, 0, 0, -1, 0);
    Stream.of(decoy, sender, receiver, network).forEach(Recorder::closed);
    replay = new Replay(Timeline.gather(directory, 2), () -> nowNs);
  }

  private Config frame() {
    return ConfigFactory.parseString(replay.read());
  }

  private void tell(String what) {
    replay.command(Map.of("do", what));
  }

  private static Config lane(Config frame, int rank) {
    return frame.getConfigList("lanes").stream()
        .filter(each -> each.getInt("rank") == rank && each.getString("domain").equals("main"))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> whats(Config frame) {
    return frame.getConfigList("messages").stream().map(each -> each.getString("what")).toList();
  }

  @Test
  void shouldStandBeforeTheFirstEvent() {
    nowNs += TimeUnit.MINUTES.toNanos(1);
    Config frame = frame();

    assertThat(frame.getConfigList("lanes")).as("the network has no box").hasSize(3);
    assertThat(lane(frame, 1).getInt("posted")).isZero();
    assertThat(frame.getBoolean("replay.plays")).isFalse();
    assertThat(frame.getStringList("replay.said")).isEmpty();
  }

  @Test
  void shouldPlayOneEventThatPeopleFollowInAStep() {
    tell("step");
    assertThat(lane(frame(), 1).getInt("posted")).isEqualTo(1);

    tell("step");
    Config sent = frame();
    assertThat(whats(sent)).containsExactly("sent");
    Config message = sent.getConfigList("messages").get(0);
    assertThat(message.getInt("lane")).isEqualTo(lane(sent, 0).getInt("lane"));
    assertThat(message.getInt("peer")).as("not the decoy").isEqualTo(lane(sent, 1).getInt("lane"));

    tell("step");
    Config arrived = frame();
    assertThat(whats(arrived))
        .as("no step for the credit and the packet")
        .containsExactly("arrived");
    assertThat(lane(arrived, 0).getConfigList("credits").get(0).getInt("messages")).isEqualTo(15);

    tell("step");
    assertThat(lane(frame(), 1).getInt("unexpected")).isEqualTo(1);
    tell("step");
    tell("step");
    Config taken = frame();
    assertThat(lane(taken, 1).getInt("unexpected")).isZero();
    assertThat(lane(taken, 1).getInt("posted")).as("the first receive still waits").isEqualTo(1);
    assertThat(taken.getStringList("replay.said"))
        .last()
        .asString()
        .endsWith("rank 1  #1 is taken by receive 2, it had waited");
  }

  @Test
  void shouldPlayBySpeedAndNotWaitLongerThanASecondForAnEvent() {
    replay.command(Map.of("do", "speed", "us", "10"));
    tell("play");
    assertThat(whats(frame())).isEmpty();

    nowNs += TimeUnit.MILLISECONDS.toNanos(999);
    Config before = frame();
    assertThat(whats(before)).isEmpty();
    assertThat(lane(before, 1).getInt("posted")).isEqualTo(1);
    assertThat(before.getLong("replay.atUs")).isEqualTo(9);
    nowNs += TimeUnit.MILLISECONDS.toNanos(1);
    assertThat(whats(frame())).containsExactly("sent");
    nowNs += TimeUnit.SECONDS.toNanos(2);
    assertThat(whats(frame())).containsExactly("arrived", "kept", "matched");

    nowNs += TimeUnit.MILLISECONDS.toNanos(990);
    assertThat(lane(frame(), 1).getBoolean("killed")).isFalse();
    nowNs += TimeUnit.MILLISECONDS.toNanos(20);
    Config end = frame();
    assertThat(lane(end, 1).getBoolean("killed")).isTrue();
    assertThat(lane(end, 0).getBoolean("killed")).isFalse();
    assertThat(end.getBoolean("replay.over")).isTrue();
    assertThat(end.getBoolean("replay.plays")).isFalse();
    assertThat(end.getLong("replay.atUs")).isEqualTo(end.getLong("replay.endUs"));
  }

  @Test
  void shouldStandStillWhilePausedAndBeginAgain() {
    replay.command(Map.of("do", "speed", "us", "10"));
    tell("play");
    nowNs += TimeUnit.SECONDS.toNanos(1);
    frame();
    tell("pause");
    nowNs += TimeUnit.SECONDS.toNanos(100);
    Config paused = frame();
    assertThat(whats(paused)).isEmpty();
    int round = paused.getInt("replay.round");

    tell("again");
    Config begun = frame();
    assertThat(begun.getInt("replay.round")).isEqualTo(round + 1);
    assertThat(begun.getLong("replay.atUs")).isZero();
    assertThat(lane(begun, 1).getInt("posted")).isZero();
  }

  @Test
  void shouldNotGoOnWhileNobodyLooks() {
    tell("play");
    nowNs += TimeUnit.SECONDS.toNanos(100);
    replay.skip();

    assertThat(whats(frame())).isEmpty();
    nowNs += TimeUnit.SECONDS.toNanos(1);
    assertThat(whats(frame())).containsExactly("sent");
  }

  @Test
  void shouldChooseASpeedAtWhichTheRunTakesAMinuteAtMost() {
    assertThat(frame().getLong("replay.usPerSecond")).as("30 us, then a gap").isEqualTo(1);
  }

  @Test
  void shouldRefuseWhatARunCannotBeTold() {
    for (String what : List.of("freeze", "", "speed")) {
      assertThatThrownBy(() -> tell(what)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
