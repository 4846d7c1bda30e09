package io.tagfabric.simulation.swarm;

import io.tagfabric.access.RemoteRegion;
import io.tagfabric.active.ActiveCall;
import io.tagfabric.active.ActiveListener;
import io.tagfabric.active.ActiveMessages;
import io.tagfabric.active.ActiveReply;
import io.tagfabric.active.ActiveReplyClaim;
import io.tagfabric.active.ActiveRequestClaim;
import io.tagfabric.active.ReceivedRequest;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.Posted;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.simulation.choice.Choices;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The active messages of one program: requests of all kinds to others, handlers for theirs, and
 * replies to those that it has kept. Each request has a number, by which the run knows what must
 * come of it.
 */
final class MemberActive {
  private static final int ECHO = 1;
  private static final int KEEP = 2;
  private static final int THROW = 3;
  private static final int LONG = 4;
  private static final int MISSING = 77;

  private static final int PROGRAMS = 16;
  private static final int SLOTS = 4;
  private static final int SLOT_BYTES = 9_000;

  /** Claims that may be open; each holds a credit. */
  private static final int MOST_CLAIMS = 3;

  private static final ActiveAsk.Kind[] KINDS = ActiveAsk.Kind.values();

  /** A claim, and the request that it will be. */
  private record Claimed(ActiveRequestClaim claim, Node to, int argumentCount) {}

  /** A request that was kept. */
  private record Kept(ReceivedRequest request, ActiveAsk ask) {}

  private final SeedRun run;
  private final Member member;
  private final Node node;
  private final Choices choices;
  private final ActiveMessages messages;
  private final Region region;
  private final List<ActiveAsk> asks = new ArrayList<>();
  private final List<Claimed> claims = new ArrayList<>();
  private final List<Kept> kept = new ArrayList<>();

  /** The place of the last request that was made to a peer, and of the last that has run here. */
  private final Map<Node, Integer> made = new HashMap<>();

  private final Map<Node, Integer> ran = new LinkedHashMap<>();

  /** Those of this side's slots in a peer's region that are taken. */
  private final Map<Node, Integer> slots = new HashMap<>();

  private int open;

  MemberActive(SeedRun run, Member member) {
    this.run = run;
    this.member = member;
    node = member.node;
    choices = run.choices();
    messages = node.simulated.endpoint().active();
    region =
        node.simulated
            .domain()
            .register(new UnsafeBuffer(new byte[PROGRAMS * SLOTS * SLOT_BYTES]), RegionRight.all());
    messages.register(ECHO, this::onEcho);
    messages.register(KEEP, this::onKeep);
    messages.register(
        THROW,
        call -> {
          came(call);
          throw new UnsupportedOperationException("as it was asked");
        });
    messages.register(LONG, this::onLong);
  }

  // ---- requests ----

  /** One operation. */
  void operate() {
    int what = choices.below(8);
    if (what == 7 || what == 6 && kept.isEmpty()) {
      finishClaim();
    } else if (what == 6) {
      answerOne();
    } else {
      ask();
    }
  }

  private void ask() {
    Node to = member.anyPeer();
    MemberActive theirs = run.memberOf(to).active();
    if (theirs == null || node.number() >= PROGRAMS) {
      return;
    }
    ActiveAsk.Kind kind = KINDS[choices.below(KINDS.length)];
    if (kind == ActiveAsk.Kind.CLAIMED) {
      claim(to);
      return;
    }
    int length = choices.below(choices.below(4) == 3 ? SLOT_BYTES : 200);
    ActiveAsk ask = draw(kind, to, choices.below(17), length);
    int peer = node.peer(to);
    switch (kind) {
      case ECHO -> accept(ask, messages.request(peer, ECHO, ask.arguments, ask.payload));
      case TOLD -> accept(ask, messages.tell(peer, ECHO, ask.arguments, ask.payload));
      case KEPT -> accept(ask, messages.request(peer, KEEP, ask.arguments, ask.payload));
      case THROWN -> accept(ask, messages.request(peer, THROW, ask.arguments, ask.payload));
      case MISSING -> accept(ask, messages.request(peer, MISSING, ask.arguments, ask.payload));
      case LONG -> askLong(ask, theirs);
      case NOW -> askNow(ask, peer);
      case CLAIMED -> throw new IllegalStateException("it is no claim");
    }
  }

  private ActiveAsk draw(ActiveAsk.Kind kind, Node to, int argumentCount, int length) {
    int[] arguments = new int[Math.max(1, Math.min(argumentCount, messages.maxArguments()))];
    for (int i = 1; i < arguments.length; i++) {
      arguments[i] = choices.below(1 << 20) - (1 << 19);
    }
    arguments[0] = run.asks().size();
    byte[] payload = new byte[length];
    for (int i = 0; i < length; i++) {
      payload[i] = (byte) (i * 11 + (i >> 8) + arguments[0]);
    }
    ActiveAsk ask = new ActiveAsk(run, kind, node, to, arguments, payload);
    run.asks().add(ask);
    return ask;
  }

  private void accept(ActiveAsk ask, CompletionStage<ActiveReply> end) {
    posted(ask);
    end.whenComplete(
        (reply, failure) -> {
          open--;
          if (failure == null) {
            ask.onReply(reply);
          } else {
            ask.onFailed(reasonOf(failure));
          }
        });
  }

  private static FabricException reasonOf(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof FabricException reason
        ? reason
        : new FabricException(FabricError.IO, "it threw " + cause);
  }

  private void posted(ActiveAsk ask) {
    open++;
    asks.add(ask);
    if (ask.kind != ActiveAsk.Kind.LONG) {
      ask.place = made.merge(ask.to, 1, Integer::sum);
    }
    run.probes().reach(Probe.REQUESTED);
  }

  /** Into a slot that no other request may still write to. */
  private void askLong(ActiveAsk ask, MemberActive theirs) {
    int taken = slots.getOrDefault(ask.to, 0);
    if (taken == SLOTS) {
      asks.stream()
          .filter(each -> each.to == ask.to && each.slot >= 0)
          .filter(each -> each.hasEnded() && !each.hasFailed)
          .findFirst()
          .ifPresent(
              each -> {
                ask.slot = each.slot;
                each.slot = -1;
              });
    } else {
      slots.put(ask.to, taken + 1);
      ask.slot = taken;
    }
    if (ask.slot < 0) {
      ask.refused = true;
      return;
    }
    RemoteRegion there = new RemoteRegion(node.peer(ask.to), theirs.region.descriptor());
    long at = (long) (node.number() * SLOTS + ask.slot) * SLOT_BYTES;
    UnsafeBuffer bytes = new UnsafeBuffer(ask.payload);
    int length = ask.payload.length;
    accept(
        ask,
        choices.below(2) == 0
            ? messages.requestLong(there, at, LONG, ask.arguments, bytes, 0, length)
            : messages.requestLongAsync(there, at, LONG, ask.arguments, bytes, 0, length));
  }

  private void askNow(ActiveAsk ask, int peer) {
    int before = made.getOrDefault(ask.to, 0);
    posted(ask); // it may run within the call
    Posted answer = messages.tryRequest(peer, ECHO, ask.arguments, ask.payload, new Counted(ask));
    if (answer == Posted.TRY_AGAIN) {
      ask.refused = true;
      open--;
      made.put(ask.to, before);
      run.probes().reach(Probe.REQUEST_NOT_NOW);
    }
  }

  /** Hears the end of a request that is no future. */
  private final class Counted implements ActiveListener {
    private final ActiveAsk ask;

    private Counted(ActiveAsk ask) {
      this.ask = ask;
    }

    @Override
    public void onReply(ActiveReply reply) {
      open--;
      ask.onReply(reply);
    }

    @Override
    public void onFailed(FabricException reason) {
      open--;
      ask.onFailed(reason);
    }
  }

  // ---- claims ----

  private void claim(Node to) {
    if (claims.size() == MOST_CLAIMS) {
      finishClaim();
      return;
    }
    int argumentCount = 1 + choices.below(messages.maxArguments());
    int most = choices.below(choices.below(4) == 3 ? SLOT_BYTES : 300);
    int least = choices.below(2) == 0 ? most : choices.below(most + 1);
    ActiveRequestClaim claim;
    try {
      claim =
          choices.below(2) == 0
              ? messages.prepare(node.peer(to), argumentCount, least, most)
              : messages.tryPrepare(node.peer(to), argumentCount, least, most);
    } catch (FabricException lost) {
      Violation.require(
          node.mayLose(to), Invariant.CAUSE, "%s has no way to %s: %s", node, to, lost);
      return;
    }
    if (claim != null) {
      Violation.require(
          claim.capacity() >= least && claim.capacity() <= most,
          Invariant.BYTES,
          "a claim of %d to %d bytes has %d",
          least,
          most,
          claim.capacity());
      claims.add(new Claimed(claim, to, argumentCount));
    }
  }

  private void finishClaim() {
    if (claims.isEmpty()) {
      return;
    }
    Claimed claimed = claims.remove(choices.below(claims.size()));
    if (choices.below(4) == 3) {
      claimed.claim.close();
      run.probes().reach(Probe.CLAIM_GIVEN_UP);
      return;
    }
    int length = choices.below(claimed.claim.capacity() + 1);
    ActiveAsk ask = draw(ActiveAsk.Kind.CLAIMED, claimed.to, claimed.argumentCount, length);
    claimed.claim.buffer().putBytes(0, ask.payload);
    accept(ask, claimed.claim.commit(ECHO, length, ask.arguments));
  }

  // ---- handlers ----

  /** What came, after it was compared with what was sent. */
  private ActiveAsk came(ActiveCall call) {
    ActiveAsk ask = run.asks().get(call.argument(0));
    run.guarded(
        () -> {
          ask.runs(node, call);
          int before = ran.getOrDefault(ask.from, 0);
          Violation.require(
              ask.place < 0 || ask.to != node || ask.place > before,
              Invariant.ORDER,
              "%s runs after %d of the same sender, and is number %d",
              ask,
              before,
              ask.place);
          if (ask.place >= 0 && ask.to == node) {
            ran.put(ask.from, ask.place);
          }
        });
    return ask;
  }

  private void onEcho(ActiveCall call) {
    ActiveAsk ask = came(call);
    if (ask.kind != ActiveAsk.Kind.CLAIMED) {
      call.reply(ask.arguments, ask.payload);
      return;
    }
    int length = ask.payload.length;
    try (ActiveReplyClaim claim = call.prepareReply(ask.arguments.length, length, length)) {
      claim.buffer().putBytes(0, ask.payload);
      claim.commit(length, ask.arguments);
    }
  }

  private void onLong(ActiveCall call) {
    call.reply(came(call).arguments);
  }

  private void onKeep(ActiveCall call) {
    ActiveAsk ask = came(call);
    long nowNs = run.scheduler().clock().nanoTime();
    kept.add(new Kept(call.keep(), ask));
    ask.keptUntil(nowNs + run.mix().replyTimeoutNs);
    long held =
        kept.stream()
            .filter(each -> each.ask.from == ask.from && each.ask.usesCredit(nowNs))
            .count();
    run.require(
        held <= run.mix().activeCredits,
        Invariant.BUDGET,
        () ->
            node
                + " holds "
                + held
                + " requests of "
                + ask.from
                + ", credits="
                + run.mix().activeCredits);
    run.probes().reach(Probe.REQUEST_KEPT);
  }

  /** Replies to a request that was kept. */
  private void answerOne() {
    Kept one = kept.remove(choices.below(kept.size()));
    ActiveAsk ask = one.ask;
    Violation.require(!ask.answered, Invariant.ONCE, "%s was answered before", ask);
    ask.answered = true; // it may end within the call
    boolean inTime;
    if (choices.below(2) == 0) {
      inTime = one.request.reply(ask.arguments, ask.payload);
    } else {
      int length = ask.payload.length;
      try (ActiveReplyClaim claim =
          one.request.prepareReply(ask.arguments.length, length, length)) {
        claim.buffer().putBytes(0, ask.payload);
        inTime = claim.commit(length, ask.arguments);
      }
    }
    ask.answered = inTime;
    run.probes().reachIf(!inTime, Probe.REPLY_TOO_LATE);
  }

  // ---- the end ----

  /** Whether there is something to finish. */
  boolean wantsDrain() {
    return !kept.isEmpty() || !claims.isEmpty();
  }

  /** Finishes what it holds. */
  void drain() {
    if (!claims.isEmpty()) {
      finishClaim();
    }
    if (!kept.isEmpty()) {
      answerOne();
    }
  }

  /** Requests that have not ended. */
  int open() {
    return open;
  }

  /** At the end: each has ended. */
  void requireEnd() {
    if (node.isAlive()) {
      for (ActiveAsk ask : asks) {
        Violation.require(ask.refused || ask.hasEnded(), Invariant.ONCE, "%s has not ended", ask);
      }
    }
  }
}
