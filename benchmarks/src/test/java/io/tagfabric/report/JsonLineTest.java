package io.tagfabric.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonLineTest {
  @Test
  void shouldWriteListsOfValues() {
    JsonLine line =
        new JsonLine().put("none", List.of()).put("some", List.of("a\"b", 7, true)).put("next", 1);

    assertThat(line).hasToString("{\"none\": [], \"some\": [\"a\\\"b\", 7, true], \"next\": 1}");
    Config read = ConfigFactory.parseString(line.toString());
    assertThat(read.getStringList("some")).containsExactly("a\"b", "7", "true");
  }
}
