package io.actiongovernance.functions.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Published description of a record or union. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Doc {
  String value();

  /**
   * True if responses have the form in which requests were sent, so that optional fields may be
   * absent.
   */
  boolean asSent() default false;
}
