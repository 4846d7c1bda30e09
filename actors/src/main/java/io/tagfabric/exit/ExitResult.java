package io.tagfabric.exit;

import io.tagfabric.annotation.InternalApi;
import java.util.List;

/**
 * How a job ended, seen by one rank.
 *
 * @param code of the job
 * @param origin rank that asked for it
 * @param graceful whether all ranks that are not lost agreed in time
 * @param unanswered ranks that a leader has not heard of, in order
 * @param rejected codes that this rank asked for too late, in order
 * @param hooksOverran whether the exit hooks were not over in time
 * @param counters messages this rank has sent
 */
@InternalApi
public record ExitResult(
    int code,
    int origin,
    boolean graceful,
    List<Integer> unanswered,
    List<Integer> rejected,
    boolean hooksOverran,
    ExitCounters counters) {}
