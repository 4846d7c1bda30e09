package io.tagfabric.exit;

/**
 * What a rank's exit hooks get.
 *
 * @param code by which the job ends as far as it is known; a higher one may still come
 * @param rank the one that began it
 * @param kind how it was begun there, or {@link ExitKind#NOW} if it was another rank
 */
public record ExitNotice(int code, int rank, ExitKind kind) {}
