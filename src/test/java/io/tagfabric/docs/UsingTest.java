package io.tagfabric.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import akka.Done;
import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.AskPattern;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.TeamActor;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.ReduceOp;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Completions;
import io.tagfabric.complete.Counter;
import io.tagfabric.complete.Direction;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.fabric.ScalableEndpoint;
import io.tagfabric.fabric.ScalableOptions;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.name.NameService;
import io.tagfabric.progress.PollMode;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.ProgressPacing;
import io.tagfabric.progress.ProgressSettings;
import io.tagfabric.progress.ProgressThread;
import io.tagfabric.progress.ThreadUse;
import io.tagfabric.provider.FabricMemory;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.receive.ReceiveContext;
import io.tagfabric.stream.SourceControl;
import io.tagfabric.stream.TagfabricStreams;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class UsingTest {
  private static ActorTestKit kit;

  @BeforeAll
  static void start() {
    kit =
        ActorTestKit.create(
            "using",
            ConfigFactory.parseString(
                    """
                    akka.actor.provider = local
                    tagfabric.kryo.registrations = ["io.tagfabric.docs.UsingTest$Order"]
                    """)
                .withFallback(ConfigFactory.load()));
  }

  @AfterAll
  static void stop() {
    kit.shutdownTestKit();
  }

  record Order(int number, String item) {}

  /** Two endpoints of one domain that know one another. */
  private record Pair(Domain domain, Endpoint alice, Endpoint bob, int toAlice, int toBob)
      implements AutoCloseable {
    static Pair open(String name, ProgressMode mode) {
      Domain domain = Fabric.get(kit.system()).openDomain(name, mode);
      Endpoint alice = domain.openEndpoint("alice");
      Endpoint bob = domain.openEndpoint("bob");
      int toAlice = domain.addressVector().insert(alice.address());
      int toBob = domain.addressVector().insert(bob.address());
      return new Pair(domain, alice, bob, toAlice, toBob);
    }

    @Override
    public void close() {
      domain.close(Duration.ZERO);
    }
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  @Test
  void shouldOpenInAnExistingApplication() {
    ActorSystem<?> system = kit.system();
    // #open
    Fabric fabric = Fabric.get(system);
    Domain domain = fabric.openDomain("orders");
    Endpoint endpoint = domain.openEndpoint("orders-in");
    String address = endpoint.address().encode(); // give this to your peers, any way you like
    // #open
    String text = address;
    // #peer
    int peer = domain.addressVector().insert(EndpointAddress.parse(text));
    // #peer
    assertThat(domain.addressVector().lookup(peer)).isEqualTo(endpoint.address());
    // #close
    domain.close(Duration.ofSeconds(5));
    // #close
  }

  @Test
  void shouldShowTheDirectFace() {
    try (Pair pair = Pair.open("direct", ProgressMode.MANUAL)) {
      Endpoint alice = pair.alice();
      Endpoint bob = pair.bob();
      int toBob = pair.toBob();
      // #direct
      ByteBuffer target = ByteBuffer.allocateDirect(64);
      bob.postReceive(target, 7, 0, "my receive");

      ByteBuffer source = ByteBuffer.allocateDirect(8).putLong(0, 42);
      while (alice.sendTagged(toBob, source, 7, "my send") == Posted.TRY_AGAIN) {
        alice.transmitQueue().read(entry -> {}, 16);
      }

      Completion received = bob.receiveQueue().readBlocking(Duration.ofSeconds(5));
      Completion sent = alice.transmitQueue().readBlocking(Duration.ofSeconds(5));
      // #direct
      assertThat(target.getLong(0)).isEqualTo(42);
      assertThat(received.context()).isEqualTo("my receive");
      assertThat(sent).isEqualTo(new Completion.Sent("my send", toBob, 7, 8));
      assertThat(describe(received)).isEqualTo("8 bytes from " + pair.toAlice());
      assertThat(describe(sent)).isEqualTo("8 bytes left");
    }
  }

  @Test
  void shouldShowABufferForManyMessages() {
    try (Pair pair = Pair.open("many", ProgressMode.MANUAL)) {
      Endpoint alice = pair.alice();
      Endpoint bob = pair.bob();
      int toBob = pair.toBob();
      UnsafeBuffer message = new UnsafeBuffer(new byte[1000]);
      List<String> told = new ArrayList<>();
      // #many
      UnsafeBuffer log = new UnsafeBuffer(new byte[64 * 1024]);
      bob.post(
          TaggedReceive.untagged(TagSelector.ANY_SOURCE).into(log, 0, log.capacity()).many(2048),
          log);

      for (int i = 0; i < 64; i++) {
        alice.post(
            TaggedSend.untagged(toBob, message, 0, 1000).with(SendOptions.DEFAULT.silent()), null);
      }
      boolean released = false;
      while (!released) {
        Completion completion = bob.receiveQueue().readBlocking(Duration.ofSeconds(5));
        if (completion instanceof Completion.Received received) {
          told.add(received.length() + " bytes at " + received.offset());
        }
        released = completion instanceof Completion.Released; // the buffer is ours again
      }
      // #many
      assertThat(told).hasSize(64).last().isEqualTo("1000 bytes at 63000");
    }
  }

  @Test
  void shouldShowABufferForManyMessagesByFutures() {
    try (Pair pair = Pair.open("many-futures", ProgressMode.AUTO)) {
      Endpoint alice = pair.alice();
      Endpoint bob = pair.bob();
      Queue<String> told = new ConcurrentLinkedQueue<>();
      // #many-futures
      UnsafeBuffer log = new UnsafeBuffer(new byte[64 * 1024]);
      CompletionStage<Completion.Released> full =
          bob.futures()
              .start(
                  TaggedReceive.of(TagSelector.exact(7)).into(log).many(2048),
                  "log",
                  message -> {
                    if (message instanceof Completion.Received received) {
                      told.add(received.length() + " bytes at " + received.offset());
                    }
                  });
      // #many-futures
      for (int i = 0; i < 64; i++) {
        join(alice.futures().sendTagged(pair.toBob(), new byte[1000], 7));
      }
      assertThat(join(full).length()).isEqualTo(64_000);
      assertThat(told).hasSize(64).contains("1000 bytes at 63000");
    }
  }

  @Test
  void shouldShowABufferForManyMessagesByActors() {
    try (Pair pair = Pair.open("many-actors", ProgressMode.AUTO)) {
      Endpoint bob = pair.bob();
      UnsafeBuffer log = new UnsafeBuffer(new byte[1000]);
      TestProbe<Completion> probe = kit.createTestProbe();
      ActorRef<Completion> self = probe.getRef();
      // #many-actors
      bob.matcher()
          .tell(
              TagMatcher.PostReceive.into(
                  TaggedReceive.of(TagSelector.exact(7)).into(log).many(1), "log", self));
      // #many-actors
      join(pair.alice().futures().sendTagged(pair.toBob(), new byte[1000], 7));
      assertThat(probe.receiveMessage().direction()).isEqualTo(Direction.RECEIVE);
      assertThat(probe.receiveMessage()).isEqualTo(new Completion.Released("log", 1000));
    }
  }

  @Test
  void shouldShowCounters() {
    try (Pair pair = Pair.open("counters", ProgressMode.MANUAL)) {
      Domain domain = pair.domain();
      Endpoint alice = pair.alice();
      int toBob = pair.toBob();
      UnsafeBuffer reply = new UnsafeBuffer(new byte[8]);
      UnsafeBuffer inbox = new UnsafeBuffer(new byte[800]);
      // #counters
      Counter received = domain.openCounter();
      Endpoint carol =
          domain.openEndpoint(
              "carol",
              EndpointBindings.to(domain.openCompletionQueue(), domain.openCompletionQueue())
                  .countingReceives(received)
                  .receives(Completions.ERRORS)); // successes only count
      for (int i = 0; i < 100; i++) {
        carol.postReceive(inbox, 8 * i, 8, 7, 0, TagSelector.ANY_SOURCE, "receive " + i);
      }
      // When all hundred are there, an answer leaves by itself.
      received.defer(100, carol.deferred().send(TaggedSend.of(toBob, reply, 0, 8, 8), "answer"));
      // #counters
      int toCarol = domain.addressVector().insert(carol.address());
      for (int i = 0; i < 100; i++) {
        assertThat(alice.injectTagged(toCarol, new UnsafeBuffer(new byte[8]), 0, 8, 7))
            .isEqualTo(Posted.POSTED);
      }
      // #await
      boolean all = received.await(100, Duration.ofSeconds(5));
      // #await
      assertThat(all).isTrue();
      assertThat(join(pair.bob().futures().receiveTagged(TagSelector.exact(8))).tag()).isEqualTo(8);
    }
  }

  @Test
  void shouldShowSharedReceives() {
    try (Pair pair = Pair.open("shared", ProgressMode.MANUAL)) {
      Domain domain = pair.domain();
      Endpoint alice = pair.alice();
      UnsafeBuffer inbox = new UnsafeBuffer(new byte[64_000]);
      // #shared
      ReceiveContext pool = domain.openReceiveContext("pool");
      CompletionQueue sends = domain.openCompletionQueue(256); // for both
      Endpoint orders = domain.openEndpoint("orders", EndpointBindings.to(sends, pool));
      Endpoint prices = domain.openEndpoint("prices", EndpointBindings.to(sends, pool));
      for (int i = 0; i < 64; i++) {
        pool.postReceive(inbox, 1000 * i, 1000, 7, 0, TagSelector.ANY_SOURCE, i);
      }
      // #shared
      for (Endpoint to : List.of(orders, prices)) {
        int peer = domain.addressVector().insert(to.address());
        join(alice.futures().sendTagged(peer, new byte[10], 7));
      }
      List<Object> taken = new ArrayList<>();
      while (taken.size() < 2) {
        taken.add(pool.receiveQueue().readBlocking(Duration.ofSeconds(5)).context());
      }
      assertThat(taken).containsExactly(0, 1);
    }
  }

  @Test
  void shouldShowAScalableEndpoint() {
    try (Pair pair = Pair.open("scalable", ProgressMode.AUTO)) {
      Domain domain = pair.domain();
      Endpoint alice = pair.alice();
      Fabric fabric = domain.fabric();
      // #scalable
      // Two contexts; the highest bit of a tag chooses between them.
      ScalableEndpoint shop =
          fabric.openScalableEndpoint("shop", ScalableOptions.of(2).choosingBy(63, 1));
      Endpoint second = shop.contexts().get(1); // in shop.domains().get(1)
      var order = second.futures().receiveTagged(TagSelector.exact(1L << 63 | 7));

      int toShop = domain.addressVector().insert(shop.address());
      alice.futures().sendTagged(toShop, "an order".getBytes(UTF_8), 1L << 63 | 7);
      // #scalable
      assertThat(new String(join(order).payload().array(), UTF_8)).isEqualTo("an order");
      shop.close(Duration.ZERO);
    }
  }

  @Test
  void shouldPauseTheProgressThread() {
    try (Pair pair = Pair.open("pause", ProgressMode.AUTO)) {
      Domain domain = pair.domain();
      ActorSystem<?> system = kit.system();
      // #pause
      ActorRef<ProgressThread.Command> progress = domain.progress();
      CompletionStage<ProgressThread.Paused> paused = // its last pass is over
          AskPattern.ask(
              progress, ProgressThread.Pause::new, Duration.ofSeconds(5), system.scheduler());
      CompletionStage<ProgressThread.State> state =
          AskPattern.ask(
              progress, ProgressThread.GetState::new, Duration.ofSeconds(5), system.scheduler());
      progress.tell(ProgressThread.Resume.INSTANCE);
      // #pause
      assertThat(join(paused)).isEqualTo(ProgressThread.Paused.INSTANCE);
      assertThat(join(state).driving()).isFalse();
    }
  }

  @Test
  void shouldGiveADomainToOneThread() {
    Fabric fabric = Fabric.get(kit.system());
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);
    // #one-thread
    ProgressSettings alone =
        fabric.progressDefaults().withMode(ProgressMode.MANUAL).withThreads(ThreadUse.ONE);
    Domain own = fabric.openDomain("own", alone);
    Endpoint endpoint = own.openEndpoint("endpoint");
    own.batch( // the loop is taken once for all of them
        () -> {
          for (int i = 0; i < 64; i++) {
            endpoint.postReceive(bytes, 0, 8, 7, 0, TagSelector.ANY_SOURCE, i);
          }
        });
    own.giveThreadUp(); // the next thread that calls has the domain
    // #one-thread
    assertThat(join(endpoint.futures().matcherState()).postedReceives()).isEqualTo(64);
    own.close();
  }

  @Test
  void shouldPaceAProgressThread() {
    Fabric fabric = Fabric.get(kit.system());
    // #pacing
    ProgressSettings defaults = fabric.progressDefaults();
    ProgressPacing pacing =
        defaults.pacing().withRate(100).withPollMode(PollMode.EXCLUSIVE).withDeferred(true);
    Domain quiet = fabric.openDomain("quiet", defaults.withPacing(pacing));
    Endpoint sensor = quiet.openEndpoint("sensor"); // waits like this one drive the domain
    quiet.startProgress(); // from now on its thread does, 100 times a second at most
    // #pacing
    int self = quiet.addressVector().insert(sensor.address());
    var received = sensor.futures().receiveTagged(TagSelector.exact(7)).toCompletableFuture();
    sensor.futures().sendTagged(self, new byte[] {42}, 7);
    assertThat(received.join().payload().array()).containsExactly(42);
    assertThat(quiet.loop().advance()).isZero();
    quiet.close();
  }

  @Test
  void shouldShowFabricMemory() {
    try (Pair pair = Pair.open("memory", ProgressMode.MANUAL)) {
      Endpoint alice = pair.alice();
      Endpoint bob = pair.bob();
      int toBob = pair.toBob();
      Domain domain = pair.domain();
      // #memory
      FabricMemory memory = domain.allocate(1 << 20);
      memory.buffer().putLong(0, 42);
      alice.sendTagged(toBob, memory.buffer(), 0, 1 << 20, 7, "my send");
      // #memory
      ByteBuffer target = ByteBuffer.allocate(1 << 20).order(ByteOrder.nativeOrder());
      bob.postReceive(target, 7, 0, "my receive");
      Completion received = bob.receiveQueue().readBlocking(Duration.ofSeconds(5));
      assertThat(describe(received)).isEqualTo((1 << 20) + " bytes from " + pair.toAlice());
      assertThat(target.getLong(0)).isEqualTo(42);
      memory.close();
    }
  }

  // #completion
  static String describe(Completion completion) {
    if (completion instanceof Completion.Sent sent) {
      return sent.length() + " bytes left";
    } else if (completion instanceof Completion.Received received) {
      return received.length() + " bytes from " + received.source();
    } else if (completion instanceof Completion.Failed failed) {
      return failed.error() == FabricError.TRUNCATED
          ? failed.overflowLength() + " bytes did not fit"
          : failed.error() + ": " + failed.detail();
    }
    return completion.toString(); // Released, or of memory: Accessed, AccessedByPeer
  }

  // #completion

  @Test
  void shouldShowTheActorProtocol() {
    try (Pair pair = Pair.open("protocol", ProgressMode.AUTO)) {
      var letters = kit.<LetterBox.Command>spawn(LetterBox.create(pair.bob()));
      var probe = kit.<List<String>>createTestProbe();

      pair.alice().futures().sendTagged(pair.toBob(), ByteString.fromString("one"), LetterBox.TAG);
      pair.alice().futures().sendTagged(pair.toBob(), ByteString.fromString("two"), LetterBox.TAG);

      probe.awaitAssert(
          () -> {
            letters.tell(new LetterBox.GetLetters(probe.ref()));
            assertThat(probe.receiveMessage()).containsExactly("one", "two");
            return null;
          });
    }
  }

  @Test
  void shouldShowARoute() {
    try (Pair pair = Pair.open("subscribe", ProgressMode.AUTO)) {
      Endpoint bob = pair.bob();
      var subscriber = kit.<TaggedMessage>createTestProbe();
      // #subscribe
      bob.futures().subscribe(TagSelector.masked(0x700, 0xFF), subscriber.ref());
      // #subscribe
      pair.alice().futures().sendTagged(pair.toBob(), new byte[] {1}, 0x742);

      assertThat(subscriber.receiveMessage().tag()).isEqualTo(0x742);
    }
  }

  @Test
  void shouldShowFutures() {
    try (Pair pair = Pair.open("futures", ProgressMode.AUTO)) {
      Endpoint alice = pair.alice();
      Endpoint bob = pair.bob();
      int toBob = pair.toBob();
      // #futures
      CompletionStage<TaggedMessage> answer = bob.futures().receiveTagged(TagSelector.exact(7));
      alice
          .futures()
          .sendTagged(toBob, ByteString.fromString("hello"), 7)
          .thenAccept(sent -> System.out.println(sent.length() + " bytes left"));
      CompletionStage<Integer> length = answer.thenApply(message -> message.payload().length());
      // #futures
      assertThat(join(length)).isEqualTo(5);
    }
  }

  @Test
  void shouldShowObjects() {
    try (Pair pair = Pair.open("objects", ProgressMode.AUTO)) {
      Endpoint alice = pair.alice();
      Endpoint bob = pair.bob();
      int toBob = pair.toBob();
      // #objects
      alice.futures().sendObject(toBob, new Order(17, "bolt"), 7);
      CompletionStage<Order> order = bob.futures().receiveObject(TagSelector.exact(7), Order.class);
      // #objects
      assertThat(join(order)).isEqualTo(new Order(17, "bolt"));
    }
  }

  @Test
  void shouldShowStreams() {
    try (Pair pair = Pair.open("streams", ProgressMode.AUTO)) {
      ActorSystem<?> system = kit.system();
      Endpoint alice = pair.alice();
      Endpoint bob = pair.bob();
      int toBob = pair.toBob();
      Queue<Integer> lengths = new ConcurrentLinkedQueue<>();
      // #streams
      SourceControl control =
          TagfabricStreams.source(bob, TagSelector.exact(7), 64)
              .map(message -> message.payload().length())
              .to(Sink.foreach(lengths::add))
              .run(system);

      CompletionStage<Done> taken = // when the source has taken the last message
          Source.range(1, 1000)
              .map(i -> ByteString.fromString("message " + i))
              .runWith(TagfabricStreams.sink(alice, toBob, 7, 64, CompletionLevel.MATCH), system);

      CompletionStage<SourceControl.Ended> ended =
          taken.thenCompose(done -> control.drainAndShutdown());
      // #streams
      assertThat(join(ended).dropped()).isZero();
      assertThat(pair.domain().await(() -> lengths.size() == 1000, Duration.ofSeconds(60)))
          .as("all have come out, of 1000: %d", lengths.size())
          .isTrue();
    }
  }

  @Test
  void shouldShowTheEndOfAStream() {
    try (Pair pair = Pair.open("stream-end", ProgressMode.AUTO)) {
      ActorSystem<?> system = kit.system();
      Endpoint alice = pair.alice();
      Endpoint bob = pair.bob();
      int toAlice = pair.toAlice();
      int toBob = pair.toBob();
      // #stream-end
      CompletionStage<List<Integer>> lengths = // completes as the stream of alice does
          TagfabricStreams.sourceWithEnd(bob, toAlice, 8, 64)
              .map(message -> message.payload().length())
              .runWith(Sink.seq(), system);

      Source.range(1, 1000)
          .map(i -> ByteString.fromString("message " + i))
          .runWith(TagfabricStreams.sinkWithEnd(alice, toBob, 8, 64), system);
      // #stream-end
      assertThat(join(lengths)).hasSize(1000);
    }
  }

  @Test
  void shouldShowManualProgress() {
    try (Pair pair = Pair.open("manual", ProgressMode.MANUAL)) {
      Domain domain = pair.domain();
      Endpoint bob = pair.bob();
      pair.alice().futures().sendTagged(pair.toBob(), new byte[3], 7);
      // #manual
      var receive = bob.futures().receiveTagged(TagSelector.exact(7)).toCompletableFuture();
      TaggedMessage message = receive.join(); // runs passes until the message is there

      bob.receiveQueue().read(entry -> {}, 0); // one pass, nothing read
      domain.await(() -> bob.receiveQueue().ring().isEmpty(), Duration.ofSeconds(1));
      // #manual
      assertThat(message.payload().length()).isEqualTo(3);
    }
  }

  @Test
  void shouldShowNames() {
    try (Pair pair = Pair.open("names", ProgressMode.AUTO)) {
      Fabric fabric = pair.domain().fabric();
      Domain domain = pair.domain();
      Endpoint bob = pair.bob();
      // #names
      fabric.register("orders", bob); // fails with ADDRESS_IN_USE if another endpoint has it
      CompletionStage<Integer> peer = domain.connect("orders", Duration.ofSeconds(5));
      // #names
      assertThat(join(peer)).isEqualTo(pair.toBob());
      // #lost
      fabric
          .register("leader", bob)
          .thenCompose(NameService.Registered::lost) // not complete while the endpoint has the name
          .thenAccept(holder -> System.out.println("the leader is " + holder + " now"));
      // #lost
      assertThat(join(fabric.resolve("leader"))).isEqualTo(bob.address());
    }
  }

  @Test
  void shouldShowABarrier() {
    try (Pair pair = Pair.open("barrier", ProgressMode.AUTO)) {
      Domain domain = pair.domain();
      Endpoint alice = pair.alice();
      Endpoint bob = pair.bob();
      // #barrier
      var members = List.of(alice.address(), bob.address()); // the same list at every member
      Team team = Team.open(domain, alice, members, 0);
      CompletionStage<Done> crossed = team.barrier();
      // #barrier
      Team other = Team.open(domain, bob, members, 0);
      assertThat(crossed.toCompletableFuture()).isNotDone();
      join(other.barrier());
      join(crossed);
    }
  }

  @Test
  void shouldShowATeam() {
    try (Pair pair = Pair.open("team", ProgressMode.AUTO)) {
      Domain domain = pair.domain();
      Endpoint alice = pair.alice();
      Endpoint bob = pair.bob();
      // #team
      var members = List.of(alice.address(), bob.address()); // the same list at every member
      Team team = Team.open(domain, alice, members, 1); // in a job: Team.world(job)
      Elements data = Elements.of(1.0, 2.0);
      CompletionStage<CollectiveCompletion> summed = team.allreduce(data, Reduction.SUM);
      // #team
      Team other = Team.open(domain, bob, members, 1);
      join(other.allreduce(Elements.of(10.0, 20.0), Reduction.SUM));
      join(summed);
      assertThat(data.doubles()).containsExactly(11, 22);

      // #order
      ReduceOp compose = // x -> a*x + b in one INT64, as two INT32
          ReduceOp.ofLongs(
              "compose",
              false, // not commutative: rank order is kept
              (f, g) -> (f >> 32) * (g >> 32) << 32 | (int) ((g >> 32) * (int) f + (int) g));
      // #order
      assertThat(compose.commutative()).isFalse();
      // #halves
      CompletionStage<Team> half = team.split(team.rank() % 2, team.rank()); // all members call it
      // #halves
      join(other.split(1, 0));
      assertThat(join(half).size()).isEqualTo(1);
      // #actor
      CollectiveCall call = CollectiveCall.broadcast(data, 0);
      ActorRef<TeamActor.Command> actor =
          domain.fabric().system().systemActorOf(TeamActor.create(team), "team", Props.empty());
      actor.tell(new TeamActor.Start(call, "a context", domain.fabric().system().ignoreRef()));
      // #actor
      join(other.broadcast(Elements.of(0.0, 0.0), 0));
    }
  }
}
