package io.actiongovernance.json;

import com.fasterxml.jackson.databind.PropertyName;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Gives the JSON mapper the names that {@link Stored} states. */
final class StoredNames extends JacksonAnnotationIntrospector {
  private static final long serialVersionUID = 1;

  @Override
  public @Nullable PropertyName findNameForSerialization(Annotated annotated) {
    return stored(annotated).orElseGet(() -> super.findNameForSerialization(annotated));
  }

  @Override
  public @Nullable PropertyName findNameForDeserialization(Annotated annotated) {
    return stored(annotated).orElseGet(() -> super.findNameForDeserialization(annotated));
  }

  private Optional<PropertyName> stored(Annotated annotated) {
    return Optional.ofNullable(_findAnnotation(annotated, Stored.class))
        .map(name -> PropertyName.construct(name.value()));
  }
}
