/** Programs that the tests load once for each rank; a test calls their methods by name. */
package io.tagfabric.simulation.isolate.program;
