import java.util.Arrays;
import java.util.Locale;
import mpi.Datatype;
import mpi.MPI;

/**
 * MPJ Express as a peer of the collectives' benchmark: all ranks call a collective again and again
 * with a barrier that is not timed before each call, and rank 0 prints its times. Compiled where MPJ
 * Express is installed.
 */
public final class MpjCollective {
  private static final int PROBES = 20;

  private final String operation;
  private final Datatype kind;
  private final int count;
  private final int[] counts;
  private final Object one;
  private final Object other;
  private final Object ofAll;
  private final Object toAll;

  private MpjCollective(String operation, int bytes) {
    this.operation = operation;
    boolean doubles = bytes % Double.BYTES == 0;
    int ranks = MPI.COMM_WORLD.Size();
    kind = doubles ? MPI.DOUBLE : MPI.BYTE;
    count = doubles ? bytes / Double.BYTES : bytes;
    counts = new int[ranks];
    Arrays.fill(counts, count);
    one = doubles ? new double[count] : new byte[count];
    other = doubles ? new double[count] : new byte[count];
    ofAll = doubles ? new double[count * ranks] : new byte[count * ranks];
    toAll = doubles ? new double[count * ranks] : new byte[count * ranks];
  }

  /**
   * @param args what MPJ Express needs, then operation, warm-up and budget in milliseconds, most
   *     calls, and bytes
   */
  public static void main(String[] args) {
    String[] words = MPI.Init(args);
    long warmUpNs = Long.parseLong(words[1]) * 1_000_000L;
    long budgetNs = Long.parseLong(words[2]) * 1_000_000L;
    int most = Integer.parseInt(words[3]);
    for (int i = 4; i < words.length; i++) {
      int bytes = Integer.parseInt(words[i]);
      measure(new MpjCollective(words[0], bytes), bytes, warmUpNs, budgetNs, most);
    }
    MPI.Finalize();
  }

  private static void measure(
      MpjCollective subject, int bytes, long warmUpNs, long budgetNs, int most) {
    int times = PROBES;
    long beginNs = System.nanoTime();
    subject.calls(times);
    times = fitting(warmUpNs, times, System.nanoTime() - beginNs, most);
    beginNs = System.nanoTime();
    subject.calls(times);
    times = fitting(budgetNs, times, System.nanoTime() - beginNs, most);
    long[] spans = subject.calls(times);
    if (MPI.COMM_WORLD.Rank() == 0) {
      Arrays.sort(spans);
      System.out.printf(
          Locale.ROOT,
          "times %d %.6g %.6g %.6g%n",
          bytes,
          spans[times / 2] / 1e3,
          spans[(int) (times * 0.99)] / 1e3,
          Arrays.stream(spans).average().orElse(0) / 1e3);
      System.out.flush();
    }
  }

  private static int fitting(long budgetNs, int times, long elapsedNs, int most) {
    double wanted = (double) budgetNs * times / Math.max(1, elapsedNs);
    int[] number = {(int) Math.max(PROBES, Math.min(most, wanted))};
    MPI.COMM_WORLD.Bcast(number, 0, 1, MPI.INT, 0);
    return number[0];
  }

  private long[] calls(int times) {
    long[] spans = new long[times];
    for (int i = 0; i < times; i++) {
      MPI.COMM_WORLD.Barrier();
      long beginNs = System.nanoTime();
      call();
      spans[i] = System.nanoTime() - beginNs;
    }
    MPI.COMM_WORLD.Barrier();
    return spans;
  }

  private void call() {
    switch (operation) {
      case "barrier" -> MPI.COMM_WORLD.Barrier();
      case "broadcast" -> MPI.COMM_WORLD.Bcast(one, 0, count, kind, 0);
      case "reduce" -> MPI.COMM_WORLD.Reduce(one, 0, other, 0, count, kind, MPI.SUM, 0);
      case "allreduce" -> MPI.COMM_WORLD.Allreduce(one, 0, other, 0, count, kind, MPI.SUM);
      case "gather" -> MPI.COMM_WORLD.Gather(one, 0, count, kind, ofAll, 0, count, kind, 0);
      case "scatter" -> MPI.COMM_WORLD.Scatter(ofAll, 0, count, kind, one, 0, count, kind, 0);
      case "allgather" -> MPI.COMM_WORLD.Allgather(one, 0, count, kind, ofAll, 0, count, kind);
      case "alltoall" -> MPI.COMM_WORLD.Alltoall(ofAll, 0, count, kind, toAll, 0, count, kind);
      case "reduce-scatter" ->
          MPI.COMM_WORLD.Reduce_scatter(ofAll, 0, one, 0, counts, kind, MPI.SUM);
      case "scan" -> MPI.COMM_WORLD.Scan(one, 0, other, 0, count, kind, MPI.SUM);
      default -> throw new IllegalArgumentException(operation + " is no operation here");
    }
  }
}
