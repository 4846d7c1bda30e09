package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.access.Access;
import io.tagfabric.access.AccessListener;
import io.tagfabric.access.AccessRegion;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.Counter;
import io.tagfabric.complete.Deferral;
import io.tagfabric.complete.Direction;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendListener;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.memory.Slices;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Every access and every send through every door: it does the same, and ends once. */
abstract class RegionDoorTests extends BouncedRegionTests {
  /** A way to have an access done; it returns its completion. */
  @FunctionalInterface
  private interface Door {
    Completion take(Access access) throws Exception;
  }

  /** Makes an access that tells what was there in a buffer, if it does. */
  @FunctionalInterface
  private interface Maker {
    Access of(RemoteRegion at, MutableDirectBuffer result);
  }

  /** What an access is expected to do with 10, 20, 30, 40, 50. */
  private record Case(
      Maker maker, Direction direction, long length, UnsafeBuffer after, UnsafeBuffer result) {}

  private int doors;

  RegionDoorTests(ContractSystems systems, ProgressMode mode) {
    super(systems, mode);
  }

  private static Map<String, Case> cases() {
    AtomicKind kind = AtomicKind.INT64;
    Slices apart = Slices.indexed(8, 0, 24);
    Slices together = Slices.one(0, 16);
    Map<String, Case> cases = new LinkedHashMap<>();
    cases.put(
        "write",
        new Case(
            (at, result) -> Access.write(at, 8, longs(7)),
            Direction.WRITE,
            8,
            longs(10, 7, 30, 40, 50),
            longs(0, 0)));
    cases.put(
        "value",
        new Case(
            (at, result) -> Access.writeValue(at, 16, 9),
            Direction.WRITE,
            8,
            longs(10, 20, 9, 40, 50),
            longs(0, 0)));
    cases.put(
        "read",
        new Case(
            (at, result) -> Access.read(at, 8, result),
            Direction.READ,
            16,
            longs(10, 20, 30, 40, 50),
            longs(20, 30)));
    cases.put(
        "write slices",
        new Case(
            (at, result) -> Access.writeSlices(at, apart, longs(1, 2), together),
            Direction.WRITE,
            16,
            longs(1, 20, 30, 2, 50),
            longs(0, 0)));
    cases.put(
        "read slices",
        new Case(
            (at, result) -> Access.readSlices(at, apart, result, together),
            Direction.READ,
            16,
            longs(10, 20, 30, 40, 50),
            longs(10, 40)));
    cases.put(
        "fill",
        new Case(
            (at, result) -> Access.fill(at, 8, 16, (byte) 0),
            Direction.WRITE,
            16,
            longs(10, 0, 0, 40, 50),
            longs(0, 0)));
    cases.put(
        "update",
        new Case(
            (at, result) -> Access.update(at, 24, AtomicOp.SUM, kind, longs(1, 2)),
            Direction.ATOMIC,
            16,
            longs(10, 20, 30, 41, 52),
            longs(0, 0)));
    cases.put(
        "fetch",
        new Case(
            (at, result) -> Access.fetch(at, 0, AtomicOp.SUM, kind, longs(1, 2), result),
            Direction.ATOMIC,
            16,
            longs(11, 22, 30, 40, 50),
            longs(10, 20)));
    cases.put(
        "fetch only",
        new Case(
            (at, result) -> Access.fetch(at, 24, AtomicOp.READ, kind, null, result),
            Direction.ATOMIC,
            16,
            longs(10, 20, 30, 40, 50),
            longs(40, 50)));
    cases.put(
        "compare",
        new Case(
            (at, result) ->
                Access.compare(at, 0, AtomicOp.CSWAP, kind, longs(10, 0), longs(1, 2), result),
            Direction.ATOMIC,
            16,
            longs(1, 20, 30, 40, 50),
            longs(10, 20)));
    cases.put(
        "signal",
        new Case(
            (at, result) -> Access.write(at, 8, longs(7)).signal(),
            Direction.WRITE,
            8,
            longs(10, 7, 30, 40, 50),
            longs(0, 0)));
    cases.put(
        "data",
        new Case(
            (at, result) -> Access.write(at, 8, longs(7)).data(5),
            Direction.WRITE,
            8,
            longs(10, 7, 30, 40, 50),
            longs(0, 0)));
    return cases;
  }

  private Map<String, Door> doors() {
    Map<String, Door> all = new LinkedHashMap<>();
    all.put("post", this::byQueue);
    all.put("start", this::byFuture);
    all.put("tell", this::byActor);
    all.put("region", this::byRegion);
    all.put("port", this::byPort);
    all.put("defer", this::byCounter);
    return all;
  }

  private Completion byQueue(Access access) {
    Object context = "door " + doors++;
    assertThat(memory.post(access, context)).isEqualTo(Posted.POSTED);
    return ofQueue(context);
  }

  private Completion ofQueue(Object context) {
    List<Completion> found = new ArrayList<>();
    until(
        context + " has ended",
        () -> {
          found.clear();
          near.sent.stream().filter(each -> context.equals(each.context())).forEach(found::add);
          return !found.isEmpty();
        });
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  private Completion byFuture(Access access) {
    var future = memory.futures().start(access).toCompletableFuture();
    until("the future is done", future::isDone);
    try {
      return future.join();
    } catch (CompletionException e) {
      return failed((FabricException) e.getCause());
    }
  }

  private static Completion failed(FabricException e) {
    return new Completion.Failed(
        null, e.error(), 0, false, 0, 0, 0, 0, false, 0, Direction.WRITE, false, e.getMessage());
  }

  private Completion byActor(Access access) {
    Listener listener = new Listener();
    near.endpoint.ref().tell(new Endpoint.AccessMemory(access, "told", listener));
    return listener.ended();
  }

  private Completion byRegion(Access access) {
    AccessRegion region = near.endpoint.openAccessRegion();
    assertThat(region.post(access, null)).isEqualTo(Posted.POSTED);
    var future = region.end().toCompletableFuture();
    until("the region has ended", future::isDone);
    try {
      return future.join();
    } catch (CompletionException e) {
      return failed((FabricException) e.getCause());
    }
  }

  private Completion byPort(Access access) {
    Listener listener = new Listener();
    nearDomain.loop().execute(() -> near.endpoint.port().access(access, listener));
    nearDomain.loop().wake();
    return listener.ended();
  }

  private Completion byCounter(Access access) {
    Object context = "door " + doors++;
    Counter trigger = nearDomain.openCounter();
    Deferral deferral = trigger.defer(2, near.endpoint.deferred().access(access, context));
    trigger.add(1);
    near.poll();
    assertThat(deferral.isWaiting()).isTrue();
    assertThat(near.sent).noneMatch(each -> context.equals(each.context()));
    trigger.add(1);
    Completion end = ofQueue(context);
    assertThat(deferral.hasStarted()).isTrue();
    return end;
  }

  private final class Listener implements AccessListener {
    private final List<Completion> told = new ArrayList<>();

    @Override
    public synchronized void onAccessed(Completion.Accessed accessed) {
      told.add(accessed);
    }

    @Override
    public synchronized void onFailed(Completion.Failed failure) {
      told.add(failure);
    }

    private synchronized int count() {
      return told.size();
    }

    Completion ended() {
      until("the listener was told", () -> count() > 0);
      synchronized (this) {
        assertThat(told).hasSize(1);
        return told.get(0);
      }
    }
  }

  @Test
  void shouldDoEveryAccessThroughEveryDoor() throws Exception {
    for (boolean direct : new boolean[] {false, true}) {
      for (Map.Entry<String, Case> each : cases().entrySet()) {
        for (Map.Entry<String, Door> door : doors().entrySet()) {
          through(each.getKey() + " by " + door.getKey(), each.getValue(), door.getValue(), direct);
        }
      }
    }
  }

  private void through(String name, Case its, Door door, boolean direct) throws Exception {
    UnsafeBuffer target = direct ? fabric(40) : buffer(40);
    target.putBytes(0, longs(10, 20, 30, 40, 50), 0, 40);
    UnsafeBuffer result = buffer(16);
    Region region = farDomain.register(target, RegionRight.all());
    Access access = its.maker().of(there(region.descriptor()), result).with(DELIVERED);

    Completion end = door.take(access);

    assertThat(end).as(name).isInstanceOf(Completion.Accessed.class);
    Completion.Accessed accessed = (Completion.Accessed) end;
    if (accessed.peer() >= 0) { // that of a region is of no peer
      assertThat(accessed.direction()).as(name).isEqualTo(its.direction());
      assertThat(accessed.length()).as(name).isEqualTo(its.length());
    }
    byte[] after = new byte[40];
    target.getBytes(0, after);
    assertThat(after).as(name).isEqualTo(bytes(its.after()));
    assertThat(bytes(result)).as(name).isEqualTo(bytes(its.result()));
    region.close();
  }

  @Test
  void shouldFailOnceThroughEveryDoor() throws Exception {
    Region region = farDomain.register(buffer(40), RegionRight.all());
    RemoteRegion wrong = there(wrongKey(region.descriptor()));
    for (Map.Entry<String, Case> each : cases().entrySet()) {
      for (Map.Entry<String, Door> door : doors().entrySet()) {
        String name = each.getKey() + " by " + door.getKey();
        Access access = each.getValue().maker().of(wrong, buffer(16)).with(DELIVERED);

        Completion end = door.getValue().take(access);

        assertThat(end).as(name).isInstanceOf(Completion.Failed.class);
        assertThat(((Completion.Failed) end).error()).as(name).isEqualTo(FabricError.NO_KEY);
      }
    }
  }

  @Test
  void shouldFlushThroughEveryDoor() throws Exception {
    UnsafeBuffer target = buffer(8);
    Region region = farDomain.register(target, RegionRight.all());
    long written = 0;
    for (Map.Entry<String, Door> door : doors().entrySet()) {
      for (Access flush : List.of(Access.flush(toFar), Access.flushAll())) {
        written++;
        Access write = Access.writeValue(there(region.descriptor()), 0, written);
        assertThat(memory.post(write, "written " + written)).isEqualTo(Posted.POSTED);

        assertThat(door.getValue().take(flush))
            .as(door.getKey())
            .isInstanceOf(Completion.Accessed.class);

        assertThat(target.getLong(0)).as(door.getKey()).isEqualTo(written);
      }
    }
  }

  @Test
  void shouldDoAnAccessAgainWithWhatItsBuffersHaveThen() throws Exception {
    for (boolean direct : new boolean[] {false, true}) {
      UnsafeBuffer target = direct ? fabric(16) : buffer(16);
      target.putBytes(0, longs(0, 0), 0, 16);
      UnsafeBuffer operand = longs(5);
      UnsafeBuffer bytes = longs(1);
      Region region = farDomain.register(target, RegionRight.all());
      RemoteRegion at = there(region.descriptor());
      Access add = Access.update(at, 0, AtomicOp.SUM, AtomicKind.INT64, operand).with(DELIVERED);
      Access write = Access.write(at, 8, bytes).with(DELIVERED);
      long sum = 0;
      for (Door door : doors().values()) {
        operand.putLong(0, ++doors);
        bytes.putLong(0, -doors);
        sum += doors;
        long last = -doors;
        door.take(add);
        door.take(write);
        assertThat(target.getLong(0)).isEqualTo(sum);
        assertThat(target.getLong(8)).isEqualTo(last);
      }
    }
  }

  @Test
  void shouldEndDeferredAccessesInTheirOrderWhenTheEndpointCloses() {
    UnsafeBuffer target = buffer(8);
    Region region = farDomain.register(target, RegionRight.all());
    Counter never = nearDomain.openCounter();
    Access write = Access.writeValue(there(region.descriptor()), 0, 1);
    for (int i = 0; i < 5; i++) {
      never.defer(9 - i, near.endpoint.deferred().access(write, "deferred " + i));
    }
    assertThat(near.endpoint.deferred().waitingCount()).isEqualTo(5);

    var closed = near.endpoint.close(Duration.ofSeconds(5)).toCompletableFuture();
    until("the endpoint has closed", () -> closed.isDone() && near.sent.size() == 5);

    for (int i = 0; i < 5; i++) {
      Completion.Failed failed = (Completion.Failed) near.sent.get(i);
      assertThat(failed.context()).isEqualTo("deferred " + i);
      assertThat(failed.error()).isEqualTo(FabricError.CANCELED);
    }
    assertThat(target.getLong(0)).isZero();
  }

  // ---- sends ----

  private static Map<String, TaggedSend> sends(int peer) {
    UnsafeBuffer bytes = pattern(40, 7);
    Map<String, TaggedSend> sends = new LinkedHashMap<>();
    sends.put("tagged", TaggedSend.of(peer, bytes, 5));
    sends.put("of bytes", TaggedSend.of(peer, bytes, 8, 24, 5));
    sends.put("empty", TaggedSend.of(peer, buffer(0), 5));
    sends.put("parts", TaggedSend.ofParts(peer, List.of(longs(1), longs(2, 3)), 5));
    sends.put("untagged parts", TaggedSend.untaggedOfParts(peer, List.of(longs(1), longs(2, 3))));
    sends.put("data", TaggedSend.of(peer, bytes, 5).data(-9));
    sends.put("untagged", TaggedSend.untagged(peer, bytes));
    sends.put("untagged data", TaggedSend.untagged(peer, bytes, 1, 30).data(4));
    sends.put("long", TaggedSend.of(peer, pattern(70_000, 3), 5));
    return sends;
  }

  private Completion sentByQueue(TaggedSend send) {
    Object context = "door " + doors++;
    assertThat(near.endpoint.post(send, context)).isEqualTo(Posted.POSTED);
    return ofQueue(context);
  }

  private Completion sentByFuture(TaggedSend send) {
    return result(near.endpoint.futures().start(send));
  }

  private Completion sentByActor(TaggedSend send) {
    List<Completion> told = Collections.synchronizedList(new ArrayList<>());
    SendListener listener =
        new SendListener() {
          @Override
          public void onSent(Completion.Sent sent) {
            told.add(sent);
          }

          @Override
          public void onFailed(Completion.Failed failure) {
            told.add(failure);
          }
        };
    near.endpoint.ref().tell(new Endpoint.SendTagged(send, "told", listener));
    until("the listener was told", () -> !told.isEmpty());
    return told.get(0);
  }

  private Completion sentByCounter(TaggedSend send) {
    Object context = "door " + doors++;
    Counter trigger = nearDomain.openCounter();
    trigger.defer(1, near.endpoint.deferred().send(send, context));
    near.poll();
    assertThat(near.sent).noneMatch(each -> context.equals(each.context()));
    trigger.add(1);
    return ofQueue(context);
  }

  @Test
  void shouldSendEveryMessageThroughEveryDoor() {
    Map<String, Function<TaggedSend, Completion>> all = new LinkedHashMap<>();
    all.put("post", this::sentByQueue);
    all.put("start", this::sentByFuture);
    all.put("tell", this::sentByActor);
    all.put("defer", this::sentByCounter);
    for (Map.Entry<String, TaggedSend> each : sends(toFar).entrySet()) {
      TaggedSend send = each.getValue().with(DELIVERED);
      for (Map.Entry<String, Function<TaggedSend, Completion>> door : all.entrySet()) {
        String name = each.getKey() + " by " + door.getKey();
        UnsafeBuffer into = post(send);

        Completion.Sent sent = (Completion.Sent) door.getValue().apply(send);

        assertThat(sent.tagged()).as(name).isNotEqualTo(send.isUntagged());
        assertThat(sent.length()).as(name).isEqualTo(send.length());
        expect(name, send, into);
      }
      if (send.length() <= near.endpoint.settings().injectBytes()) {
        UnsafeBuffer into = post(send);
        assertThat(near.endpoint.inject(send)).isEqualTo(Posted.POSTED);
        expect(each.getKey() + " by inject", send, into);
      }
    }
  }

  /** Posts a receive for it. */
  private UnsafeBuffer post(TaggedSend send) {
    far.received.clear();
    UnsafeBuffer into = buffer(send.length() + 1);
    assertThat(
            send.isUntagged()
                ? far.endpoint.post(
                    TaggedReceive.untagged(fromNear).into(into, 0, into.capacity()), "it")
                : far.endpoint.postReceive(into, 0, into.capacity(), 5, 0, fromNear, "it"))
        .isEqualTo(Posted.POSTED);
    return into;
  }

  private void expect(String name, TaggedSend send, UnsafeBuffer into) {
    until(name + " has come", () -> !far.received.isEmpty());
    assertThat(far.received)
        .as(name)
        .containsExactly(
            new Completion.Received(
                "it",
                fromNear,
                !send.isUntagged(),
                send.isUntagged() ? 0 : 5,
                0,
                send.length(),
                send.hasData(),
                send.data()));
    byte[] expected = new byte[send.length() + 1];
    send.bytes().getBytes(send.offset(), expected, 0, send.length());
    assertThat(bytes(into)).as(name).isEqualTo(expected);
  }
}
