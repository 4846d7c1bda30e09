package io.tagfabric.simulation.swarm;

import io.tagfabric.simulation.choice.Choices;

/**
 * What a run is about. Most runs do anything; some do little else than one thing, because what goes
 * wrong there only does if the same few steps meet again and again.
 */
enum Theme {
  /** Anything. */
  ANY,
  /** Long messages are taken back, and others follow them at once. */
  REPLACING,
  /** Rings of shared memory that are always full, and senders that die in them. */
  RINGS,
  /** Messages that are read from memory in several goes. */
  HUGE,
  /** A node comes again while others still ask for the one before. */
  AGAIN,
  /** Collectives in parts, and members that are lost. */
  TEAMS,
  /** Buffers that take many messages, and messages without a tag. */
  MANY,
  /** Counters, what they start, and fences. */
  COUNTERS,
  /** Memory of others that programs read, write and update, and regions that close. */
  REGIONS,
  /** Active messages: requests of all kinds, with little credit, and handlers that reply late. */
  ACTIVE,
  /** Anything where a cluster says who is there: nodes that stand still, or join late. */
  CLUSTER,
  /** A little of anything, and then a cluster whose nodes are replaced one after the other. */
  ROLL;

  private static final int SHARES = 16;

  /** Draws one; 0 is the plainest. */
  static Theme draw(Choices choices) {
    return switch (choices.below(SHARES)) {
      case 3 -> ROLL;
      case 4 -> CLUSTER;
      case 5 -> ACTIVE;
      case 6 -> REGIONS;
      case 7 -> MANY;
      case 8 -> COUNTERS;
      case 9, 10 -> REPLACING;
      case 11 -> RINGS;
      case 12 -> HUGE;
      case 13 -> AGAIN;
      case 14, 15 -> TEAMS;
      default -> ANY;
    };
  }

  /** Whether its programs do anything. */
  boolean isAnything() {
    return this == ANY || this == CLUSTER || this == ROLL;
  }

  /** What its programs do how often, negative for anything. */
  int weight(Mix.Operation operation) {
    return switch (this) {
      case ANY, CLUSTER, ROLL -> -1;
      case REPLACING ->
          switch (operation) {
            case REPLACE_SEND -> 8;
            case RECEIVE_ANY, READ, CANCEL_SEND -> 4;
            case SEND -> 1;
            default -> 0;
          };
      case RINGS ->
          switch (operation) {
            case INJECT, SEND -> 6;
            case RECEIVE_ANY, READ -> 6;
            case CANCEL_SEND -> 1;
            default -> 0;
          };
      case HUGE ->
          switch (operation) {
            case SEND_FROM_MEMORY -> 6;
            case RECEIVE_ANY, READ -> 5;
            case RECEIVE_INTO_MEMORY -> 3;
            case CANCEL_RECEIVE, CANCEL_SEND -> 1;
            default -> 0;
          };
      case AGAIN ->
          switch (operation) {
            case SEND, RECEIVE_ANY, READ -> 6;
            case SEND_DATA, CANCEL_SEND -> 1;
            default -> 0;
          };
      case TEAMS ->
          switch (operation) {
            case COLLECTIVE -> 6;
            case SEND, RECEIVE_ANY, READ -> 2;
            default -> 0;
          };
      case MANY ->
          switch (operation) {
            case RECEIVE_MANY -> 5;
            case SEND_UNTAGGED, READ -> 6;
            case INJECT_UNTAGGED, SEND, RECEIVE_UNTAGGED -> 2;
            case RECEIVE_ANY, CANCEL_RECEIVE, CANCEL_SEND -> 1;
            default -> 0;
          };
      case COUNTERS ->
          switch (operation) {
            case DEFER, READ, COUNT -> 5;
            case SEND_FENCED, RECEIVE_ANY -> 4;
            case SEND -> 3;
            case CANCEL_DEFERRED, CANCEL_SEND -> 1;
            default -> 0;
          };
      case REGIONS ->
          switch (operation) {
            case ACCESS -> 8;
            case READ -> 5;
            case SEND, RECEIVE_ANY -> 2;
            case CANCEL_SEND -> 1;
            default -> 0;
          };
      case ACTIVE ->
          switch (operation) {
            case REQUEST -> 8;
            case READ -> 5;
            case SEND, RECEIVE_ANY -> 2;
            case CANCEL_SEND -> 1;
            default -> 0;
          };
    };
  }

  /** Whether its network is one that loses nothing; if it says neither, it is drawn. */
  boolean isReliable(Choices choices) {
    return switch (this) {
      case RINGS, HUGE -> true;
      case REPLACING -> choices.below(4) != 3;
      case AGAIN -> false;
      default -> choices.below(2) == 0;
    };
  }
}
