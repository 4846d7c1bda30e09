/** A provider whose parallel paths differ in length. */
package io.tagfabric.provider.roads;
