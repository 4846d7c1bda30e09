package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Dissemination;
import io.tagfabric.collective.run.ControlMessage.AgreementMessage;
import io.tagfabric.collective.run.ControlMessage.LeaveTeam;
import io.tagfabric.collective.run.ControlMessage.Notice;
import io.tagfabric.collective.run.ControlMessage.Wake;
import io.tagfabric.collective.run.TeamFailure.Reason;
import io.tagfabric.complete.Completion;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.tag.TaggedMessage;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a member hears and tells about the team itself: which members are gone, that it is broken,
 * and agreements. They come as notes; a receive from each member of another ActorSystem, which no
 * message ever meets, ends when that member is lost. Only passes of the loop touch it.
 *
 * <p>News go to the partners of a {@link Dissemination}, and in small teams to all; a member that
 * hears of a failure or of a loss for the first time passes it on. Members inside one JVM hear them
 * by their {@link TeamCells} instead.
 */
final class TeamControl {
  /** In teams up to this size news go to all members directly. */
  private static final int SMALL = 16;

  /** Is told what concerns collectives. */
  interface Listener {
    /** The team is broken; false if it was before. */
    boolean onFailure(TeamFailure failure);

    /** This member's endpoint is closed. */
    void onClosed(TeamFailure failure);

    /** A member says something about the collectives. */
    void onMessage(int from, ControlMessage message);

    /**
     * A member takes part in no collective from number {@code calls} on; if that number is not
     * known it is the greatest, and what the member has done before still counts.
     */
    void onGone(TeamFailure failure, long calls);
  }

  private final ControlPort port;
  private final Members members;
  private final TeamCells cells;
  private final Listener listener;
  private final TeamAgreements agreements;
  private final Standing standing = new Standing();
  private final Set<Watch> watches = new LinkedHashSet<>();
  private final Map<Integer, Long> gone = new TreeMap<>();
  private final Map<Integer, TeamFailure> why = new TreeMap<>();
  private volatile BitSet goneRanks = new BitSet();

  /** To these no note goes: this member's flow to them has ended. */
  private final BitSet cutOff = new BitSet();

  /** Whether some are; each call asks. */
  private boolean areSomeGone;

  /** By which members of one host tell one another, null if there is none. */
  private SharedTier host;

  /** Notes to and from each member before they have mail, null without a host. */
  private int[] notesSent;

  private int[] notesCome;
  private boolean closed;

  /**
   * Prepares it.
   *
   * @param cells null if some members are in other JVMs
   */
  TeamControl(ControlPort port, TeamCells cells, Listener listener, TeamAgreements.Calls calls) {
    this.port = port;
    this.members = port.members();
    this.cells = cells;
    this.listener = listener;
    this.agreements = new TeamAgreements(members, cells, this::send, calls);
  }

  /** Members of this host tell one another in its memory, once they have met there. */
  void use(SharedTier itsHost) {
    host = itsHost;
    notesSent = new int[members.size()];
    notesCome = new int[members.size()];
  }

  int[] notesSent(int[] ranks) {
    return Arrays.stream(ranks).map(rank -> notesSent[rank]).toArray();
  }

  int[] notesCome(int[] ranks) {
    return Arrays.stream(ranks).map(rank -> notesCome[rank]).toArray();
  }

  void open() {
    boolean oneSystem = members.shareSystem();
    for (int member = 0; (host != null || !oneSystem) && member < members.size(); member++) {
      if (members.isRemote(member) || (host != null && host.has(member))) {
        watches.add(new Watch(member));
      }
    }
    port.watchOwn(standing);
    port.receiveControl(this::onNote);
    for (Watch watch : List.copyOf(watches)) {
      port.watch(watch.member, watch);
    }
  }

  /**
   * Leaves the team after so many collectives. The others are told at once; what the making of a
   * team needs goes on until it has ended, else they might make one with this member in it.
   */
  void close(long calls) {
    if (closed) {
      return;
    }
    if (agreements.close(() -> over(calls))) {
      over(calls);
    } else if (cells == null) {
      tellPartners(new LeaveTeam(calls, false, agreements.recent()));
    }
  }

  private void over(long calls) {
    if (!closed) {
      if (cells == null) {
        tellPartners(new LeaveTeam(calls, true, agreements.recent()));
      }
      stop();
    }
  }

  private void stop() {
    closed = true;
    port.cancel(standing);
    port.dropLate();
    watches.forEach(port::cancel);
    agreements.abandon();
    if (host != null) {
      host.endMail();
    }
  }

  TeamAgreements agreements() {
    return agreements;
  }

  /** Members that are lost or have left. Thread: any. */
  BitSet gone() {
    return (BitSet) goneRanks.clone();
  }

  /** A member that takes no part in a collective, as a failure; null if there is none. */
  TeamFailure goneBefore(long epoch) {
    if (!areSomeGone) {
      return null;
    }
    for (Map.Entry<Integer, Long> each : gone.entrySet()) {
      if (each.getValue() <= epoch) {
        return why.get(each.getKey());
      }
    }
    return null;
  }

  /** Remembers what a collective, or another member, has found. */
  void noteGone(TeamFailure failure) {
    if (failure.isGone() && failure.member() != members.rank()) {
      goes(failure, failure.reason() == Reason.LOST ? 0 : Long.MAX_VALUE);
    }
  }

  /** It takes part in nothing any more; false if it is no news. */
  private boolean goes(TeamFailure failure, long calls) {
    boolean isNews = stops(failure, calls);
    int member = failure.member();
    if (!goneRanks.get(member)) {
      BitSet ranks = gone();
      ranks.set(member);
      goneRanks = ranks;
      agreements.lost(member, ranks);
    }
    return isNews;
  }

  /** It takes part in no collective from a number on; false if it is no news. */
  private boolean stops(TeamFailure failure, long calls) {
    int member = failure.member();
    Long known = gone.get(member);
    if (known == null || failure.reason() == Reason.LOST) {
      why.put(member, failure);
    }
    if (known != null && known <= calls) {
      return false;
    }
    gone.put(member, calls);
    areSomeGone = true;
    return true;
  }

  /** Tells of a failure. */
  void tell(Notice notice) {
    if (cells != null) {
      return;
    }
    if (members.size() <= SMALL) {
      for (int member = 0; member < members.size(); member++) {
        send(member, notice);
      }
    } else {
      tellPartners(notice);
    }
  }

  private void tellPartners(ControlMessage message) {
    Dissemination partners = new Dissemination(members.rank(), members.size());
    for (int round = 0; round < partners.rounds(); round++) {
      send(partners.to(round), message);
    }
  }

  /**
   * Tells one member. One that is lost hears of failures by whatever way is left: it may be alive,
   * and only another member cannot reach it.
   */
  void send(int member, ControlMessage message) {
    boolean isWake = message instanceof Wake;
    boolean isForLost = isWake || message instanceof Notice;
    if (member == members.rank() || (isLost(member) && !isForLost)) {
      return;
    }
    byte[] bytes = ControlMessage.CODEC.encode(message);
    boolean mayBeMail = host != null && !isWake;
    if ((mayBeMail && host.send(member, bytes)) || cutOff.get(member)) {
      return;
    }
    if (mayBeMail) {
      notesSent[member]++;
    }
    port.sendControl(member, bytes, (error, detail) -> onFailed(member, error, detail));
  }

  private boolean isLost(int member) {
    return why.containsKey(member) && why.get(member).reason() == Reason.LOST;
  }

  private void onMessage(int from, ControlMessage message) {
    if (message instanceof Notice notice) {
      onNotice(from, notice);
    } else if (message instanceof LeaveTeam leave) {
      agreements.adopt(from, leave.decided());
      TeamFailure left = TeamFailure.left(from);
      if (leave.isOver()) {
        goes(left, leave.calls());
      } else {
        stops(left, leave.calls());
      }
      listener.onGone(left, leave.calls());
    } else if (message instanceof AgreementMessage agreed) {
      agreements.received(from, agreed);
    } else {
      listener.onMessage(from, message);
    }
  }

  private void onNotice(int from, Notice notice) {
    TeamFailure failure = notice.failure();
    if (isLost(from)) {
      return; // it is not heard: the others go on without it
    }
    if (failure.reason() == Reason.LOST && failure.member() == members.rank()) {
      givenUp(failure);
      return;
    }
    boolean isNews = failure.reason() == Reason.LOST && !isLost(failure.member());
    // What breaks the team is noted and passed on with that, later losses here.
    if (!listener.onFailure(failure) && isNews) {
      noteGone(failure);
      tellPartners(notice);
    }
  }

  /** Others go on without this member, which is alive: it takes part in nothing more. */
  private void givenUp(TeamFailure failure) {
    TeamFailure own =
        TeamFailure.lost(
            members.rank(),
            failure.error(),
            "has been given up by others, for which it " + failure.detail());
    listener.onFailure(own);
    agreements.abandon(own.exception(members, goneRanks));
  }

  /** A note, or the watch of a member, has failed. */
  private void onFailed(int member, FabricError error, String detail) {
    if (error != FabricError.CANCELED) {
      cutOff.set(member);
      if (host != null) {
        host.readMail(); // what the member has told before
      }
    }
    if (error != FabricError.CANCELED && !closed && !isLost(member)) {
      ended(port.failure(member, error, detail));
    }
  }

  private void ended(TeamFailure found) {
    if (found.reason() == Reason.LEFT) {
      if (goes(found, Long.MAX_VALUE)) {
        listener.onGone(found, Long.MAX_VALUE);
      }
      return;
    }
    if (!listener.onFailure(found)) {
      // Noted first: the word to this member itself fails at once, and would come here again.
      noteGone(found);
      tellPartners(Notice.of(found));
    }
  }

  private void onNote(int peer, byte[] note) {
    int from = members.memberWith(peer);
    if (closed || from < 0) {
      return;
    }
    ControlMessage message = decoded(from, note);
    if (host != null && !(message instanceof Wake)) {
      notesCome[from]++;
      host.noteCame(from);
    }
    if (message != null) {
      onMessage(from, message);
    }
  }

  /** A member of this host has told something in its memory. */
  void onMail(int from, byte[] mail) {
    ControlMessage message = closed ? null : decoded(from, mail);
    if (message != null) {
      onMessage(from, message);
    }
  }

  /** Null if it is none; then the team is broken. */
  private ControlMessage decoded(int from, byte[] bytes) {
    try {
      return ControlMessage.decode(bytes, members.size());
    } catch (IllegalArgumentException e) {
      listener.onFailure(
          TeamFailure.atFault(
              from, FabricError.INVALID, "sent what is no control message: " + e.getMessage()));
      return null;
    }
  }

  /** Ends with this member's endpoint. No collective sends what it would take. */
  private final class Standing implements ReceiveListener {
    @Override
    public void onReceived(TaggedMessage message) {
      if (!closed) {
        port.watchOwn(this);
        int from = members.memberWith(message.source());
        if (from >= 0) {
          listener.onFailure(
              TeamFailure.atFault(
                  from,
                  FabricError.INVALID,
                  "sends with tag=0x"
                      + Long.toHexString(message.tag())
                      + ", leave tags of collectives alone"));
        }
      }
    }

    @Override
    public void onFailed(Completion.Failed failure) {
      if (closed) {
        return;
      }
      if (failure.error() != FabricError.CANCELED && members.endpoint().isOpen()) {
        // A member was lost in the midst of its message; its watch says so.
        port.watchOwn(this);
      } else {
        stop();
        listener.onClosed(
            TeamFailure.lost(members.rank(), FabricError.CANCELED, "has closed its endpoint"));
      }
    }
  }

  private final class Watch implements ReceiveListener {
    private final int member;

    Watch(int member) {
      this.member = member;
    }

    @Override
    public void onReceived(TaggedMessage message) {}

    @Override
    public void onFailed(Completion.Failed failure) {
      TeamControl.this.onFailed(member, failure.error(), failure.detail());
    }
  }
}
