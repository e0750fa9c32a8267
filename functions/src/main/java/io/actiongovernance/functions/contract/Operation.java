package io.actiongovernance.functions.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Describes a route for publication. Its handler carries this annotation. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Operation {
  /** A summary of a few words, in the imperative and without a full stop. */
  String summary();

  /** Further explanation, if needed. The route itself specifies its scope and keys. */
  String description() default "";

  Tag tag();

  /** The status that redirects a browser. A response with this status has no body. */
  int FOUND = 302;

  /** The status of success. */
  int status() default 200;

  /** The record in the successful response, or the item of its list. */
  Class<?> answer() default void.class;

  /** The record in the 202 response, if the request is accepted but not yet completed. */
  Class<?> accepted() default void.class;

  /** True if the response is a page of these records. */
  boolean list() default false;

  /** The media type of the response, if the response is not a record in JSON. */
  String mediaType() default "";

  /** The beginning of a response with that media type, as an example. */
  String sample() default "";

  /** The errors that this route may return, besides those of every route of its kind. */
  ErrorCode[] errors() default {};
}
