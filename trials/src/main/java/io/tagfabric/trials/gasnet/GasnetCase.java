package io.tagfabric.trials.gasnet;

import io.tagfabric.job.Job;
import java.time.Duration;
import java.util.Objects;

/**
 * Something that a job has to do, and how its ranks find out.
 *
 * @param name unique
 * @param like the test of GASNet that checks the same
 * @param leastRanks with fewer it says nothing
 * @param what one line for people
 * @param body what each rank does
 */
record GasnetCase(String name, String like, int leastRanks, String what, Body body) {
  /** What a rank does; it throws if something is wrong. */
  interface Body {
    /**
     * Runs it, the same on all ranks. Afterwards they meet in a barrier.
     *
     * @param limit how long a wait may take
     */
    void run(Job job, Duration limit) throws Exception;
  }

  GasnetCase {
    Objects.requireNonNull(body, "body");
  }
}
