package io.actiongovernance.functions.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Describes a route for publication, on its handler. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Operation {
  /** A few words in the imperative, without a full stop. */
  String summary();

  /** Further explanation, if needed; the route itself states its scope and keys. */
  String description() default "";

  Tag tag();

  /** The status that redirects a browser; such an answer has no body. */
  int FOUND = 302;

  /** The status of success. */
  int status() default 200;

  /** The record that it answers with, or the item of its list. */
  Class<?> answer() default void.class;

  /** The record that it answers 202 with, if the request is accepted but not yet completed. */
  Class<?> accepted() default void.class;

  /** True if it answers with a page of these records. */
  boolean list() default false;

  /** The media type of its answer, if that is not JSON of a record. */
  String mediaType() default "";

  /** The beginning of such an answer, as an example. */
  String sample() default "";

  /** The errors it may return, besides those of every route of its kind. */
  ErrorCode[] errors() default {};
}
