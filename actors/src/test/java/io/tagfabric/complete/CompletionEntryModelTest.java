package io.tagfabric.complete;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.error.FabricError;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/** One entry, used again and again, against the values it was filled from. */
class CompletionEntryModelTest {
  private static final Arbitrary<Boolean> YES_OR_NO = Arbitraries.of(true, false);
  private static final Arbitrary<Integer> PEERS = Arbitraries.integers().between(-1, 5);
  private static final Arbitrary<Long> LONGS = Arbitraries.longs();
  private static final Arbitrary<Object> CONTEXTS =
      Arbitraries.of("first", "second").injectNull(0.3).map(Object.class::cast);

  @Provide
  Arbitrary<Completion> completions() {
    Arbitrary<Completion> sent =
        Combinators.combine(CONTEXTS, PEERS, YES_OR_NO, LONGS, LONGS)
            .as(
                (context, peer, tagged, tag, length) ->
                    new Completion.Sent(context, peer, tagged, tagged ? tag : 0, length));
    Arbitrary<Completion> received =
        Combinators.combine(CONTEXTS, PEERS, YES_OR_NO, LONGS, LONGS, LONGS, YES_OR_NO, LONGS)
            .as(
                (context, source, tagged, tag, offset, length, hasData, data) ->
                    new Completion.Received(
                        context,
                        source,
                        tagged,
                        tagged ? tag : 0,
                        offset,
                        length,
                        hasData,
                        hasData ? data : 0));
    Arbitrary<Completion> released =
        Combinators.combine(CONTEXTS, LONGS).as(Completion.Released::new);
    Arbitrary<Completion> accessed =
        Combinators.combine(
                CONTEXTS,
                PEERS,
                Arbitraries.of(Direction.READ, Direction.WRITE, Direction.ATOMIC),
                LONGS)
            .as(Completion.Accessed::new);
    Arbitrary<Completion> accessedByPeer =
        Combinators.combine(
                CONTEXTS,
                PEERS,
                Arbitraries.of(
                    Direction.REMOTE_READ, Direction.REMOTE_WRITE, Direction.REMOTE_ATOMIC),
                LONGS,
                LONGS,
                YES_OR_NO,
                LONGS)
            .as(
                (context, peer, direction, offset, length, hasData, data) ->
                    new Completion.AccessedByPeer(
                        context, peer, direction, offset, length, hasData, hasData ? data : 0));
    Arbitrary<Completion> failed =
        Combinators.combine(
                received, Arbitraries.of(FabricError.class), LONGS, Arbitraries.of(Direction.class))
            .as(CompletionEntryModelTest::failed);
    return Arbitraries.oneOf(List.of(sent, received, released, accessed, accessedByPeer, failed));
  }

  /** A failure has what a message that came has, and more. */
  private static Completion failed(
      Completion like, FabricError error, long overflowLength, Direction direction) {
    Completion.Received message = (Completion.Received) like;
    boolean tagged = message.tagged() && direction.isMessage();
    return new Completion.Failed(
        message.context(),
        error,
        message.source(),
        tagged,
        tagged ? message.tag() : 0,
        message.offset(),
        message.length(),
        overflowLength,
        message.hasData(),
        message.data(),
        direction,
        direction == Direction.SEND && overflowLength % 2 == 0,
        "at " + overflowLength);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void shouldTellWhatItWasLastFilledWith(
      @ForAll @Size(min = 1, max = 8) List<@From("completions") Completion> completions,
      @ForAll boolean clearsBetween) {
    CompletionEntry entry = new CompletionEntry();
    CompletionEntry copy = new CompletionEntry();
    for (Completion completion : completions) {
      if (clearsBetween) {
        entry.clear();
        assertThat(entry)
            .usingRecursiveComparison()
            .withStrictTypeChecking()
            .isEqualTo(new CompletionEntry());
      }
      fill(entry, completion);
      copy.copyFrom(entry);

      assertThat(entry.toCompletion()).isEqualTo(completion);
      assertThat(entry.direction()).isEqualTo(completion.direction());
      assertThat(entry).hasToString(completion.toString());
      assertThat(entry)
          .usingRecursiveComparison()
          .withStrictTypeChecking()
          .isEqualTo(fill(new CompletionEntry(), completion));
      assertThat(copy).usingRecursiveComparison().withStrictTypeChecking().isEqualTo(entry);
    }
  }

  private static CompletionEntry fill(CompletionEntry entry, Completion completion) {
    if (completion instanceof Completion.Sent sent) {
      entry.setSent(sent.context(), sent.peer(), sent.tag(), sent.length());
      add(entry, sent.tagged(), 0, false, 0);
    } else if (completion instanceof Completion.Received received) {
      entry.setReceived(received.context(), received.source(), received.tag(), received.length());
      add(entry, received.tagged(), received.offset(), received.hasData(), received.data());
    } else if (completion instanceof Completion.Released released) {
      entry.setReleased(released.context(), released.length());
    } else if (completion instanceof Completion.Accessed access) {
      entry.setAccessed(access.context(), access.peer(), access.direction(), access.length());
    } else if (completion instanceof Completion.AccessedByPeer access) {
      entry.setAccessedByPeer(
          access.context(), access.peer(), access.direction(), access.offset(), access.length());
      add(entry, true, access.offset(), access.hasData(), access.data());
    } else if (completion instanceof Completion.Failed failed) {
      entry.setFailed(
          failed.context(),
          failed.error(),
          failed.peer(),
          failed.tag(),
          failed.length(),
          failed.overflowLength(),
          failed.direction(),
          failed.detail());
      add(entry, failed.tagged(), failed.offset(), failed.hasData(), failed.data());
      if (failed.mayHaveArrived()) {
        entry.setMayHaveArrived();
      }
    }
    return entry;
  }

  private static void add(
      CompletionEntry entry, boolean tagged, long offset, boolean hasData, long data) {
    if (!tagged) {
      entry.setUntagged();
    }
    if (offset != 0) {
      entry.setOffset(offset);
    }
    if (hasData) {
      entry.setData(data);
    }
  }
}
