package io.tagfabric.bench.guard;

import java.util.Map;

/**
 * A row of the guard: one figure of a benchmark.
 *
 * @param name as people choose it
 * @param choice what measures it, in the list that the benchmark's option takes
 * @param where fields by which it is found among the objects that the benchmark prints
 */
record GuardRow(String name, String choice, Map<String, String> where) {}
