package io.tagfabric.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.match.core.ScriptedOrigin;
import io.tagfabric.wire.MemoryKey;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.RecordedArrivals;
import io.tagfabric.wire.TaggedArrivals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.agrona.concurrent.UnsafeBuffer;

/** A call that waits as a value is the call that was made. */
class ArrivalTest {
  private static final int ROOM = 64;

  private final ScriptedOrigin origin = new ScriptedOrigin(3);
  private final byte[] memory = new byte[ROOM];
  private final UnsafeBuffer buffer = new UnsafeBuffer(memory);
  private final MessageView view = new MessageView();

  /** Makes the call directly, and as a value after all that was shown to it is gone. */
  private void compare(Class<? extends Arrival> type, Consumer<TaggedArrivals> call) {
    RecordedArrivals direct = new RecordedArrivals();
    RecordedArrivals later = new RecordedArrivals();
    List<Arrival> values = new ArrayList<>();
    for (int i = 0; i < ROOM; i++) {
      memory[i] = (byte) (i * 5 + 1);
    }
    call.accept(direct);
    call.accept(Arrival.copying(values::add));
    Arrays.fill(memory, (byte) 0x33);
    view.show(-1, buffer, 0, 1);
    view.showData(-1);

    assertThat(values).hasSize(1);
    assertThat(values.get(0)).isInstanceOf(type);
    values.get(0).tell(later);
    assertThat(later.calls).hasSize(1).isEqualTo(direct.calls);
    later.calls.clear();
    values.get(0).tell(later);
    assertThat(later.calls).as("told again").isEqualTo(direct.calls);
  }

  private MessageView shown(long tag, Long data, int offset, int length) {
    view.show(tag, buffer, offset, length);
    if (data != null) {
      view.showData(data);
    }
    return view;
  }

  @Property(tries = 200)
  void shouldTellEachCallAsItWasMade(
      @ForAll long tag,
      @ForAll boolean hasData,
      @ForAll long number,
      @ForAll long position,
      @ForAll int code,
      @ForAll boolean flag,
      @ForAll @IntRange(max = 20) int offset,
      @ForAll @IntRange(max = ROOM - 20) int length) {
    Long data = hasData ? ~number : null;
    MemoryKey key = flag ? new MemoryKey(position, tag, number) : null;

    compare(Arrival.Whole.class, to -> to.whole(origin, shown(tag, data, offset, length)));
    compare(
        Arrival.First.class,
        to -> to.first(origin, shown(tag, data, offset, length), number, position));
    compare(Arrival.Next.class, to -> to.next(origin, number, position, buffer, offset, length));
    compare(
        Arrival.Announcement.class,
        to -> to.announced(origin, shown(tag, data, offset, 0), number, position, flag, key));
    compare(Arrival.Abort.class, to -> to.aborted(origin, number, code));
    compare(Arrival.Data.class, to -> to.data(origin, number, position, buffer, offset, length));
    compare(Arrival.Placed.class, to -> to.placed(origin, number, position, code));
  }
}
