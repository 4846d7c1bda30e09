package io.tagfabric.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * Classes that are neither records nor known otherwise: their fields, superclass first, by name in
 * each class, without static and transient ones.
 *
 * <p>Not Kryo's own, because that stores what it read with Unsafe and never compares it with the
 * field's type: damaged bytes would put an object into a field of another class, which is beyond
 * what the virtual machine survives. {@link Field#set} does compare.
 */
final class FieldsSerializer extends Serializer<Object> {
  private final Member[] members;

  private record Member(Field field, boolean fixedType) {}

  FieldsSerializer(Kryo kryo, Class<?> type) {
    List<Field> fields = fieldsOf(type);
    members = new Member[fields.size()];
    for (int i = 0; i < members.length; i++) {
      Field field = fields.get(i);
      try {
        field.setAccessible(true);
      } catch (RuntimeException e) {
        throw new Refusal(
            "class=%s keeps its field %s closed, name a serializer: \"%s = serializer class\""
                .formatted(type.getTypeName(), field.getName(), type.getTypeName()),
            e);
      }
      members[i] = new Member(field, kryo.isFinal(field.getType()));
    }
  }

  /** The fields that travel, in the order they travel. */
  static List<Field> fieldsOf(Class<?> type) {
    Deque<Class<?>> lineage = new ArrayDeque<>();
    for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
      lineage.push(c);
    }
    List<Field> fields = new ArrayList<>();
    for (Class<?> c : lineage) {
      Arrays.stream(c.getDeclaredFields())
          .filter(field -> !Modifier.isStatic(field.getModifiers()))
          .filter(field -> !Modifier.isTransient(field.getModifiers()))
          .filter(field -> !field.isSynthetic())
          .sorted(Comparator.comparing(Field::getName))
          .forEach(fields::add);
    }
    return fields;
  }

  @Override
  public void write(Kryo kryo, Output output, Object object) {
    for (Member member : members) {
      try {
        write(kryo, output, object, member);
      } catch (KryoException e) {
        throw traced(e, member);
      } catch (IllegalAccessException | RuntimeException e) {
        throw traced(new KryoException(e), member);
      }
    }
  }

  @Override
  public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
    Object object = kryo.newInstance(type);
    for (Member member : members) {
      try {
        read(kryo, input, object, member);
      } catch (KryoException e) {
        throw traced(e, member);
      } catch (IllegalAccessException | RuntimeException e) {
        throw traced(new KryoException(e), member);
      }
    }
    return object;
  }

  private static KryoException traced(KryoException e, Member member) {
    e.addTrace(member.field.getName() + " (" + member.field.getDeclaringClass().getName() + ")");
    return e;
  }

  private static void write(Kryo kryo, Output output, Object object, Member member)
      throws IllegalAccessException {
    Field field = member.field;
    Class<?> type = field.getType();
    if (type == int.class) {
      output.writeVarInt(field.getInt(object), false);
    } else if (type == long.class) {
      output.writeVarLong(field.getLong(object), false);
    } else if (type == double.class) {
      output.writeDouble(field.getDouble(object));
    } else if (type == float.class) {
      output.writeFloat(field.getFloat(object));
    } else if (type == boolean.class) {
      output.writeBoolean(field.getBoolean(object));
    } else if (type == byte.class) {
      output.writeByte(field.getByte(object));
    } else if (type == short.class) {
      output.writeShort(field.getShort(object));
    } else if (type == char.class) {
      output.writeChar(field.getChar(object));
    } else if (member.fixedType) {
      kryo.writeObjectOrNull(output, field.get(object), type);
    } else {
      kryo.writeClassAndObject(output, field.get(object));
    }
  }

  private static void read(Kryo kryo, Input input, Object object, Member member)
      throws IllegalAccessException {
    Field field = member.field;
    Class<?> type = field.getType();
    if (type == int.class) {
      field.setInt(object, input.readVarInt(false));
    } else if (type == long.class) {
      field.setLong(object, input.readVarLong(false));
    } else if (type == double.class) {
      field.setDouble(object, input.readDouble());
    } else if (type == float.class) {
      field.setFloat(object, input.readFloat());
    } else if (type == boolean.class) {
      field.setBoolean(object, input.readBoolean());
    } else if (type == byte.class) {
      field.setByte(object, input.readByte());
    } else if (type == short.class) {
      field.setShort(object, input.readShort());
    } else if (type == char.class) {
      field.setChar(object, input.readChar());
    } else if (member.fixedType) {
      field.set(object, kryo.readObjectOrNull(input, type));
    } else {
      field.set(object, kryo.readClassAndObject(input));
    }
  }
}
