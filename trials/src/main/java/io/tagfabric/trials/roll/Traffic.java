package io.tagfabric.trials.roll;

import akka.Done;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import akka.japi.Pair;
import akka.stream.BoundedSourceQueue;
import akka.stream.javadsl.Keep;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import io.tagfabric.collective.ClusterTeam;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.stream.OutgoingMessage;
import io.tagfabric.stream.TagfabricStreams;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What a node with Tagfabric sends by fabric: numbered tagged messages to the endpoint of each
 * other node, which it finds by name, a stream to the next node, and a phase of a team when it is
 * told to.
 */
final class Traffic implements Talker.Others {
  static final String ROLE = "fabric";

  private static final String NAME = "roll";
  private static final long TAGGED = 1;
  private static final long STREAM = 2;
  private static final int WINDOW = 16;
  private static final int MOST_UNDER_WAY = 64;
  private static final Duration FOUND = Duration.ofSeconds(5);
  private static final Duration ENDS = Duration.ofSeconds(10);
  private static final Duration TEAM = Duration.ofSeconds(60);
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);

  /** Asks whether all that has come before is noted. */
  private record Flush(ActorRef<Done> replyTo) {}

  /** The endpoint of another node; its monitor guards the stream. */
  private static final class Peer {
    private final String node;
    private final int index;
    private final AtomicInteger underWay = new AtomicInteger();
    private BoundedSourceQueue<OutgoingMessage> stream;
    private long elements;
    private boolean streamEnded;

    Peer(String node, int index) {
      this.node = node;
      this.index = index;
    }
  }

  private final ActorSystem<?> system;
  private final NodeSpec spec;
  private final Book book;
  private final Domain domain;
  private final Endpoint endpoint;
  private final ClusterTeam nodes;
  private final ActorRef<Object> notes;
  private final CompletableFuture<Done> streamIn;
  private final Set<String> wanted = ConcurrentHashMap.newKeySet();
  private final Set<String> searched = ConcurrentHashMap.newKeySet();
  private final Set<String> leaving = ConcurrentHashMap.newKeySet();
  private final Map<String, Peer> peers = new ConcurrentHashMap<>();
  private final Runnable onChange;
  private Team team;

  /**
   * Opens all, and gives the endpoint its name.
   *
   * @param onChange runs when {@link #connected} has changed
   */
  Traffic(ActorSystem<?> system, NodeSpec spec, Book book, Runnable onChange) {
    this.system = system;
    this.spec = spec;
    this.book = book;
    this.onChange = onChange;
    domain = Fabric.get(system).openDomain(NAME, ProgressMode.AUTO);
    endpoint = domain.openEndpoint(NAME);
    // below /system, whose actors end after all domains have closed
    notes = system.systemActorOf(noting(), "roll-notes", Props.empty());
    endpoint.futures().subscribe(TagSelector.exact(TAGGED), notes);
    streamIn =
        TagfabricStreams.source(endpoint, TagSelector.exact(STREAM), WINDOW)
            .runWith(Sink.foreach(message -> receive(Book.Kind.STREAM, message)), system)
            .handle((done, ended) -> Done.getInstance())
            .toCompletableFuture();
    nodes = ClusterTeam.of(system, ROLE, spec.ports().size());
    Fabric.get(system)
        .register(nameOf(spec.name()), endpoint)
        .whenComplete((registered, failure) -> report("name", failure));
  }

  private static String nameOf(String node) {
    return NAME + "-" + node;
  }

  private static void report(String what, Throwable failure) {
    if (failure != null) {
      System.out.println(what + ": " + failure);
    }
  }

  private Behavior<Object> noting() {
    return Behaviors.receiveMessage(
        message -> {
          if (message instanceof TaggedMessage tagged) {
            receive(Book.Kind.TAGGED, tagged);
          } else if (message instanceof Flush flush) {
            flush.replyTo().tell(Done.getInstance());
          }
          return Behaviors.same();
        });
  }

  private void receive(Book.Kind kind, TaggedMessage message) {
    String[] words = new String(message.payload().array(), StandardCharsets.UTF_8).split(" ", 2);
    book.receive(kind, words[0], Long.parseLong(words[1]));
  }

  // ---- who is there ----

  /** The nodes whose endpoints are known. */
  Set<String> connected() {
    return new TreeSet<>(peers.keySet());
  }

  @Override
  public void onCome(String node) {
    wanted.add(node);
  }

  /** Looks for the endpoint of a node, which may have none. */
  private void connect(String node) {
    if (searched.add(node)) {
      domain
          .connect(nameOf(node), FOUND)
          .whenComplete(
              (index, failure) -> {
                if (failure == null) {
                  peers.put(node, new Peer(node, index));
                  onChange.run();
                }
                searched.remove(node);
              });
    }
  }

  @Override
  public void onLeave(String node) {
    leaving.add(node);
  }

  @Override
  public void onGone(String node) {
    wanted.remove(node);
    Peer peer = peers.remove(node);
    if (peer != null) {
      complete(peer);
    }
  }

  // ---- what is sent ----

  @Override
  public void onTick() {
    for (String node : wanted) {
      Peer peer = peers.get(node);
      if (peer == null) {
        connect(node);
      } else {
        sendTagged(peer);
        if (isNext(peer)) {
          sendElement(peer);
        }
      }
    }
  }

  private byte[] text(long number) {
    return (book.node() + " " + number).getBytes(StandardCharsets.UTF_8);
  }

  /** An endpoint that closes may have buffered a message that no receive takes any more. */
  private CompletionLevel level(Peer peer) {
    return leaving.contains(peer.node) ? CompletionLevel.MATCH : CompletionLevel.DELIVERY;
  }

  private void sendTagged(Peer peer) {
    if (peer.underWay.get() < MOST_UNDER_WAY) {
      peer.underWay.incrementAndGet();
      long number = book.send(Book.Kind.TAGGED, peer.node);
      CompletionStage<?> sent;
      try {
        sent =
            endpoint
                .futures()
                .start(
                    TaggedSend.of(peer.index, new UnsafeBuffer(text(number)), TAGGED)
                        .level(level(peer)));
      } catch (RuntimeException refused) {
        sent = CompletableFuture.failedFuture(refused);
      }
      sent.whenComplete(
          (done, failure) -> {
            peer.underWay.decrementAndGet();
            boolean succeeded =
                failure == null || spec.defect().equals(Optional.of(Defect.FALSE_SUCCESS));
            book.settle(Book.Kind.TAGGED, peer.node, number, succeeded);
          });
    }
  }

  private boolean isNext(Peer peer) {
    int place = Integer.parseInt(peer.node.substring(0, peer.node.indexOf('.')));
    return place == (spec.place() + 1) % spec.ports().size();
  }

  private void sendElement(Peer peer) {
    synchronized (peer) {
      if (peer.stream == null) {
        peer.stream = open(peer);
      }
      ByteString bytes = ByteString.fromArray(text(peer.elements));
      OutgoingMessage element = new OutgoingMessage(peer.index, STREAM, bytes);
      if (!peer.streamEnded && peer.stream.offer(element).isEnqueued()) {
        book.send(Book.Kind.STREAM, peer.node);
        peer.elements++;
      }
    }
  }

  /** Elements complete in their order; when the stream has failed, those that have not may come. */
  private BoundedSourceQueue<OutgoingMessage> open(Peer peer) {
    AtomicLong completed = new AtomicLong();
    Pair<BoundedSourceQueue<OutgoingMessage>, CompletionStage<Done>> running =
        Source.<OutgoingMessage>queue(WINDOW)
            .via(TagfabricStreams.flow(endpoint, WINDOW, CompletionLevel.MATCH))
            .toMat(
                Sink.foreach(
                    sent ->
                        book.settle(
                            Book.Kind.STREAM, peer.node, completed.getAndIncrement(), true)),
                Keep.both())
            .run(system);
    running
        .second()
        .whenComplete(
            (done, failure) -> {
              synchronized (peer) {
                peer.streamEnded = true;
                for (long number = completed.get(); number < peer.elements; number++) {
                  book.settle(Book.Kind.STREAM, peer.node, number, false);
                }
              }
            });
    return running.first();
  }

  // ---- phases and ends ----

  /** The sum of ones over a team of all nodes; forms the team first if the last one is broken. */
  long phase() throws Exception {
    if (team != null) {
      try {
        return sum();
      } catch (ExecutionException broken) {
        // a member has left since
      }
    }
    team = nodes.form().toCompletableFuture().get(TEAM.toSeconds(), TimeUnit.SECONDS);
    return sum();
  }

  private long sum() throws Exception {
    return team.allreduce(new long[] {1}, Reduction.SUM)
        .toCompletableFuture()
        .get(TEAM.toSeconds(), TimeUnit.SECONDS)[0];
  }

  /** Waits until all sends have succeeded or failed, and ends the streams before that. */
  void settle() {
    peers.values().forEach(Traffic::complete);
    long deadlineNs = System.nanoTime() + ENDS.toNanos();
    while (book.unsettled() > 0 && System.nanoTime() - deadlineNs < 0) {
      LockSupport.parkNanos(LOOK_NS);
    }
  }

  private static void complete(Peer peer) {
    synchronized (peer) {
      if (peer.stream != null && !peer.streamEnded) {
        peer.streamEnded = true;
        peer.stream.complete();
      }
    }
  }

  @Override
  public void onStop() {
    settle();
    AskPattern.<Object, Done>ask(notes, Flush::new, ENDS, system.scheduler())
        .toCompletableFuture()
        .join();
    streamIn.completeOnTimeout(Done.getInstance(), ENDS.toMillis(), TimeUnit.MILLISECONDS).join();
  }
}
