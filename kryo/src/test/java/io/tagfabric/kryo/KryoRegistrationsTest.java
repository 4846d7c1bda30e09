package io.tagfabric.kryo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KryoRegistrationsTest {
  private static final String POINT = "io.tagfabric.kryo.Samples$Point";
  private static final String LINE = "io.tagfabric.kryo.Samples$Line";

  private static KryoRegistrations configured(String... entries) {
    String list =
        Stream.of(entries).map(e -> '"' + e + '"').collect(Collectors.joining(",", "[", "]"));
    Config kryo = ConfigFactory.parseString("registrations = " + list);
    return KryoRegistrations.builder()
        .addAll(kryo, KryoRegistrationsTest.class.getClassLoader())
        .build();
  }

  @Test
  void shouldAgreeWhenTheSameClassesAreRegisteredInAnotherOrderOrWay() {
    KryoRegistrations code = KryoRegistrations.of(Samples.Line.class, Samples.Point.class);
    KryoRegistrations config = configured(POINT, LINE, POINT);
    KryoRegistrations both = configured(LINE).toBuilder().addAll(code).build();

    assertThat(config.fingerprint()).isEqualTo(code.fingerprint());
    assertThat(both.fingerprint()).isEqualTo(code.fingerprint());
    assertThat(both.describe()).isEqualTo(code.describe());
    assertThat(code.difference(both.describe())).isEmpty();
  }

  @Test
  void shouldNumberByNameFromTheFirstFreeIdWhenNoneIsGiven() {
    KryoRegistrations registrations = configured(POINT, LINE + "@97", "java.util.Locale");

    assertThat(registrations.describe())
        .contains("\n96 " + POINT + " ")
        .contains("\n97 " + LINE + " ")
        .contains("\n98 java.util.Locale ");
  }

  @Test
  void shouldHaveThePinnedFingerprintWhenOnlyBuiltInsAreRegistered() {
    assertThat(Long.toHexString(KryoRegistrations.of().fingerprint()))
        .isEqualTo("c27fba380a0b07f9");
  }

  @Test
  void shouldDifferWhenAClassIsAdded() {
    KryoRegistrations one = configured(POINT);
    KryoRegistrations two = configured(POINT, LINE);

    assertThat(one.fingerprint()).isNotEqualTo(two.fingerprint());
    assertThat(one.difference(two.describe()))
        .containsExactly("class=" + LINE + " is registered there only");
    assertThat(two.difference(one.describe()))
        .containsExactly("class=" + LINE + " is registered here only");
  }

  @Test
  void shouldDifferWhenAComponentIsAddedRemovedRenamedRetypedOrReordered() {
    String name = "com.acme.Order";
    KryoRegistrations order = compiled(name, "record Order(int a, long b) {}");

    for (String changed :
        new String[] {
          "record Order(int a, long b, int c) {}",
          "record Order(int a) {}",
          "record Order(int a, long c) {}",
          "record Order(int a, int b) {}",
          "record Order(long b, int a) {}"
        }) {
      KryoRegistrations other = compiled(name, changed);
      assertThat(other.fingerprint()).as(changed).isNotEqualTo(order.fingerprint());
      assertThat(order.difference(other.describe())).as(changed).hasSize(1);
    }
    assertThat(order.difference(compiled(name, "record Order(int a, int b) {}").describe()))
        .containsExactly(
            "class=com.acme.Order shape here=record(a:int,b:long) != there=record(a:int,b:int)");
    assertThat(compiled(name, "record Order(int a, long b) { int twice() { return a * 2; } }"))
        .returns(order.fingerprint(), KryoRegistrations::fingerprint);
  }

  @Test
  void shouldDifferWhenAFieldOrConstantChanges() {
    long fields =
        compiled("a.T", "class T { int a; transient int t; static int s; }").fingerprint();
    long constants = compiled("a.E", "enum E { A, B }").fingerprint();

    assertThat(compiled("a.T", "class T { int a; static int u; }").fingerprint()).isEqualTo(fields);
    assertThat(compiled("a.T", "class T { int a, b; }").fingerprint()).isNotEqualTo(fields);
    assertThat(compiled("a.T", "class T { long a; }").fingerprint()).isNotEqualTo(fields);
    assertThat(compiled("a.E", "enum E { B, A }").fingerprint()).isNotEqualTo(constants);
  }

  @Test
  void shouldNameTheSerializerWhenItDiffers() {
    KryoRegistrations here = configured(POINT);
    KryoRegistrations there = configured(POINT + " = " + HalfSerializer.class.getName());

    assertThat(here.difference(there.describe()))
        .containsExactly(
            "class=%s serializer here=%s != there=%s"
                .formatted(
                    POINT,
                    "com.esotericsoftware.kryo.serializers.RecordSerializer",
                    HalfSerializer.class.getName()));
  }

  @Test
  void shouldNameTheIdWhenNothingElseDiffers() {
    assertThat(configured(POINT + "@200").difference(configured(POINT).describe()))
        .containsExactly("class=" + POINT + " id here=200 != there=96");
  }

  @Test
  void shouldIgnoreTheDescriptionWhenItIsNotOne() {
    assertThat(configured(POINT).difference("what\n\nis this")).isNotEmpty();
  }

  @Test
  void shouldStandForItsConcreteClassesWhenATypeIsSealed() {
    assertThat(KryoRegistrations.of(Samples.Shape.class).fingerprint())
        .isEqualTo(KryoRegistrations.of(Samples.Circle.class, Samples.Square.class).fingerprint());
  }

  @Test
  void shouldLoadArraysWhenTheyAreNamedAsInSource() {
    KryoRegistrations registrations = configured("int[][]", POINT + "[]");

    assertThat(registrations.fingerprint())
        .isEqualTo(KryoRegistrations.of(int[][].class, Samples.Point[].class).fingerprint());
  }

  @Test
  void shouldChangeNothingWhenABuiltInIsRegisteredAgain() {
    assertThat(configured("java.util.ArrayList", "int", "java.lang.Long", "java.lang.String"))
        .returns(KryoRegistrations.of().fingerprint(), KryoRegistrations::fingerprint);
  }

  @Test
  void shouldNameTheClassWhenItCannotBeRegistered() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KryoRegistrations.of(Runnable.class))
        .withMessage(
            "class=java.lang.Runnable is abstract, register its concrete classes or make it"
                + " sealed");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KryoRegistrations.of(AtomicIntegerArray.class))
        .withMessage(
            "class=java.util.concurrent.atomic.AtomicIntegerArray keeps its field array closed,"
                + " name a serializer: \"java.util.concurrent.atomic.AtomicIntegerArray ="
                + " serializer class\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> configured("com.acme.Missing"))
        .withMessage(
            "tagfabric.kryo.registrations: class=com.acme.Missing in \"com.acme.Missing\" is not on"
                + " the class path, a nested class is Outer$Nested");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> configured(POINT + " = java.lang.String"))
        .withMessageContaining("class=java.lang.String in")
        .withMessageContaining("does not extend com.esotericsoftware.kryo.Serializer");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> configured("two words"))
        .withMessage(
            "tagfabric.kryo.registrations: \"two words\" is not of the form \"class@id ="
                + " serializer\"");
  }

  @Test
  void shouldRefuseWhenIdsOrSerializersCollide() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> configured(POINT + "@100", LINE + "@100"))
        .withMessage("id=100 is given to class=" + LINE + " and class=" + POINT);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> configured(POINT + "@100", POINT + "@101"))
        .withMessage("class=" + POINT + " is registered twice, with id=100 and id=101");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> configured(POINT, POINT + "=" + HalfSerializer.class.getName()))
        .withMessageContaining("class=" + POINT + " is registered twice, with serializer=null");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> configured(POINT + "@79"))
        .withMessage("id=79 of class=" + POINT + " is not in 80..16381");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> configured("java.util.UUID = " + HalfSerializer.class.getName()))
        .withMessage("class=java.util.UUID is built in, it cannot get another serializer");
  }

  private static KryoRegistrations compiled(String name, String declaration) {
    return KryoRegistrations.of(Compiled.load(name, declaration));
  }
}
