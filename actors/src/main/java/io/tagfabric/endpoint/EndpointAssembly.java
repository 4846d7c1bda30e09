package io.tagfabric.endpoint;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import io.tagfabric.access.AccessCompletions;
import io.tagfabric.access.DirectAccesses;
import io.tagfabric.access.ReachedMemory;
import io.tagfabric.active.ActiveClock;
import io.tagfabric.active.ActiveDesk;
import io.tagfabric.active.ActiveTarget;
import io.tagfabric.active.DirectActive;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.link.ArrivalDesk;
import io.tagfabric.link.DirectSends;
import io.tagfabric.link.EndpointContext;
import io.tagfabric.link.EndpointCore;
import io.tagfabric.link.EndpointGate;
import io.tagfabric.link.EndpointIdentity;
import io.tagfabric.link.EndpointLife;
import io.tagfabric.link.EndpointLog;
import io.tagfabric.link.EndpointService;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.link.EndpointTimers;
import io.tagfabric.link.LoopEntry;
import io.tagfabric.link.NoteDesk;
import io.tagfabric.link.PathTable;
import io.tagfabric.link.WireTable;
import io.tagfabric.link.send.SendCompletions;
import io.tagfabric.match.ReceivePort;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.memory.MemoryTarget;
import io.tagfabric.path.PathSettings;
import io.tagfabric.progress.DueFlushes;
import io.tagfabric.progress.HandOver;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.WireActors;
import io.tagfabric.provider.WireContext;
import io.tagfabric.provider.WireListener;
import io.tagfabric.receive.DomainParts;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.receive.ReceiveContext;
import io.tagfabric.receive.ReceiveSide;
import io.tagfabric.receive.SharedReceives;
import io.tagfabric.trace.AccessTrace;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.Greeting;
import io.tagfabric.wire.TaggedReader;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Puts one endpoint together: first its plain parts, in the order in which they need each other,
 * then the actors around them, then the handle that the program gets.
 *
 * <pre>
 *  receives ─► services ─► desk ─► wires ─► identity ─► core ─► actor, matcher ─► Endpoint
 * </pre>
 *
 * <p>Thread: the domain's loop, but for {@link #open}.
 */
@InternalApi
public final class EndpointAssembly {
  private final DomainParts domain;
  private final EndpointSettings settings;
  private final EndpointBindings bindings;
  private final ProgressFuture<Endpoint> opened;
  private final ProgressLoop loop;

  private final SendCompletions sent;
  private final EndpointLife life;

  /** Its own receives; null if it takes them from a context. */
  private final ReceiveSide receives;

  /** Its part of a context; null if its receives are its own. */
  private final SharedReceives shared;

  private final ArrivalDesk desk;
  private final ToldDesk toldDesk;
  private final EndpointIdentity identity;
  private final EndpointCore core;
  private final NoteDesk notes;
  private final ActiveTarget active;
  private final EndpointGate gate;
  private final DirectSends direct;
  private final DirectAccesses accesses;
  private Endpoint endpoint;

  private EndpointAssembly(
      DomainParts domain,
      int number,
      String name,
      EndpointSettings settings,
      List<Provider> providers,
      EndpointBindings bindings,
      ProgressFuture<Endpoint> opened) {
    this.domain = domain;
    this.settings = settings;
    this.bindings = bindings;
    this.opened = opened;
    loop = domain.loop();
    sent = new SendCompletions(bindings.transmitQueue(), bindings.sendCounter());
    life = new EndpointLife(loop.steps(), loop.timers(), loop.time(), sent);
    ReceiveContext context = bindings.receiveContext();
    shared = context == null ? null : context.share(life);
    receives =
        context == null
            ? new ReceiveSide(
                domain, settings, bindings.receiveQueue(), bindings.receiveCounter(), life::defect)
            : null;
    ReceivePort port = context == null ? receives.port() : shared;
    FrameServices services = new FrameServices();
    TaggedReader.register(services, port.arrivals());
    MemoryTarget memory = memory(number);
    memory.register(services);
    notes = new NoteDesk(loop.steps(), loop::isDriving, life::defect);
    active =
        new ActiveTarget(new ActiveDesk(settings.active()), settings.active(), memory, clock());
    active.register(services);
    desk = new ArrivalDesk(loop.steps(), services, life::defect);
    toldDesk = loop.handOver() == HandOver.MAILBOX ? new ToldDesk(desk) : null;
    Settings all = domain.settings();
    PathSettings paths = PathSettings.of(all);
    WireListener listener = toldDesk == null ? desk : toldDesk;
    WireTable wires =
        WireTable.open(
            providers,
            new WireContext(
                all,
                Optional.of(
                    new WireActors(
                        domain.system(), domain.receiverProps(), Optional.of(domain.guardian()))),
                domain.random(),
                loop,
                domain.node().incarnation(),
                number,
                domain.vm(),
                EndpointIdentity.setUpProofs(domain.jobKeys()),
                domain.pool(),
                listener,
                paths.count()),
            new PathTable(paths, all.get(JobSettings.RANK) + number));
    if (!bindings.accesses().containsAll(EndpointBindings.Access.OF_PEERS)) {
      wires.closeToDirectAccess();
    }
    identity = identity(number, name, wires);
    gate =
        new EndpointGate(
            identity,
            settings,
            bindings.transmitQueue(),
            bindings.does(EndpointBindings.Direction.SEND));
    try {
      core =
          new EndpointCore(
              new EndpointContext(
                  identity,
                  domain.addresses(),
                  wires,
                  settings.flow(),
                  settings.active(),
                  receives == null ? shared.budget() : receives.budget(),
                  bindings.does(EndpointBindings.Direction.RECEIVE)
                      ? settings.maxMessageBytes()
                      : Greeting.Limits.NO_MESSAGE,
                  bindings.datagrams(),
                  bindings.onConnect(),
                  domain.pool(),
                  new EndpointTimers(loop.timers(), loop.steps(), life::defect),
                  loop.passTime(),
                  loop.passes(),
                  domain.random(),
                  domain.nodes(),
                  EndpointLog.logger(),
                  loop.recorder()),
              desk,
              sent,
              port,
              loop.steps());
      notes.open(services, core::send);
      openServices(services);
    } catch (RuntimeException e) {
      wires.close();
      throw e;
    }
    if (receives != null && !bindings.does(EndpointBindings.Direction.RECEIVE)) {
      receives.core().receiveNothing();
    }
    if (!bindings.does(EndpointBindings.Direction.SEND)) {
      sent.sendNothing();
    }
    if (receives != null) {
      receives.core().share(core::reaches);
    }
    direct = new DirectSends(new LoopEntry(loop, domain.mode()), core, life, sent);
    AccessCompletions ends =
        new AccessCompletions(
            sent,
            bindings.accessCounter(),
            settings.memory(),
            new AccessTrace(loop.recorder(), number));
    core.openMemory(ends, memory);
    core.openActive(active);
    LoopEntry entry = new LoopEntry(loop, domain.mode());
    ReachedMemory reached = new ReachedMemory(entry, core, ends, bindings);
    accesses = new DirectAccesses(entry, core, life, ends, bindings, reached);
    Runnable unplug = wires.gathers() ? flushInEachPass() : flushWhenDue();
    Runnable flushes = unplug;
    if (shared != null) {
      shared.open(core);
    }
    unplug =
        () -> {
          flushes.run();
          memory.close();
          if (shared != null) {
            shared.close();
          }
        };
    Runnable dropped =
        receives == null
            ? () -> {}
            : () -> receives.reportDropped("endpoint [" + core.address() + "]");
    life.begin(core, port, unplug, dropped);
  }

  private ActiveClock clock() {
    return new ActiveClock() {
      @Override
      public long nanoTime() {
        return loop.time().nanoTime();
      }

      @Override
      public void later(long delayNs, Runnable task) {
        loop.timers().schedule(nanoTime() + delayNs, () -> guarded(task));
      }

      @Override
      public void run(Runnable task) {
        loop.execute(() -> guarded(task));
        loop.wake();
      }
    };
  }

  private void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      life.defect(e);
    }
    loop.steps().run();
  }

  private MemoryTarget memory(int number) {
    MemoryTarget[] target = new MemoryTarget[1];
    target[0] =
        new MemoryTarget(
            domain.regions(),
            bindings.accesses().contains(EndpointBindings.Access.REMOTE_READ),
            bindings.accesses().contains(EndpointBindings.Access.REMOTE_WRITE),
            settings.memory().readsServed(),
            bindings.receiveQueue(),
            new AccessTrace(loop.recorder(), number),
            delayNs ->
                loop.timers()
                    .schedule(loop.time().nanoTime() + delayNs, () -> guarded(target[0]::goOn)));
    return target[0];
  }

  /** End of a pass. */
  private int flush() {
    return (receives == null ? 0 : receives.direct().flush()) + direct.flush();
  }

  /** Returns what takes it off the loop. */
  private Runnable flushInEachPass() {
    ProgressLoop.Step flush = this::flush;
    loop.addFlush(flush);
    return () -> loop.removeFlush(flush);
  }

  /** The same: what an endpoint has to flush comes of its flows, transfers or completions. */
  private Runnable flushWhenDue() {
    DueFlushes.Flush flush = loop.flushWhenDue(this::flush);
    DueFlushes.Flush publishes = loop.flushWhenDue(direct::flush);
    core.whenDue(flush::mark);
    sent.whenDue(publishes);
    DueFlushes.Flush received = receives == null ? publishes : receives.flushWhenDue(flush);
    flush.mark(); // what was due before
    return () -> {
      flush.close();
      publishes.close();
      received.close();
    };
  }

  private EndpointIdentity identity(int number, String name, WireTable wires) {
    var registrations = domain.objects().registrations();
    return new EndpointIdentity(
        new EndpointAddress(
            domain.node().incarnation(),
            number,
            name,
            domain.node().address(),
            domain.vm(),
            wires.addresses()),
        domain.jobKeys(),
        domain.partitionKey(),
        registrations.fingerprint(),
        registrations.describe(),
        registrations::difference);
  }

  private void openServices(FrameServices services) {
    EndpointService.Context context =
        new EndpointService.Context(core.address(), services, core::send);
    ServiceLoader.load(EndpointService.class, EndpointService.class.getClassLoader())
        .forEach(service -> service.open(context));
  }

  /**
   * Opens an endpoint. The future drives the loop when waited for. Thread: any, outside the loop.
   *
   * @param number of the endpoint in its ActorSystem
   * @param providers best first
   */
  public static ProgressFuture<Endpoint> open(
      DomainParts domain,
      int number,
      String name,
      EndpointSettings settings,
      List<Provider> providers,
      EndpointBindings bindings) {
    ProgressFuture<Endpoint> opened = domain.futures().create();
    domain
        .loop()
        .execute(
            () -> {
              try {
                EndpointAssembly parts =
                    new EndpointAssembly(
                        domain, number, name, settings, providers, bindings, opened);
                domain.spawner().spawn(EndpointActor.create(parts), "endpoint-" + number);
              } catch (RuntimeException e) {
                opened.completeExceptionally(e);
              }
            });
    return opened;
  }

  /** Its actors are there; the matcher is null if its receives are those of a context. */
  void started(ActorRef<Endpoint.Command> ref, ActorRef<TagMatcher.Command> ownMatcher) {
    if (toldDesk != null) {
      toldDesk.tell(ref);
    }
    if (receives != null) {
      receives.tell(ownMatcher);
    }
    ReceiveContext context = bindings.receiveContext();
    endpoint =
        new Endpoint(
            ref,
            context == null ? ownMatcher : context.matcher(),
            direct,
            context == null ? receives.direct() : context.direct(),
            accesses,
            identity,
            gate,
            bindings,
            domain.futures(),
            domain.objects(),
            notes,
            new DirectActive(loop, new LoopEntry(loop, domain.mode()), core, life, active, gate),
            domain.system().ignoreRef());
    life.watch(endpoint.watcher());
    opened.complete(endpoint);
  }

  /** The matcher's actor has stopped: its messages would not be handled. */
  void matcherStopped() {
    receives.tell(null);
    life.matcherStopped();
  }

  /** The endpoint's actor has stopped, and its matcher before it. */
  void stopped() {
    if (toldDesk != null) {
      toldDesk.tell(null);
    }
    if (receives != null) {
      receives.tell(null);
    }
    life.stop();
    endpoint.asks().stop();
  }

  // ---- for the actors ----

  EndpointCore core() {
    return core;
  }

  EndpointLife life() {
    return life;
  }

  ArrivalDesk desk() {
    return desk;
  }

  DirectSends direct() {
    return direct;
  }

  DirectAccesses accesses() {
    return accesses;
  }

  SendCompletions sent() {
    return sent;
  }

  EndpointSettings settings() {
    return settings;
  }

  /** The actor around its own receives; null if it takes them from a context. */
  Behavior<TagMatcher.Command> matcher() {
    return receives == null ? null : receives.matcher(() -> {});
  }
}
