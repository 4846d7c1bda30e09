package io.tagfabric.endpoint;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.complete.CompletionOutbox;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.match.ReceiveContext;
import io.tagfabric.match.ReceivePort;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.path.PathSettings;
import io.tagfabric.progress.DueFlushes;
import io.tagfabric.progress.HandOver;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.WireActors;
import io.tagfabric.provider.WireContext;
import io.tagfabric.provider.WireListener;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.Greeting;
import io.tagfabric.wire.TaggedReader;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
  // The plain parts report outside of a message, where a context has no logger.
  private static final Logger LOG = LoggerFactory.getLogger(Endpoint.class);

  /** How long a message waits at most for a slot that has come free in the queue. */
  private static final long SLOT_RETRY_NS = 1_000_000L;

  private final DomainParts domain;
  private final EndpointSettings settings;
  private final EndpointBindings bindings;
  private final ProgressFuture<Endpoint> opened;
  private final ProgressLoop loop;

  private final SendCompletions sent;
  private final CompletionOutbox received;
  private final ReceiveContext receives;
  private final EndpointLife life;
  private final ToldReceives toldReceives;
  private final ArrivalDesk desk;
  private final ToldDesk toldDesk;
  private final EndpointCore core;
  private final NoteDesk notes;
  private final DirectPosts direct;
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
    CompletionQueue receiveQueue = bindings.receiveQueue();
    this.opened = opened;
    loop = domain.loop();
    sent = new SendCompletions(bindings.transmitQueue(), bindings.sendCounter());
    received = receiveQueue.outbox();
    receives =
        new ReceiveContext(settings.maxUnexpectedClasses(), received, bindings.receiveCounter());
    life = new EndpointLife(loop.steps(), loop.timers(), loop.time(), sent, received, receives);
    boolean tells = loop.handOver() == HandOver.MAILBOX;
    ReceivePort called = new CalledReceives(receives, received, loop.steps());
    toldReceives = tells ? new ToldReceives(called) : null;
    ReceivePort port = tells ? toldReceives : called;
    FrameServices services = new FrameServices();
    TaggedReader.register(services, port.arrivals());
    notes = new NoteDesk(loop.steps(), life::defect);
    desk = new ArrivalDesk(loop.steps(), services, life::defect);
    toldDesk = tells ? new ToldDesk(desk) : null;
    Settings all = domain.settings();
    PathSettings paths = PathSettings.of(all);
    WireListener listener = tells ? toldDesk : desk;
    WireTable wires =
        WireTable.open(
            providers,
            new WireContext(
                all,
                Optional.of(
                    new WireActors(
                        domain.system(), domain.actorProps(), Optional.of(domain.guardian()))),
                domain.random(),
                loop,
                domain.node().incarnation(),
                number,
                domain.vm(),
                EndpointIdentity.setUpProofs(domain.jobKey()),
                domain.pool(),
                listener,
                paths.count()),
            new PathTable(paths, all.get(JobSettings.RANK) + number));
    try {
      core =
          new EndpointCore(
              new EndpointContext(
                  identity(number, name, wires),
                  domain.addresses(),
                  wires,
                  settings.flow(),
                  bindings.does(EndpointBindings.Direction.RECEIVE)
                      ? settings.maxMessageBytes()
                      : Greeting.Limits.NO_MESSAGE,
                  bindings.onConnect(),
                  domain.pool(),
                  new EndpointTimers(loop.timers(), loop.steps(), life::defect),
                  loop.time(),
                  domain.random(),
                  domain.knownAlive(),
                  EndpointAssembly::report),
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
    receives.whenStalled(this::resumeLater);
    if (!bindings.does(EndpointBindings.Direction.RECEIVE)) {
      receives.receiveNothing();
    }
    if (!bindings.does(EndpointBindings.Direction.SEND)) {
      sent.sendNothing();
    }
    direct = new DirectPosts(loop, domain.mode(), core, life, sent, receives, received);
    life.begin(core, port, wires.gathers() ? flushInEachPass() : flushWhenDue());
  }

  private void resumeLater() {
    loop.timers()
        .schedule(
            loop.time().nanoTime() + SLOT_RETRY_NS,
            () -> {
              direct.resume();
              loop.steps().run();
            });
  }

  /** Returns what takes it off the loop. */
  private Runnable flushInEachPass() {
    ProgressLoop.Step flush = direct::flush;
    loop.addFlush(flush);
    return () -> loop.removeFlush(flush);
  }

  /** The same: what an endpoint has to flush comes of its flows, transfers or completions. */
  private Runnable flushWhenDue() {
    DueFlushes.Flush flush = loop.flushWhenDue(direct::flush);
    Runnable marks = flush::mark;
    core.whenDue(marks);
    receives.whenDue(marks);
    received.whenDue(marks);
    sent.whenDue(marks);
    marks.run(); // what was due before
    return flush::close;
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
        domain.jobKey(),
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
                domain.spawner().accept(EndpointActor.create(parts), "endpoint-" + number);
              } catch (RuntimeException e) {
                opened.completeExceptionally(e);
              }
            });
    return opened;
  }

  /** Its actors are there. */
  void started(ActorRef<Endpoint.Command> ref, ActorRef<TagMatcher.Command> matcher) {
    if (toldDesk != null) {
      toldDesk.tell(ref);
      toldReceives.tell(matcher);
    }
    endpoint =
        new Endpoint(
            ref,
            matcher,
            direct,
            core.address(),
            settings,
            bindings,
            domain.futures(),
            domain.objects(),
            notes,
            domain.system().ignoreRef());
    life.watch(endpoint);
    opened.complete(endpoint);
  }

  /** The matcher's actor has stopped: its messages would not be handled. */
  void matcherStopped() {
    if (toldReceives != null) {
      toldReceives.tell(null);
    }
    life.matcherStopped();
  }

  /** The endpoint's actor has stopped, and its matcher before it. */
  void stopped() {
    if (toldDesk != null) {
      toldDesk.tell(null);
      toldReceives.tell(null);
    }
    life.stop();
    endpoint.asks().stop();
  }

  private static void report(EndpointLog.Weight weight, String text) {
    switch (weight) {
      case DETAIL -> LOG.debug(text);
      case NEWS -> LOG.info(text);
      case WARNING -> LOG.warn(text);
    }
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

  DirectPosts direct() {
    return direct;
  }

  SendCompletions sent() {
    return sent;
  }

  EndpointSettings settings() {
    return settings;
  }

  Behavior<TagMatcher.Command> matcher() {
    return TagMatcher.create(receives, received, life::defect);
  }
}
