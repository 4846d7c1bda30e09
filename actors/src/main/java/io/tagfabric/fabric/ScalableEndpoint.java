package io.tagfabric.fabric;

import io.tagfabric.address.ContextAddresses;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.name.NameService;
import io.tagfabric.progress.ProgressSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * One address over several endpoints, its contexts. Each context is an endpoint of a domain of its
 * own, with a progress loop, queues and receives of its own, so one address can use several cores.
 *
 * <p>A peer inserts {@link #address} and sends to its index: the tag chooses the context, if it was
 * opened with tag bits, else it is the first one. {@code AddressVector.context} has the indices of
 * the contexts. A receive that would ignore one of these bits, or names those of another context,
 * fails with INVALID. Messages without a tag go to the first context.
 *
 * <p>What a context sends comes, at its receiver, from the whole endpoint: its index is the {@code
 * source}, and a receive that names it takes messages of all contexts. Order holds between one
 * context and another; there is none between contexts. No team opens on a context.
 *
 * <p>Thread: any.
 *
 * @source libfabric fi_endpoint(3), fi_scalable_ep; fi_av(3), fi_rx_addr
 */
public final class ScalableEndpoint {
  private final List<Domain> domains;
  private final List<Endpoint> contexts;
  private final EndpointAddress address;

  private ScalableEndpoint(List<Domain> domains, List<Endpoint> contexts, EndpointAddress address) {
    this.domains = List.copyOf(domains);
    this.contexts = List.copyOf(contexts);
    this.address = address;
  }

  static ScalableEndpoint open(Fabric fabric, String name, ScalableOptions options) {
    ProgressSettings progress =
        options.progress() == null ? fabric.progressDefaults() : options.progress();
    List<Domain> domains = new ArrayList<>();
    try {
      List<Endpoint> contexts = new ArrayList<>();
      int first = fabric.nextEndpoints(1 + options.contexts());
      for (int i = 0; i < options.contexts(); i++) {
        Domain domain = fabric.openDomain(name + "-" + i, progress);
        domains.add(domain);
        contexts.add(
            domain.openEndpoint(
                first + 1 + i, name, options.bindings().apply(domain), domain.endpointDefaults()));
      }
      List<Map<String, String>> providers =
          contexts.stream().map(context -> context.address().providers()).toList();
      EndpointAddress one = contexts.get(0).address();
      EndpointAddress whole =
          new EndpointAddress(
              one.incarnation(),
              first,
              name,
              one.node(),
              one.vm(),
              one.providers(),
              new ContextAddresses(first, options.tagShift(), options.tagBits(), providers),
              one.protocols());
      for (int i = 0; i < contexts.size(); i++) {
        contexts.get(i).becomeContext(whole.context(i));
      }
      return new ScalableEndpoint(domains, contexts, whole);
    } catch (RuntimeException e) {
      domains.forEach(domain -> domain.close(Duration.ZERO));
      throw e;
    }
  }

  /** Where it is; give it to peers. */
  public EndpointAddress address() {
    return address;
  }

  /** Its contexts by number. */
  public List<Endpoint> contexts() {
    return contexts;
  }

  /** The domains of its contexts, by number. */
  public List<Domain> domains() {
    return domains;
  }

  /**
   * Adds a peer to the address vectors of all its contexts.
   *
   * @return its index in each of them, by number
   */
  public int[] insert(EndpointAddress peer) {
    return domains.stream().mapToInt(domain -> domain.addressVector().insert(peer)).toArray();
  }

  /**
   * Gives it a name by which all nodes of the job find it, until its first context is closed; as
   * {@link Fabric#register}.
   */
  public CompletionStage<NameService.Registered> register(String name) {
    NameService names = domains.get(0).fabric().names();
    CompletionStage<NameService.Registered> registered = names.register(name, address);
    contexts.get(0).onClose(() -> names.unregisterAll(address));
    return registered;
  }

  /** Closes the contexts and their domains, each with so much time for what was accepted. */
  public void close(Duration drainTimeout) {
    domains.forEach(domain -> domain.close(drainTimeout));
  }
}
