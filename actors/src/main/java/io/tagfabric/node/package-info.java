/**
 * Which nodes have a fabric. Each node tells the others, by Akka's remoting, what it speaks; who
 * has not said so is reached by Akka's remoting alone.
 *
 * <p>Entry: {@link io.tagfabric.node.NodeDirectory}. May import {@code address}, {@code progress}
 * and {@code runtime}. {@link io.tagfabric.node.Announcement} is what travels, {@link
 * io.tagfabric.node.NodeTable} the plain core that decides what each node hears.
 */
@InternalApi
package io.tagfabric.node;

import io.tagfabric.annotation.InternalApi;
