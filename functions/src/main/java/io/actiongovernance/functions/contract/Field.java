package io.actiongovernance.functions.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What is published of a component of a record that is read from a request or written in an answer,
 * and what is demanded of it in a request. Its name is the component's in {@code snake_case}; it is
 * required unless its type is {@code @Nullable}, a {@link io.actiongovernance.json.Given}, or has a
 * default here; or if it says so.
 */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Field {
  /** What it is, in plain sentences. */
  String doc();

  /** An example: JSON, or the text itself where that is no JSON. */
  String example() default "";

  /** The fewest characters of a text, the least number, or the fewest elements of a list. */
  long min() default Long.MIN_VALUE;

  /** The most characters of a text, the greatest number, or the most elements of a list. */
  long max() default Long.MAX_VALUE;

  /**
   * Whether the reader holds a request to {@link #min()} and {@link #max()}; else the use case
   * does, which leaves a receipt of what it refuses.
   */
  boolean checked() default true;

  /** The most characters of each text of a list; none is empty. */
  int eachMax() default Integer.MAX_VALUE;

  /** The kind of text it is. */
  Text text() default Text.ANY;

  /** A regular expression that the whole text matches. */
  String pattern() default "";

  /**
   * The same as {@link #pattern()}, published only: what is read goes by the type, which says more.
   */
  String published() default "";

  /** A format of JSON Schema, published only. */
  String format() default "";

  /** What it must be, in the words of the sentence that refuses another: {@code a URL}. */
  String rule() default "";

  /** The only value it has. */
  String constant() default "";

  /** The values it can have, where they are fewer than those of its type. */
  String[] choices() default {};

  /** What stands for it where a request leaves it out: JSON. */
  String otherwise() default "";

  /** Whether it may be null where it may be left out, which then is the same. */
  boolean nullable() default true;

  /** Whether a request must have it although it may be null, which says something too. */
  boolean required() default false;

  /**
   * The record or union that the JSON in it has the shape of, if its Java type does not say; {@link
   * com.fasterxml.jackson.databind.node.ObjectNode} for any object, an array of them for a list
   * that is read by its type.
   */
  Class<?> as() default void.class;

  /** The types of which the JSON in it has one, where that is several; published only. */
  Class<?>[] anyOf() default {};

  /** Where a request has it, if not where its method has all others. */
  In in() default In.DEFAULT;

  /** Its name, where that is no Java identifier: {@code Last-Event-ID}. */
  String name() default "";

  /** Where a component of a request is. */
  enum In {
    /** In the path if the route's has its name, else in the query of what reads, in the body. */
    DEFAULT,
    QUERY,
    HEADER
  }

  /** Kinds of text. */
  enum Text {
    ANY,
    /** One line to show to people: not blank, no control and no direction-changing characters. */
    LINE,
    /** {@code ^[a-z][a-z0-9]*(-[a-z0-9]+)*$}, 3 to 60 characters. */
    SLUG
  }
}
