package io.tagfabric.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Public for other packages of Tagfabric only. Programs do not use what carries this mark: any
 * version may change it or take it away, and the changelog does not say so.
 *
 * <p>The mark of a package holds for all types of that package, not for packages below it. The mark
 * of a type holds for its members and nested types.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({
  ElementType.PACKAGE,
  ElementType.TYPE,
  ElementType.CONSTRUCTOR,
  ElementType.METHOD,
  ElementType.FIELD
})
public @interface InternalApi {}
