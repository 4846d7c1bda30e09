package io.tagfabric.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.tagfabric.wire.sbe.ActiveReplyDecoder;
import io.tagfabric.wire.sbe.EagerDecoder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameServicesTest {
  private static final int FIRST_FREE_KIND = ActiveReplyDecoder.TEMPLATE_ID + 1;
  private static final int FREE_KIND = 200;

  private final FrameServices services = new FrameServices();
  private final FrameService service = (origin, frame) -> {};

  @Test
  void shouldHandAKindToItsService() {
    FrameService other = (origin, frame) -> frame.malformed();
    assertThat(services.add(FREE_KIND, service)).isSameAs(services);
    services.add(1 + FREE_KIND, other).add(FrameServices.KINDS - 1, other);

    assertThat(services.of(FREE_KIND)).isSameAs(service);
    assertThat(services.of(1 + FREE_KIND)).isSameAs(other);
    assertThat(services.of(FrameServices.KINDS - 1)).isSameAs(other);
    assertThat(services.of(2 + FREE_KIND)).isNull();
  }

  @Test
  void shouldRefuseAKindThatIsTaken() {
    TaggedReader.register(services, new RecordedArrivals());
    FrameService first = services.of(EagerDecoder.TEMPLATE_ID);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> services.add(EagerDecoder.TEMPLATE_ID, service))
        .withMessageContainingAll(
            "kind=2 is taken by io.tagfabric.wire.TaggedReader",
            "give the frame another template id");
    assertThat(services.of(EagerDecoder.TEMPLATE_ID)).isSameAs(first);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 6, 7, 8, 9})
  void shouldRefuseAKindThatSetsFlowsUpOrEndsThem(int kind) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> services.add(kind, service))
        .withMessage("kind=" + kind + " is one that flows take themselves");
    assertThat(services.of(kind)).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, FrameServices.KINDS, Integer.MAX_VALUE})
  void shouldRefuseAKindThatNoHeaderCanName(int kind) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> services.add(kind, service))
        .withMessage("kind=" + kind + " is outside 1..255");
  }

  @Test
  void shouldRefuseNoService() {
    assertThatNullPointerException()
        .isThrownBy(() -> services.add(FREE_KIND, null))
        .withMessage("service");
  }

  @Test
  void shouldTakeEveryKindThatTheSchemaDoesNotUse() {
    IntStream.range(FIRST_FREE_KIND, FrameServices.KINDS)
        .forEach(kind -> services.add(kind, service));

    assertThat(IntStream.range(0, FrameServices.KINDS).filter(kind -> services.of(kind) != null))
        .hasSize(FrameServices.KINDS - FIRST_FREE_KIND);
  }

  @Test
  void shouldSayThatItIsClosedForGood() {
    services.add(FREE_KIND, service);
    assertThat(services.isClosed()).isFalse();

    services.close();
    services.close();

    assertThat(services.isClosed()).isTrue();
  }
}
