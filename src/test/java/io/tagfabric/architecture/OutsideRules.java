package io.tagfabric.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Map;
import java.util.Set;

/**
 * What a node gets from outside comes from its environment, else a job cannot run on a virtual
 * clock and from a seed.
 */
final class OutsideRules {
  private static final String NEW = "<init>";
  private static final String IDENTITIES = "IdentityHashMap";
  private static final Set<String> ORDER = Set.of("values", "keySet", "entrySet", "forEach");
  private static final Set<String> ANY = Set.of();

  /** Types and those of their members that reach past the environment; an empty set is all. */
  private static final Map<String, Set<String>> PAST_THE_ENVIRONMENT =
      Map.ofEntries(
          // time
          Map.entry(
              "java.lang.System",
              Set.of("nanoTime", "currentTimeMillis", "exit", "identityHashCode", "getenv")),
          Map.entry("java.time.Instant", Set.of("now")),
          Map.entry("java.time.LocalDateTime", Set.of("now")),
          Map.entry("java.time.InstantSource", Set.of("system")),
          Map.entry("java.time.Clock", Set.of("systemUTC", "systemDefaultZone", "system")),
          Map.entry("io.tagfabric.progress.TimeSource", Set.of("SYSTEM")),
          // random numbers
          Map.entry("java.util.Random", ANY),
          Map.entry("java.util.SplittableRandom", ANY),
          Map.entry("java.util.UUID", Set.of("randomUUID")),
          Map.entry("java.lang.Math", Set.of("random")),
          Map.entry("io.tagfabric.runtime.RandomSource", Set.of("SYSTEM")),
          // threads, and their sleep
          Map.entry("java.lang.Thread", Set.of(NEW, "sleep")),
          Map.entry("java.util.concurrent.TimeUnit", Set.of("sleep", "timedJoin", "timedWait")),
          Map.entry(
              "java.util.concurrent.locks.LockSupport",
              Set.of("park", "parkNanos", "parkUntil", "unpark")),
          Map.entry("java.util.Timer", ANY),
          Map.entry("java.util.concurrent.Executors", ANY),
          Map.entry("java.util.concurrent.ForkJoinPool", ANY),
          Map.entry("java.util.concurrent.ThreadPoolExecutor", Set.of(NEW)),
          Map.entry(
              "java.util.concurrent.CompletableFuture",
              Set.of(
                  "runAsync", "supplyAsync", "orTimeout", "completeOnTimeout", "delayedExecutor")),
          Map.entry("io.tagfabric.runtime.JvmThreads", Set.of("INSTANCE")),
          // the process
          Map.entry("java.lang.Runtime", Set.of("exit", "halt", "addShutdownHook")),
          Map.entry("io.tagfabric.runtime.ProcessControl", Set.of("JVM")),
          Map.entry("io.tagfabric.runtime.Environment", Set.of("REAL")),
          // other nodes
          Map.entry("akka.cluster.Cluster", ANY),
          Map.entry("akka.cluster.typed.Cluster", ANY),
          Map.entry("akka.actor.ActorSelection", ANY),
          // an order that differs from run to run
          Map.entry("java.util.IdentityHashMap", ANY));

  private OutsideRules() {}

  /**
   * No class reaches past the environment, but for the listed ones, and these in the listed way
   * only; and each of the list does.
   *
   * @param allowed top-level classes, each with the simple names of the types that it may reach,
   *     "IdentityHashMap order" for the order of identities
   */
  static ArchRule takesFromEnvironment(Map<String, Set<String>> allowed) {
    return classes()
        .that(describe("are of a node", type -> true))
        .should(
            new ArchCondition<JavaClass>(
                "take time, chance, threads and news of their environment") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                Set<String> known = allowed.getOrDefault(topLevel(type), Set.of());
                for (JavaAccess<?> access : type.getAccessesFromSelf()) {
                  String reached = reached(access);
                  if (reached != null && !known.contains(reached)) {
                    events.add(SimpleConditionEvent.violated(type, access.getDescription()));
                  }
                }
              }
            })
        .allowEmptyShould(true);
  }

  /** The simple name of what an access reaches past the environment, null if it does not. */
  static String reached(JavaAccess<?> access) {
    String member = access.getTarget().getName();
    if (access.getOriginOwner().equals(access.getTargetOwner())) {
      return null;
    }
    return PAST_THE_ENVIRONMENT.entrySet().stream()
        .filter(entry -> access.getTargetOwner().isAssignableTo(entry.getKey()))
        .filter(entry -> entry.getValue().isEmpty() || entry.getValue().contains(member))
        .filter(entry -> !isSuperclassConstructor(access, member, entry.getKey()))
        .map(entry -> entry.getKey().substring(entry.getKey().lastIndexOf('.') + 1))
        .map(name -> name.equals(IDENTITIES) && ORDER.contains(member) ? name + " order" : name)
        .findFirst()
        .orElse(null);
  }

  /** Making an object of a subclass counts where it is made, not in the subclass as well. */
  private static boolean isSuperclassConstructor(
      JavaAccess<?> access, String member, String reached) {
    return member.equals(NEW)
        && access.getOrigin().getName().equals(NEW)
        && access.getOriginOwner().isAssignableTo(reached);
  }

  static String topLevel(JavaClass type) {
    String name = type.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }
}
