package io.tagfabric.name;

import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.TimerScheduler;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.runtime.Mail;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Looks for names that this node does not hold: at all members of the cluster, or at one place. It
 * asks again until a search is over. Part of the name service's actor, and used by it alone.
 */
final class SearchDesk {
  private static final Duration ASK_AGAIN = Duration.ofMillis(500);
  private static final int MAX_GONE = 1000;

  private final ActorRef<NameService.Command> service;
  private final TimerScheduler<NameService.Command> timers;
  private final Mail mail;
  private final Node self;
  private final NameSettings settings;
  private final NameTable table;
  private final Peers peers;
  private final JoinDesk joining;
  private final Searches searches = new Searches();

  /** The names that peers hold, of those that are peers. */
  private final Map<Node, List<String>> known = new HashMap<>();

  /** Addresses of nodes that were peers and have gone, the last ones; nobody answers there. */
  private final Set<String> gone = new LinkedHashSet<>();

  /**
   * The desk of a name service.
   *
   * @param service which gets the answers and the ticks
   * @param self its node
   * @param peers the other members, now and later
   * @param joining which knows whether this node is one
   */
  SearchDesk(
      ActorRef<NameService.Command> service,
      TimerScheduler<NameService.Command> timers,
      Mail mail,
      Node self,
      NameSettings settings,
      NameTable table,
      Peers peers,
      JoinDesk joining) {
    this.service = service;
    this.timers = timers;
    this.mail = mail;
    this.self = self;
    this.settings = settings;
    this.table = table;
    this.peers = peers;
    this.joining = joining;
  }

  void resolve(NameService.Resolve resolve) {
    NamePlace place = null;
    if (NamePlace.isPlace(resolve.name())) {
      try {
        place = NamePlace.parse(resolve.name(), self.address());
      } catch (FabricException e) {
        refuse(resolve, e.error(), e.getMessage());
        return;
      }
    }
    EndpointAddress here = place == null ? table.lookup(resolve.name()) : null;
    if (here != null) {
      resolve.replyTo().tell(new NameService.Resolved(resolve.name(), here));
      return;
    }
    boolean ifSilent = place != null && resolve.timeout().equals(NameService.FOR_EVER);
    timers.startSingleTimer(
        resolve,
        new NameService.ResolveTick(resolve, ifSilent),
        ifSilent ? settings.connectTimeout() : resolve.timeout());
    ask(searches.join(resolve, place));
    if (!timers.isTimerActive(NameService.AskTick.INSTANCE)) {
      askLater();
    }
  }

  /** Asks all again, as long as there are any. */
  void askAgain() {
    if (!searches.isEmpty()) {
      searches.all().forEach(this::ask);
      askLater();
    }
  }

  private void askLater() {
    timers.startSingleTimer(NameService.AskTick.INSTANCE, NameService.AskTick.INSTANCE, ASK_AGAIN);
  }

  private void ask(Search search) {
    if (search.place() == null) {
      peers.asked().forEach(peer -> ask(peer, search));
      return;
    }
    if (gone.contains(search.place().node())) {
      return;
    }
    mail.tell(
        search.place().node(),
        NameService.ACTOR,
        new NameService.Enquiry(
            search.number(), settings.partitionKey(), search.place().name(), service));
  }

  private void ask(Node peer, Search search) {
    mail.tell(peer.address(), NameService.ACTOR, new NameService.Ask(search.text(), service));
  }

  /** There is one more peer. */
  void came(Node peer) {
    boolean isBack = gone.remove(peer.address());
    for (Search search : searches.all()) {
      if (search.place() == null) {
        ask(peer, search);
      } else if (isBack && search.place().node().equals(peer.address())) {
        ask(search);
      }
    }
  }

  /** A peer is none any more. */
  void went(Node peer) {
    known.remove(peer);
    if (!peers.isAt(peer.address()) && gone.add(peer.address()) && gone.size() > MAX_GONE) {
      gone.remove(gone.iterator().next());
    }
  }

  /** What comes from another than a peer is not kept. */
  void answer(NameService.Answer answer) {
    if (peers.asked().contains(answer.node())) {
      known.put(answer.node(), answer.held());
      if (answer.address() != null) {
        found(answer.name(), answer.address());
      }
    }
  }

  /** One that comes when its search is over is of no use. */
  void finding(NameService.Finding finding) {
    Search search = searches.numbered(finding.number());
    if (search == null) {
      return;
    }
    if (finding.address() != null) {
      found(search.text(), finding.address());
    } else if (finding.admitted()) {
      search.heard(finding.held());
    } else {
      end(
          search,
          FabricError.KEY_REJECTED,
          "partition.key here differs from that of the name service at ["
              + search.place().node()
              + "], give both the same tagfabric.partition.key");
    }
  }

  /** A place cannot read what it is asked. */
  void refusal(NameService.Refusal refusal) {
    Search search = searches.numbered(refusal.number());
    if (search != null) {
      end(search, FabricError.INVALID, refusal.why());
    }
  }

  private void end(Search search, FabricError error, String why) {
    for (NameService.Resolve resolve : searches.end(search.text())) {
      timers.cancel(resolve);
      refuse(resolve, error, why);
    }
  }

  /** A name has an endpoint. */
  void found(String name, EndpointAddress address) {
    for (NameService.Resolve resolve : searches.end(name)) {
      timers.cancel(resolve);
      resolve.replyTo().tell(new NameService.Resolved(name, address));
    }
  }

  void tick(NameService.ResolveTick tick) {
    NameService.Resolve resolve = tick.resolve();
    Search search = searches.of(resolve);
    if (search == null) {
      return;
    }
    if (tick.ifSilent() && search.heard() != null) {
      timers.startSingleTimer(
          resolve, new NameService.ResolveTick(resolve, false), resolve.timeout());
      return;
    }
    for (int left = searches.leave(resolve); left > 0; left--) {
      if (search.place() == null && !joining.mayClaim()) {
        refuse(resolve, FabricError.NO_ENTRY, missing(resolve) + ": " + joining.state());
      } else if (search.place() == null && !peers.strangers().isEmpty()) {
        refuse(resolve, FabricError.NO_ENTRY, missing(resolve) + unasked(search));
      } else if (search.place() == null || search.heard() != null) {
        resolve.replyTo().tell(new NameService.NotFound(resolve.name(), known(search)));
      } else {
        refuse(resolve, FabricError.HOST_UNREACHABLE, unheard(search.place()));
      }
    }
  }

  /** The names that there are where one was looked for. */
  private List<String> known(Search search) {
    if (search.place() != null) {
      return search.heard();
    }
    TreeSet<String> names = new TreeSet<>();
    table.held().forEach(holding -> names.add(holding.name()));
    known.values().forEach(names::addAll);
    return List.copyOf(names);
  }

  private static String missing(NameService.Resolve resolve) {
    return "no endpoint had the name ["
        + resolve.name()
        + "] within "
        + resolve.timeout().toMillis()
        + " ms";
  }

  private String unasked(Search search) {
    return ", the names known are " + known(search) + "; " + peers.strangers();
  }

  private static String unheard(NamePlace place) {
    return "no name service has answered at ["
        + place.node()
        + "] about ["
        + place.name()
        + "]: none may listen there, its ActorSystem may have another name (then it is"
        + " system@host:port/name) or another akka.remote.artery.canonical.hostname, another"
        + " tagfabric.job.key, an older build of Tagfabric, or tagfabric.names.enabled=off";
  }

  private static void refuse(NameService.Resolve resolve, FabricError error, String why) {
    resolve.replyTo().tell(new NameService.Refused(resolve.name(), error, why));
  }
}
