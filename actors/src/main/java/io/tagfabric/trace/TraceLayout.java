package io.tagfabric.trace;

/**
 * Where things are in the file of a recorder. All numbers are little-endian.
 *
 * <pre>
 *  0      magic, version, rank, process, incarnation
 *  32     time of day and loop time of one moment, in ns
 *  48     records written: events, then sleeps; capacities; threads; 1 if the domain has closed
 *  80     name of the domain
 *  608    the last command, a number and its code in one; beats of who watches; the last command
 *         obeyed, the state, 1 if the domain obeys; gauges
 *  1024   names of threads, 64 bytes each
 *  32768  events, then sleeps: rings of records of 80 bytes
 * </pre>
 */
final class TraceLayout {
  static final long MAGIC = 0x3143525446474154L; // "TAGFTRC1"
  static final int VERSION = 2;

  static final int MAGIC_AT = 0;
  static final int VERSION_AT = 8;
  static final int RANK_AT = 12;
  static final int PROCESS_AT = 16;
  static final int INCARNATION_AT = 24;
  static final int WALL_AT = 32;
  static final int LOOP_AT = 40;
  static final int EVENTS_WRITTEN_AT = 48;
  static final int SLEEPS_WRITTEN_AT = 56;
  static final int EVENTS_AT = 64;
  static final int SLEEPS_AT = 68;
  static final int THREADS_AT = 72;
  static final int CLOSED_AT = 76;
  static final int NAME_AT = 80;
  static final int NAME_BYTES = 512;

  static final int COMMAND_AT = 608;
  static final int BEATS_AT = 624;
  static final int OBEYED_AT = 632;
  static final int STATE_AT = 640;
  static final int OBEYS_AT = 644;
  static final int GAUGES_AT = 648;

  static final int THREAD_NAMES_AT = 1024;
  static final int THREAD_NAME_BYTES = 64;
  static final int MAX_THREADS = 256;

  static final int RECORDS_AT = 32 * 1024;
  static final int RECORD_BYTES = 80;

  static final int TIME = 0;
  static final int KIND = 8;
  static final int HOW = 12;
  static final int FLOW = 16;
  static final int NUMBER = 24;
  static final int OPERATION = 32;
  static final int TAG = 40;
  static final int LENGTH = 48;
  static final int EXTRA = 56;
  static final int PEER = 64;
  static final int ENDPOINT = 68;
  static final int THREAD = 72;

  private TraceLayout() {}

  static int bytes(int events, int sleeps) {
    return Math.addExact(
        RECORDS_AT, Math.multiplyExact(Math.addExact(events, sleeps), RECORD_BYTES));
  }
}
