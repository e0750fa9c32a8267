package io.actiongovernance.functions.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a record or union is, as the published document tells it. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Doc {
  String value();

  /**
   * Whether answers give it as requests sent it, so that what need not be sent need not be there.
   */
  boolean asSent() default false;
}
