package io.tagfabric.name;

import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.TimerScheduler;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.name.NameTable.Holding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells other nodes which names this one holds, now and when it gets one that they have asked for
 * lately. Part of the name service's actor, and used by it alone.
 */
final class AnswerDesk {
  /** Names in one message, which remoting must have room for. */
  static final int MAX_LISTED = 100;

  private static final int MAX_ASKERS = 1000;
  private static final Duration FORGET = Duration.ofSeconds(10);

  /**
   * One that looks for a name.
   *
   * @param number of its enquiry, 0 for a member of the cluster
   */
  private record Asker(ActorRef<NameService.Command> ref, long number) {}

  private final TimerScheduler<NameService.Command> timers;
  private final Node self;
  private final int partitionKey;
  private final NameTable table;
  private final Askers<Asker> askers = new Askers<>(MAX_ASKERS);

  AnswerDesk(
      TimerScheduler<NameService.Command> timers, Node self, int partitionKey, NameTable table) {
    this.timers = timers;
    this.self = self;
    this.partitionKey = partitionKey;
    this.table = table;
  }

  void ask(NameService.Ask ask) {
    EndpointAddress here = table.lookup(ask.name());
    ask.replyTo().tell(new NameService.Answer(ask.name(), here, self, listed()));
    if (here == null) {
      remember(ask.name(), new Asker(ask.replyTo(), 0));
    }
  }

  /** A node of another partition is told that, and no more. */
  void enquiry(NameService.Enquiry enquiry) {
    if (enquiry.partitionKey() != partitionKey) {
      enquiry.replyTo().tell(new NameService.Finding(enquiry.number(), false, null, List.of()));
      return;
    }
    EndpointAddress here = table.lookup(enquiry.name());
    enquiry.replyTo().tell(new NameService.Finding(enquiry.number(), true, here, listed()));
    if (here == null) {
      remember(enquiry.name(), new Asker(enquiry.replyTo(), enquiry.number()));
    }
  }

  private void remember(String name, Asker asker) {
    if (askers.size() == 0) {
      timers.startSingleTimer(
          NameService.ForgetTick.INSTANCE, NameService.ForgetTick.INSTANCE, FORGET);
    }
    askers.add(name, asker);
  }

  /** Forgets all that have asked; who still looks asks again. */
  void forget() {
    askers.clear();
  }

  /** This node holds a name. */
  void held(Holding holding) {
    String name = holding.name();
    for (Asker asker : askers.take(name)) {
      asker
          .ref()
          .tell(
              asker.number() == 0
                  ? new NameService.Answer(name, holding.address(), self, listed())
                  : new NameService.Finding(asker.number(), true, holding.address(), listed()));
    }
  }

  private List<String> listed() {
    List<String> names = table.held().stream().map(Holding::name).toList();
    if (names.size() <= MAX_LISTED) {
      return names;
    }
    List<String> listed = new ArrayList<>(names.subList(0, MAX_LISTED));
    listed.add("and " + (names.size() - MAX_LISTED) + " more");
    return listed;
  }
}
