package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks over connections that break again and again. */
@Tag("jvms")
class TcpRunTest {
  @TempDir Path directory;

  @Test
  void shouldLoseDoubleAndChangeNothingWhenConnectionsAreCut() {
    List<String> soak =
        List.of("soak", "--provider", "tcp", "--cuts", "30", "--messages", "60000", "--json");
    try (Command command = Command.tagfabric(directory, soak.toArray(String[]::new))) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.err()).isZero();
      Config row = ConfigFactory.parseString(result.out());
      assertThat(row.getInt("received")).isEqualTo(60_000);
      for (String fault : List.of("lost", "duplicated", "out_of_order", "corrupted")) {
        assertThat(row.getInt(fault)).as(fault).isZero();
      }
      assertThat(row.getInt("cuts")).isBetween(10, 60);
    }
  }
}
