/**
 * Draws figures as SVG, without a library: {@link io.tagfabric.bench.chart.LogChart}. May import
 * {@code report}.
 */
package io.tagfabric.bench.chart;
