package io.actiongovernance.localstack.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The properties of a resource, or a part of them, read strictly. */
record Properties(String of, JsonNode json) {
  /**
   * Refuses what is neither used nor known to make no difference here.
   *
   * @param without the effect of these is none in an emulator
   */
  void knows(Set<String> used, Set<String> without) {
    json.fieldNames()
        .forEachRemaining(
            name -> {
              if (!used.contains(name) && !without.contains(name)) {
                throw new Refused("The property %s of %s is not known here.".formatted(name, of));
              }
            });
  }

  boolean has(String name) {
    return json.has(name);
  }

  /** A number or a truth value may be written as text, and is. */
  String text(String name) {
    JsonNode value = json.path(name);
    if (!value.isValueNode()) {
      throw new Refused("The property %s of %s is missing.".formatted(name, of));
    }
    return value.asText();
  }

  int number(String name) {
    return Integer.parseInt(text(name));
  }

  boolean truth(String name) {
    return has(name) && Boolean.parseBoolean(text(name));
  }

  /** Refuses any other value, since that would mean something. */
  void only(String name, String value) {
    if (has(name) && !text(name).equals(value)) {
      throw new Refused("Of %s, %s is not known here but as %s.".formatted(of, name, value));
    }
  }

  Properties part(String name) {
    return new Properties(of + "." + name, json.path(name));
  }

  List<Properties> each(String name) {
    List<Properties> all = new ArrayList<>();
    json.path(name).forEach(one -> all.add(new Properties(of + "." + name, one)));
    return all;
  }

  List<String> texts(String name) {
    List<String> all = new ArrayList<>();
    json.path(name).forEach(one -> all.add(one.asText()));
    return all;
  }

  /** The names of those that are not the same there. */
  Set<String> others(Properties there) {
    Set<String> names = new TreeSet<>();
    json.fieldNames().forEachRemaining(names::add);
    there.json().fieldNames().forEachRemaining(names::add);
    names.removeIf(name -> json.path(name).equals(there.json().path(name)));
    return names;
  }

  /** A copy with these alone. */
  ObjectNode copy(Set<String> names) {
    ObjectNode copy = Json.object();
    names.stream().filter(this::has).forEach(name -> copy.set(name, json.get(name)));
    return copy;
  }
}
