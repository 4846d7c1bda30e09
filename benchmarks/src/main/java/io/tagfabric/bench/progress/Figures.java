package io.tagfabric.bench.progress;

/**
 * What was measured of a domain.
 *
 * @param p50Us median half round trip in microseconds
 * @param p99Us 99th percentile of it
 * @param passesPerSecond passes of the loop while messages come and go, whoever drives
 * @param wakeUpsPerSecond returns of the progress thread from a park meanwhile
 * @param callerPercent processor time of the application thread meanwhile, of one core
 * @param threadPercent processor time of the progress thread meanwhile, of one core
 * @param idleWakeUpsPerSecond returns from a park while nothing happens
 * @param idlePercent processor time of the progress thread while nothing happens, of one core
 * @param deliveredMs from the send of a long message to its receipt while the receiver computes, in
 *     milliseconds
 * @param computingMs how long the receiver computed
 * @param computingPercent processor time of the progress thread meanwhile, of one core
 */
record Figures(
    double p50Us,
    double p99Us,
    double passesPerSecond,
    double wakeUpsPerSecond,
    double callerPercent,
    double threadPercent,
    double idleWakeUpsPerSecond,
    double idlePercent,
    double deliveredMs,
    double computingMs,
    double computingPercent) {}
