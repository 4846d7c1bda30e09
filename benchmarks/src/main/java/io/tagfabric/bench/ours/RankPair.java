package io.tagfabric.bench.ours;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.Props;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.bench.measure.End;
import io.tagfabric.bench.measure.FarSide;
import io.tagfabric.bench.measure.MatchSubject;
import io.tagfabric.bench.measure.NearSide;
import io.tagfabric.bench.measure.Order;
import io.tagfabric.bench.measure.Subject;
import io.tagfabric.bench.measure.TransferKind;
import io.tagfabric.bench.measure.WakeSubject;
import io.tagfabric.complete.Completions;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.job.Job;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;

/**
 * The two ranks of a benchmark as one of them sees it: our endpoint and a plain actor here, the
 * same over there. Rank 0 tells rank 1 each run before it begins.
 */
final class RankPair {
  private static final long GREETING = 3;
  private static final int AKKA = 1;
  private static final int OTHER_WAY = 2;
  private static final int BESIDE = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Lets acknowledgements leave, so that our side is quiet while the other is measured. */
  private static final Duration SETTLE = Duration.ofMillis(5);

  private final Job job;
  private final int other;
  private final FabricEnd end;
  private final NearSide near;
  private final Way way;

  /** Of endpoints beside that of the job: by the same provider. */
  private final EndpointSettings settings;

  /** An end that receives in another way, and one to stand beside it, by their numbers. */
  private final Map<Integer, End> ways;

  private final ActorRef<AkkaPlayer.Command> player;
  private final ActorRef<AkkaPlayer.Command> twin;

  RankPair(Job job, FabricEnd.Waiting waiting, BenchOptions options) {
    this.job = job;
    way = options.way();
    settings = job.domain().endpointDefaults().withProviders(List.of(options.provider));
    Buffers buffers = options.buffers(job.domain());
    other = job.peer(1 - job.rank());
    end = new FabricEnd(job.endpoint(), other, waiting, buffers);
    near = new NearSide(end);
    player = job.system().systemActorOf(AkkaPlayer.create(), "bench-player", Props.empty());
    ActorRefResolver resolver = ActorRefResolver.get(job.system());
    send(resolver.toSerializationFormat(player));
    twin = resolver.resolveActorRef(receive());
    ways =
        switch (way) {
          case PLAIN -> Map.of();
          case MULTI, COUNTED -> Map.of(OTHER_WAY, open(waiting, buffers));
          case SHARED ->
              Map.of(
                  OTHER_WAY,
                  openMany(options.peers(), true, waiting, buffers),
                  BESIDE,
                  openMany(options.peers(), false, waiting, buffers));
        };
  }

  private End openMany(int count, boolean shares, FabricEnd.Waiting waiting, Buffers buffers) {
    return PeersEnd.open(job.domain(), settings, count, shares, this::swap, waiting, buffers);
  }

  private String swap(String ours) {
    send(ours);
    return receive();
  }

  private FabricEnd open(FabricEnd.Waiting waiting, Buffers buffers) {
    Domain domain = job.domain();
    EndpointBindings bindings =
        EndpointBindings.to(domain.openCompletionQueue(), domain.openCompletionQueue());
    if (way == Way.COUNTED) {
      bindings =
          bindings
              .countingReceives(domain.openCounter())
              .sends(Completions.ERRORS)
              .receives(Completions.ERRORS);
    }
    Endpoint endpoint = domain.openEndpoint("bench-" + EnumNames.of(way), bindings, settings);
    int peer =
        domain.addressVector().insert(EndpointAddress.parse(swap(endpoint.address().encode())));
    return way == Way.MULTI
        ? new MultiEnd(endpoint, peer, waiting, buffers)
        : new CountedEnd(endpoint, peer, waiting, buffers);
  }

  /** Rank 0: the same in the other way, and what stands beside it. */
  List<Subject> otherWay(TransferKind kind, int window, Subject ours) {
    Subject other = subject(EnumNames.of(way), kind, window, OTHER_WAY);
    return List.of(other, way == Way.SHARED ? subject("own", kind, window, BESIDE) : ours);
  }

  private Subject subject(String name, TransferKind kind, int window, int number) {
    return settled(near.subject(name, providerInUse(), kind, window, number, ways.get(number)));
  }

  /** Rank 0: Tagfabric between the ranks. */
  Subject ours(TransferKind kind, int window) {
    String name = way == Way.PLAIN ? "tagfabric" : "plain";
    return settled(near.subject(name, providerInUse(), kind, window));
  }

  private Subject settled(Subject subject) {
    return new Subject() {
      @Override
      public String name() {
        return subject.name();
      }

      @Override
      public String provider() {
        return subject.provider();
      }

      @Override
      public long run(int bytes, int iterations, Histogram spansNs) {
        long elapsedNs = subject.run(bytes, iterations, spansNs);
        job.domain().await(() -> false, SETTLE);
        return elapsedNs;
      }
    };
  }

  /** Rank 0: matching at the other rank. */
  MatchSubject matching() {
    return near.matching("tagfabric", providerInUse());
  }

  /** Rank 0: messages to the other rank while it sleeps. */
  WakeSubject waking() {
    return near.waking();
  }

  /** Rank 0: plain Akka between the same ranks. */
  Subject akka(TransferKind kind, int window) {
    return new Subject() {
      @Override
      public String name() {
        return "akka";
      }

      @Override
      public String provider() {
        return "artery";
      }

      @Override
      public long run(int bytes, int iterations, Histogram spansNs) {
        near.order(kind, AKKA, bytes, iterations, window);
        CompletableFuture<Long> done = new CompletableFuture<>();
        CompletableFuture<Void> woken = done.thenRun(job.domain().loop()::wake);
        player.tell(
            kind.isStream()
                ? new AkkaPlayer.Stream(twin, bytes, iterations, window, spansNs, done)
                : new AkkaPlayer.Ping(twin, bytes, iterations, spansNs, done));
        if (!job.domain().await(woken::isDone, PATIENCE)) {
          throw new IllegalStateException("akka has not finished a run within " + PATIENCE);
        }
        return done.join();
      }
    };
  }

  /** Rank 0: bytes that the threads of rank 1 have allocated since this was last asked. */
  long farAllocated() {
    return near.farAllocated();
  }

  /** The domain of this rank. */
  Domain domain() {
    return job.domain();
  }

  /** Where the other rank is. */
  EndpointAddress farAddress() {
    return job.address(1 - job.rank());
  }

  /** Rank 0: no more runs. */
  void end() {
    near.end();
  }

  /** Rank 1: plays its part in every run that rank 0 begins. */
  void answer() {
    new FarSide(end, ways, this::prepareAkka).serve();
  }

  private void prepareAkka(Order order) {
    player.tell(
        order.work() == Order.Work.PONG
            ? new AkkaPlayer.Pong(twin, order.bytes())
            : new AkkaPlayer.Drain(twin, order.window()));
  }

  private void send(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    job.endpoint().futures().sendTagged(other, bytes, GREETING).toCompletableFuture().join();
  }

  private String receive() {
    TaggedMessage message =
        job.endpoint()
            .futures()
            .receiveTagged(TagSelector.exact(GREETING).from(other))
            .toCompletableFuture()
            .join();
    return new String(message.payload().array(), StandardCharsets.UTF_8);
  }

  private String providerInUse() {
    return job.endpoint().futures().flows().toCompletableFuture().join().flows().stream()
        .filter(flow -> flow.peer() == other)
        .map(Endpoint.FlowInfo::provider)
        .findFirst()
        .orElse("none");
  }
}
