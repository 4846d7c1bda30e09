package io.tagfabric.simulation.swarm;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.link.send.SendListener;
import io.tagfabric.link.send.TaggedSend;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** The tagged messages of one node's endpoint to that of another one, counted from 1. */
final class RollSends {
  private final SeedRun run;
  private final RollTrial trial;
  private final RollNode from;
  private final RollNode to;
  private final int peer;
  private final List<Send> sends = new ArrayList<>();
  private int last;

  RollSends(SeedRun run, RollTrial trial, RollNode from, RollNode to, int peer) {
    this.run = run;
    this.trial = trial;
    this.from = from;
    this.to = to;
    this.peer = peer;
  }

  private final class Send implements SendListener {
    private final int place;
    private final CompletionLevel level;
    private int ends;
    private Completion.Failed failure;
    private boolean received;

    Send(int place, CompletionLevel level) {
      this.place = place;
      this.level = level;
    }

    @Override
    public void onSent(Completion.Sent sent) {
      end();
    }

    @Override
    public void onFailed(Completion.Failed why) {
      failure = why;
      end();
      run.require(
          isApart() || isCutOff(),
          Invariant.CAUSE,
          () -> this + " has failed for no reason: " + why);
      run.require(
          !received || why.mayHaveArrived(),
          Invariant.CAUSE,
          () -> this + " has come, and its end says that it has not: " + why);
    }

    private void end() {
      ends++;
      run.require(ends == 1, Invariant.ONCE, () -> this + " has ended " + ends + " times");
    }

    /** Nobody has sent it and nobody has heard that it has failed, and it has not come. */
    private boolean isLost() {
      boolean said =
          level == CompletionLevel.DELIVERY
              || (!isCutOff() && (level == CompletionLevel.TRANSMIT || !isApart()));
      return !received && failure == null && ends > 0 && said;
    }

    @Override
    public String toString() {
      return "send " + place + " at level " + level + " of " + RollSends.this;
    }
  }

  /** Whether one of them leaves or has gone. */
  private boolean isApart() {
    return from.isGoing() || to.isGoing();
  }

  /** Whether a connection between them was given up, and what was under way is lost. */
  private boolean isCutOff() {
    return trial.hasGivenUp(from, to);
  }

  /** Sends one. */
  void send(Endpoint endpoint, CompletionLevel level, int bytes) {
    Send send = new Send(sends.size() + 1, level);
    sends.add(send);
    endpoint
        .ref()
        .tell(
            new Endpoint.SendTagged(
                TaggedSend.of(
                        peer,
                        new UnsafeBuffer(new byte[bytes]),
                        0,
                        bytes,
                        RollNode.tag(from, send.place))
                    .level(level),
                send,
                send));
  }

  /** One has come. */
  void received(int place) {
    Send send = sends.get(place - 1);
    Violation.require(
        place > last,
        send.received ? Invariant.ONCE : Invariant.ORDER,
        "%s has come behind %d",
        send,
        last);
    Violation.require(
        send.failure == null || send.failure.mayHaveArrived(),
        Invariant.CAUSE,
        "%s has come after its end said that it has not",
        send);
    last = place;
    send.received = true;
  }

  boolean isComplete() {
    return from.wasKilled() || sends.stream().allMatch(send -> send.ends == 1 && !send.isLost());
  }

  List<String> unfinished() {
    return sends.stream()
        .filter(send -> send.ends != 1 || send.isLost())
        .map(Send::toString)
        .toList();
  }

  @Override
  public String toString() {
    return from.state() + " to " + to.state();
  }
}
