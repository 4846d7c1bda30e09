package io.tagfabric.trials.gasnet;

import static io.tagfabric.trials.gasnet.ActiveTraffic.arguments;
import static io.tagfabric.trials.gasnet.ActiveTraffic.pattern;
import static io.tagfabric.trials.gasnet.ActiveTraffic.require;

import io.tagfabric.access.RemoteRegion;
import io.tagfabric.active.ActiveCall;
import io.tagfabric.active.ActiveHandler;
import io.tagfabric.active.ActiveListener;
import io.tagfabric.active.ActiveReply;
import io.tagfabric.active.ReceivedRequest;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.job.Job;
import io.tagfabric.link.Posted;
import io.tagfabric.memory.Region;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Cases of active messages. Ranks work in pairs, and the last of an odd number with itself.
 *
 * @source GASNet tests, testcore1 to testcore4, testtoken, testimm, testalltoall, testenv
 */
final class ActiveCases {
  private static final int ONE = 1;
  private static final int TWO = 2;
  private static final int FLOOD = 400;
  private static final int DEPTH = 16;
  private static final int LONGEST = 1 << 18;
  private static final byte[] NOTHING = {};
  private static final ActiveHandler ECHO = call -> call.reply(argumentsOf(call), call.payload());

  private ActiveCases() {}

  static int[] argumentsOf(ActiveCall call) {
    int[] arguments = new int[call.argumentCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = call.argument(i);
    }
    return arguments;
  }

  static void requireEcho(ActiveReply reply, int[] arguments, byte[] bytes, String what) {
    require(Arrays.equals(arguments(reply), arguments), what + ": other arguments came back");
    require(Arrays.equals(reply.payload(), bytes), what + ": other bytes came back");
  }

  /** Short requests that are answered by mediums, all at once. */
  static void flood(Job job, Duration limit) {
    ActiveTraffic traffic = new ActiveTraffic(job, limit);
    traffic
        .active()
        .register(
            ONE,
            call -> {
              int seed = call.argument(0);
              call.reply(new int[] {seed}, pattern(seed * 37 % 3_000, seed));
            });
    traffic.meet();
    List<CompletionStage<ActiveReply>> replies = new ArrayList<>();
    for (int i = 0; i < FLOOD; i++) {
      replies.add(traffic.active().request(traffic.toPartner(), ONE, i));
    }
    for (int i = 0; i < FLOOD; i++) {
      ActiveReply reply = traffic.result(replies.get(i), "reply " + i);
      requireEcho(reply, new int[] {i}, pattern(i * 37 % 3_000, i), "reply " + i);
    }
    traffic.meet();
  }

  /**
   * Mediums of fixed and negotiated payload and longs, of sizes up to the longest, 16 at a time;
   * sources are as they were.
   */
  static void integrity(Job job, Duration limit) {
    ActiveTraffic traffic = new ActiveTraffic(job, limit);
    traffic.active().register(ONE, ECHO);
    NegotiatedCases.register(traffic);
    Region own = traffic.region(LONGEST * 2);
    traffic
        .active()
        .register(
            TWO, call -> call.reply(new int[] {sum(call), (int) call.regionOffset()}, NOTHING));
    traffic.meet();
    RemoteRegion to = traffic.partnersRegion();
    int most = traffic.active().maxMedium();
    for (int length = 1; length < most; length *= 2) {
      mediums(traffic, length);
      NegotiatedCases.mediums(traffic, length);
    }
    mediums(traffic, most);
    NegotiatedCases.mediums(traffic, most);
    for (int length = 1; length <= LONGEST; length *= 4) {
      longs(traffic, to, length);
    }
    longs(traffic, to, traffic.active().packedLongLimit());
    longs(traffic, to, traffic.active().packedLongLimit() + 1);
    traffic.meet();
    traffic.result(own.close(), "the close of the region");
  }

  private static int sum(ActiveCall call) {
    int sum = 0;
    for (int i = 0; i < call.length(); i++) {
      sum = sum * 31 + call.buffer().getByte(call.offset() + i);
    }
    return sum;
  }

  private static int sum(byte[] bytes) {
    int sum = 0;
    for (byte each : bytes) {
      sum = sum * 31 + each;
    }
    return sum;
  }

  private static void mediums(ActiveTraffic traffic, int length) {
    List<CompletionStage<ActiveReply>> replies = new ArrayList<>();
    for (int i = 0; i < DEPTH; i++) {
      byte[] source = pattern(length, i);
      replies.add(
          traffic.active().request(traffic.toPartner(), ONE, new int[] {i, length}, source));
      Arrays.fill(source, (byte) 0); // it was copied
    }
    for (int i = 0; i < DEPTH; i++) {
      String what = "medium of " + length + " bytes";
      ActiveReply reply = traffic.result(replies.get(i), what);
      requireEcho(reply, new int[] {i, length}, pattern(length, i), what);
    }
  }

  private static void longs(ActiveTraffic traffic, RemoteRegion to, int length) {
    String what = "long of " + length + " bytes";
    byte[] bytes = pattern(length, length);
    UnsafeBuffer source = new UnsafeBuffer(bytes.clone());
    CompletionStage<ActiveReply> copied =
        traffic.active().requestLong(to, 0, TWO, new int[0], source, 0, length);
    source.setMemory(0, length, (byte) 0); // it is free
    ActiveReply reply = traffic.result(copied, what);
    require(reply.argument(0) == sum(bytes), what + ": other bytes were there");
    source.putBytes(0, bytes);
    CompletionStage<ActiveReply> shown =
        traffic.active().requestLongAsync(to, LONGEST, TWO, new int[0], source, 0, length);
    reply = traffic.result(shown, what + ", async");
    require(reply.argument(0) == sum(bytes), what + ", async: other bytes were there");
    require(reply.argument(1) == LONGEST, what + ": its place is " + reply.argument(1));
    require(Arrays.equals(source.byteArray(), bytes), what + ": the source has changed");
  }

  /** What goes wrong ends as it should; replies that come later; a hidden acknowledgement. */
  static void rules(Job job, Duration limit) {
    ActiveTraffic traffic = new ActiveTraffic(job, limit);
    Queue<ReceivedRequest> kept = new ConcurrentLinkedQueue<>();
    AtomicInteger told = new AtomicInteger();
    traffic.active().register(ONE, call -> kept.add(call.keep()));
    traffic
        .active()
        .register(
            TWO,
            call -> {
              throw new UnsupportedOperationException("on purpose");
            });
    int third = traffic.active().register(0, call -> told.addAndGet(call.argument(0)));
    boolean refused = false;
    try {
      traffic.active().register(ONE, ECHO);
    } catch (IllegalArgumentException wanted) {
      refused = true;
    }
    require(refused, "an index has two handlers");
    traffic.meet();
    int peer = traffic.toPartner();
    traffic.requireFailure(
        traffic.active().request(peer, 99), FabricError.NO_ENTRY, "a request without a handler");
    traffic.requireFailure(
        traffic.active().request(peer, TWO), FabricError.OTHER, "a handler that throws");
    CompletionStage<ActiveReply> later = traffic.active().request(peer, ONE, 1);
    traffic.await(() -> !kept.isEmpty(), "a request of the partner");
    ReceivedRequest request = kept.remove();
    require(request.reply(new int[] {7}, NOTHING), "a reply after the call is too late");
    require(traffic.result(later, "a reply after the call").argument(0) == 7, "another reply");
    List<CompletionStage<ActiveReply>> all = new ArrayList<>();
    for (int i = 1; i <= FLOOD; i++) {
      all.add(traffic.active().tell(peer, third, new int[] {i}, NOTHING));
    }
    all.forEach(each -> traffic.result(each, "a request without a reply"));
    int due = FLOOD * (FLOOD + 1) / 2;
    traffic.await(() -> told.get() == due, "all that was told");
    traffic.meet();
  }

  /** Each number of arguments with each kind of request. */
  static void counts(Job job, Duration limit) {
    ActiveTraffic traffic = new ActiveTraffic(job, limit);
    traffic.active().register(ONE, ECHO);
    NegotiatedCases.register(traffic);
    Region own = traffic.region(LONGEST);
    traffic.meet();
    RemoteRegion to = traffic.partnersRegion();
    SplittableRandom random = new SplittableRandom(job.rank());
    for (int count = 0; count <= traffic.active().maxArguments(); count++) {
      int[] arguments = arguments(count, random.nextInt());
      int peer = traffic.toPartner();
      String what = count + " arguments";
      requireEcho(
          traffic.result(traffic.active().request(peer, ONE, arguments), what),
          arguments,
          NOTHING,
          what);
      byte[] medium = pattern(random.nextInt(traffic.active().maxMedium() + 1), count);
      requireEcho(
          traffic.result(traffic.active().request(peer, ONE, arguments, medium), what),
          arguments,
          medium,
          what + " and a medium");
      NegotiatedCases.count(traffic, arguments, medium);
      NegotiatedCases.longReply(traffic, own.descriptor(), arguments);
      byte[] bytes = pattern(random.nextInt(traffic.active().maxMedium() + 1), count);
      UnsafeBuffer source = new UnsafeBuffer(bytes);
      requireEcho(
          traffic.result(
              traffic.active().requestLong(to, 5, ONE, arguments, source, 0, bytes.length), what),
          arguments,
          bytes,
          what + " and a long");
    }
    traffic.meet();
    traffic.result(own.close(), "the close of the region");
  }

  /** A handler knows who has asked, by which index, and where a long lies. */
  static void token(Job job, Duration limit) {
    ActiveTraffic traffic = new ActiveTraffic(job, limit);
    Queue<String> wrong = new ConcurrentLinkedQueue<>();
    ActiveHandler looks =
        call -> {
          int rank = call.argument(0);
          boolean isLong = call.argument(1) == 1;
          if (call.peer() != job.peer(rank)
              || call.isOwn() != (rank == job.rank())
              || call.handler() != ONE
              || call.isLong() != isLong
              || (isLong && call.regionOffset() != 64)) {
            wrong.add("peer=" + call.peer() + " own=" + call.isOwn() + " of rank=" + rank);
          }
        };
    traffic.active().register(ONE, looks);
    Region own = traffic.region(1_024);
    traffic.meet();
    for (int rank = 0; rank < job.size(); rank++) {
      int[] said = {job.rank(), 0};
      traffic.result(traffic.active().request(job.peer(rank), ONE, said), "a short");
      traffic.result(traffic.active().request(job.peer(rank), ONE, said, new byte[99]), "a medium");
    }
    UnsafeBuffer source = new UnsafeBuffer(new byte[99]);
    int[] said = {job.rank(), 1};
    traffic.result(
        traffic.active().requestLong(traffic.partnersRegion(), 64, ONE, said, source, 0, 99),
        "a long");
    traffic.meet();
    require(wrong.isEmpty(), "tokens are wrong: " + wrong);
    traffic.result(own.close(), "the close of the region");
  }

  /** Rank 0 asks all others, each time only if it can now; what is accepted comes, and no more. */
  static void immediate(Job job, Duration limit) {
    ActiveTraffic traffic = new ActiveTraffic(job, limit);
    AtomicInteger sum = new AtomicInteger();
    traffic.active().register(ONE, call -> sum.addAndGet(call.argument(0)));
    traffic.active().register(TWO, call -> call.reply(sum.get()));
    traffic.meet();
    if (job.rank() == 0) {
      ask(job, traffic);
    }
    traffic.meet();
  }

  private static void ask(Job job, ActiveTraffic traffic) {
    int[] ended = new int[1];
    ActiveListener listener =
        new ActiveListener() {
          @Override
          public void onReply(ActiveReply reply) {
            ended[0]++;
          }

          @Override
          public void onFailed(FabricException reason) {
            throw reason;
          }
        };
    int[] accepted = new int[job.size()];
    int all = 0;
    for (int i = 1; i <= FLOOD; i++) {
      int rank = i % job.size();
      int wanted = all;
      int[] one = {i};
      ArrayDeque<Posted> answers = new ArrayDeque<>();
      traffic.await(
          () -> {
            answers.add(traffic.active().tryRequest(job.peer(rank), ONE, one, NOTHING, listener));
            return answers.getLast() == Posted.POSTED || ended[0] > wanted;
          },
          "room for request " + i);
      require(answers.getLast() == Posted.POSTED, "more replies than requests");
      accepted[rank] += i;
      all++;
    }
    int due = all;
    traffic.await(() -> ended[0] == due, "the replies of what was accepted");
    for (int rank = 0; rank < job.size(); rank++) {
      int there = traffic.result(traffic.active().request(job.peer(rank), TWO), "sum").argument(0);
      require(there == accepted[rank], "rank " + rank + " has " + there + " of " + accepted[rank]);
    }
  }

  /** Random ranks, sizes and wishes for a reply: what was sent is what has come. */
  static void allToAll(Job job, Duration limit) {
    ActiveTraffic traffic = new ActiveTraffic(job, limit);
    AtomicInteger received = new AtomicInteger();
    AtomicInteger due = new AtomicInteger();
    AtomicInteger said = new AtomicInteger();
    traffic
        .active()
        .register(
            ONE,
            call -> {
              received.addAndGet(call.length() + 1);
              if (call.wantsReply()) {
                call.reply(call.length());
              }
            });
    traffic
        .active()
        .register(
            TWO,
            call -> {
              due.addAndGet(call.argument(0));
              said.incrementAndGet();
            });
    traffic.meet();
    SplittableRandom random = new SplittableRandom(99 + job.rank());
    int[] sent = new int[job.size()];
    List<CompletionStage<ActiveReply>> ends = new ArrayList<>();
    for (int i = 0; i < FLOOD; i++) {
      int rank = i % 4 == 0 ? 0 : random.nextInt(job.size()); // rank 0 is a hot spot
      byte[] payload = new byte[random.nextInt(i % 10 == 0 ? 9_000 : 200)];
      sent[rank] += payload.length + 1;
      int peer = job.peer(rank);
      ends.add(
          random.nextBoolean()
              ? traffic.active().request(peer, ONE, payload)
              : traffic.active().tell(peer, ONE, new int[0], payload));
    }
    ends.forEach(each -> traffic.result(each, "a request"));
    for (int rank = 0; rank < job.size(); rank++) {
      traffic.result(traffic.active().request(job.peer(rank), TWO, sent[rank]), "a count");
    }
    traffic.await(
        () -> said.get() == job.size() && received.get() == due.get(), "all that was sent");
    traffic.meet();
    require(received.get() == due.get(), received.get() + " have come of " + due.get());
  }

  /** The environment of a rank is that of all others, but for what says which rank it is. */
  static void environment(Job job, Duration limit) {
    ActiveTraffic traffic = new ActiveTraffic(job, limit);
    Map<String, String> own = new TreeMap<>(System.getenv());
    own.keySet().removeIf(key -> key.startsWith("TAGFABRIC_") || key.equals("_"));
    int hash = own.hashCode();
    traffic.active().register(ONE, call -> call.reply(hash, own.size(), job.rank(), job.size()));
    traffic.meet();
    for (int rank = 0; rank < job.size(); rank++) {
      ActiveReply there = traffic.result(traffic.active().request(job.peer(rank), ONE), "a word");
      require(
          there.argument(0) == hash && there.argument(1) == own.size(),
          "rank " + rank + " has another environment of " + there.argument(1) + " names");
      require(
          there.argument(2) == rank && there.argument(3) == job.size(),
          "rank " + rank + " says that it is " + there.argument(2) + " of " + there.argument(3));
    }
    traffic.meet();
  }
}
