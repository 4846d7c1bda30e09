package io.tagfabric.job;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.runtime.Membership;
import io.tagfabric.runtime.MembershipNotice;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * The meeting point of a job, at rank 0: lets ranks in, tells all of them the addresses once all
 * are there (rank 0 as the last), counts them at barriers and at the end. A rank that asks again
 * gets its answer again.
 */
final class JobCoordinator extends AbstractBehavior<JobCoordinator.Command> {
  /** Name of the actor below {@code /system}; all ranks look for it there. */
  static final String NAME = "tagfabric-job";

  /** What the coordinator can be told. */
  sealed interface Command {}

  /** Let a rank in. */
  record Enroll(Roster.Applicant applicant, ActorRef<JobMember.Command> replyTo)
      implements Command, JobMessage {}

  /** A rank has opened its endpoint. */
  record Ready(
      int rank, long incarnation, EndpointAddress address, ActorRef<JobMember.Command> replyTo)
      implements Command, JobMessage {}

  /** A rank knows that all have met. */
  record Seen(int rank, long incarnation) implements Command, JobMessage {}

  /** The process of a rank that knew it has ended. */
  record Ended(int rank) implements Command {}

  /** A rank has come to a barrier. */
  record Enter(int rank, long incarnation, long number, ActorRef<JobMember.Command> replyTo)
      implements Command, JobMessage {}

  /** A rank has nothing more to do. */
  record Leave(int rank, long incarnation, ActorRef<JobMember.Command> replyTo)
      implements Command, JobMessage {}

  /** A node has gone from the cluster, or is given up. */
  record NodeGone(String node, long incarnation) implements Command {}

  private record NodeNoticed(MembershipNotice notice) implements Command {}

  private final Roster roster;
  private final BarrierRoll barriers;
  private final int size;
  private final BiConsumer<Integer, String> came;
  private final BitSet leaving = new BitSet();
  private final BitSet uninformed = new BitSet();
  private final Map<Integer, ActorRef<JobMember.Command>> members = new TreeMap<>();
  private final Map<String, Long> membersUp = new HashMap<>();
  private String lost;

  private JobCoordinator(
      ActorContext<Command> context,
      Membership membership,
      Roster.Applicant own,
      BiConsumer<Integer, String> came) {
    super(context);
    this.came = came;
    roster = new Roster(own);
    size = own.size();
    uninformed.set(1, size);
    barriers = new BarrierRoll(size);
    if (size > 1) {
      membership.subscribe(context.messageAdapter(MembershipNotice.class, NodeNoticed::new));
    }
  }

  /**
   * The coordinator of a job, in the system of its rank 0.
   *
   * @param came runs for each rank that is let in, with the node it is on
   */
  static Behavior<Command> create(
      Membership membership, Roster.Applicant own, BiConsumer<Integer, String> came) {
    return Behaviors.setup(context -> new JobCoordinator(context, membership, own, came));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Enter.class, this::onEnter)
        .onMessage(Enroll.class, this::onEnroll)
        .onMessage(Ready.class, this::onReady)
        .onMessage(Leave.class, this::onLeave)
        .onMessage(Seen.class, this::onSeen)
        .onMessage(Ended.class, this::onEnded)
        .onMessage(NodeNoticed.class, this::onNodeNoticed)
        .onMessage(NodeGone.class, this::onNodeGone)
        .build();
  }

  private Behavior<Command> onEnroll(Enroll enroll) {
    Roster.Applicant applicant = enroll.applicant();
    try {
      roster.enroll(applicant);
    } catch (FabricException refusal) {
      enroll.replyTo().tell(new JobMember.Refused(refusal.error(), refusal.getMessage()));
      return this;
    }
    members.put(applicant.rank(), enroll.replyTo());
    came.accept(applicant.rank(), applicant.node());
    Long up = membersUp.get(applicant.node());
    if (size == 1 || (up != null && up == applicant.incarnation())) {
      roster.up(applicant.node(), applicant.incarnation());
    }
    enroll.replyTo().tell(new JobMember.Welcome(getContext().getSelf()));
    return this;
  }

  private Behavior<Command> onReady(Ready ready) {
    if (!roster.isEnrolled(ready.rank(), ready.incarnation())) {
      return this;
    }
    try {
      roster.ready(ready.rank(), ready.address());
    } catch (FabricException refusal) {
      ready.replyTo().tell(new JobMember.Refused(refusal.error(), refusal.getMessage()));
      return this;
    }
    if (lost != null) {
      ready.replyTo().tell(new JobMember.Refused(FabricError.CONNECTION_RESET, lost));
    } else if (roster.isComplete()) {
      announce();
    } else {
      ready.replyTo().tell(new JobMember.Waiting(missing()));
    }
    return this;
  }

  private Behavior<Command> onSeen(Seen seen) {
    if (roster.isEnrolled(seen.rank(), seen.incarnation())) {
      informed(seen.rank());
    }
    return this;
  }

  private Behavior<Command> onEnded(Ended ended) {
    informed(ended.rank());
    return this;
  }

  private Behavior<Command> onEnter(Enter enter) {
    if (!roster.isEnrolled(enter.rank(), enter.incarnation())) {
      return this;
    }
    if (barriers.enter(enter.number(), enter.rank())) {
      tellAll(new JobMember.Released(enter.number()));
    } else {
      enter
          .replyTo()
          .tell(
              new JobMember.Absent(
                  enter.number(), Arrays.stream(barriers.missing()).boxed().toList()));
    }
    return this;
  }

  private Behavior<Command> onLeave(Leave leave) {
    if (roster.isEnrolled(leave.rank(), leave.incarnation())) {
      noteLeaving(leave.rank());
    }
    return this;
  }

  private Behavior<Command> onNodeNoticed(NodeNoticed noticed) {
    String node = noticed.notice().node().address();
    long incarnation = noticed.notice().node().incarnation();
    int rank = roster.rankOf(node, incarnation);
    if (noticed.notice().news() == MembershipNotice.News.UP) {
      membersUp.put(node, incarnation);
      if (rank >= 0 && !roster.isComplete()) {
        roster.up(node, incarnation);
        if (roster.isComplete()) {
          announce();
        }
      }
    }
    return this;
  }

  private Behavior<Command> onNodeGone(NodeGone gone) {
    int rank = roster.rankOf(gone.node(), gone.incarnation());
    if (rank >= 0) {
      members.remove(rank);
      roster.gone(rank);
      String others = missing();
      // this very rank only goes when it gives up, as the others do by then for a better reason
      if (!roster.isComplete() && rank != 0) {
        lost =
            "rank "
                + rank
                + " at "
                + gone.node()
                + " was lost before the job had started"
                + (others.isEmpty() ? "" : "; " + others);
        tellAll(new JobMember.Refused(FabricError.CONNECTION_RESET, lost));
      }
      noteLeaving(rank);
      informed(rank);
    }
    return this;
  }

  private void noteLeaving(int rank) {
    leaving.set(rank);
    if (leaving.cardinality() == size) {
      tellAll(new JobMember.AllLeaving());
    }
  }

  /**
   * Rank 0 hears it when all others have: it may end at once, and then nobody repeats the word to a
   * rank that it has not reached.
   */
  private void announce() {
    JobMember.Table table = new JobMember.Table(roster.ranks());
    members.forEach(
        (rank, member) -> {
          if (rank != 0 || uninformed.isEmpty()) {
            member.tell(table);
          }
        });
  }

  private void informed(int rank) {
    boolean awaited = uninformed.get(rank);
    uninformed.clear(rank);
    if (awaited && uninformed.isEmpty() && roster.isComplete()) {
      announce();
    }
  }

  private void tellAll(JobMember.Command message) {
    members.values().forEach(member -> member.tell(message));
  }

  private String missing() {
    return roster.missing().entrySet().stream()
        .map(entry -> "rank " + entry.getKey() + " " + entry.getValue().words())
        .collect(Collectors.joining(", "));
  }
}
