package io.tagfabric.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;

/** Writes x and forgets y, so that a test can tell that it was used. */
public final class HalfSerializer extends Serializer<Samples.Point> {
  @Override
  public void write(Kryo kryo, Output output, Samples.Point point) {
    output.writeInt(point.x());
  }

  @Override
  public Samples.Point read(Kryo kryo, Input input, Class<? extends Samples.Point> type) {
    return new Samples.Point(input.readInt(), 0);
  }
}
