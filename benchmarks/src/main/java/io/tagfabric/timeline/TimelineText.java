package io.tagfabric.timeline;

import io.tagfabric.error.FabricError;
import io.tagfabric.timeline.Timeline.Moment;
import io.tagfabric.trace.TraceEvent;
import io.tagfabric.trace.TraceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The time line as lines for people: operations and messages, not passes, sleeps and credits. */
public final class TimelineText {
  private static final double NS_PER_US = 1_000;

  /** Of a random key: enough to tell regions apart. */
  private static final long SHOWN_OF_KEY = 0xFFFF_FFFFL;

  private final Timeline timeline;

  public TimelineText(Timeline timeline) {
    this.timeline = timeline;
  }

  /**
   * The first lines.
   *
   * @param most how many events are shown
   */
  public List<String> lines(int most) {
    List<Moment> shown = timeline.moments().stream().filter(TimelineText::isShown).toList();
    long firstNs = shown.isEmpty() ? 0 : shown.get(0).atNs();
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(Locale.ROOT, "%12s %4s  %-24s %s", "time us", "rank", "thread", "what"));
    for (Moment each : shown.subList(0, Math.min(most, shown.size()))) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%12.1f %4s  %-24.24s %s",
              (each.atNs() - firstNs) / NS_PER_US,
              each.rank() < 0 ? "-" : Integer.toString(each.rank()),
              each.event().thread(),
              text(each)));
    }
    if (shown.size() > most) {
      lines.add("and " + (shown.size() - most) + " events more");
    }
    lines.addAll(timeline.remarks());
    return lines;
  }

  /** Whether it is one of those for people. */
  public static boolean isShown(Moment moment) {
    return switch (moment.event().kind()) {
      case PASS, SLEPT, CREDIT -> false;
      default -> true;
    };
  }

  /** What an event says, in words. */
  public String text(Moment moment) {
    TraceEvent event = moment.event();
    return switch (event.kind()) {
      case PASS -> "pass, work " + event.length();
      case SLEPT -> "sleep";
      case SEND_POSTED -> operation("send", event) + " posted: " + tag(event) + bytes(event);
      case SEND_WAITS -> operation("send", event) + " waits " + reason(event);
      case SENT ->
          "#" + number(moment) + " goes to " + peer(event) + ": " + tag(event) + way(event);
      case ASKED -> operation("send", event) + " is asked for its bytes to " + event.length();
      case SEND_COMPLETED -> operation("send", event) + " completed";
      case SEND_FAILED -> operation("send", event) + failed(event);
      case RECEIVE_POSTED -> operation("receive", event) + " posted: " + selector(event);
      case ARRIVED -> "#" + number(moment) + " comes from " + peer(event) + ": " + tag(event);
      case KEPT -> "#" + number(moment) + " waits, unexpected; waiting: " + event.length();
      case MATCHED ->
          "#" + number(moment) + " is taken by " + operation("receive", event) + waited(event);
      case RECEIVE_COMPLETED -> operation("receive", event) + " completed: " + bytes(event).strip();
      case RECEIVE_FAILED -> operation("receive", event) + failed(event);
      case CREDIT -> "credit " + event.number() + " messages, " + event.length() + " bytes";
      case REPLAYED -> event.length() + " packets go again to " + peer(event);
      case FLOW_OPENED -> "flow to " + peer(event) + " is set up";
      case FLOW_LOST -> "flow to " + peer(event) + ended(event);
      case SIMULATION_BEGUN -> "the simulation begins";
      case PACKET -> packet(event);
      case RANK_ENDED -> "rank " + event.number() + " ends with code " + event.how();
      case RANK_KILLED -> "rank " + event.number() + " is killed";
      case RANK_GIVEN_UP -> "rank " + event.number() + " is given up by rank " + event.extra();
      case ACCESS_POSTED -> operation("access", event) + " posted: " + access(event);
      case NOTE -> event.text();
      case ACCESS_WAITS -> operation("access", event) + " waits " + reason(event);
      case ACCESS_COMPLETED -> operation("access", event) + " completed:" + bytes(event);
      case ACCESS_FAILED -> operation("access", event) + failed(event);
      case ACCESS_REACHED -> access(event) + ", by this thread itself";
      case ACCESS_SERVED -> access(event) + ", for " + peer(event);
      case ACCESS_REFUSED -> peer(event) + " is refused" + place(event) + ": " + error(event);
      case DATAGRAM_SENT -> "datagram goes to " + peer(event) + ": " + tag(event) + bytes(event);
      case DATAGRAM_UNSENT ->
          "datagram to " + peer(event) + " is dropped, there is no room: " + tag(event);
      case DATAGRAM_ARRIVED ->
          "datagram comes from " + peer(event) + ": " + tag(event) + bytes(event);
      case DATAGRAM_DROPPED -> "the datagram is dropped, no receive takes it";
    };
  }

  private String access(TraceEvent event) {
    TraceKind.Access what = TraceKind.Access.of(event.how()).orElse(TraceKind.Access.FLUSH);
    String word = what.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    String whose = event.kind() == TraceKind.ACCESS_SERVED ? "" : " of " + owner(event);
    return what == TraceKind.Access.FLUSH ? word + whose : word + place(event) + whose;
  }

  private static String place(TraceEvent event) {
    return bytes(event)
        + " at "
        + event.tag()
        + " in region "
        + Long.toHexString(event.number() & SHOWN_OF_KEY);
  }

  /** Whose region it is; descriptors do not tell it if there is but one incarnation. */
  private String owner(TraceEvent event) {
    if (event.extra() != 0) {
      return peer(event);
    }
    return event.peer() < 0 ? "all peers" : "peer " + event.peer();
  }

  private static String packet(TraceEvent event) {
    String what =
        TraceKind.Packet.of(event.how())
            .map(each -> each.name().toLowerCase(Locale.ROOT).replace('_', ' '))
            .orElse("packet");
    return what + " " + event.flow() + " -> " + event.peer() + ", " + event.length() + " bytes";
  }

  private int number(Moment moment) {
    return timeline.numbers().get(moment.message());
  }

  private String peer(TraceEvent event) {
    return timeline.peer(event.extra());
  }

  private static String operation(String what, TraceEvent event) {
    return what + " " + event.operation();
  }

  private static String tag(TraceEvent event) {
    return "tag " + Long.toHexString(event.tag());
  }

  private static String bytes(TraceEvent event) {
    return " " + event.length() + " bytes";
  }

  private static String way(TraceEvent event) {
    String how =
        TraceKind.Way.of(event.how())
            .map(
                way ->
                    switch (way) {
                      case ALONE -> ", by itself";
                      case EAGER -> ", eager";
                      case PARTS -> ", in parts";
                      case ASKS -> ", asks first";
                    })
            .orElse("");
    return bytes(event) + how;
  }

  private static String reason(TraceEvent event) {
    return TraceKind.Wait.of(event.how())
        .map(
            wait ->
                switch (wait) {
                  case SET_UP -> "until the flow is set up";
                  case TURN -> "for its turn";
                  case CREDIT -> "for credit";
                })
        .orElse("");
  }

  private static String selector(TraceEvent event) {
    String tag =
        event.extra() == -1
            ? "any tag"
            : tag(event)
                + (event.extra() == 0 ? "" : " but bits " + Long.toHexString(event.extra()));
    return tag + " from " + (event.peer() < 0 ? "any" : "peer " + event.peer());
  }

  private static String waited(TraceEvent event) {
    return event.how() == 1 ? ", it had waited" : "";
  }

  /** How a flow has ended; in a job that ends well all do by a close. */
  private static String ended(TraceEvent event) {
    return FabricError.find(event.how())
        .map(
            error ->
                switch (error) {
                  case CANCELED -> " is closed by this side";
                  case SHUTDOWN -> " is closed by the other side";
                  default -> " is lost: " + error;
                })
        .orElse(" is lost: code " + event.how());
  }

  /** How an operation has ended; what is left at a close is cancelled. */
  private static String failed(TraceEvent event) {
    return event.how() == FabricError.CANCELED.code()
        ? " is cancelled"
        : " failed: " + error(event);
  }

  private static String error(TraceEvent event) {
    return FabricError.find(event.how()).map(Object::toString).orElse("code " + event.how());
  }
}
