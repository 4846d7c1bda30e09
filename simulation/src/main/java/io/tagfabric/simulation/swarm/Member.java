package io.tagfabric.simulation.swarm;

import akka.actor.typed.ActorRef;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.endpoint.Posted;
import io.tagfabric.endpoint.SendListener;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.provider.FabricMemory;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.choice.Site;
import io.tagfabric.simulation.world.Participant;
import io.tagfabric.tag.TagSelector;
import java.util.ArrayList;
import java.util.List;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A random program on one node. Its turns are single operations through the public API. */
final class Member implements Participant {
  private static final int INJECT_BYTES = 64;
  private static final int READ_LIMIT = 8;
  private static final int MEMORY_BYTES = 64 * 1024;
  private static final int DRAINS_AT_ONCE = 2;
  private static final int LONGEST = 10 * 1024;

  /** More than an endpoint reads from memory at one go. */
  private static final int HUGE = 256 * 1024;

  private static final int HUGE_MEMORY_BYTES = 1024 * 1024;
  private static final int HUGEST = HUGE + 32 * 1024;
  private static final CompletionLevel[] LEVELS = CompletionLevel.values();

  private final SeedRun run;
  final Node node;
  private final Endpoint endpoint;
  private final Mix mix;
  private final Ledger ledger;
  private final Choices choices;
  private final List<Receive> openReceives = new ArrayList<>();
  private final List<Message> openMessages = new ArrayList<>();
  private final ActorRef<TagMatcher.CancelOutcome> nobody;
  private int left;
  private long nextNs;
  private boolean draining;
  private int drains;
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
        ? hasEntries() || wantsDrain()
        : left > 0 && nextNs <= run.scheduler().clock().nanoTime();
  }

  @Override
  public long nextNs() {
    return left > 0 && node.isUp() && !node.simulated.isPaused() ? nextNs : Long.MAX_VALUE;
  }

  private boolean hasEntries() {
    return !endpoint.transmitQueue().ring().isEmpty() || !endpoint.receiveQueue().ring().isEmpty();
  }

  private boolean wantsDrain() {
    return drains < DRAINS_AT_ONCE && run.expectsMessage(node);
  }

  @Override
  public void turn() {
    if (draining) {
      read(READ_LIMIT);
      if (node.isUp() && wantsDrain()) {
        postDrain();
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
      case SEND, SEND_DATA, INJECT, SEND_LISTENED, SEND_FROM_MEMORY -> send(operation);
      case RECEIVE -> receive(false, false);
      case RECEIVE_ANY -> receive(true, false);
      case RECEIVE_INTO_MEMORY -> receive(choices.below(2) == 1, true);
      case READ -> read(1 + choices.below(READ_LIMIT));
      case CANCEL_RECEIVE -> cancelReceive();
      case CANCEL_SEND -> cancelSend();
      case REPLACE_SEND -> replaceSend();
      case COLLECTIVE -> run.collectives().startNext(node);
    }
  }

  // ---- sends ----

  private Node anyPeer() {
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

  private int length(Mix.Operation operation) {
    if (operation == Mix.Operation.INJECT) {
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
    boolean exact = choices.below(100) < mix.exactShare && operation != Mix.Operation.INJECT;
    CompletionLevel level =
        operation == Mix.Operation.INJECT || operation == Mix.Operation.SEND_DATA
            ? CompletionLevel.INJECT
            : LEVELS[choices.below(LEVELS.length)];
    Message message =
        new Message(
            node,
            to,
            run.nextNumber(),
            exact,
            Message.tagClass(choices.below(4)),
            exact ? Math.max(Integer.BYTES, length) : length,
            level,
            run.scheduler().clock().nanoTime());
    giveBuffer(message, operation == Mix.Operation.SEND_FROM_MEMORY);
    message.fill();
    ledger.posted(message);
    Integer peer = node.peer(to);
    if (post(operation, message, peer) == Posted.TRY_AGAIN) {
      ledger.refused(message);
    } else {
      openMessages.add(message);
    }
  }

  private Posted post(Mix.Operation operation, Message message, int peer) {
    MutableDirectBuffer buffer = message.buffer;
    return switch (operation) {
      case SEND_DATA ->
          endpoint.sendTaggedData(
              peer, buffer, message.offset, message.length, message.number, message.tag(), message);
      case INJECT -> {
        message.silent = true;
        Posted posted =
            endpoint.injectTagged(peer, buffer, message.offset, message.length, message.tag());
        if (posted == Posted.POSTED) {
          message.spoil();
        }
        yield posted;
      }
      case SEND_LISTENED -> {
        endpoint
            .ref()
            .tell(
                new Endpoint.SendTagged(
                    peer,
                    message.tag(),
                    buffer,
                    message.offset,
                    message.length,
                    message.level,
                    message,
                    listener(message)));
        yield Posted.POSTED;
      }
      default ->
          endpoint.sendTagged(
              peer, buffer, message.offset, message.length, message.tag(), message.level, message);
    };
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
  private int memoryFor(int length) {
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

  // ---- receives ----

  private void receive(boolean anySource, boolean inMemory) {
    boolean exact = choices.below(100) < mix.exactShare;
    boolean anyTag = choices.below(3) == 2;
    int tagClass = Message.tagClass(choices.below(4));
    Node source = anySource ? null : anyPeer();
    int capacity = choices.below(4) == 3 ? 64 + choices.below(2_000) : longest();
    long ignore = (exact ? 0 : Message.NUMBER_BITS) | (anyTag ? Message.TAG_BITS : 0);
    post(source, (exact ? Message.EXACT : 0) | tagClass, ignore, capacity, inMemory);
  }

  /** Bytes that hold any message, save for huge ones now and then. */
  private int longest() {
    return mix.huge && choices.below(3) == 2 ? HUGEST : LONGEST;
  }

  /** Takes whatever comes. */
  private void postDrain() {
    Receive posted =
        post(null, 0, Message.NUMBER_BITS | Message.TAG_BITS | Message.EXACT, longest(), false);
    if (posted != null) {
      drains++;
      posted.drain = true;
    } else {
      cancelOneForRoom();
    }
  }

  /** Receives that nothing will match may hold all slots. */
  private void cancelOneForRoom() {
    for (Receive receive : openReceives) {
      if (!receive.hasEnded() && !receive.drain && !receive.cancelRequested) {
        cancel(receive);
        return;
      }
    }
  }

  private Receive post(Node source, long tag, long ignore, int capacity, boolean inMemory) {
    Receive receive =
        new Receive(
            node,
            run.nextReceive(),
            source,
            tag,
            ignore,
            capacity,
            run.scheduler().clock().nanoTime());
    int offset = inMemory ? memoryFor(capacity) : -1;
    receive.buffer = offset < 0 ? new UnsafeBuffer(new byte[capacity]) : memory.buffer();
    receive.offset = Math.max(0, offset);
    receive.poison();
    ledger.posted(receive);
    int peer = source == null ? TagSelector.ANY_SOURCE : node.peer(source);
    Posted posted =
        endpoint.postReceive(receive.buffer, receive.offset, capacity, tag, ignore, peer, receive);
    if (posted == Posted.TRY_AGAIN) {
      ledger.refused(receive);
      return null;
    }
    openReceives.add(receive);
    return receive;
  }

  // ---- completions ----

  private void read(int limit) {
    endpoint.transmitQueue().read(this::onCompletion, limit);
    endpoint.receiveQueue().read(this::onCompletion, limit);
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
      drains -= receive.drain ? 1 : 0;
      ledger.ended(receive, entry, run.scheduler().clock().nanoTime());
    } else {
      run.silentEnd(node, entry);
    }
  }

  // ---- cancels ----

  private void cancelReceive() {
    openReceives.removeIf(Receive::hasEnded);
    if (openReceives.isEmpty()) {
      return;
    }
    cancel(openReceives.get(choices.below(openReceives.size())));
  }

  private void cancel(Receive receive) {
    receive.cancelRequested = true;
    run.trace().note(40, receive.number, 0, 0, () -> "cancel  " + receive);
    if (choices.below(2) == 0) {
      endpoint.port().cancelReceive(receive);
    } else {
      endpoint.matcher().tell(new TagMatcher.CancelReceive(receive, nobody));
    }
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
