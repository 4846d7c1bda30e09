/** Tests of the package of the same name. */
package io.tagfabric.simulation.network;
