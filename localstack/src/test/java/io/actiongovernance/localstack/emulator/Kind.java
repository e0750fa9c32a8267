package io.actiongovernance.localstack.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A type of resources: what of it is known here, and how one is made. What is not said of changing
 * and deleting one is refused. Filled by one thread, then read.
 */
final class Kind {
  private final String type;
  private final Maker maker;
  private final @Nullable Set<String> used;
  private final Set<String> without;
  private Set<String> changeable = Set.of();
  private Set<String> replacing = Set.of();
  private @Nullable String name;
  private @Nullable Changer changer;
  private @Nullable Deleter deleter;

  private Kind(String type, Maker maker, @Nullable Set<String> used, Set<String> without) {
    this.type = type;
    this.maker = maker;
    this.used = used;
    this.without = without;
  }

  /**
   * @param used the properties that are looked at
   * @param without those that make no difference here; any other is refused
   */
  static Kind of(String type, Set<String> used, Set<String> without, Maker maker) {
    return new Kind(type, maker, used, without);
  }

  /** One of which nothing makes a difference here. */
  static Kind withoutEffect(String type, Maker maker) {
    return new Kind(type, maker, null, Set.of()).deleted((_, _) -> {});
  }

  /** Makes a resource. */
  interface Maker {
    Made make(String id, Properties properties) throws Exception;
  }

  /** Changes a resource in place. */
  interface Changer {
    Made change(Made made, Properties before, Properties now) throws Exception;
  }

  /** Deletes a resource. */
  interface Deleter {
    void delete(Made made, Properties properties) throws Exception;
  }

  /** What becomes of a resource that is to have other properties. */
  enum Change {
    NONE,
    IN_PLACE,
    REPLACED
  }

  /** Another value of these changes the resource in place. */
  Kind changed(Set<String> properties, Changer by) {
    changeable = properties;
    changer = by;
    return this;
  }

  /** Another value of these makes another resource. */
  Kind replaced(Set<String> properties) {
    replacing = properties;
    return this;
  }

  /**
   * The same of resources that are told apart by a name.
   *
   * @param property that is the name
   */
  Kind replaced(String property, Set<String> further) {
    name = property;
    replacing = new HashSet<>(further);
    replacing.add(property);
    return this;
  }

  Kind deleted(Deleter by) {
    deleter = by;
    return this;
  }

  String type() {
    return type;
  }

  Made make(String id, JsonNode properties) throws Exception {
    return maker.make(id, known(properties));
  }

  private Properties known(JsonNode json) {
    Properties properties = new Properties(type, json);
    if (used != null) {
      properties.knows(used, without);
    }
    return properties;
  }

  /** What other properties do to a resource. Refuses what is not known here, or never done. */
  Change change(JsonNode before, JsonNode now) {
    if (used == null) {
      return Change.NONE;
    }
    Set<String> others = known(now).others(new Properties(type, before));
    others.removeAll(without);
    if (others.isEmpty()) {
      return Change.NONE;
    }
    if (others.stream().anyMatch(replacing::contains)) {
      if (name != null && before.has(name) && !others.contains(name)) {
        throw new Refused(
            "CloudFormation cannot update a stack when a custom-named resource requires replacing. Rename %s and update the stack again."
                .formatted(before.path(name).asText()));
      }
      return Change.REPLACED;
    }
    others.removeAll(changeable);
    if (!others.isEmpty()) {
      throw new Refused("A change of %s of %s is not known here.".formatted(others, type));
    }
    return Change.IN_PLACE;
  }

  /** The resource with other properties of those that are changed in place. */
  Made change(Made made, JsonNode before, JsonNode now) throws Exception {
    return Objects.requireNonNull(changer, type)
        .change(made, new Properties(type, before), new Properties(type, now));
  }

  void requireDeletable() {
    if (deleter == null) {
      throw new Refused("The deletion of %s is not known here.".formatted(type));
    }
  }

  void delete(Made made, JsonNode properties) throws Exception {
    requireDeletable();
    Objects.requireNonNull(deleter, type).delete(made, new Properties(type, properties));
  }
}
