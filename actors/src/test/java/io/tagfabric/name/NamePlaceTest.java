package io.tagfabric.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamePlaceTest {
  private static final String SELF = "akka://job@127.0.0.1:4000";

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:25520/greeter, akka://job@127.0.0.1:25520, greeter",
    "db-1.example.org:1/a, akka://job@db-1.example.org:1, a",
    "[::1]:65535/greeter, akka://job@[::1]:65535, greeter",
    "[fe80::1%eth0]:25520/greeter, akka://job@[fe80::1%eth0]:25520, greeter",
    "shop@127.0.0.1:25520/greeter, akka://shop@127.0.0.1:25520, greeter",
    "shop@[::1]:00520/greeter, akka://shop@[::1]:520, greeter",
    "127.0.0.1:25520/a/b:7/c@d, akka://job@127.0.0.1:25520, a/b:7/c@d",
    "127.0.0.1:25520//, akka://job@127.0.0.1:25520, /",
    "127.0.0.1:25520/127.0.0.1:25521/a, akka://job@127.0.0.1:25520, 127.0.0.1:25521/a",
  })
  void shouldTellHostAndPortFromTheName(String text, String node, String name) {
    assertThat(NamePlace.isPlace(text)).isTrue();
    assertThat(NamePlace.parse(text, SELF)).isEqualTo(new NamePlace(node, name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "greeter",
        "a/b/c",
        "worker:3",
        "127.0.0.1:25520",
        "a/b:7/c",
        "/127.0.0.1:25520/a",
        "urn:orders/1",
        "akka://job@127.0.0.1:25520",
        "cluster-team-workers-akka://tagfabric@127.0.0.1:25520-42",
        "http://127.0.0.1:80/index",
        "host:/greeter",
        "[orders]/1",
        "127.0.0.1/greeter",
      })
  void shouldLeaveOtherTextsPlainNames(String text) {
    assertThat(NamePlace.isPlace(text)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:0/greeter, port=0 must be 1 to 65535",
    "127.0.0.1:65536/greeter, port=65536 must be 1 to 65535",
    "127.0.0.1:123456789123/greeter, must be [system@]host:port/name",
    "127.0.0.1:/greeter, must be [system@]host:port/name",
    "127.0.0.1:port/greeter, must be [system@]host:port/name",
    "127.0.0.1:-1/greeter, must be [system@]host:port/name",
    ":25520/greeter, must be [system@]host:port/name",
    "@127.0.0.1:25520/greeter, must be [system@]host:port/name",
    "a b@127.0.0.1:25520/greeter, must be [system@]host:port/name",
    "a@b@127.0.0.1:25520/greeter, must be [system@]host:port/name",
    "::1:25520/greeter, an IPv6 address in brackets",
    "[::1]/greeter, must be [system@]host:port/name",
    "[::1:25520/greeter, must be [system@]host:port/name",
    "[orders]:25520/greeter, must be [system@]host:port/name",
    "127.0.0.1:25520/, the name behind the / must have 1 to 255 characters",
    "'127.0.0.1:25520/  ', the name behind the / must have 1 to 255 characters",
  })
  void shouldRefuseAMistakeAsInvalid(String text, String why) {
    assertThat(NamePlace.isPlace(text)).isTrue();
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> NamePlace.parse(text, SELF))
        .withMessageContaining("[" + text + "]")
        .withMessageContaining(why)
        .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.INVALID));
  }

  @Test
  void shouldTakeANameOf255CharactersAndNoLongerOne() {
    String longest = "x".repeat(255);

    assertThat(NamePlace.parse("127.0.0.1:1/" + longest, SELF).name()).isEqualTo(longest);
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> NamePlace.parse("127.0.0.1:1/" + longest + "x", SELF))
        .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.INVALID));
  }

  @Test
  void shouldNeedAnAddressOfItsOwnThatAnAnswerCanComeTo() {
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> NamePlace.parse("127.0.0.1:25520/greeter", "akka://job"))
        .withMessageContaining("set akka.actor.provider to remote or cluster")
        .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.ADDRESS_NOT_AVAILABLE));
  }
}
