package io.tagfabric.simulation.swarm;

import akka.actor.typed.ActorRef;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendListener;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.provider.FabricMemory;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.choice.Site;
import io.tagfabric.simulation.world.Participant;
import java.util.ArrayList;
import java.util.List;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A random program on one node. Its turns are single operations through the public API. */
final class Member implements Participant {
  private static final int INJECT_BYTES = 64;
  private static final int READ_LIMIT = 8;
  private static final int MEMORY_BYTES = 64 * 1024;

  /** More than an endpoint reads from memory at one go. */
  private static final int HUGE = 256 * 1024;

  private static final int HUGE_MEMORY_BYTES = 1024 * 1024;
  static final int HUGEST = HUGE + 32 * 1024;
  private static final CompletionLevel[] LEVELS = CompletionLevel.values();

  private final SeedRun run;
  final Node node;
  private final Endpoint endpoint;
  private final Mix mix;
  private final Ledger ledger;
  private final Choices choices;
  private final MemberReceives receives;
  private final Triggers triggers;

  /** What it does with memory; null if its runs do nothing of that. */
  private final MemberAccesses accesses;

  /** Its active messages; null if its runs have none. */
  private final MemberActive active;

  private final List<Message> openMessages = new ArrayList<>();
  private final ActorRef<TagMatcher.CancelOutcome> nobody;
  private int left;
  private long nextNs;
  private boolean draining;
  private FabricMemory memory;
  private int memoryUsed;

  Member(SeedRun run, Node node, int operations) {
    this.run = run;
    this.node = node;
    this.mix = run.mix();
    this.ledger = run.ledger();
    this.choices = run.choices();
    endpoint = node.simulated.endpoint();
    nobody = node.simulated.domain().fabric().system().ignoreRef();
    left = operations;
    node.simulated.insidePasses(this::insideAPass);
    endpoint.onClose(this::closed);
    receives = new MemberReceives(run, this);
    triggers = new Triggers(run, this, receives);
    accesses = mix.theme == Theme.REGIONS ? new MemberAccesses(run, this) : null;
    active = mix.theme == Theme.ACTIVE ? new MemberActive(run, this) : null;
  }

  private void closed() {
    run.endpointClosed(node);
  }

  @Override
  public String name() {
    return "program of " + node.name();
  }

  /** No new sends; everything is read, and what comes is received. */
  void drain() {
    draining = true;
    left = 0;
    triggers.drain();
    if (mix.abandons && node.isUp()) {
      openMessages.stream().filter(each -> !each.hasEnded() && !each.silent).forEach(this::cancel);
      node.simulated.touch();
    }
  }

  boolean isDone() {
    return left == 0;
  }

  @Override
  public boolean isReady() {
    if (!node.isUp() || node.simulated.isPaused()) {
      return false;
    }
    return draining
        ? hasEntries() || receives.wantsDrain() || (active != null && active.wantsDrain())
        : left > 0 && nextNs <= run.scheduler().clock().nanoTime();
  }

  @Override
  public long nextNs() {
    return left > 0 && node.isUp() && !node.simulated.isPaused() ? nextNs : Long.MAX_VALUE;
  }

  private boolean hasEntries() {
    return !endpoint.transmitQueue().ring().isEmpty()
        || !endpoint.receiveQueue().ring().isEmpty()
        || (accesses != null && !accesses.signals().ring().isEmpty());
  }

  @Override
  public void turn() {
    if (draining) {
      read(READ_LIMIT);
      if (node.isUp()) {
        receives.drain();
        if (active != null) {
          active.drain();
        }
      }
    } else {
      left--;
      nextNs =
          run.scheduler().clock().nanoTime() + (mix.thinkNs == 0 ? 0 : choices.below(mix.thinkNs));
      operate(mix.operation(choices));
    }
    node.simulated.touch();
  }

  private void insideAPass() {
    if (left > 0 && node.isUp()) {
      left--;
      run.probes().reach(Probe.INSIDE_PASS);
      operate(mix.operation(choices));
    }
  }

  private void operate(Mix.Operation operation) {
    switch (operation) {
      case SEND,
          SEND_DATA,
          INJECT,
          SEND_LISTENED,
          SEND_FROM_MEMORY,
          SEND_FENCED,
          SEND_UNTAGGED,
          INJECT_UNTAGGED ->
          send(operation);
      case RECEIVE -> receives.post(false, false);
      case RECEIVE_ANY -> receives.post(true, false);
      case RECEIVE_INTO_MEMORY -> receives.post(choices.below(2) == 1, true);
      case RECEIVE_UNTAGGED -> receives.postUntagged();
      case RECEIVE_MANY -> receives.postMany();
      case READ -> read(1 + choices.below(READ_LIMIT));
      case CANCEL_RECEIVE -> receives.cancelOne();
      case CANCEL_SEND -> cancelSend();
      case REPLACE_SEND -> replaceSend();
      case COLLECTIVE -> run.collectives().startNext(node);
      case COUNT -> triggers.count();
      case DEFER -> triggers.defer();
      case CANCEL_DEFERRED -> triggers.cancelOne();
      case ACCESS -> accesses.operate();
      case REQUEST -> active.operate();
    }
  }

  // ---- sends ----

  Node anyPeer() {
    List<Node> nodes = run.nodes();
    if (choices.below(100) < mix.selfShare) {
      return node;
    }
    List<Node> others = nodes.stream().filter(other -> other != node).toList();
    return others.isEmpty() ? node : others.get(choices.below(others.size()));
  }

  private void send(Mix.Operation operation) {
    send(operation, anyPeer(), length(operation));
  }

  int length(Mix.Operation operation) {
    if (operation == Mix.Operation.INJECT || operation == Mix.Operation.INJECT_UNTAGGED) {
      return choices.below(INJECT_BYTES);
    }
    if (mix.huge && operation == Mix.Operation.SEND_FROM_MEMORY && choices.below(4) == 3) {
      int length = HUGE + choices.below(HUGEST - HUGE);
      if (memoryUsed + length <= HUGE_MEMORY_BYTES) {
        run.probes().reach(Probe.HUGE);
        return length;
      }
    }
    return mix.length(choices);
  }

  private void send(Mix.Operation operation, Node to, int length) {
    Message message = draw(operation, to, length);
    ledger.posted(message, run.nextOrder());
    Integer peer = node.peer(to);
    if (post(operation, message, peer) == Posted.TRY_AGAIN) {
      ledger.refused(message);
    } else {
      openMessages.add(message);
    }
  }

  /** One that is not sent. */
  Message draw(Mix.Operation operation, Node to, int length) {
    boolean untagged =
        switch (operation) {
          case SEND_UNTAGGED, INJECT_UNTAGGED -> true;
          case SEND_FENCED -> choices.below(4) == 3;
          default -> false;
        };
    boolean injected =
        operation == Mix.Operation.INJECT || operation == Mix.Operation.INJECT_UNTAGGED;
    boolean exact = untagged || choices.below(100) < mix.exactShare && !injected;
    int sendable = Math.min(length, node.maxMessageBytes);
    CompletionLevel level =
        injected || operation == Mix.Operation.SEND_DATA
            ? CompletionLevel.INJECT
            : LEVELS[choices.below(LEVELS.length)];
    Message message =
        new Message(
            node,
            to,
            run.nextNumber(),
            exact,
            Message.tagClass(choices.below(4)),
            exact ? Math.max(Integer.BYTES, sendable) : sendable,
            level,
            run.scheduler().clock().nanoTime());
    message.untagged = untagged;
    message.fenced = operation == Mix.Operation.SEND_FENCED;
    giveBuffer(message, operation == Mix.Operation.SEND_FROM_MEMORY);
    message.fill();
    return message;
  }

  private Posted post(Mix.Operation operation, Message message, int peer) {
    MutableDirectBuffer buffer = message.buffer;
    return switch (operation) {
      case SEND_DATA -> {
        message.hasData = true;
        yield endpoint.post(
            TaggedSend.of(peer, buffer, message.offset, message.length, message.tag())
                .data(message.number),
            message);
      }
      case INJECT -> {
        message.silent = true;
        Posted posted =
            endpoint.injectTagged(peer, buffer, message.offset, message.length, message.tag());
        if (posted == Posted.POSTED) {
          message.spoil();
        }
        yield posted;
      }
      case INJECT_UNTAGGED -> {
        message.silent = true;
        Posted posted =
            endpoint.inject(TaggedSend.untagged(peer, buffer, message.offset, message.length));
        if (posted == Posted.POSTED) {
          message.spoil();
        }
        yield posted;
      }
      case SEND_UNTAGGED, SEND_FENCED -> postWithOptions(message, peer);
      case SEND_LISTENED -> {
        message.listened = true;
        endpoint
            .ref()
            .tell(
                new Endpoint.SendTagged(
                    message.send(peer).level(message.level), message, listener(message)));
        yield Posted.POSTED;
      }
      default -> endpoint.post(message.send(peer).level(message.level), message);
    };
  }

  private Posted postWithOptions(Message message, int peer) {
    SendOptions options = SendOptions.DEFAULT.at(message.level);
    options = message.fenced ? options.fence() : options;
    message.silent = mix.counting != null && choices.below(4) == 3; // its counter tells
    options = message.silent ? options.silent() : options;
    message.hasData = choices.below(4) == 3;
    TaggedSend send =
        message.untagged
            ? TaggedSend.untagged(peer, message.buffer, message.offset, message.length)
            : message.send(peer);
    if (message.hasData) {
      send.data(message.number);
    }
    return endpoint.post(send.with(options), message);
  }

  private SendListener listener(Message message) {
    return new SendListener() {
      @Override
      public void onSent(Completion.Sent sent) {
        run.guarded(() -> ledger.sent(message));
      }

      @Override
      public void onFailed(Completion.Failed failure) {
        run.guarded(() -> ledger.failed(message, failure));
      }
    };
  }

  private void giveBuffer(Message message, boolean inMemory) {
    int offset = inMemory ? memoryFor(message.length) : -1;
    message.buffer = offset < 0 ? new UnsafeBuffer(new byte[message.length]) : memory.buffer();
    message.offset = Math.max(0, offset);
  }

  /** Where so many bytes of fabric memory are that nobody uses; -1 if there are none. */
  int memoryFor(int length) {
    if (memory == null && !node.simulated.domain().loop().isDriving()) {
      memory = node.simulated.domain().allocate(mix.huge ? HUGE_MEMORY_BYTES : MEMORY_BYTES);
    }
    if (memory == null || memoryUsed + length > memory.buffer().capacity()) {
      return -1;
    }
    int offset = memoryUsed;
    memoryUsed += length;
    return offset;
  }

  /** Its fabric memory. */
  MutableDirectBuffer memory() {
    return memory.buffer();
  }

  // ---- completions ----

  private void read(int limit) {
    endpoint.transmitQueue().read(this::onCompletion, limit);
    endpoint.receiveQueue().read(this::onCompletion, limit);
    if (accesses != null) {
      accesses.signals().read(this::onCompletion, limit);
    }
  }

  /** Reads all that is there, without a pass. */
  void readAll() {
    endpoint.transmitQueue().ring().read(this::onCompletion, Integer.MAX_VALUE);
    endpoint.receiveQueue().ring().read(this::onCompletion, Integer.MAX_VALUE);
  }

  private void onCompletion(CompletionEntry entry) {
    if (entry.context() instanceof Message message) {
      ledger.ended(message, entry);
    } else if (entry.context() instanceof Receive receive) {
      receives.onEntry(receive);
      ledger.ended(receive, entry, run.scheduler().clock().nanoTime());
    } else if (entry.context() instanceof MemberAccesses.Posting access) {
      access.ended(entry);
    } else if (entry.context() instanceof OpenedRegion opened) {
      opened.signalled(entry);
    } else {
      run.silentEnd(node, entry);
    }
  }

  // ---- cancels ----

  /** One that a counter has started. */
  void started(Message message) {
    openMessages.add(message);
  }

  /** What it does with memory; null if nothing. */
  MemberAccesses accesses() {
    return accesses;
  }

  /** Its active messages; null if it has none. */
  MemberActive active() {
    return active;
  }

  /** What waits for counters. */
  Triggers triggers() {
    return triggers;
  }

  private void cancelSend() {
    openMessages.removeIf(message -> message.hasEnded() || message.silent);
    if (openMessages.isEmpty()) {
      return;
    }
    int newest = openMessages.size() - 1;
    cancel(openMessages.get(newest - choices.below(openMessages.size())));
  }

  /** Takes a long message back and sends another one to the same peer, without a pass between. */
  private void replaceSend() {
    openMessages.removeIf(message -> message.hasEnded() || message.silent);
    for (int i = openMessages.size() - 1; i >= 0; i--) {
      Message message = openMessages.get(i);
      if (message.length > mix.flow.sizes().eagerLimitBytes() && !message.cancelRequested) {
        run.probes().reach(Probe.REPLACED);
        cancel(message);
        send(Mix.Operation.SEND, message.to, message.length);
        return;
      }
    }
    send(Mix.Operation.SEND, anyPeer(), mix.flow.sizes().eagerLimitBytes() + choices.below(8_000));
  }

  private void cancel(Message message) {
    message.cancelRequested = true;
    run.trace().note(41, message.number, 0, 0, () -> "cancel  " + message);
    endpoint.ref().tell(new Endpoint.CancelSend(message, nobody));
  }

  /** Whether a fault site fires on behalf of this program. */
  boolean fires(Site site) {
    return run.sites().fires(site);
  }
}
