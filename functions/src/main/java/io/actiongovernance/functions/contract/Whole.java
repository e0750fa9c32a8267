package io.actiongovernance.functions.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Describes the whole input record of a handler, if it needs a description. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Whole {
  /** Published description of the body. */
  String doc() default "";

  /** True if a body is required although no single field is. */
  boolean bodyRequired() default false;

  /** The published alternatives of the body, which exclude each other's fields. */
  Class<?>[] oneOf() default {};

  /**
   * The query parameter beside which others are ignored, because another party chooses them; empty
   * if none is.
   */
  String ignoresOthersBeside() default "";
}
