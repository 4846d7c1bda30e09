package io.tagfabric.job;

/** What a rank does between its start and its end; see {@link Job#run}. */
@FunctionalInterface
public interface JobProgram {
  /**
   * Runs on the thread that called {@link Job#run}.
   *
   * @return the exit code of the process
   * @throws Exception if it fails; the process then says why and ends with code 1
   */
  int run(Job job) throws Exception;
}
