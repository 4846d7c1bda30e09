/**
 * How a receive says which messages it takes: {@link io.tagfabric.tag.TagSelector}.
 *
 * <p>Imports nothing of Tagfabric. Source: libfabric fi_tagged(3).
 */
package io.tagfabric.tag;
