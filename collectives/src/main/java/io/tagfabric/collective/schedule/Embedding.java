package io.tagfabric.collective.schedule;

/** Rounds of a smaller team's schedule as rounds of the whole team. */
final class Embedding {
  private final int[] ranks;
  private final Slice input;
  private final Slice output;
  private final Slice scratch;

  /**
   * Prepares it.
   *
   * @param ranks the smaller team's ranks, as ranks of the whole one
   * @param input where its input begins
   * @param output where its output begins
   * @param scratch where its scratch memory begins
   */
  Embedding(int[] ranks, Slice input, Slice output, Slice scratch) {
    this.ranks = ranks;
    this.input = input;
    this.output = output;
    this.scratch = scratch;
  }

  Round of(Round round) {
    return new Round(
        round.sends().stream()
            .map(send -> new Step.Send(ranks[send.to()], of(send.from())))
            .toList(),
        round.receives().stream()
            .map(receive -> new Step.Receive(ranks[receive.from()], of(receive.into())))
            .toList(),
        round.locals().stream().map(this::of).toList());
  }

  private Step.Local of(Step.Local local) {
    if (local instanceof Step.Copy copy) {
      return new Step.Copy(of(copy.from()), of(copy.into()));
    }
    Step.Reduce reduce = (Step.Reduce) local;
    return new Step.Reduce(of(reduce.left()), of(reduce.right()), of(reduce.into()));
  }

  private Slice of(Slice slice) {
    Slice base =
        switch (slice.memory()) {
          case INPUT -> input;
          case OUTPUT -> output;
          case SCRATCH -> scratch;
        };
    return new Slice(base.memory(), base.offset() + slice.offset(), slice.length());
  }
}
