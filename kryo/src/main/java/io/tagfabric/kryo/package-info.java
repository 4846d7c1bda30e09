/**
 * Objects as bytes, through Kryo: start with {@link io.tagfabric.kryo.KryoCodec}, built from {@link
 * io.tagfabric.kryo.KryoRegistrations} and {@link io.tagfabric.kryo.KryoSettings}.
 *
 * <p>Only registered classes travel, as numbers and never by name; a length that comes off the wire
 * is checked against the bytes that are there before anything is allocated for it. Graphs are
 * trees: an object reached twice arrives as two, a cycle ends as an error of depth.
 *
 * <p>Imports Kryo, Typesafe Config and Agrona, nothing of Tagfabric and nothing of Akka; what needs
 * an actor system is in {@code io.tagfabric.kryo.actor}.
 */
package io.tagfabric.kryo;
