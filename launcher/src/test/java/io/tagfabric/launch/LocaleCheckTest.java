package io.tagfabric.launch;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.cluster.host.LaunchException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LocaleCheckTest {
  private static final byte[] UNKNOWN = {};
  private static final byte[] BROKEN = {'j', 'a', 'v', 'a', 0, (byte) 0xff, 0};

  @Test
  void shouldHaveNothingAgainstTextOfTheLocale() {
    assertThat(LocaleCheck.complaint(List.of("é", "日本 😀"), "/home/é", UTF_8, UNKNOWN)).isEmpty();
    assertThat(LocaleCheck.complaint(List.of("a"), "/", US_ASCII, UNKNOWN)).isEmpty();
  }

  @Test
  void shouldRefuseBytesThatAreNoText() {
    assertThat(LocaleCheck.complaint(List.of("run", "a\uFFFD"), "/", UTF_8, BROKEN))
        .hasValue(
            "argument 2, 'a\uFFFD', is not in the characters of the locale, UTF-8,"
                + " set LC_ALL=C.UTF-8 and give it in UTF-8");
    assertThat(LocaleCheck.complaint(List.of("\uFFFD"), "/", UTF_8, UNKNOWN)).isPresent();
  }

  @Test
  void shouldRefuseLettersThatTheLocaleDoesNotHave() {
    byte[] commandLine = "java\0é\0".getBytes(UTF_8);

    assertThat(LocaleCheck.complaint(List.of("\uFFFD\uFFFD"), "/", US_ASCII, commandLine))
        .hasValueSatisfying(sentence -> assertThat(sentence).contains("US-ASCII"));
  }

  @Test
  void shouldTakeAReplacementCharacterThatIsMeant() {
    byte[] commandLine = "java\0\uFFFD\0".getBytes(UTF_8);

    assertThat(LocaleCheck.complaint(List.of("\uFFFD"), "/", UTF_8, commandLine)).isEmpty();
  }

  @Test
  void shouldRefuseAWorkingDirectoryThatCannotBeRead() {
    assertThat(LocaleCheck.complaint(List.of(), "/d\uFFFD\uFFFD", US_ASCII, UNKNOWN))
        .hasValue(
            "the name of the working directory, /d\uFFFD\uFFFD, is not in the characters of the"
                + " locale, US-ASCII, set LC_ALL=C.UTF-8 if it is UTF-8, else rename it");
  }

  @Test
  void shouldStartNoRankThatWouldGetAnotherText() {
    assertThatCode(() -> LocaleCheck.requireCarried(rank("é", "日本"), UTF_8))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> LocaleCheck.requireCarried(rank("é", "a"), US_ASCII))
        .isInstanceOf(LaunchException.class)
        .hasMessage(
            "cannot start rank 3: argument 'é' is not in the characters of the locale, US-ASCII,"
                + " set LC_ALL=C.UTF-8 where it is started");
    assertThatThrownBy(() -> LocaleCheck.requireCarried(rank("a", "é"), US_ASCII))
        .hasMessageContaining("variable NAME 'é'");
    assertThatThrownBy(() -> LocaleCheck.requireCarried(rank("\uD800", "a"), UTF_8))
        .isInstanceOf(LaunchException.class);
  }

  private static RankCommand rank(String argument, String value) {
    return new RankCommand(
        3, 0, List.of("java", "Main", argument), Map.of("NAME", value), Optional.empty());
  }
}
