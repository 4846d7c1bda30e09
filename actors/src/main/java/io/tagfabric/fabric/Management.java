package io.tagfabric.fabric;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Names of observers for management consoles. Thread: any. */
final class Management {
  private static final Logger LOG = LoggerFactory.getLogger(Management.class);

  private Management() {}

  /**
   * Lets consoles see a domain.
   *
   * @return ends that
   */
  static Runnable register(DomainObserver observer, long incarnation) {
    try {
      ObjectName name =
          new ObjectName(
              "io.tagfabric:type=Domain,rank="
                  + observer.getRank()
                  + ",incarnation="
                  + Long.toHexString(incarnation)
                  + ",name="
                  + observer.id());
      ManagementFactory.getPlatformMBeanServer().registerMBean(observer, name);
      return () -> unregister(name);
    } catch (JMException e) {
      LOG.warn("domain [{}] is not seen by management consoles: {}", observer.id(), e.toString());
      return () -> {};
    }
  }

  private static void unregister(ObjectName name) {
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    } catch (JMException e) {
      LOG.debug("[{}] was not registered any more", name, e);
    }
  }
}
