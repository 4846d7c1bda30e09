package io.tagfabric.collective;

import akka.Done;
import akka.actor.typed.ActorRef;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.collective.algorithm.Dissemination;
import io.tagfabric.collective.run.CollectiveTags;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.Direction;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.endpoint.SendListener;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Lets the members of a group wait for one another: {@link #enter} completes when all have entered.
 *
 * <p>Algorithm: {@link Dissemination}; {@code ceil(log2(size))} rounds, in each an empty message to
 * one member and one from another, {@code size * ceil(log2(size))} messages in all.
 *
 * <p>The n-th enter of one member meets the n-th of every other; a member may enter again before
 * its last barrier has completed. Rounds of different barriers cannot meet, for the epoch is in the
 * tag.
 *
 * <p>A member that is lost breaks the barrier for good: what is under way and every later enter
 * fail with a {@link FabricException} that names it. Whoever notices tells its partners, and these
 * tell theirs, so also members learn of it that exchange nothing with the lost one. Losing a member
 * that never took part is noticed only where the domain's cluster membership reports it.
 *
 * <p>Thread: any; the state lives on the domain's loop.
 *
 * @source MPI-4.1 §6.3 (barrier) and §6.12.1 (nonblocking barrier)
 */
public final class Barrier implements AutoCloseable {
  private static final DirectBuffer EMPTY = new UnsafeBuffer(new byte[0]);

  private final Domain domain;
  private final Endpoint endpoint;
  private final int team;
  private final int rank;
  private final List<EndpointAddress> members;
  private final int[] peers;
  private final Dissemination partners;
  private final ActorRef<TagMatcher.CancelOutcome> ignored;
  private final Guard guard = new Guard();

  // Only passes of the loop touch these, save that broken is read by any thread.
  private final List<Crossing> underWay = new ArrayList<>();
  private long nextEpoch;
  private volatile FabricException broken;

  private Barrier(
      Domain domain, Endpoint endpoint, List<EndpointAddress> members, int rank, int team) {
    this.domain = domain;
    this.endpoint = endpoint;
    this.members = List.copyOf(members);
    this.rank = rank;
    this.team = team;
    this.peers = domain.addressVector().insertAll(members);
    this.partners = new Dissemination(rank, members.size());
    this.ignored = domain.fabric().system().ignoreRef();
  }

  /**
   * Joins the group. Nothing is sent: a member may enter before the others have opened.
   *
   * @param endpoint this member's; it must not be used for tags of {@code CollectiveTags}
   * @param members all members in the same order everywhere, this one among them
   * @param team tells apart groups that share endpoints, 0..65535; equal at all members
   * @throws IllegalArgumentException if the endpoint is not of the domain or not among the members,
   *     a member is there twice, or the team is out of range
   */
  public static Barrier open(
      Domain domain, Endpoint endpoint, List<EndpointAddress> members, int team) {
    if (!domain.endpoints().contains(endpoint)) {
      throw new IllegalArgumentException(
          "endpoint ["
              + endpoint.address()
              + "] is not of domain ["
              + domain.name()
              + "], pass the domain that opened it");
    }
    long guardTag = CollectiveTags.broken(team);
    Barrier barrier =
        new Barrier(domain, endpoint, members, rankOf(endpoint.address(), members), team);
    endpoint
        .matcher()
        .tell(
            new TagMatcher.PostReceive(
                TagSelector.exact(guardTag), BreakNotice.LENGTH, barrier.guard, barrier.guard));
    return barrier;
  }

  private static int rankOf(EndpointAddress self, List<EndpointAddress> members) {
    int rank = -1;
    for (int i = 0; i < members.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (members.get(i).isSameEndpoint(members.get(j))) {
          throw new IllegalArgumentException(
              "members " + j + " and " + i + " are both [" + members.get(i) + "], name each once");
        }
      }
      if (members.get(i).isSameEndpoint(self)) {
        rank = i;
      }
    }
    if (rank < 0) {
      throw new IllegalArgumentException(
          "endpoint [" + self + "] is not among the members " + members + ", add it everywhere");
    }
    return rank;
  }

  /** This member's place among the members, from 0. */
  public int rank() {
    return rank;
  }

  /** Number of members. */
  public int size() {
    return members.size();
  }

  /**
   * Enters and returns at once.
   *
   * @return completes when every member has entered as often as this one, and this one's messages
   *     have left; waiting for it drives the domain, so it ends in MANUAL progress too. Fails with
   *     a {@link FabricException} if the barrier is or gets broken, with CANCELED if it is closed
   */
  public CompletionStage<Done> enter() {
    ProgressFuture<Done> future = domain.futures().create();
    FabricException failure = broken;
    if (failure != null) {
      future.completeExceptionally(failure);
    } else {
      domain.loop().execute(() -> begin(future));
    }
    return future;
  }

  private void begin(ProgressFuture<Done> future) {
    if (broken != null) {
      domain.futures().fail(future, broken);
      return;
    }
    Crossing crossing = new Crossing(nextEpoch++, future);
    underWay.add(crossing);
    crossing.nextRound();
  }

  /**
   * Leaves the group. What is under way fails with CANCELED, here and at the others, so close after
   * the last enter has completed. Idempotent.
   */
  @Override
  public void close() {
    if (broken == null) {
      endpoint.matcher().tell(new TagMatcher.CancelReceive(guard, ignored));
    }
  }

  /** Ends everything under way; tells the partners once, if there is a member to name. */
  private void breakUp(FabricException failure, BreakNotice notice) {
    if (broken != null) {
      return;
    }
    broken = failure;
    endpoint.matcher().tell(new TagMatcher.CancelReceive(guard, ignored));
    for (Crossing crossing : underWay) {
      endpoint.matcher().tell(new TagMatcher.CancelReceive(crossing, ignored));
      domain.futures().fail(crossing.future, failure);
    }
    underWay.clear();
    if (notice != null) {
      for (int round = 0; round < partners.rounds(); round++) {
        int partner = partners.to(round);
        if (partner != notice.member()) {
          byte[] bytes = notice.encode();
          send(partner, CollectiveTags.broken(team), new UnsafeBuffer(bytes), Ignoring.INSTANCE);
        }
      }
    }
  }

  private void send(int member, long tag, DirectBuffer bytes, SendListener listener) {
    endpoint
        .ref()
        .tell(
            new Endpoint.SendTagged(
                peers[member],
                tag,
                bytes,
                0,
                bytes.capacity(),
                CompletionLevel.INJECT,
                null,
                listener));
  }

  private void memberFailed(int member, FabricError error, String detail) {
    boolean own = error == FabricError.CANCELED;
    int culprit = own ? rank : member;
    breakUp(
        new FabricException(
            error,
            own
                ? "barrier of team=" + team + ": " + detail
                : named(culprit) + " failed: " + detail),
        new BreakNotice(culprit, error));
  }

  private int memberWithIndex(int peer) {
    int member = 0;
    while (peers[member] != peer) {
      member++;
    }
    return member;
  }

  private String named(int member) {
    return "barrier of team=" + team + ": member " + member + " [" + members.get(member) + "]";
  }

  /** One barrier on its way through the rounds. */
  private final class Crossing implements ReceiveListener, SendListener {
    private final long epoch;
    private final ProgressFuture<Done> future;
    private int round = -1;
    private int unsent;

    Crossing(long epoch, ProgressFuture<Done> future) {
      this.epoch = epoch;
      this.future = future;
    }

    void nextRound() {
      round++;
      if (round == partners.rounds()) {
        finishWhenSent();
        return;
      }
      long tag = CollectiveTags.barrier(team, epoch, round);
      unsent++;
      int to = partners.to(round);
      send(to, tag, EMPTY, this);
      endpoint
          .matcher()
          .tell(
              new TagMatcher.PostReceive(
                  TagSelector.exact(tag).from(peers[partners.from(round)]), 0, this, this));
    }

    /** If a member could leave before its messages have, the others would wait for these. */
    private void finishWhenSent() {
      if (round == partners.rounds() && unsent == 0 && underWay.remove(this)) {
        domain.futures().complete(future, Done.getInstance());
      }
    }

    @Override
    public void onReceived(TaggedMessage message) {
      if (broken == null) {
        nextRound();
      }
    }

    @Override
    public void onSent(Completion.Sent sent) {
      unsent--;
      finishWhenSent();
    }

    /** Of a send, whose peer says which member it concerns, or of the one receive there is. */
    @Override
    public void onFailed(Completion.Failed failure) {
      int member =
          failure.direction() == Direction.RECEIVE
              ? partners.from(round)
              : memberWithIndex(failure.peer());
      memberFailed(member, failure.error(), failure.detail());
    }
  }

  /** Waits for the news that the team is broken; ends when the barrier or the endpoint closes. */
  private final class Guard implements ReceiveListener {
    @Override
    public void onReceived(TaggedMessage message) {
      try {
        BreakNotice notice = BreakNotice.decode(message.payload().array(), members.size());
        breakUp(
            new FabricException(
                notice.error(), named(notice.member()) + " failed, as another member tells"),
            notice);
      } catch (IllegalArgumentException e) {
        stranger(e.getMessage());
      }
    }

    @Override
    public void onFailed(Completion.Failed failure) {
      if (failure.error() != FabricError.CANCELED) {
        stranger(failure.detail());
        return;
      }
      breakUp(
          new FabricException(failure.error(), "barrier of team=" + team + " is closed"),
          underWay.isEmpty() ? null : new BreakNotice(rank, failure.error()));
    }

    private void stranger(String detail) {
      breakUp(
          new FabricException(
              FabricError.INVALID,
              "barrier of team="
                  + team
                  + ": a message with the tag of its notices is none, leave tags of collectives"
                  + " alone: "
                  + detail),
          new BreakNotice(rank, FabricError.INVALID));
    }
  }

  /** Telling of a failure is done as well as it can be. */
  private enum Ignoring implements SendListener {
    INSTANCE;

    @Override
    public void onSent(Completion.Sent sent) {}

    @Override
    public void onFailed(Completion.Failed failure) {}
  }
}
