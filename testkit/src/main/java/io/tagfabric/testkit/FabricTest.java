package io.tagfabric.testkit;

import io.tagfabric.progress.ProgressMode;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test of a class, or one test, endpoints of its own. A test method, and {@code
 * BeforeEach} and {@code AfterEach} methods, may have parameters of these types:
 *
 * <ul>
 *   <li>{@link TestFabric}, {@link TestNetwork}, {@link io.tagfabric.fabric.Fabric}, {@link
 *       io.tagfabric.fabric.Domain}, {@link akka.actor.typed.ActorSystem};
 *   <li>{@link io.tagfabric.endpoint.Endpoint}, {@link TagProbe} and {@link
 *       io.tagfabric.collective.Team}: the first such parameter is that of the first endpoint, and
 *       so on, unless {@link At} names another;
 *   <li>a list of one of these: one for each endpoint. Teams have all endpoints as members;
 *   <li>{@link io.tagfabric.simulation.SimulatedFabric}: other endpoints of the same names, each on
 *       a node of its own, on one thread and a virtual clock; {@link #seed} decides what comes
 *       first.
 * </ul>
 *
 * <p>Everything is closed after the test. A test that leaves something behind fails, see {@link
 * #leaks}. Tests may run in parallel. On a method it replaces what the class says.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(FabricExtension.class)
public @interface FabricTest {
  /** Names of the endpoints, in the order in which parameters get them. */
  String[] endpoints() default {"a", "b"};

  /** Lines of configuration, such as {@code "tagfabric.flow.peer-timeout = 1 s"}. */
  String[] settings() default {};

  /** What drives the endpoints' domain. */
  ProgressMode progress() default ProgressMode.AUTO;

  /** What their timers go by. */
  TestTime time() default TestTime.REAL;

  /** Seed of the network's choices, see {@link TestNetwork#drop}, and of a simulation. */
  long seed() default 1;

  /** What becomes of a test that leaves something behind. */
  LeakPolicy leaks() default LeakPolicy.FAIL;
}
