package io.tagfabric.fabric;

import akka.actor.typed.ActorSystem;
import com.typesafe.config.Config;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.runtime.ProcessControl;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLoggerFactory;

/** Looks at what surrounds a fabric before it starts, and says what would fail without a word. */
final class SystemCheck {
  private static final String SERIALIZE = "akka.actor.serialize-messages";
  private static final String EXEMPT =
      "akka.actor.no-serialization-verification-needed-class-prefix";
  private static final String OURS = "io.tagfabric.";
  private static final AtomicBoolean SAID = new AtomicBoolean();

  private SystemCheck() {}

  /**
   * Looks at a system.
   *
   * @param process whose error stream is told, once a JVM, if nothing is logged
   * @throws FabricException INVALID if Akka would verify what Tagfabric's actors tell one another
   */
  static void of(ActorSystem<?> system, ProcessControl process) {
    requireExempt(system.settings().config());
    requireLogs(LoggerFactory.getILoggerFactory(), SAID, process::say);
  }

  private static void requireExempt(Config config) {
    List<String> exempt = config.getStringList(EXEMPT);
    if (config.getBoolean(SERIALIZE) && exempt.stream().noneMatch(OURS::startsWith)) {
      throw new FabricException(
          FabricError.INVALID,
          SERIALIZE
              + "=on, and "
              + EXEMPT
              + "="
              + exempt
              + " lacks \""
              + OURS
              + "\": Akka's jar stands before Tagfabric's on the class path; write "
              + EXEMPT
              + " += \""
              + OURS
              + "\" in application.conf");
    }
  }

  static void requireLogs(ILoggerFactory factory, AtomicBoolean said, Consumer<String> people) {
    if (factory instanceof NOPLoggerFactory && said.compareAndSet(false, true)) {
      people.accept(
          "tagfabric: nothing is logged, because SLF4J 2 finds no backend; put one for SLF4J 2 on"
              + " the class path, such as ch.qos.logback:logback-classic:1.5.38 (Logback 1.2 is for"
              + " SLF4J 1.7)");
    }
  }
}
