package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLoggerFactory;

/**
 * What a fabric says of its surroundings; with serialized messages: {@code SerializeMessagesTest}.
 */
class SystemCheckTest {
  private final List<String> said = new ArrayList<>();
  private final AtomicBoolean before = new AtomicBoolean();

  @Test
  void shouldSayOnceThatNothingIsLogged() {
    SystemCheck.requireLogs(new NOPLoggerFactory(), before, said::add);
    SystemCheck.requireLogs(new NOPLoggerFactory(), before, said::add);

    assertThat(said).hasSize(1);
    assertThat(said.get(0))
        .startsWith("tagfabric: nothing is logged, because SLF4J 2 finds no backend")
        .contains("ch.qos.logback:logback-classic");
  }

  @Test
  void shouldSayNothingWithABackend() {
    SystemCheck.requireLogs(LoggerFactory.getILoggerFactory(), before, said::add);

    assertThat(said).isEmpty();
  }
}
