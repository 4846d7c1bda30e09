/**
 * Draws figures as SVG, without a library: {@link io.tagfabric.bench.chart.LogChart}. Imports
 * nothing of Tagfabric but how sizes are written.
 */
package io.tagfabric.bench.chart;
