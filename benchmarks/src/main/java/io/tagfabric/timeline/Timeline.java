package io.tagfabric.timeline;

import io.tagfabric.trace.LiveRecording;
import io.tagfabric.trace.Recording;
import io.tagfabric.trace.TraceEvent;
import io.tagfabric.trace.TraceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The events of all ranks in the order in which they happened, on one clock.
 *
 * @param recordings the parts, by rank
 * @param moments their events
 * @param numbers short numbers of messages, from 1 on in the order sent
 * @param remarks what is missing of it, for people
 */
public record Timeline(
    List<Recording> recordings,
    List<Moment> moments,
    Map<MessageId, Integer> numbers,
    List<String> remarks) {
  /** Processes of one host have one clock; wall clocks may be set in between, by little. */
  private static final long SAME_CLOCK_NS = 1_000_000_000L;

  /**
   * One event.
   *
   * @param atNs since the first event of all
   * @param recording whose it is
   * @param event what has happened
   */
  public record Moment(long atNs, Recording recording, TraceEvent event) {
    /** The rank where it happened. */
    public int rank() {
      return recording.owner().rank();
    }

    /** The message that it is about; null if about none. */
    public MessageId message() {
      return switch (event.kind()) {
        case SENT -> new MessageId(event.flow(), event.extra(), event.number());
        case ARRIVED, KEPT, MATCHED ->
            new MessageId(event.flow(), recording.owner().incarnation(), event.number());
        default -> null;
      };
    }
  }

  /**
   * Names a message on both sides.
   *
   * @param flow its direction
   * @param receiver incarnation of the receiver
   * @param number in that direction
   */
  public record MessageId(long flow, long receiver, long number) {}

  public Timeline {
    recordings = List.copyOf(recordings);
    moments = List.copyOf(moments);
    numbers = Map.copyOf(numbers);
    remarks = List.copyOf(remarks);
  }

  /**
   * Reads what recorders have left below a directory.
   *
   * @param ranks how many ranks the job has
   * @throws IOException if the directory cannot be read
   */
  public static Timeline gather(Path directory, int ranks) throws IOException {
    List<String> remarks = new ArrayList<>();
    List<Recording> recordings = read(directory, Recording::read, remarks);
    Set<Integer> seen =
        recordings.stream()
            .map(each -> each.owner().rank())
            .collect(Collectors.toCollection(TreeSet::new));
    IntStream.range(0, ranks)
        .filter(rank -> !seen.contains(rank))
        .forEach(
            rank ->
                remarks.add(
                    "rank "
                        + rank
                        + " has left no events: it opened no domain that could be recorded"));
    recordings.forEach(
        each -> {
          if (!each.closed()) {
            remarks.add(who(each) + "it did not close; what it did last may be missing");
          }
          remarkDropped(each, remarks);
        });
    return of(recordings, remarks);
  }

  /**
   * Reads what recorders have written below a directory, while they write.
   *
   * @throws IOException if the directory cannot be read
   */
  public static Timeline gatherLive(Path directory) throws IOException {
    List<String> remarks = new ArrayList<>();
    List<Recording> recordings =
        read(directory, file -> LiveRecording.open(file).snapshot(), remarks);
    recordings.forEach(each -> remarkDropped(each, remarks));
    return of(recordings, remarks);
  }

  /** Reads one file. */
  private interface Reader {
    Recording read(Path file) throws IOException;
  }

  private static List<Recording> read(Path directory, Reader reader, List<String> remarks)
      throws IOException {
    List<Recording> recordings = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        try {
          recordings.add(reader.read(file));
        } catch (IOException e) {
          remarks.add("a part is missing: " + e.getMessage());
        }
      }
    }
    recordings.sort(
        Comparator.comparing((Recording each) -> each.owner().rank())
            .thenComparing(each -> each.owner().domain()));
    return recordings;
  }

  private static String who(Recording recording) {
    return "rank " + recording.owner().rank() + ", domain " + recording.owner().domain() + ": ";
  }

  private static void remarkDropped(Recording recording, List<String> remarks) {
    String who = who(recording);
    if (recording.dropped() > 0) {
      remarks.add(
          who
              + "only its last "
              + recording.events().stream().filter(e -> e.kind() != TraceKind.SLEPT).count()
              + " events are here, "
              + recording.dropped()
              + " before are not; to keep more, set trace.events (-x TAGFABRIC_TRACE_EVENTS=N)");
    }
    if (recording.droppedSleeps() > 0) {
      remarks.add(who + "of its sleeps only the last ones are in the file");
    }
  }

  private static Timeline of(List<Recording> recordings, List<String> remarks) {
    long baseNs =
        recordings.isEmpty() ? 0 : recordings.get(0).wallNs() - recordings.get(0).loopNs();
    List<Moment> all = new ArrayList<>();
    for (Recording recording : recordings) {
      long offsetNs = recording.wallNs() - recording.loopNs() - baseNs;
      long shiftNs = Math.abs(offsetNs) < SAME_CLOCK_NS ? 0 : offsetNs;
      recording.events().forEach(e -> all.add(new Moment(e.timeNs() + shiftNs, recording, e)));
    }
    all.sort(Comparator.comparingLong(Moment::atNs));
    long firstNs = all.stream().mapToLong(Timeline::beginNs).min().orElse(0);
    List<Moment> moments =
        all.stream()
            .map(each -> new Moment(each.atNs() - firstNs, each.recording(), each.event()))
            .toList();
    return new Timeline(recordings, moments, numbers(moments), remarks);
  }

  private static long beginNs(Moment moment) {
    return switch (moment.event().kind()) {
      case PASS, SLEPT -> moment.atNs() - moment.event().extra();
      default -> moment.atNs();
    };
  }

  private static Map<MessageId, Integer> numbers(List<Moment> moments) {
    Map<MessageId, Integer> numbers = new HashMap<>();
    for (Moment each : moments) {
      MessageId message = each.message();
      if (message != null && !numbers.containsKey(message)) {
        numbers.put(message, numbers.size() + 1);
      }
    }
    return numbers;
  }

  /** The messages whose sender and receiver are both seen. */
  public Set<MessageId> pairs() {
    Set<MessageId> sent = ids(TraceKind.SENT);
    sent.retainAll(ids(TraceKind.ARRIVED));
    return sent;
  }

  private Set<MessageId> ids(TraceKind kind) {
    return moments.stream()
        .filter(each -> each.event().kind() == kind)
        .map(Moment::message)
        .collect(Collectors.toSet());
  }

  /** The rank of an ActorSystem for people. */
  String peer(long incarnation) {
    return recordings.stream()
        .filter(each -> each.owner().incarnation() == incarnation)
        .findFirst()
        .map(each -> "rank " + each.owner().rank())
        .orElse("a peer without a part");
  }
}
