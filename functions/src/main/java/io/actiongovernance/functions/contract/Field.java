package io.actiongovernance.functions.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes a record component of a request or a response, and its rules in a request. The field's
 * name is the component's in {@code snake_case}. It is required unless its type is
 * {@code @Nullable} or a {@link io.actiongovernance.json.Given}, or it has a default here; {@link
 * #required()} overrides this.
 */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Field {
  /** The field's meaning, in plain sentences. */
  String doc();

  /** An example: JSON, or the bare text if the value is not JSON. */
  String example() default "";

  /**
   * The minimum number of a text's characters or of a list's elements, or the minimum value of a
   * number.
   */
  long min() default Long.MIN_VALUE;

  /**
   * The maximum number of a text's characters or of a list's elements, or the maximum value of a
   * number.
   */
  long max() default Long.MAX_VALUE;

  /**
   * True if the reader enforces {@link #min()} and {@link #max()}. If false, the use case enforces
   * them, and writes a receipt of each refusal.
   */
  boolean checked() default true;

  /** The maximum length of each text in a list, in characters. Empty texts are refused. */
  int eachMax() default Integer.MAX_VALUE;

  Text text() default Text.ANY;

  /** A regular expression that the whole text must match. */
  String pattern() default "";

  /** A pattern that is only published. The type itself, which is stricter, validates the value. */
  String published() default "";

  /** A JSON Schema format, which is only published. */
  String format() default "";

  /** The field's rule, as a phrase for the error message: {@code a URL}. */
  String rule() default "";

  /** The only permitted value. */
  String constant() default "";

  /** The permitted values, if they are fewer than those of the type. */
  String[] choices() default {};

  /** The value of the field if a request omits it, as JSON. */
  String otherwise() default "";

  /** True if a component that may be omitted may also be null, which means the same. */
  boolean nullable() default true;

  /**
   * True if a request must contain the component although its value may be null, which has a
   * meaning of its own.
   */
  boolean required() default false;

  /**
   * The record or union that describes the component's JSON, if its Java type does not. {@link
   * com.fasterxml.jackson.databind.node.ObjectNode} stands for any object. An array type stands for
   * a list that is read by its element type.
   */
  Class<?> as() default void.class;

  /**
   * The alternative types of the component's JSON, if there are several. They are only published.
   */
  Class<?>[] anyOf() default {};

  /** The component's place in the request, if it differs from the method's default. */
  In in() default In.DEFAULT;

  /** The field's name, if it is not a Java identifier: {@code Last-Event-ID}. */
  String name() default "";

  /** The places in a request at which a component can be. */
  enum In {
    /**
     * The path if the route has a parameter of the component's name. Otherwise the query if the
     * method only reads, else the body.
     */
    DEFAULT,
    QUERY,
    HEADER
  }

  enum Text {
    ANY,
    /**
     * A line that people are shown. It must not be blank, or contain control characters or
     * characters that change the writing direction.
     */
    LINE,
    /** A slug, which matches {@code ^[a-z][a-z0-9]*(-[a-z0-9]+)*$} and has 3 to 60 characters. */
    SLUG
  }
}
