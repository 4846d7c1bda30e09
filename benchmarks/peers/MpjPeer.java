import io.tagfabric.bench.measure.TaggedEnd;
import io.tagfabric.bench.measure.WorkloadPlayer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import mpi.MPI;
import mpi.Request;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * MPJ Express as a peer of the comparison: two ranks play a workload and rank 0 prints its samples.
 * Compiled where MPJ Express is installed, against its classes and those of the comparison.
 */
public final class MpjPeer implements TaggedEnd {
  private static final int TAG = 7;
  private static final int FIRST_LABEL = 1000;
  private static final int MOST_SENDS = 256;

  private final int other;
  private final Queue<Request> receives = new ArrayDeque<>();
  private final Queue<Request> sends = new ArrayDeque<>();
  private byte[] outgoing = new byte[0];
  private byte[] incoming = new byte[0];
  private int received;

  private MpjPeer(int other) {
    this.other = other;
  }

  /**
   * @param args what MPJ Express needs, then a workload
   */
  public static void main(String[] args) {
    String[] words = MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    List<String> workload = Arrays.asList(words);
    // what the starter hands on may begin with its own three words
    while (!workload.isEmpty() && !workload.get(0).matches("\\d+")) {
      workload = workload.subList(1, workload.size());
    }
    WorkloadPlayer.play(rank, new MpjPeer(1 - rank), "mpj", workload, System.out::println);
    System.out.flush();
    MPI.Finalize();
  }

  @Override
  public void begin(int sentBytes, int receivedBytes) {
    while (!sends.isEmpty()) {
      sends.remove().Wait();
    }
    outgoing = outgoing.length == sentBytes ? outgoing : new byte[sentBytes];
    incoming = incoming.length == receivedBytes ? incoming : new byte[receivedBytes];
    received = 0;
  }

  @Override
  public int received() {
    return received;
  }

  @Override
  public void postReceive() {
    post(TAG);
  }

  @Override
  public void postReceive(int label) {
    post(FIRST_LABEL + label);
  }

  private void post(int tag) {
    receives.add(MPI.COMM_WORLD.Irecv(incoming, 0, incoming.length, MPI.BYTE, other, tag));
  }

  @Override
  public void send() {
    sendTagged(TAG);
  }

  @Override
  public void send(int label) {
    sendTagged(FIRST_LABEL + label);
  }

  private void sendTagged(int tag) {
    sends.add(MPI.COMM_WORLD.Isend(outgoing, 0, outgoing.length, MPI.BYTE, other, tag));
    // those with a label may wait for receives that are posted after the last of them
    if (sends.size() > MOST_SENDS && tag == TAG) {
      sends.remove().Wait();
    }
  }

  @Override
  public void poll() {
    // MPJ Express has threads of its own
  }

  @Override
  public void await(int messages) {
    while (received < messages) {
      receives.remove().Wait();
      received++;
    }
  }

  @Override
  public MutableDirectBuffer outgoing() {
    return new UnsafeBuffer(outgoing);
  }

  @Override
  public DirectBuffer incoming() {
    return new UnsafeBuffer(incoming);
  }
}
