package io.actiongovernance.functions.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes a record component of a request or an answer, and its rules in a request. Its name is
 * the component's in {@code snake_case}. It is required unless its type is {@code @Nullable}, a
 * {@link io.actiongovernance.json.Given}, or has a default here; {@link #required()} overrides
 * this.
 */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Field {
  /** Its meaning, in plain sentences. */
  String doc();

  /** An example: JSON, or the bare text if the value is not JSON. */
  String example() default "";

  /** The minimum: characters of a text, a number's value, or elements of a list. */
  long min() default Long.MIN_VALUE;

  /** The maximum: characters of a text, a number's value, or elements of a list. */
  long max() default Long.MAX_VALUE;

  /**
   * True if the reader enforces {@link #min()} and {@link #max()}; if false, the use case does, and
   * leaves a receipt of each refusal.
   */
  boolean checked() default true;

  /** The maximum length of each text in a list, in characters; no text may be empty. */
  int eachMax() default Integer.MAX_VALUE;

  Text text() default Text.ANY;

  /** A regular expression that the whole text must match. */
  String pattern() default "";

  /** A pattern that is published only; the type, which is stricter, validates the value. */
  String published() default "";

  /** A JSON Schema format, published only. */
  String format() default "";

  /** Its rule, as a phrase for the error message: {@code a URL}. */
  String rule() default "";

  /** The only permitted value. */
  String constant() default "";

  /** The permitted values, if they are fewer than the type's. */
  String[] choices() default {};

  /** The default of a request that omits it, as JSON. */
  String otherwise() default "";

  /** True if a component that may be omitted may also be null, with the same meaning. */
  boolean nullable() default true;

  /** True if a request must contain it although it may be null, which has its own meaning. */
  boolean required() default false;

  /**
   * The record or union that describes its JSON, if its Java type does not. {@link
   * com.fasterxml.jackson.databind.node.ObjectNode} stands for any object; an array type, for a
   * list read by its element type.
   */
  Class<?> as() default void.class;

  /** The types of which its JSON has one, if there are several; published only. */
  Class<?>[] anyOf() default {};

  /** Place in the request, if not the method's default. */
  In in() default In.DEFAULT;

  /** Its name, if that is not a Java identifier: {@code Last-Event-ID}. */
  String name() default "";

  /** Places of a component in a request. */
  enum In {
    /**
     * The path if the route has a parameter of its name; otherwise the query if the method only
     * reads, else the body.
     */
    DEFAULT,
    QUERY,
    HEADER
  }

  enum Text {
    ANY,
    /** A line to show to people: not blank, without control or direction-changing characters. */
    LINE,
    /** {@code ^[a-z][a-z0-9]*(-[a-z0-9]+)*$}, 3 to 60 characters. */
    SLUG
  }
}
