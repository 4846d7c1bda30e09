/**
 * Messages between the parts of a job as bytes, laid out as {@code control.xml} says.
 *
 * <p>Entry: {@link io.tagfabric.cluster.control.ControlCodec}. Imports the JDK only. Source: FIX
 * Simple Binary Encoding 1.0.
 */
@InternalApi
package io.tagfabric.cluster.control;

import io.tagfabric.annotation.InternalApi;
