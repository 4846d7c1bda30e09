package io.tagfabric.flow.window;

/** What a flow has done so far. Written and read on the loop. */
public final class FlowCounters {
  public long packetsSent;
  public long packetsReceived;
  public long packetsReplayed;
  public long packetsDuplicate;
  public long packetsEarly;
  public long packetsMalformed;
  public long packetsTaken;
  public long messagesTaken;
  public long bareSent;
  public long bareReceived;
  public long acknowledgementsSent;
  public long pingsSent;
  long bytesSent;
  public long bytesReceived;
  public long eagerMessagesSent;
  public long multiPacketMessagesSent;
  public long requestsSent;
  public long dataBytesSent;
  public long directBytes;
  public long creditStalls;
  long messagesInjected;
  public long datagramsSent;
  public long datagramsUnsent;
  public long datagramsReceived;
  public long datagramsDropped;

  /** Adds what another flow has counted. */
  public void add(FlowCounters other) {
    packetsSent += other.packetsSent;
    packetsReceived += other.packetsReceived;
    packetsReplayed += other.packetsReplayed;
    packetsDuplicate += other.packetsDuplicate;
    packetsEarly += other.packetsEarly;
    packetsMalformed += other.packetsMalformed;
    packetsTaken += other.packetsTaken;
    messagesTaken += other.messagesTaken;
    bareSent += other.bareSent;
    bareReceived += other.bareReceived;
    acknowledgementsSent += other.acknowledgementsSent;
    pingsSent += other.pingsSent;
    bytesSent += other.bytesSent;
    bytesReceived += other.bytesReceived;
    eagerMessagesSent += other.eagerMessagesSent;
    multiPacketMessagesSent += other.multiPacketMessagesSent;
    requestsSent += other.requestsSent;
    dataBytesSent += other.dataBytesSent;
    directBytes += other.directBytes;
    creditStalls += other.creditStalls;
    messagesInjected += other.messagesInjected;
    datagramsSent += other.datagramsSent;
    datagramsUnsent += other.datagramsUnsent;
    datagramsReceived += other.datagramsReceived;
    datagramsDropped += other.datagramsDropped;
  }

  /** The values now. */
  public Snapshot snapshot() {
    return new Snapshot(
        packetsSent,
        packetsReceived,
        packetsReplayed,
        packetsDuplicate,
        packetsEarly,
        packetsMalformed,
        packetsTaken,
        messagesTaken,
        bareSent,
        bareReceived,
        acknowledgementsSent,
        pingsSent,
        bytesSent,
        bytesReceived,
        eagerMessagesSent,
        multiPacketMessagesSent,
        requestsSent,
        dataBytesSent,
        directBytes,
        creditStalls,
        messagesInjected,
        datagramsSent,
        datagramsUnsent,
        datagramsReceived,
        datagramsDropped);
  }

  /**
   * Values of one moment.
   *
   * @param packetsSent counted packets sent for the first time
   * @param packetsReceived counted packets received, duplicates included
   * @param packetsReplayed packets sent again
   * @param packetsDuplicate packets received again and dropped
   * @param packetsEarly packets that came before an earlier one
   * @param packetsMalformed packets that do not follow the schema; the first ends the flow
   * @param packetsTaken counted packets of which a frame was handed on and was in order
   * @param messagesTaken messages received that travelled by themselves
   * @param bareSent sets of frames sent without a packet's header
   * @param bareReceived those received
   * @param acknowledgementsSent packets that carried nothing but an acknowledgement
   * @param pingsSent requests for an acknowledgement
   * @param bytesSent bytes of counted packets sent, headers included, and of what left without one
   * @param bytesReceived bytes of packets received, headers included, and of what came without one
   * @param eagerMessagesSent messages sent in one frame without asking
   * @param multiPacketMessagesSent messages sent in several frames without asking
   * @param requestsSent messages announced by a request to send
   * @param dataBytesSent bytes of those that the peer has asked for and got
   * @param directBytes bytes that this side has read from fabric memory of the peer, or written to
   *     it
   * @param creditStalls times a send had to wait for credit or window
   * @param messagesInjected eager messages that travelled by themselves, without a packet
   * @param datagramsSent datagrams handed to the channel
   * @param datagramsUnsent datagrams dropped here because the channel had no room
   * @param datagramsReceived datagrams that came
   * @param datagramsDropped those of them that no receive was posted for, or that were too long
   */
  public record Snapshot(
      long packetsSent,
      long packetsReceived,
      long packetsReplayed,
      long packetsDuplicate,
      long packetsEarly,
      long packetsMalformed,
      long packetsTaken,
      long messagesTaken,
      long bareSent,
      long bareReceived,
      long acknowledgementsSent,
      long pingsSent,
      long bytesSent,
      long bytesReceived,
      long eagerMessagesSent,
      long multiPacketMessagesSent,
      long requestsSent,
      long dataBytesSent,
      long directBytes,
      long creditStalls,
      long messagesInjected,
      long datagramsSent,
      long datagramsUnsent,
      long datagramsReceived,
      long datagramsDropped) {}
}
