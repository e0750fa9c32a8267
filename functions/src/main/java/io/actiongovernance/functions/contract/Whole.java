package io.actiongovernance.functions.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Describes a handler's input record as a whole, if it needs a description. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Whole {
  /** The published description of the body. */
  String doc() default "";

  /** True if a body is required although no single field is. */
  boolean bodyRequired() default false;

  /** The published alternatives of the body. Each excludes the fields of the others. */
  Class<?>[] oneOf() default {};

  /**
   * The query parameter whose presence makes the reader ignore all undeclared parameters, because
   * another party chooses them; empty if there is none.
   */
  String ignoresOthersBeside() default "";
}
