package io.actiongovernance.functions.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What is said of the whole record that a handler reads, where there is something to say. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Whole {
  /** What the body is. */
  String doc() default "";

  /** Whether there must be a body, although none of its fields alone must be there. */
  boolean bodyRequired() default false;

  /** The shapes that the body has one of, as it is published: they exclude each other's fields. */
  Class<?>[] oneOf() default {};

  /**
   * The parameter beside which others are ignored, because somebody else chooses them; empty where
   * they never are.
   */
  String ignoresOthersBeside() default "";
}
