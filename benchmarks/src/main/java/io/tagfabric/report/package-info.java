/**
 * What a measurement says and how it is shown: sizes as people type them, a table in the manner of
 * libfabric's fabtests, or JSON, one object a line. Values and text only; a program that measures
 * keeps its own clocks and histograms.
 *
 * <p>Entry: {@link io.tagfabric.report.Report}. Imports nothing of Tagfabric. Source: fabtests
 * common/shared.c, show_perf.
 */
package io.tagfabric.report;
