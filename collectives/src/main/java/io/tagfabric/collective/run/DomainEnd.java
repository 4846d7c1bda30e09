package io.tagfabric.collective.run;

import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a domain whose JVM may be beyond repair, in order: its endpoints say goodbye, so that no
 * peer waits for it. A close blocks, and the thread that finds the reason drives the loop, so a
 * thread of its own does it.
 */
final class DomainEnd {
  private static final Logger LOG = LoggerFactory.getLogger(DomainEnd.class);

  private DomainEnd() {}

  static void begin(Domain domain, FabricException reason) {
    LOG.error("domain [{}] ends: {}", domain.name(), reason.getMessage(), reason);
    domain.fabric().environment().threads().start("tagfabric-end-" + domain.name(), domain::close);
  }
}
