package io.tagfabric.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.address.Protocols;
import io.tagfabric.runtime.NodeId;
import java.io.NotSerializableException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class AnnouncementTest {
  private static final Announcement ONE =
      new Announcement(
          new NodeId("akka://shop@10.0.0.1:25520", -7),
          new Protocols(7, 8),
          List.of("shm", "artery"),
          List.of("ab", "cd"),
          "1 7b 5 name node",
          true,
          false);

  /** Builds before and after read this: it must not change. */
  @Test
  void shouldBeWrittenAsItHasAlwaysBeen() {
    assertThat(ONE.encode())
        .isEqualTo(
            """
            node=akka://shop@10.0.0.1:25520
            incarnation=-7
            protocols=7..8
            providers=shm,artery
            keys=ab,cd
            actors=1 7b 5 name node
            asks=true""");
  }

  @Test
  void shouldSayInALineMoreThatTheEndpointHasEnded() {
    assertThat(ONE.with("", true, false).encode()).endsWith("\nactors=\nasks=false\nended=true");
  }

  @Property
  void shouldBeReadAsWritten(
      @ForAll long incarnation,
      @ForAll @IntRange(min = 1, max = 9) int least,
      @ForAll @IntRange(max = 9) int more,
      @ForAll List<@AlphaChars @StringLength(min = 1, max = 9) String> providers,
      @ForAll List<@AlphaChars @StringLength(min = 1, max = 9) String> keys,
      @ForAll boolean asks,
      @ForAll boolean hasEnded) {
    Announcement written =
        new Announcement(
            new NodeId("akka://a@h:1", incarnation),
            new Protocols(least, least + more),
            providers,
            keys,
            "",
            asks,
            hasEnded);

    assertThat(Announcement.decode(written.encode())).isEqualTo(written);
  }

  @Test
  void shouldSkipWhatALaterBuildSays() {
    assertThat(Announcement.decode("weather=fine\n" + ONE.encode() + "\nmore=a=b\nnothing"))
        .isEqualTo(ONE);
  }

  @Test
  void shouldNameTheLineThatIsMissing() {
    assertThatThrownBy(
            () ->
                new AnnouncementSerializer(null)
                    .fromBinary("node=a".getBytes(StandardCharsets.UTF_8), "A"))
        .isInstanceOf(NotSerializableException.class)
        .hasMessageContaining("[incarnation=]");
  }

  @Test
  void shouldFitWithACommonKeyAndProtocolAlone() {
    assertThat(ONE.fits(of("cd", new Protocols(6, 7)))).isTrue();
    assertThat(ONE.fits(of("ef", new Protocols(6, 7)))).isFalse();
    assertThat(ONE.fits(of("cd", new Protocols(9, 9)))).isFalse();
  }

  private static Announcement of(String key, Protocols protocols) {
    return new Announcement(
        new NodeId("akka://b@h:2", 1), protocols, List.of("shm"), List.of(key), "", false, false);
  }
}
