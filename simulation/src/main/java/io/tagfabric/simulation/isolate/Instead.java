package io.tagfabric.simulation.isolate;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the method of the JDK whose place a method of {@link Calls} takes: a static one with the
 * same parameters, or one of an instance, which is the first parameter then.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Instead {
  /** The class that has the method. */
  Class<?> of();

  /** Its name, where that is not the name of the method here. */
  String method() default "";
}
