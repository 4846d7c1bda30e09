package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.receive.EndpointBindings;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;

/** An endpoint of a contract test and what has completed there. */
final class Side {
  static final int QUEUE_SIZE = 4096;

  final Domain domain;
  final Endpoint endpoint;
  final List<Completion> sent = new ArrayList<>();
  final List<Completion> received = new ArrayList<>();

  Side(Domain domain, String name, int queueSize, EndpointSettings settings) {
    this.domain = domain;
    CompletionQueue transmit = domain.openCompletionQueue(queueSize);
    CompletionQueue receive = domain.openCompletionQueue(queueSize);
    endpoint = domain.openEndpoint(name, transmit, receive, settings);
  }

  Side(Domain domain, String name, UnaryOperator<EndpointBindings> change) {
    this.domain = domain;
    EndpointBindings bindings =
        EndpointBindings.to(
            domain.openCompletionQueue(QUEUE_SIZE), domain.openCompletionQueue(QUEUE_SIZE));
    endpoint = domain.openEndpoint(name, change.apply(bindings));
  }

  /** Index of another side here. */
  int indexOf(Side other) {
    return domain.addressVector().insert(other.endpoint.address());
  }

  /** Reads what has completed; in MANUAL mode this is what makes progress. */
  int poll() {
    int before = sent.size() + received.size();
    endpoint.transmitQueue().read(entry -> sent.add(entry.toCompletion()), Integer.MAX_VALUE);
    endpoint.receiveQueue().read(entry -> received.add(entry.toCompletion()), Integer.MAX_VALUE);
    return sent.size() + received.size() - before;
  }

  /** Whether so many sends and receives have ended. */
  boolean hasEnded(int count) {
    return sent.size() >= count && received.size() >= count;
  }

  void send(int peer, byte[] bytes, long tag, CompletionLevel level) {
    UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    assertThat(endpoint.post(TaggedSend.of(peer, buffer, 0, bytes.length, tag).level(level), tag))
        .isEqualTo(Posted.POSTED);
  }

  void send(int peer, byte[] bytes, long tag) {
    send(peer, bytes, tag, CompletionLevel.INJECT);
  }

  /** Posts a receive whose buffer is the context of its completion. */
  byte[] post(int source, int capacity, long tag, long ignore) {
    byte[] buffer = new byte[capacity];
    assertThat(
            endpoint.postReceive(
                new UnsafeBuffer(buffer), 0, capacity, tag, ignore, source, buffer))
        .isEqualTo(Posted.POSTED);
    return buffer;
  }

  byte[] post(int capacity, long tag) {
    return post(-1, capacity, tag, 0);
  }

  Posted tryPost(int capacity, long tag) {
    byte[] buffer = new byte[capacity];
    return endpoint.postReceive(ByteBuffer.wrap(buffer), tag, 0, buffer);
  }

  /** The last completion of a receive. */
  Completion lastReceived() {
    return received.get(received.size() - 1);
  }

  static byte[] pattern(int length, long seed) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 31L + seed * 7 + (i >> 8));
    }
    return bytes;
  }
}
