package io.tagfabric.trials.fuzz;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import io.tagfabric.provider.WireListener;
import io.tagfabric.trials.fuzz.Violation.Promise;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Somebody of another job who knows the victim's address: it offers to a bare channel whatever it
 * likes. It knows packets of attackers, but not their job key, and must never be answered. Thread:
 * one.
 */
final class Stranger implements Hook {
  private static final int QUEUE = 256;
  private static final int MAX_WAITING = 4;

  /** Of so much one is a record instead of packets. */
  private static final int RECORDS_SHARE = 4;

  private final SplittableRandom random;
  private final Attack attack;
  private final Mutator mutator;
  private Wire wire;
  private byte[] hello;
  private Domain domain;
  private CompletionQueue queue;
  private Endpoint endpoint;
  private Channel channel;
  private int waiting;
  private boolean answered;

  Stranger(SplittableRandom random, int maxPacketBytes, Attack attack) {
    this.random = random;
    this.attack = attack;
    mutator = new Mutator(random.split(), maxPacketBytes);
  }

  @Override
  public WireContext opening(WireContext context) {
    return context.withListener(new Answers(context.listener(), this));
  }

  /** What comes for its endpoint. */
  private record Answers(WireListener listener, Stranger stranger) implements WireListener {
    @Override
    public void onPacket(Packet packet) {
      stranger.answered = true;
      listener.onPacket(packet);
    }

    @Override
    public void onInjected(long flow, MessageView message) {
      stranger.answered = true;
      listener.onInjected(flow, message);
    }

    @Override
    public void onFrames(long flow, Packet frames) {
      stranger.answered = true;
      listener.onFrames(flow, frames);
    }

    @Override
    public void onChannelClosed() {
      listener.onChannelClosed();
    }
  }

  @Override
  public void opened(Wire opened) {
    wire = opened;
  }

  @Override
  public Channel connected(EndpointAddress peer, Channel opened) {
    return new Overheard(opened, this);
  }

  /** Its endpoint's own channel: tells what a right Hello of another job looks like. */
  private record Overheard(Channel channel, Stranger stranger) implements Channel {
    @Override
    public boolean offer(Packet packet) {
      stranger.hello = new byte[packet.length()];
      packet.buffer().getBytes(0, stranger.hello);
      return channel.offer(packet);
    }

    @Override
    public String closedBecause() {
      return channel.closedBecause();
    }
  }

  void open(Domain its, EndpointAddress victim) {
    domain = its;
    queue = domain.openCompletionQueue(QUEUE);
    endpoint = domain.openEndpoint("stranger", queue, queue);
    domain.loop().execute(() -> connect(victim));
    endpoint.futures().connect(domain.addressVector().insert(victim));
    queue.read(Stranger::ignore, QUEUE);
  }

  private void connect(EndpointAddress victim) {
    if (wire.unreachableBecause(victim).isEmpty()) {
      channel = wire.connect(victim);
    }
  }

  /** Offers something or other. */
  void step() {
    if (answered) {
      throw new Violation(Promise.SILENCE, "something came for the stranger");
    }
    if (attack.isForStranger() && waiting < MAX_WAITING && channel != null && hello != null) {
      List<byte[]> packets = random.nextInt(RECORDS_SHARE) == 0 ? List.of() : packets();
      waiting += packets.size();
      packets.forEach(packet -> domain.loop().execute(() -> offer(packet)));
      if (packets.isEmpty()) {
        waiting++;
        domain.loop().execute(this::inject);
      }
    }
    queue.read(Stranger::ignore, QUEUE);
  }

  private List<byte[]> packets() {
    int choice = random.nextInt(10);
    if (choice < 5) {
      return mutator.mutate(hello.clone());
    }
    byte[] seen = choice < 9 ? attack.anySeen(random) : null;
    if (seen == null) {
      return List.of(mutator.garbage());
    }
    byte[] copy = seen.clone();
    if (random.nextBoolean()) {
      PacketMap.isolation(new UnsafeBuffer(copy), PacketMap.isolation(new UnsafeBuffer(hello)));
    }
    return mutator.mutate(copy);
  }

  private void offer(byte[] bytes) {
    waiting--;
    Packet packet = Packet.received(bytes);
    if (channel.closedBecause() == null && channel.offer(packet)) {
      attack.sentByStranger();
    }
    packet.release();
  }

  /** Tries a record; a channel that takes none of it loses nothing. */
  private void inject() {
    waiting--;
    Attack.RingRecord chosen = attack.strangersRecord(random);
    if (channel.closedBecause() == null && channel.inject(chosen.flow(), chosen.message())) {
      attack.sentByStranger();
    }
  }

  private static void ignore(CompletionEntry entry) {
    // whatever a stranger's endpoint is told
  }
}
