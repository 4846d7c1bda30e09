package io.tagfabric.trace;

import io.tagfabric.trace.TraceKind.Access;
import io.tagfabric.trace.TraceKind.Wait;
import io.tagfabric.trace.TraceKind.Way;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * The events of one loop for a recording of Java Flight Recorder: {@code tagfabric.Message} and
 * {@code tagfabric.Loop}, which are off unless the recording's settings enable them. Asked once,
 * when the domain opens, so that a process without such a recording pays nothing. Thread: any.
 */
final class FlightEvents {
  private final Recorder.Owner owner;

  private FlightEvents(Recorder.Owner owner) {
    this.owner = owner;
  }

  /** Those of a loop, null if no recording has asked. */
  static FlightEvents find(Recorder.Owner owner) {
    boolean isThere = ModuleLayer.boot().findModule("jdk.jfr").isPresent();
    return isThere && Asked.now() ? new FlightEvents(owner) : null;
  }

  /** Apart, since it cannot be loaded where there is no JFR. */
  private static final class Asked {
    /** The first event of a process starts all of JFR, so none is made while nobody records. */
    static boolean now() {
      return FlightRecorder.isInitialized()
          && (new MessageEvent().isEnabled() || new LoopEvent().isEnabled());
    }
  }

  /** Any kind but passes and sleeps. */
  void message(
      TraceKind kind,
      int how,
      long flow,
      long number,
      long operation,
      long tag,
      long length,
      long extra,
      int peer,
      int endpoint) {
    MessageEvent event = new MessageEvent();
    if (event.shouldCommit()) {
      event.rank = owner.rank();
      event.domain = owner.domain();
      event.kind = kind.name();
      event.how = word(kind, how);
      event.flow = flow;
      event.number = number;
      event.operation = operation;
      event.tag = tag;
      event.length = length;
      event.extra = extra;
      event.peer = peer;
      event.endpoint = endpoint;
      event.commit();
    }
  }

  private static String word(TraceKind kind, int how) {
    return switch (kind) {
      case SENT, ARRIVED -> Way.of(how).map(Way::name).orElse("");
      case ACCESS_POSTED, ACCESS_REACHED, ACCESS_SERVED ->
          Access.of(how).map(Access::name).orElse("");
      case SEND_WAITS, ACCESS_WAITS -> Wait.of(how).map(Wait::name).orElse("");
      default -> how == 0 ? "" : Integer.toString(how);
    };
  }

  /** A pass or a sleep of the calling thread. */
  void loop(TraceKind kind, long tookNs, int work) {
    LoopEvent event = new LoopEvent();
    if (event.shouldCommit()) {
      event.rank = owner.rank();
      event.domain = owner.domain();
      event.kind = kind.name();
      event.took = tookNs;
      event.work = work;
      event.commit();
    }
  }

  /** What happens to an operation, a message or a flow. */
  @Name("tagfabric.Message")
  @Label("Message")
  @Description("What happens to an operation, a message or a flow of a domain")
  @Category("Tagfabric")
  @StackTrace(false)
  @Enabled(false)
  static final class MessageEvent extends Event {
    @Label("Rank")
    int rank;

    @Label("Domain")
    String domain;

    @Label("Kind")
    String kind;

    @Label("How")
    String how;

    @Label("Flow")
    long flow;

    @Label("Number in the flow")
    long number;

    @Label("Operation")
    long operation;

    @Label("Tag")
    long tag;

    @Label("Length")
    long length;

    @Label("Extra")
    long extra;

    @Label("Peer")
    int peer;

    @Label("Endpoint")
    int endpoint;
  }

  /** A pass that has found work, or a sleep. */
  @Name("tagfabric.Loop")
  @Label("Progress loop")
  @Description("A pass of a progress loop that has found work, or a sleep of a thread that drives")
  @Category("Tagfabric")
  @StackTrace(false)
  @Enabled(false)
  static final class LoopEvent extends Event {
    @Label("Rank")
    int rank;

    @Label("Domain")
    String domain;

    @Label("Kind")
    String kind;

    @Label("Took")
    @Timespan(Timespan.NANOSECONDS)
    long took;

    @Label("Work")
    int work;
  }
}
