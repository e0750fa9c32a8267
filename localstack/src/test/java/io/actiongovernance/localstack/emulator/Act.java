package io.actiongovernance.localstack.emulator;

import java.util.List;
import java.util.Map;

/**
 * What somebody is about to do.
 *
 * @param principal a service, or the ARN of a role
 * @param context what conditions may ask for
 */
record Act(String principal, String action, String resource, Map<String, List<String>> context) {
  private static final String ROLE = "arn:aws:iam::";

  Act {
    context = Map.copyOf(context);
  }

  /** One on behalf of a resource. */
  static Act onBehalf(String service, String action, String resource, String sourceArn) {
    return new Act(service, action, resource, Map.of("aws:SourceArn", List.of(sourceArn)));
  }

  /** One about which nothing more is known. */
  static Act plain(String principal, String action, String resource) {
    return new Act(principal, action, resource, Map.of());
  }

  /** What a condition's key stands for. */
  List<String> value(String key) {
    return switch (key) {
      case "aws:SecureTransport" -> List.of("true"); // as it would be on AWS
      case "aws:PrincipalArn" -> principal.startsWith(ROLE) ? List.of(principal) : List.of();
      default -> context.getOrDefault(key, List.of());
    };
  }
}
