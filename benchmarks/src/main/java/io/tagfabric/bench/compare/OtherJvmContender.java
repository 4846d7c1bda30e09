package io.tagfabric.bench.compare;

import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Sample;
import io.tagfabric.bench.measure.Workload;
import java.util.List;
import java.util.Optional;

/**
 * One of ours with a Java that a person names. The launcher runs in that Java too, as ranks get the
 * launcher's.
 *
 * @param job what runs
 * @param jvm what runs it
 */
record OtherJvmContender(JobContender job, Jvm jvm) implements Contender {
  private static final int MORE_START_MS = 1_000;

  private static final PeerPrograms.Lazy PROGRAMS = new PeerPrograms.Lazy();

  @Override
  public String name() {
    return job.name() + "@" + jvm.feature();
  }

  @Override
  public String description() {
    return job.description() + ", with Java " + jvm.version();
  }

  @Override
  public Optional<String> missingBecause() {
    return job.missingBecause();
  }

  @Override
  public boolean measures(Cell cell) {
    return job.measures(cell);
  }

  @Override
  public int startMs() {
    return job.startMs() + MORE_START_MS;
  }

  @Override
  public List<Sample> run(Workload workload) throws ContenderException {
    JobMain.Call call = JobMain.Call.of(job, workload, ContenderOutput.patience(this, workload));
    byte[] out =
        PROGRAMS
            .get()
            .run(
                jvm.command(JobMain.class, call.toWords()),
                jvm.environment(),
                call.patience().plus(JobMain.END_TIME));
    return ContenderOutput.samples(out);
  }
}
