package io.tagfabric.match.core;

import io.tagfabric.error.FabricError;
import io.tagfabric.match.ProbeKind;
import io.tagfabric.match.table.Message;
import io.tagfabric.tag.TagSelector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What a receive context must do, by walking lists; it tells events in words. */
final class NaiveReceives {
  /** Which messages are looked for; of those without a tag only the source counts. */
  record Wanted(boolean untagged, TagSelector selector) {
    static Wanted tagged(TagSelector selector) {
      return new Wanted(false, selector);
    }

    boolean takes(Message message) {
      boolean fits = untagged || selector.matches(message.tag, message.source());
      boolean isFrom =
          selector.source() == TagSelector.ANY_SOURCE || selector.source() == message.source();
      return untagged == message.untagged && isFrom && fits;
    }
  }

  /** A receive, or one turn of a subscription. */
  static final class Pending {
    final String name;
    final Wanted wanted;
    final int capacity;
    final Subscription subscription;
    String result;

    Pending(String name, Wanted wanted, int capacity, Subscription subscription) {
      this.name = name;
      this.wanted = wanted;
      this.capacity = capacity;
      this.subscription = subscription;
    }
  }

  static final class Subscription {
    final String name;
    final Wanted wanted;
    final int maxLength;
    final ArrayDeque<Pending> turns = new ArrayDeque<>();

    Subscription(String name, TagSelector selector, int maxLength) {
      this.name = name;
      this.wanted = Wanted.tagged(selector);
      this.maxLength = maxLength;
    }
  }

  /** How a message comes. */
  enum Kind {
    WHOLE,
    IN_PARTS,
    ANNOUNCED
  }

  /** The peers of this many flows are numbered alike, one after the other. */
  static final int PEERS = 3;

  /**
   * A message.
   *
   * @param flow that it came by; several flows may be of one peer, to endpoints that share receives
   */
  record Message(
      int number,
      int flow,
      boolean untagged,
      long tag,
      int length,
      Kind kind,
      boolean wantsFinish) {
    int source() {
      return flow % PEERS;
    }

    boolean isAnnounced() {
      return kind == Kind.ANNOUNCED;
    }

    int heldBytes() {
      return isAnnounced() ? 0 : length;
    }
  }

  /** A message in parts of which some have not come. */
  static final class Partial {
    final Message message;
    int arrived;
    private Pending taker;

    Partial(Message message) {
      this.message = message;
    }
  }

  /** An announced message that a receive has taken. */
  static final class Moving {
    final Message message;
    final long receive;
    final int wanted;
    int cleared;
    int arrived;
    private final Pending taker;

    Moving(Message message, long receive, Pending taker) {
      this.message = message;
      this.receive = receive;
      this.taker = taker;
      wanted = Math.min(message.length, taker.capacity);
    }

    int underWay() {
      return cleared - arrived;
    }
  }

  /** What a peer may send, and what it has got back. */
  static final class Peer {
    final int windowBytes;
    final int windows;
    int admitted;
    long admittedBytes;
    int consumed;
    long consumedBytes;
    long asked;
    long settled;
    Partial partial;

    Peer(int windowBytes, int windows) {
      this.windowBytes = windowBytes;
      this.windows = windows;
    }
  }

  final List<String> events = new ArrayList<>();
  final List<Pending> posted = new ArrayList<>();
  final List<Message> unexpected = new ArrayList<>();
  final List<Peer> peers = new ArrayList<>();

  /** What each claim holds; a claim that holds nothing is not there. */
  final Map<String, Message> claimed = new TreeMap<>();

  /** Claimed messages whose bytes will not come, and why. */
  final Map<Message, FabricError> lostClaims = new HashMap<>();

  final Map<Integer, Moving> moving = new TreeMap<>();
  final Set<Integer> lost = new HashSet<>();
  final Set<Integer> lostFlows = new HashSet<>();
  private final Map<Message, Partial> waitingParts = new HashMap<>();
  private final List<Subscription> subscriptions = new ArrayList<>();
  private final Set<Message> late = new HashSet<>();
  private long receives;
  private boolean closed;

  /** Announced messages that a close has left at their senders. */
  private int refused;

  void post(String name, Wanted wanted, int capacity) {
    Pending receive = new Pending(name, wanted, capacity, null);
    if (closed) {
      events.add(name + " failed CANCELED");
      return;
    }
    Message message = takeWaiting(wanted);
    if (message != null) {
      match(receive, message);
    } else if (isLost(wanted.selector.source())) {
      events.add(name + " failed CONNECTION_RESET");
    } else {
      posted.add(receive);
    }
  }

  private Message findWaiting(Wanted wanted) {
    for (Message message : unexpected) {
      if (wanted.takes(message)) {
        return message;
      }
    }
    return null;
  }

  /** Peeks, claims (then {@code claim} is not null) or discards. */
  void probe(String name, ProbeKind kind, Wanted wanted, String claim) {
    if (closed) {
      events.add(name + " failed CANCELED");
      return;
    }
    if (kind == ProbeKind.CLAIM && claimed.containsKey(claim)) {
      events.add(name + " failed INVALID");
      return;
    }
    Message message = findWaiting(wanted);
    if (message == null) {
      boolean gone = isLost(wanted.selector.source());
      events.add(name + " failed " + (gone ? "CONNECTION_RESET" : "NO_MESSAGE"));
      return;
    }
    if (kind != ProbeKind.PEEK) {
      unexpected.remove(message);
    }
    if (kind == ProbeKind.CLAIM) {
      claimed.put(claim, message);
    } else if (kind == ProbeKind.DISCARD) {
      match(nobody(), message);
    }
    found(name, message);
  }

  void discard(String name, String claim) {
    Message message = closed ? null : claimed.remove(claim);
    if (message == null) {
      events.add(name + " failed " + (closed ? "CANCELED" : "INVALID"));
      return;
    }
    if (!lostClaims.containsKey(message)) {
      match(nobody(), message);
    }
    found(name, message);
  }

  void postClaimed(String name, String claim, int capacity) {
    Message message = closed ? null : claimed.remove(claim);
    if (message == null) {
      events.add(name + " failed " + (closed ? "CANCELED" : "INVALID"));
    } else if (lostClaims.containsKey(message)) {
      events.add(name + " failed " + lostClaims.get(message));
    } else {
      match(new Pending(name, Wanted.tagged(TagSelector.any()), capacity, null), message);
    }
  }

  private void found(String name, Message message) {
    String tag = message.untagged ? "untagged" : String.valueOf(message.tag);
    events.add(name + " found " + message.source() + " " + tag + " " + message.length);
  }

  private static Pending nobody() {
    return new Pending(null, Wanted.tagged(TagSelector.any()), 0, null);
  }

  private Message takeWaiting(Wanted wanted) {
    for (Iterator<Message> each = unexpected.iterator(); each.hasNext(); ) {
      Message message = each.next();
      if (wanted.takes(message)) {
        each.remove();
        return message;
      }
    }
    return null;
  }

  /** A message comes, or begins, or is announced. */
  void arrive(Message message) {
    Peer peer = peers.get(message.flow);
    peer.admitted++;
    peer.admittedBytes += message.heldBytes();
    if (message.kind == Kind.IN_PARTS) {
      peer.partial = new Partial(message);
      waitingParts.put(message, peer.partial);
    }
    Pending receive = takeReceive(message);
    if (receive != null) {
      match(receive, message);
    } else if (!closed) {
      unexpected.add(message);
    } else if (message.isAnnounced()) {
      refused++;
    } else {
      late.add(message);
    }
  }

  /** Takes no credit, and does not wait; false if it is dropped. */
  boolean datagram(Message message) {
    Pending receive = takeReceive(message);
    if (receive == null) {
      return false;
    }
    end(receive, message, null);
    return true;
  }

  private Pending takeReceive(Message message) {
    for (Iterator<Pending> each = posted.iterator(); each.hasNext(); ) {
      Pending receive = each.next();
      if (receive.wanted.takes(message)) {
        each.remove();
        return receive;
      }
    }
    for (Subscription subscription : subscriptions) {
      if (subscription.wanted.takes(message)) {
        return turn(subscription);
      }
    }
    return null;
  }

  private static Pending turn(Subscription subscription) {
    Pending turn =
        new Pending(subscription.name, subscription.wanted, subscription.maxLength, subscription);
    subscription.turns.addLast(turn);
    return turn;
  }

  private void match(Pending receive, Message message) {
    Peer peer = peers.get(message.flow);
    peer.consumed++;
    peer.consumedBytes += message.heldBytes();
    Partial partial = waitingParts.remove(message);
    if (message.isAnnounced()) {
      begin(peer, new Moving(message, ++receives, receive));
    } else if (partial != null) {
      partial.taker = receive;
    } else {
      end(receive, message, null);
    }
  }

  // ---- messages in parts ----

  /** So many bytes more of the peer's unfinished message come. */
  void part(int flow, int count) {
    Peer peer = peers.get(flow);
    Partial partial = peer.partial;
    partial.arrived += count;
    if (partial.arrived == partial.message.length) {
      peer.partial = null;
      waitingParts.remove(partial.message);
      if (partial.taker != null) {
        end(partial.taker, partial.message, null);
      }
    }
  }

  private void giveUpPartial(Peer peer, FabricError error) {
    Partial partial = peer.partial;
    peer.partial = null;
    if (partial.taker != null) {
      end(partial.taker, partial.message, error);
    } else if (unexpected.remove(partial.message) || claimed.containsValue(partial.message)) {
      if (claimed.containsValue(partial.message)) {
        lostClaims.put(partial.message, error);
      }
      waitingParts.remove(partial.message);
      peer.consumed++;
      peer.consumedBytes += partial.message.length;
    }
  }

  // ---- announced messages ----

  private void begin(Peer peer, Moving each) {
    if (each.wanted == 0) {
      events.add("clear " + each.message.number + " for " + each.receive + " 0 to 0");
      end(each.taker, each.message, null);
      return;
    }
    moving.put(each.message.number, each);
    askForMore(peer, each);
  }

  private void askForMore(Peer peer, Moving each) {
    int before = each.cleared;
    while (each.cleared < each.wanted
        && each.underWay() + peer.windowBytes <= peer.windowBytes * peer.windows) {
      each.cleared = Math.min(each.wanted, each.cleared + peer.windowBytes);
    }
    if (each.cleared > before) {
      peer.asked += each.cleared - before;
      events.add(
          "clear "
              + each.message.number
              + " for "
              + each.receive
              + " "
              + each.wanted
              + " to "
              + each.cleared);
    }
  }

  /** So many bytes more of a message come that were asked for. */
  void data(int number, int count) {
    Moving each = moving.get(number);
    Peer peer = peers.get(each.message.flow);
    peer.settled += count;
    each.arrived += count;
    if (each.arrived < each.wanted) {
      askForMore(peer, each);
      return;
    }
    moving.remove(number);
    if (each.message.wantsFinish) {
      events.add("finish " + number);
    }
    end(each.taker, each.message, null);
  }

  private void giveUp(Moving each, FabricError error) {
    moving.remove(each.message.number);
    peers.get(each.message.flow).settled += each.underWay();
    end(each.taker, each.message, error);
  }

  /** The sender gives a message up, if it is not over. */
  void abort(int flow, int number) {
    Peer peer = peers.get(flow);
    if (peer.partial != null && peer.partial.message.number == number) {
      giveUpPartial(peer, FabricError.CANCELED);
    } else if (moving.containsKey(number) && moving.get(number).message.flow == flow) {
      giveUp(moving.get(number), FabricError.CANCELED);
    } else if (unexpected.removeIf(
        each -> each.isAnnounced() && each.number == number && each.flow == flow)) {
      peer.consumed++;
    } else {
      for (Message each : claimed.values()) {
        if (each.isAnnounced()
            && each.number == number
            && each.flow == flow
            && lostClaims.putIfAbsent(each, FabricError.CANCELED) == null) {
          peer.consumed++;
        }
      }
    }
  }

  private void end(Pending receive, Message message, FabricError error) {
    String outcome;
    if (error != null) {
      outcome = "failed " + error;
    } else if (message.length > receive.capacity) {
      outcome = "failed TRUNCATED " + receive.capacity + "+" + (message.length - receive.capacity);
    } else {
      outcome = "got " + message.number + " of " + message.length;
    }
    if (receive.name == null) {
      return;
    }
    if (receive.subscription == null) {
      events.add(receive.name + " " + outcome);
      return;
    }
    receive.result = outcome;
    ArrayDeque<Pending> turns = receive.subscription.turns;
    while (!turns.isEmpty() && turns.peekFirst().result != null) {
      Pending done = turns.pollFirst();
      if (done.result.startsWith("got")) {
        events.add(done.name + " " + done.result);
      }
    }
  }

  void cancel(String name) {
    for (Iterator<Pending> each = posted.iterator(); each.hasNext(); ) {
      if (each.next().name.equals(name)) {
        each.remove();
        events.add(name + " failed CANCELED");
        return;
      }
    }
  }

  void subscribe(String name, TagSelector selector, int maxLength) {
    if (closed) {
      return;
    }
    Subscription subscription = new Subscription(name, selector, maxLength);
    subscriptions.add(subscription);
    Message message;
    while ((message = takeWaiting(subscription.wanted)) != null) {
      match(turn(subscription), message);
    }
  }

  void unsubscribe(String name) {
    subscriptions.removeIf(subscription -> subscription.name.equals(name));
  }

  private boolean isLost(int source) {
    return lost.contains(source) && !reaches(source);
  }

  /** Whether there is a flow with a peer. */
  boolean reaches(int source) {
    for (int flow = source; flow < peers.size(); flow += PEERS) {
      if (!lostFlows.contains(flow)) {
        return true;
      }
    }
    return false;
  }

  /** A flow ends because its peer is lost, or because the endpoint here that had it closes. */
  void flowLost(int flow, boolean ofPeer) {
    int source = flow % PEERS;
    lostFlows.add(flow);
    for (Moving each : List.copyOf(moving.values())) {
      if (each.message.flow == flow) {
        giveUp(each, FabricError.CONNECTION_RESET);
      }
    }
    if (ofPeer && !reaches(source)) {
      lost.add(source);
      for (Pending receive : List.copyOf(posted)) {
        if (receive.wanted.selector.source() == source) {
          posted.remove(receive);
          events.add(receive.name + " failed CONNECTION_RESET");
        }
      }
    }
    refused += ofPeer || closed ? 0 : countAnnounced(flow);
    unexpected.removeIf(message -> message.isAnnounced() && message.flow == flow);
    for (Message each : claimed.values()) {
      if (each.isAnnounced() && each.flow == flow) {
        lostClaims.putIfAbsent(each, FabricError.CONNECTION_RESET);
      }
    }
    if (peers.get(flow).partial != null) {
      giveUpPartial(peers.get(flow), FabricError.CONNECTION_RESET);
    }
  }

  private int countAnnounced(int flow) {
    return (int)
        unexpected.stream()
            .filter(message -> message.isAnnounced() && message.flow == flow)
            .count();
  }

  /** What no receive has got, as a close says it. */
  DroppedMessages.Count dropped() {
    List<Message> all = new ArrayList<>(unexpected);
    claimed.values().stream().filter(each -> !lostClaims.containsKey(each)).forEach(all::add);
    all.addAll(late);
    all.removeIf(each -> each.isAnnounced() || waitingParts.containsKey(each));
    return new DroppedMessages.Count(all.size(), refused, null);
  }

  void close() {
    closed = true;
    List<Message> waiting = new ArrayList<>(unexpected);
    claimed.values().stream().filter(each -> !lostClaims.containsKey(each)).forEach(waiting::add);
    refused += (int) waiting.stream().filter(Message::isAnnounced).count();
    for (boolean untagged : new boolean[] {false, true}) {
      posted.stream()
          .filter(receive -> receive.wanted.untagged == untagged)
          .forEach(receive -> events.add(receive.name + " failed CANCELED"));
    }
    posted.clear();
    subscriptions.clear();
  }

  /** Bytes held for messages that wait or are claimed. */
  long heldBytes() {
    long bytes = unexpected.stream().mapToLong(Message::heldBytes).sum();
    for (Message each : claimed.values()) {
      bytes += lostClaims.containsKey(each) ? 0 : each.heldBytes();
    }
    return bytes;
  }
}
