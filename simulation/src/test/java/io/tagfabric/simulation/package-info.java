/** Simulated fabrics, and what they run on. */
package io.tagfabric.simulation;
