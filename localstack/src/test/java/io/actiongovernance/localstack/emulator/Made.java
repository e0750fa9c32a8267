package io.actiongovernance.localstack.emulator;

import java.util.Map;

/**
 * A resource as others may speak of it.
 *
 * @param ref what {@code Ref} yields
 * @param attributes what {@code Fn::GetAtt} yields
 */
record Made(String ref, Map<String, String> attributes) {
  Made {
    attributes = Map.copyOf(attributes);
  }

  /** One without attributes. */
  static Made named(String ref) {
    return new Made(ref, Map.of());
  }

  /** One that others know by its ARN besides. */
  static Made withArn(String ref, String arn) {
    return new Made(ref, Map.of("Arn", arn));
  }

  String attribute(String name) {
    String value = attributes.get(name);
    if (value == null) {
      throw new Refused("%s has no attribute %s.".formatted(ref, name));
    }
    return value;
  }
}
