package io.tagfabric.trials.fabtests;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.job.Job;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One of the two sides of a scenario. It keeps an endpoint of its own by which the sides wait for
 * each other and exchange addresses, so that those of a scenario carry its messages alone. Thread:
 * one.
 */
final class Side {
  private static final long WORDS = 0xFAB_7E57L << 32;

  /** Pieces that scenarios of pieces move if nobody says otherwise. */
  static final long USUAL_SLICES = 20_000;

  private static final Duration CLOSE = Duration.ofSeconds(2);

  private final int index;
  private final Domain domain;
  private final Endpoint control;
  private final int peer;
  private final Job job;
  private final List<Link> links = new ArrayList<>();
  private final List<Domain> domains = new ArrayList<>();
  private Sabotage sabotage = Sabotage.none();
  private long deadlineNs;
  private long words;
  private int opened;
  private long slices = USUAL_SLICES;

  /**
   * A side.
   *
   * @param index 0 or 1
   * @param control for the sides' own words
   * @param peer the other side's control endpoint
   * @param job null if there is none
   */
  Side(int index, Domain domain, Endpoint control, int peer, Job job) {
    this.index = index;
    this.domain = domain;
    this.control = control;
    this.peer = peer;
    this.job = job;
  }

  /** Runs a scenario until both sides have ended it. */
  void run(Scenario scenario, Duration limit) throws Exception {
    deadlineNs = System.nanoTime() + limit.toNanos();
    try {
      scenario.body().run(this);
      sync();
    } finally {
      List<Link> toClose = List.copyOf(links);
      links.clear();
      toClose.forEach(Link::close);
      domains.forEach(each -> each.close(Duration.ZERO));
      domains.clear();
    }
  }

  /** From now on the scenario sees what this makes of it. */
  void sabotage(Sabotage lie) {
    sabotage = lie;
  }

  Sabotage sabotage() {
    return sabotage;
  }

  /** From now on scenarios of pieces move so many. */
  void slices(long count) {
    slices = count;
  }

  long slices() {
    return slices;
  }

  int index() {
    return index;
  }

  /** Whether this side is the one that sends, where one does. */
  boolean isFirst() {
    return index == 0;
  }

  Fabric fabric() {
    return domain.fabric();
  }

  Domain domain() {
    return domain;
  }

  /** The job of this side. */
  Job job() {
    return job;
  }

  void requireTime(String what) {
    if (Thread.currentThread().isInterrupted()) {
      throw new Wrong("ended from outside while it waited for " + what);
    }
    Wrong.unless(System.nanoTime() - deadlineNs < 0, () -> "no time left for " + what);
  }

  /** The result of a future that comes in time. */
  <T> T join(CompletionStage<T> stage) {
    long leftNs = Math.max(1, deadlineNs - System.nanoTime());
    try {
      return stage.toCompletableFuture().get(leftNs, TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw new Wrong("no time left for an answer");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Wrong("ended from outside while it waited for an answer");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new Wrong("an answer failed with " + e.getCause());
    }
  }

  /** Waits until the other side is here too. */
  void sync() {
    exchange("");
  }

  /** Gives the other side a text and gets its own. */
  String exchange(String own) {
    long tag = WORDS + words++;
    CompletionStage<?> sent =
        control.futures().sendTagged(peer, own.getBytes(StandardCharsets.UTF_8), tag);
    byte[] theirs =
        join(control.futures().receiveTagged(TagSelector.exact(tag).from(peer))).payload().array();
    join(sent);
    return new String(theirs, StandardCharsets.UTF_8);
  }

  /** An endpoint on each side, with queues of the configured size. */
  Link open() {
    return connect(
        openEndpoint(domain, domain.openCompletionQueue(), domain.openCompletionQueue()));
  }

  /** The same with queues of a size. */
  Link open(int queueSize) {
    return openIn(domain, queueSize);
  }

  /** The same with one queue for sends and receives. */
  Link openShared(int queueSize) {
    CompletionQueue queue = domain.openCompletionQueue(queueSize);
    return connect(openEndpoint(domain, queue, queue));
  }

  /** The same in a domain that {@link #openDomain} has opened. */
  Link openIn(Domain other, int queueSize) {
    return connect(
        openEndpoint(
            other, other.openCompletionQueue(queueSize), other.openCompletionQueue(queueSize)));
  }

  /** Another domain, closed with the scenario. */
  Domain openDomain(String name, ProgressMode mode) {
    Domain other = domain.fabric().openDomain("fabtests-" + name + "-" + index, mode);
    domains.add(other);
    return other;
  }

  /** An endpoint of this side alone. */
  Endpoint openEndpoint(Domain in, CompletionQueue transmit, CompletionQueue receive) {
    return in.openEndpoint(
        "fabtests-" + index + "-" + opened++, transmit, receive, control.settings());
  }

  /** Makes an endpoint of this side and one of the other peers; both sides call it. */
  Link connect(Endpoint endpoint) {
    EndpointAddress theirs = EndpointAddress.parse(exchange(endpoint.address().encode()));
    Domain in = domain.has(endpoint) ? domain : owner(endpoint);
    Link link = new Link(this, in, endpoint, in.addressVector().insert(theirs));
    links.add(link);
    return link;
  }

  /** The same endpoint with the peer at another index. */
  Link rename(Link link, int peer) {
    Link renamed = new Link(this, link.domain(), link.endpoint(), peer);
    links.set(links.indexOf(link), renamed);
    return renamed;
  }

  private Domain owner(Endpoint endpoint) {
    return domains.stream().filter(each -> each.has(endpoint)).findFirst().orElseThrow();
  }

  /** Closes an endpoint and waits for the report. */
  Endpoint.Closed close(Link link) {
    links.remove(link);
    return join(link.endpoint().close(CLOSE));
  }

  /** Bytes that both sides can make. */
  static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed * 0x9E3779B97F4A7C15L + length).nextBytes(bytes);
    return bytes;
  }
}
