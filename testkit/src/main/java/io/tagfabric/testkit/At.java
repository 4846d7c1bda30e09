package io.tagfabric.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Says by name which endpoint a parameter of a {@link FabricTest} belongs to. */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface At {
  /** One of {@link FabricTest#endpoints}. */
  String value();
}
