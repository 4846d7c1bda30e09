package io.tagfabric.collective.algorithm;

/**
 * The figures that an algorithm's documentation promises.
 *
 * @param steps until the last rank is done
 * @param mostByOneRank elements a rank sends at most
 * @param total elements all ranks send together, -1 if the note does not say
 */
record Note(int steps, long mostByOneRank, long total) {
  static Note of(Calls calls) {
    if (calls.algorithm() instanceof TwoLevel alone) {
      return of(
          new Calls(alone.between(), calls.size(), calls.root(), calls.count(), calls.shapes()));
    }
    int p = calls.size();
    long n = calls.count();
    int lg = PowersOfTwo.ceilingLog(p);
    int power = PowersOfTwo.floor(p);
    int lgPower = PowersOfTwo.ceilingLog(power);
    int fold = power == p ? 0 : 1;
    long others = p - 1L;
    long block = (n + p - 1) / p;
    return switch (calls.algorithm().collective().key() + " " + calls.algorithm().key()) {
      case "barrier dissemination" -> new Note(lg, 0, 0);
      case "barrier binomial" -> new Note(2 * lgPower, 0, 0);
      case "broadcast binomial" -> new Note(lg, lg * n, others * n);
      case "broadcast scatter-allgather" -> new Note(p == 1 ? 0 : lg + p - 1, 2 * n + block, -1);
      case "broadcast chain" -> new Note(p - 1, n, others * n);
      case "broadcast circulant" -> {
        int blocks = CirculantBroadcast.blocks(p, calls.count());
        long longest = (n + blocks - 1) / blocks;
        yield new Note(p == 1 ? 0 : blocks - 1 + lg, (blocks - 1 + lg) * longest, others * n);
      }
      case "reduce circulant" -> {
        int blocks = CirculantBroadcast.blocks(p, calls.count());
        yield new Note(p == 1 ? 0 : blocks - 1 + lg, n, others * n);
      }
      case "allgather circulant" -> new Note(lg, others * n, p * others * n);
      case "broadcast linear", "scatter linear" ->
          new Note(Math.min(1, p - 1), others * n, others * n);
      case "reduce binomial" -> new Note(lg, n, others * n);
      case "reduce binomial-in-order" -> {
        int forward = calls.root() == 0 ? 0 : 1;
        yield new Note(lg + forward, n, (others + forward) * n);
      }
      case "reduce rabenseifner" -> {
        boolean away = FoldedRanks.of(p).isAway(calls.root());
        yield new Note(2 * lgPower + fold + (away ? 1 : 0), 2 * n, -1);
      }
      case "reduce linear", "gather linear" -> new Note(Math.min(1, p - 1), n, others * n);
      case "allreduce recursive-doubling" ->
          new Note(
              lgPower + 2 * fold,
              (lgPower + fold) * n,
              (power * (long) lgPower + 2L * (p - power)) * n);
      case "allreduce rabenseifner" -> new Note(2 * lgPower + 2 * fold, (2 + fold) * n, -1);
      case "allreduce ring" -> new Note(2 * (p - 1), 2 * others * block, 2 * others * n);
      case "allreduce binomial" -> new Note(lg + lgPower, lg * n, 2 * others * n);
      case "gather binomial", "scatter binomial" -> new Note(lg, others * n, -1);
      case "allgather bruck" -> new Note(lg, others * n, p * others * n);
      case "allgather ring" -> new Note(p - 1, others * n, p * others * n);
      case "allgather linear", "alltoall linear" ->
          new Note(Math.min(1, p - 1), others * n, p * others * n);
      case "alltoall pairwise" -> new Note(p - 1, others * n, p * others * n);
      case "alltoall bruck" -> new Note(lg, p / 2 * (long) lg * n, -1);
      case "reduce-scatter recursive-halving" -> new Note(lgPower + 2 * fold, (p + 1) * n, -1);
      case "reduce-scatter ring", "reduce-scatter pairwise" ->
          new Note(p - 1, others * n, p * others * n);
      case "scan recursive-doubling", "exscan recursive-doubling" -> new Note(lg, lg * n, -1);
      case "scan linear", "exscan linear" -> new Note(p - 1, n, others * n);
      case "neighbour-exchange linear" -> new Note(Math.min(1, p - 1), 5 * n, -1);
      default -> throw new AssertionError("no note of " + calls);
    };
  }
}
