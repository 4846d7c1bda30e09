package io.tagfabric.receive;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import io.tagfabric.address.AddressTable;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionOutbox;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Counter;
import io.tagfabric.flow.window.UnexpectedBudget;
import io.tagfabric.link.EndpointLog;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.link.LoopEntry;
import io.tagfabric.match.MessageInfo;
import io.tagfabric.match.ReceivePort;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.core.DroppedMessages;
import io.tagfabric.match.core.ReceiveCore;
import io.tagfabric.match.core.TagMatcherActor;
import io.tagfabric.progress.DueFlushes;
import io.tagfabric.progress.HandOver;
import io.tagfabric.progress.ProgressLoop;
import java.util.function.Consumer;

/**
 * The receives of one endpoint, or those that several share: their plain part, the bytes that may
 * wait for them, and the ways in. Single threaded, but for {@link #direct}: the domain's loop.
 */
@InternalApi
public final class ReceiveSide {
  /** How long a message waits at most for a slot that has come free in the queue. */
  private static final long SLOT_RETRY_NS = 1_000_000L;

  private final ProgressLoop loop;
  private final CompletionOutbox received;
  private final ReceiveCore core;
  private final UnexpectedBudget budget;
  private final AddressTable addresses;
  private final Consumer<RuntimeException> defects;
  private final CalledReceives called;
  private final ToldReceives told;
  private final DirectReceives direct;
  private boolean reported;

  /**
   * Receives that complete in a queue.
   *
   * @param counter counts those of programs; null for none
   * @param defects takes what they meet that they should not
   */
  public ReceiveSide(
      DomainParts domain,
      EndpointSettings settings,
      CompletionQueue queue,
      Counter counter,
      Consumer<RuntimeException> defects) {
    this.defects = defects;
    loop = domain.loop();
    addresses = domain.addresses();
    received = queue.outbox();
    core = new ReceiveCore(settings.maxUnexpectedClasses(), received, counter);
    budget = new UnexpectedBudget(settings.flow().unexpectedBudgetBytes());
    called = new CalledReceives(core, received, loop.steps());
    told = loop.handOver() == HandOver.MAILBOX ? new ToldReceives(called) : null;
    direct = new DirectReceives(new LoopEntry(loop, domain.mode()), core, received, defects);
    core.atMost(settings.maxMessageBytes());
    core.record(loop.recorder());
    core.whenStalled(this::resumeLater);
  }

  private void resumeLater() {
    loop.timers()
        .schedule(
            loop.time().nanoTime() + SLOT_RETRY_NS,
            () -> {
              direct.resume();
              loop.steps().run();
            });
  }

  public ReceiveCore core() {
    return core;
  }

  public UnexpectedBudget budget() {
    return budget;
  }

  /** The way from the flows. */
  public ReceivePort port() {
    return told == null ? called : told;
  }

  /** The way for programs. */
  public DirectReceives direct() {
    return direct;
  }

  /**
   * Flushes at the end of those passes that leave something to do.
   *
   * @param pulls is marked when parts of a message are to be read, and then calls {@link
   *     DirectReceives#flush}
   * @return publishes what no step of its own has
   */
  public DueFlushes.Flush flushWhenDue(DueFlushes.Flush pulls) {
    DueFlushes.Flush publishes = loop.flushWhenDue(direct::publish);
    core.whenDue(pulls::mark);
    received.whenDue(publishes);
    pulls.mark(); // what was due before
    return publishes;
  }

  /**
   * The actor around it.
   *
   * @param stopped runs when it has stopped
   */
  public Behavior<TagMatcher.Command> matcher(Runnable stopped) {
    return TagMatcherActor.create(core, received, defects, stopped);
  }

  /**
   * They have closed: logs once what they have dropped.
   *
   * @param owner whose they are, for people
   */
  public void reportDropped(String owner) {
    DroppedMessages.Count dropped = core.dropped();
    int messages = dropped.whole() + dropped.refused();
    if (reported || messages == 0) {
      return;
    }
    reported = true;
    MessageInfo first = dropped.first();
    EndpointAddress from = addresses.snapshot().lookup(first.source());
    EndpointLog.logger()
        .report(
            EndpointLog.Weight.WARNING,
            owner
                + " closed with messages="
                + messages
                + " that arrived and that no receive took"
                + (dropped.refused() == 0
                    ? ""
                    : ", of which "
                        + dropped.refused()
                        + " waited at their senders, whose sends fail with SHUTDOWN")
                + "; the first had "
                + (first.tagged() ? "tag=0x" + Long.toHexString(first.tag()) : "no tag")
                + " and lengthBytes="
                + first.lengthBytes()
                + ", from ["
                + (from == null ? first.source() : from)
                + "]; post receives for them, or have the senders stop before this side closes");
  }

  /** The actor is there, or not any more if it is null. */
  public void tell(ActorRef<TagMatcher.Command> matcher) {
    if (told != null) {
      told.tell(matcher);
    }
  }
}
