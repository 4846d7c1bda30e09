package io.tagfabric.provider.tcp;

import io.tagfabric.provider.WireListener;
import io.tagfabric.provider.tcp.record.Place;
import io.tagfabric.provider.tcp.record.Places;
import io.tagfabric.provider.tcp.record.Placing;
import io.tagfabric.provider.tcp.record.Records;
import io.tagfabric.provider.tcp.record.SendStream;
import io.tagfabric.provider.tcp.record.Staging;
import io.tagfabric.wire.InjectRecord;
import io.tagfabric.wire.MemoryKey;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The peer's stream: its records go to the endpoints, the bytes of long messages to their places,
 * and what has come is counted and owed a confirmation. It outlives the sockets. Thread: the
 * domain's loop.
 */
final class Incoming implements Staging.Reader {
  private final Listeners listeners;
  private final Places places;

  /** The stream the other way, which the peer confirms here. */
  private final SendStream sending;

  private final Packet view = Packet.view();
  private final MessageView injected = new MessageView();
  private final Placing placing = new Placing();
  private byte[] rest;
  private long received;

  /** Bytes of records that have come and are not confirmed; confirmations are not owed for. */
  private int owed;

  private boolean asked;
  private boolean over;
  private String breach;

  Incoming(Listeners listeners, Places places, SendStream sending) {
    this.listeners = listeners;
    this.places = places;
    this.sending = sending;
  }

  /** Bytes have been read, and are to be parsed. */
  void count(int bytes) {
    received += bytes;
  }

  /** Position up to which the peer's stream has come. */
  long received() {
    return received;
  }

  int owed() {
    return owed;
  }

  /** Whether the peer wants a confirmation at once. */
  boolean isAsked() {
    return asked;
  }

  /** The peer is told of all that has come. */
  void settle() {
    asked = false;
    owed = 0;
  }

  /** Which rule the peer has broken; null if none. */
  String breach() {
    return breach;
  }

  /** Whether nothing more is taken: a rule is broken, or the peer has said good bye. */
  boolean isOver() {
    return over;
  }

  /** Takes nothing any more. */
  void end() {
    over = true;
    rest = null;
    places.removeAll(placing);
  }

  @Override
  public boolean onRecord(UnsafeBuffer buffer, int at) {
    int bodyBytes = Records.bodyBytes(buffer, at);
    int body = at + Records.HEADER_BYTES;
    int kind = Records.kind(buffer, at);
    if (kind != Records.CONFIRM) {
      owed += Records.length(bodyBytes);
    }
    switch (kind) {
      case Records.INJECT -> {
        WireListener listener = listeners.at(Records.endpoint(buffer, at));
        if (listener != null && InjectRecord.read(buffer, body, bodyBytes, injected)) {
          listener.onInjected(InjectRecord.flow(buffer, body), injected);
        }
      }
      case Records.FRAMES -> {
        WireListener listener = listeners.at(Records.endpoint(buffer, at));
        if (bodyBytes < Long.BYTES) {
          broken("frames without a key have come");
        } else if (listener != null) {
          view.show(buffer, body + Long.BYTES, bodyBytes - Long.BYTES);
          listener.onFrames(buffer.getLong(body, Records.ORDER), view);
        }
      }
      case Records.PACKET -> {
        view.show(buffer, body, bodyBytes);
        listeners.onPacket(Records.endpoint(buffer, at), view);
      }
      case Records.CONFIRM -> {
        if (bodyBytes != Long.BYTES || !sending.confirm(buffer.getLong(body, Records.ORDER))) {
          broken("it has confirmed what was not sent");
        }
      }
      case Records.ASK -> asked = true;
      case Records.BYE -> over = true;
      default -> broken("a record of an unknown kind has come");
    }
    return !over;
  }

  private void broken(String how) {
    breach = how;
    over = true;
  }

  @Override
  public void onPlace(UnsafeBuffer buffer, int at) {
    int bodyBytes = Records.bodyBytes(buffer, at);
    int bytes = bodyBytes - Records.PLACE_BYTES;
    long position = Records.position(buffer, at);
    owed += Records.length(bodyBytes);
    Place place = places.find(placing, Records.place(buffer, at));
    if (place != null && !place.contains(position, bytes)) {
      place = null; // what it says of them later will be a breach of its flow
    }
    placing.begin(place, (int) position, bytes, Records.padding(bodyBytes));
  }

  /**
   * Names memory for the peer to write, until it is released.
   *
   * @param stream number of this side's stream
   */
  MemoryKey place(long stream, DirectBuffer buffer, int offset, int length) {
    return places.add(placing, stream, buffer, offset, length);
  }

  /** Names it no longer. Returns whether all that came for it could be put there. */
  boolean release(MemoryKey own) {
    Place gone = places.remove(own);
    if (gone == null) {
      return false;
    }
    placing.forget(gone);
    return gone.isWhole();
  }

  @Override
  public Placing placing() {
    return placing;
  }

  @Override
  public byte[] rest() {
    return rest;
  }

  @Override
  public void rest(byte[] part) {
    rest = part;
  }
}
