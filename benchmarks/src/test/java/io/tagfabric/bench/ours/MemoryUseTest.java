package io.tagfabric.bench.ours;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryUseTest {
  @Test
  void shouldAddWhatIsResidentInMappingsOfThePathOnly() {
    List<String> lines =
        List.of(
            "7f00-7f10 rw-s 00000000 00:1a 7  /dev/shm/tagfabric/ring",
            "Size:               4096 kB",
            "Rss:                  12 kB",
            "VmFlags: rd wr sh mr mw me ms sd",
            "7f20-7f30 rw-p 00000000 00:00 0",
            "Rss:                 100 kB",
            "7f40-7f50 rw-s 00000000 00:1a 8  /dev/shm/other",
            "Rss:                   4 kB");

    assertThat(MemoryUse.residentIn(lines, "/dev/shm/")).isEqualTo(16 * 1024);
    assertThat(MemoryUse.residentIn(lines, "/dev/shm/tagfabric/")).isEqualTo(12 * 1024);
  }

  @Test
  void shouldSayWhatHasComeSince() {
    MemoryUse before = new MemoryUse(10, 20, 30);

    assertThat(new MemoryUse(15, 21, 30).since(before)).isEqualTo(new MemoryUse(5, 1, 0));
  }
}
