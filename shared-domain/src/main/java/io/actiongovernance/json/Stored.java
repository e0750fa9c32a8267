package io.actiongovernance.json;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Name under which a component of a record is stored, if that is not the component's own name in
 * {@code snake_case}. Stored data outlives every renaming in the code, so {@link Json} writes and
 * reads the component under this name.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({
  ElementType.FIELD,
  ElementType.METHOD,
  ElementType.PARAMETER,
  ElementType.RECORD_COMPONENT
})
public @interface Stored {
  String value();
}
