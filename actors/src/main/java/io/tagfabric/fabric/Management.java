package io.tagfabric.fabric;

import akka.actor.Cancellable;
import akka.actor.typed.ActorSystem;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import javax.management.JMException;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The name of an observer for management consoles.
 *
 * <p>The management server of a JVM takes longer to start than a domain. Where nothing has started
 * it yet, as an agent for consoles or the application does, it is started {@link #LATER}, so that a
 * job does not wait for it and one that is short does without. Thread: any.
 */
final class Management {
  private static final Logger LOG = LoggerFactory.getLogger(Management.class);

  /** How long after a domain has opened. */
  static final Duration LATER = Duration.ofSeconds(10);

  private final DomainObserver observer;
  private final long incarnation;
  private Cancellable later = Cancellable.alreadyCancelled();
  private ObjectName name;
  private boolean isOver;

  private Management(DomainObserver observer, long incarnation) {
    this.observer = observer;
    this.incarnation = incarnation;
  }

  /**
   * Lets consoles see a domain.
   *
   * @return ends that
   */
  static Runnable register(DomainObserver observer, long incarnation, ActorSystem<?> system) {
    Management management = new Management(observer, incarnation);
    management.begin(system);
    return management::unregister;
  }

  private synchronized void begin(ActorSystem<?> system) {
    if (MBeanServerFactory.findMBeanServer(null).isEmpty()) {
      later = system.scheduler().scheduleOnce(LATER, this::register, system.executionContext());
    } else {
      register();
    }
  }

  private synchronized void register() {
    if (isOver) {
      return;
    }
    try {
      ObjectName free =
          new ObjectName(
              "io.tagfabric:type=Domain,rank="
                  + observer.getRank()
                  + ",incarnation="
                  + Long.toHexString(incarnation)
                  + ",name="
                  + observer.id());
      ManagementFactory.getPlatformMBeanServer().registerMBean(observer, free);
      name = free;
    } catch (JMException e) {
      LOG.warn("domain [{}] is not seen by management consoles: {}", observer.id(), e.toString());
    }
  }

  private synchronized void unregister() {
    isOver = true;
    later.cancel();
    if (name == null) {
      return;
    }
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    } catch (JMException e) {
      LOG.debug("[{}] was not registered any more", name, e);
    }
  }
}
