package io.tagfabric.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.error.FabricError;
import io.tagfabric.trace.AccessTrace;
import io.tagfabric.trace.InboundTrace;
import io.tagfabric.trace.Recorder;
import io.tagfabric.trace.TraceKind;
import io.tagfabric.trace.TraceKind.Access;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TimelineTest {
  private static final long FLOW = 77;
  private static final long SENDER = 100;
  private static final long RECEIVER = 200;

  @TempDir Path directory;

  private long nowNs = 1_000;

  private Recorder recorder(int rank, long incarnation) throws IOException {
    Recorder.Owner owner = new Recorder.Owner(rank, 1, incarnation, "main");
    return Recorder.open(
        directory.resolve("rank-" + rank), owner, 64, () -> nowNs, () -> 5_000 + nowNs);
  }

  /** Two messages of which one was taken, the other not even seen by the receiver. */
  private Timeline timeline() throws IOException {
    Recorder sender = recorder(0, SENDER);
    Recorder receiver = recorder(1, RECEIVER);
    for (int number = 1; number <= 2; number++) {
      nowNs += 1_000;
      sender.record(TraceKind.SENT, 1, FLOW, number, 0, 7, 3, RECEIVER, 0, 1);
    }
    nowNs += 1_000;
    receiver.record(TraceKind.ARRIVED, 2, FLOW, 1, 0, 7, 3, SENDER, 0, 1);
    nowNs += 1_000;
    receiver.record(TraceKind.MATCHED, 0, FLOW, 1, 4, 7, 0, SENDER, 0, 1);
    receiver.record(TraceKind.CREDIT, 0, FLOW, 9, 0, 0, 512, SENDER, 0, 1);
    receiver.passed(nowNs - 1_500, 3);
    nowNs += 1_000;
    receiver.slept(nowNs - 1_000);
    sender.closed();
    return Timeline.gather(directory, 3);
  }

  /** The clock of the wall may be set between the begins of two recorders, by little. */
  @Test
  void shouldTakeRanksOfOneHostByTheClockOfTheirLoops() throws IOException {
    assertThat(apartNs(300_000_000)).isEqualTo(4_000);
  }

  /** Of another host, whose loop has a clock of its own. */
  @Test
  void shouldTakeRanksOfDifferentClocksByTheWall() throws IOException {
    assertThat(apartNs(5_000_000_000L)).isEqualTo(5_000_004_000L);
  }

  /** How far apart two events are, of which the second is 4 us later on the clock of its loop. */
  private long apartNs(long wallAheadNs) throws IOException {
    Recorder one = recorder(0, SENDER);
    one.record(TraceKind.SENT, 1, FLOW, 1, 0, 7, 3, RECEIVER, 0, 1);
    Recorder other =
        Recorder.open(
            directory.resolve("rank-1"),
            new Recorder.Owner(1, 1, RECEIVER, "main"),
            64,
            () -> nowNs,
            () -> 5_000 + nowNs + wallAheadNs);
    nowNs += 4_000;
    other.record(TraceKind.ARRIVED, 2, FLOW, 1, 0, 7, 3, SENDER, 0, 1);
    return Timeline.gather(directory, 2).moments().get(1).atNs();
  }

  @Test
  void shouldBeginWithTheFirstPassAndNotWithItsEnd() throws IOException {
    Recorder recorder = recorder(0, SENDER);
    nowNs += 2_500;
    recorder.passed(nowNs - 1_500, 1);

    assertThat(Timeline.gather(directory, 1).moments())
        .singleElement()
        .satisfies(pass -> assertThat(pass.atNs()).isEqualTo(1_500));
  }

  @Test
  void shouldPairMessagesAndSayWhatIsMissing() throws IOException {
    Timeline timeline = timeline();

    assertThat(timeline.pairs()).containsExactly(new Timeline.MessageId(FLOW, RECEIVER, 1));
    assertThat(timeline.remarks())
        .containsExactly(
            "rank 2 has left no events: it opened no domain that could be recorded",
            "rank 1, domain main: it did not close; what it did last may be missing");
    assertThat(new TimelineText(timeline).lines(3))
        .anySatisfy(
            line -> assertThat(line).endsWith("#1 goes to rank 1: tag 7 3 bytes, by itself"))
        .anySatisfy(line -> assertThat(line).endsWith("#1 comes from rank 0: tag 7"))
        .contains("and 1 events more");
  }

  @Test
  void shouldSayWhichPartCannotBeRead() throws IOException {
    Files.write(directory.resolve("rank-0"), new byte[3]);

    assertThat(Timeline.gather(directory, 0).remarks())
        .singleElement()
        .asString()
        .startsWith("a part is missing: ");
  }

  @Test
  void shouldWritePerfettoSoThatSlicesNestAndArrowsPair() throws IOException {
    byte[] bytes = PerfettoWriter.write(timeline());

    Map<Long, String> tracks = new HashMap<>();
    Map<Long, Integer> depths = new HashMap<>();
    List<String> arrows = new ArrayList<>();
    List<Long> counters = new ArrayList<>();
    long lastNs = 0;
    for (Field packet : fields(ByteBuffer.wrap(bytes))) {
      List<Field> inside = fields(packet.bytes());
      for (Field field : inside) {
        if (field.number() == 60) {
          List<Field> track = fields(field.bytes());
          tracks.put(
              first(track, 1).value(),
              track.stream().filter(f -> f.number() == 2).map(Field::text).findFirst().orElse(""));
        } else if (field.number() == 11) {
          long atNs = first(inside, 8).value();
          assertThat(atNs).isGreaterThanOrEqualTo(lastNs);
          lastNs = atNs;
          List<Field> event = fields(field.bytes());
          long track = first(event, 11).value();
          assertThat(tracks).containsKey(track);
          long type = first(event, 9).value();
          if (type == 1 || type == 2) {
            int depth = depths.merge(track, type == 1 ? 1 : -1, Integer::sum);
            assertThat(depth).isBetween(0, 2);
          }
          event.stream()
              .filter(f -> f.number() == 47 || f.number() == 48)
              .forEach(f -> arrows.add(f.number() + ":" + f.value()));
          event.stream().filter(f -> f.number() == 30).forEach(f -> counters.add(f.value()));
        }
      }
    }
    assertThat(depths.values()).containsOnly(0);
    assertThat(arrows).containsExactly("47:1", "47:1", "48:1");
    assertThat(counters).containsExactly(9L);
    assertThat(tracks.values())
        .contains(Thread.currentThread().getName(), "credit to rank 0, messages");
  }

  @Test
  void shouldWriteAsManyBeginsAsEndsForChrome() throws IOException {
    String json = ChromeWriter.write(timeline());

    assertThat(json.split("\"ph\":\"B\"", -1)).hasSize(3);
    assertThat(json.split("\"ph\":\"E\"", -1)).hasSize(3);
    assertThat(json).containsOnlyOnce("\"ph\":\"s\"").containsOnlyOnce("\"ph\":\"f\"");
  }

  @Test
  void shouldTellAccessesAndDatagramsInWords() throws IOException {
    Recorder asker = recorder(0, SENDER);
    Recorder owner = recorder(1, RECEIVER);
    AccessTrace asked = new AccessTrace(asker, 1);
    AccessTrace done = new AccessTrace(owner, 1);
    InboundTrace from = new InboundTrace(FLOW, SENDER, 1);
    long operation = asked.posted(Access.READ, 0, RECEIVER, 0xAB, 16, 8);
    nowNs++;
    done.served(Access.READ, from, 0, 0xAB, 16, 8);
    nowNs++;
    asked.completed(operation, 0, 8);
    nowNs++;
    asked.failed(operation, 0, FabricError.ACCESS.code());
    nowNs++;
    done.refused(FabricError.ACCESS.code(), from, 0, 0xAB, 16, 8);
    nowNs++;
    asked.reached(Access.WRITE_WITH_SIGNAL, 0, RECEIVER, 0xAB, 24, 4);
    nowNs++;
    asked.posted(Access.FLUSH, -1, 0, 0, 0, 0);
    for (TraceKind kind :
        List.of(
            TraceKind.DATAGRAM_SENT,
            TraceKind.DATAGRAM_UNSENT,
            TraceKind.DATAGRAM_ARRIVED,
            TraceKind.DATAGRAM_DROPPED)) {
      nowNs++;
      asker.record(kind, 0, FLOW, 0, 0, 7, 3, RECEIVER, 0, 1);
    }

    assertThat(new TimelineText(Timeline.gather(directory, 2)).lines(20))
        .extracting(line -> line.length() < 44 ? line : line.substring(44))
        .containsSubsequence(
            "access 1 posted: read 8 bytes at 16 in region ab of rank 1",
            "read 8 bytes at 16 in region ab, for rank 0",
            "access 1 completed: 8 bytes",
            "access 1 failed: ACCESS",
            "rank 0 is refused 8 bytes at 16 in region ab: ACCESS",
            "write with signal 4 bytes at 24 in region ab of rank 1, by this thread itself",
            "access 2 posted: flush of all peers",
            "datagram goes to rank 1: tag 7 3 bytes",
            "datagram to rank 1 is dropped, there is no room: tag 7",
            "datagram comes from rank 1: tag 7 3 bytes",
            "the datagram is dropped, no receive takes it");
  }

  @Test
  void shouldDrawRowsOfThreadsAndArrowsOfMessagesThatBothSidesKnow() throws IOException {
    Config line = ConfigFactory.parseString(PageWriter.write(timeline(), 100));

    assertThat(line.getConfigList("rows"))
        .extracting(row -> row.getInt("rank") + " " + row.getString("thread"))
        .containsExactly(
            "0 " + Thread.currentThread().getName(), "1 " + Thread.currentThread().getName());
    assertThat(line.getList("points").unwrapped())
        .contains(List.of(0, 0, "#1 goes to rank 1: tag 7 3 bytes, by itself"));
    assertThat(line.getList("slices").unwrapped())
        .containsExactly(
            List.of(1, 1_500, 3_000, "pass, work 3", 0), List.of(1, 3_000, 4_000, "sleep", 1));
    assertThat(line.getList("arrows").unwrapped()).containsExactly(List.of(0, 0, 1, 2_000, 1));
    assertThat(line.getInt("leftOut")).isZero();
  }

  @Test
  void shouldDrawTheLastEventsIfThereAreTooMany() throws IOException {
    Config line = ConfigFactory.parseString(PageWriter.write(timeline(), 2));

    assertThat(line.getInt("leftOut")).isEqualTo(4);
    assertThat(line.getList("points")).isEmpty();
    assertThat(line.getList("slices")).hasSize(2);
    assertThat(line.getLong("beginNs")).isEqualTo(3_000);
  }

  @Test
  void shouldReadWhatIsThereWhileItIsWritten() throws IOException {
    Timeline whole = timeline();

    Timeline live = Timeline.gatherLive(directory);

    assertThat(live.moments()).isEqualTo(whole.moments());
    assertThat(live.remarks()).isEmpty();
  }

  /** A field of a message of protocol buffers. */
  private record Field(int number, long value, ByteBuffer bytes) {
    String text() {
      return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }
  }

  private static Field first(List<Field> fields, int number) {
    return fields.stream().filter(f -> f.number() == number).findFirst().orElseThrow();
  }

  private static List<Field> fields(ByteBuffer message) {
    ByteBuffer in = message.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    List<Field> fields = new ArrayList<>();
    while (in.hasRemaining()) {
      long key = varint(in);
      int number = (int) (key >>> 3);
      switch ((int) key & 7) {
        case 0 -> fields.add(new Field(number, varint(in), ByteBuffer.allocate(0)));
        case 1 -> fields.add(new Field(number, in.getLong(), ByteBuffer.allocate(0)));
        case 2 -> {
          byte[] bytes = new byte[(int) varint(in)];
          in.get(bytes);
          fields.add(new Field(number, 0, ByteBuffer.wrap(bytes)));
        }
        default -> throw new AssertionError("wire type of key=" + key);
      }
    }
    return fields;
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }
}
