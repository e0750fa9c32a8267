package io.actiongovernance.functions.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What is published of a route, said on its handler. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Operation {
  /** A few words in the imperative, without a full stop. */
  String summary();

  /** More than that, if need be; the scope and the keys it takes are told by the route. */
  String description() default "";

  Tag tag();

  /** The status with which a browser is sent elsewhere: its answer has no body. */
  int FOUND = 302;

  /** The status of what was done. */
  int status() default 200;

  /** The record that it answers with, or that is listed. */
  Class<?> answer() default void.class;

  /**
   * The record that it answers with 202, where what is asked for is taken and not all of it done.
   */
  Class<?> accepted() default void.class;

  /** Whether it answers with a page of these. */
  boolean list() default false;

  /** What it answers with, if that is not JSON of a record. */
  String mediaType() default "";

  /** The beginning of such an answer, as an example. */
  String sample() default "";

  /** What it may refuse, besides what any route of its kind does. */
  ErrorCode[] errors() default {};
}
