package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Dissemination;
import io.tagfabric.collective.run.ControlMessage.Departure;
import io.tagfabric.collective.run.ControlMessage.Notice;
import io.tagfabric.collective.run.ControlMessage.Proposal;
import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.SendListener;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.tag.TaggedMessage;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What a member hears and tells about the team itself: which members are lost or have left, that it
 * is broken, and agreements. One standing receive takes all control messages; a receive from each
 * member of another ActorSystem, which no message ever meets, ends when that member is lost. Only
 * passes of the loop touch it.
 *
 * <p>News go to the partners of a {@link Dissemination}, and in small teams to all; a member that
 * hears of a failure for the first time passes it on.
 */
final class TeamControl {
  /** In teams up to this size news go to all members directly. */
  private static final int SMALL = 64;

  /** Is told what concerns collectives. */
  interface Listener {
    void onFailure(TeamFailure failure);

    /** This member's endpoint is closed. */
    void onClosed(TeamFailure failure);

    /** A member says something about the memory of the host. */
    void onHostMessage(int from, ControlMessage message);

    /** A member's endpoint is no more, or its process; what it did before still counts. */
    void onGone(int member);

    /** A member takes part in no collective from number {@code calls} on. */
    void onDeparture(TeamFailure failure, long calls);
  }

  private final TeamPort port;
  private final Members members;
  private final Listener listener;
  private final Standing standing = new Standing();
  private final Set<Watch> watches = new LinkedHashSet<>();
  private final BitSet lost = new BitSet();
  private final Map<Integer, Long> departed = new HashMap<>();
  private final Map<Integer, Agreement> agreements = new HashMap<>();
  private final Map<Integer, ProgressFuture<Agreed>> waiting = new HashMap<>();
  private final Map<Integer, Decision> decidedEarly = new HashMap<>();
  private int nextAgreement;
  private boolean closed;

  TeamControl(TeamPort port, Listener listener) {
    this.port = port;
    this.members = port.members();
    this.listener = listener;
  }

  void open() {
    for (int member = 0; member < members.size(); member++) {
      if (members.isRemote(member)) {
        watches.add(new Watch(member));
      }
    }
    postStanding();
    for (Watch watch : List.copyOf(watches)) {
      port.receive(watch.member, CollectiveTags.watch(members.context()), 0, watch);
    }
  }

  private void postStanding() {
    port.receiveFromAny(
        CollectiveTags.control(members.context()), ControlMessage.MAX_LENGTH_BYTES, standing);
  }

  void close(Departure departure) {
    if (!closed) {
      tellPartners(departure);
      stop();
    }
  }

  private void stop() {
    closed = true;
    port.cancel(standing);
    port.dropLateControl();
    watches.forEach(port::cancel);
    waiting.values().forEach(this::failClosed);
    waiting.clear();
  }

  private void failClosed(ProgressFuture<Agreed> future) {
    members
        .domain()
        .futures()
        .fail(
            future,
            new FabricException(FabricError.CANCELED, "team " + members.context() + " is closed"));
  }

  BitSet lost() {
    BitSet all = (BitSet) lost.clone();
    departed.keySet().forEach(all::set);
    return all;
  }

  /** A member that takes no part in a collective, as a failure; null if there is none. */
  TeamFailure departedBefore(long epoch) {
    for (Map.Entry<Integer, Long> each : departed.entrySet()) {
      if (each.getValue() <= epoch) {
        return left(each.getKey());
      }
    }
    return null;
  }

  private static TeamFailure left(int member) {
    return new TeamFailure(member, FabricError.SHUTDOWN, "has left it");
  }

  /** Remembers a loss that a collective has found. */
  void noteLoss(TeamFailure failure) {
    if (failure.isLoss() && failure.member() != members.rank() && !lost.get(failure.member())) {
      lost.set(failure.member());
      List.copyOf(agreements.values()).forEach(each -> each.lost(failure.member()));
    }
  }

  void agree(long flag, int nextContext, ProgressFuture<Agreed> future) {
    int instance = nextAgreement++;
    Decision early = decidedEarly.remove(instance);
    if (closed) {
      failClosed(future);
    } else if (early != null) {
      complete(future, early);
    } else {
      waiting.put(instance, future);
      agreement(instance).start(new Decision(flag, lost(), nextContext), lost());
    }
  }

  private void complete(ProgressFuture<Agreed> future, Decision decision) {
    members
        .domain()
        .futures()
        .complete(future, new Agreed(decision.flag(), decision.lost(), decision.nextContext()));
  }

  private Agreement agreement(int instance) {
    return agreements.computeIfAbsent(
        instance,
        notUsed ->
            new Agreement(members.rank(), members.size(), instance, new AgreementOutput(instance)));
  }

  /** Tells of a failure. */
  void tell(Notice notice) {
    if (members.size() <= SMALL) {
      byte[] bytes = ControlMessage.CODEC.encode(notice);
      for (int member = 0; member < members.size(); member++) {
        send(member, bytes);
      }
    } else {
      tellPartners(notice);
    }
  }

  private void tellPartners(ControlMessage message) {
    Dissemination partners = new Dissemination(members.rank(), members.size());
    byte[] bytes = ControlMessage.CODEC.encode(message);
    for (int round = 0; round < partners.rounds(); round++) {
      send(partners.to(round), bytes);
    }
  }

  /** Tells one member. */
  void tell(int member, ControlMessage message) {
    send(member, ControlMessage.CODEC.encode(message));
  }

  private void send(int member, byte[] bytes) {
    if (member != members.rank() && !lost.get(member)) {
      port.send(
          member,
          CollectiveTags.control(members.context()),
          new UnsafeBuffer(bytes),
          0,
          bytes.length,
          new Sending(member));
    }
  }

  private void onMessage(int from, ControlMessage message) {
    if (message instanceof Notice notice) {
      noteLoss(notice.failure());
      listener.onFailure(notice.failure());
    } else if (message instanceof Departure departure) {
      departs(from, departure.calls());
    } else if (!(message instanceof Proposal)) {
      listener.onHostMessage(from, message);
    } else if (message instanceof Proposal proposal) {
      boolean isOpen =
          proposal.instance() >= nextAgreement
              ? !decidedEarly.containsKey(proposal.instance())
              : waiting.containsKey(proposal.instance());
      if (isOpen) {
        agreement(proposal.instance()).received(from, proposal);
      }
    }
  }

  private void departs(int member, long calls) {
    departed.merge(member, calls, Math::max);
    List.copyOf(agreements.values()).forEach(each -> each.lost(member));
    listener.onDeparture(left(member), departed.get(member));
  }

  private void lost(int member, Completion.Failed failure) {
    if (closed || lost.get(member)) {
      return;
    }
    if (failure.error() == FabricError.SHUTDOWN) {
      departed.putIfAbsent(member, Long.MAX_VALUE);
      List.copyOf(agreements.values()).forEach(each -> each.lost(member));
      listener.onGone(member);
      return;
    }
    TeamFailure loss = port.failure(member, failure);
    noteLoss(loss);
    listener.onFailure(loss);
  }

  private final class AgreementOutput implements Agreement.Output {
    private final int instance;

    AgreementOutput(int instance) {
      this.instance = instance;
    }

    @Override
    public void send(int member, Proposal proposal) {
      TeamControl.this.send(member, ControlMessage.CODEC.encode(proposal));
    }

    @Override
    public void decided(Decision decision) {
      agreements.remove(instance);
      ProgressFuture<Agreed> future = waiting.remove(instance);
      if (future == null) {
        decidedEarly.put(instance, decision);
      } else {
        complete(future, decision);
      }
    }
  }

  private final class Standing implements ReceiveListener {
    @Override
    public void onReceived(TaggedMessage message) {
      if (closed) {
        return;
      }
      postStanding();
      int from = members.memberWith(message.source());
      try {
        if (from >= 0) {
          onMessage(from, ControlMessage.decode(message.payload().array(), members.size()));
        }
      } catch (IllegalArgumentException e) {
        listener.onFailure(
            new TeamFailure(
                from,
                FabricError.INVALID,
                "sent what is no control message, leave tags of collectives alone: "
                    + e.getMessage()));
      }
    }

    @Override
    public void onFailed(Completion.Failed failure) {
      if (!closed) {
        stop();
        listener.onClosed(
            new TeamFailure(members.rank(), FabricError.CANCELED, "has closed its endpoint"));
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
      if (failure.error() != FabricError.CANCELED) {
        lost(member, failure);
      }
    }
  }

  private final class Sending implements SendListener {
    private final int member;

    Sending(int member) {
      this.member = member;
    }

    @Override
    public void onSent(Completion.Sent sent) {}

    @Override
    public void onFailed(Completion.Failed failure) {
      if (failure.error() != FabricError.CANCELED) {
        lost(member, failure);
      }
    }
  }
}
