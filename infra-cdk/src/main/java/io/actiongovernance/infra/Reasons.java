package io.actiongovernance.infra;

import io.github.cdklabs.cdknag.NagPackSuppression;
import io.github.cdklabs.cdknag.NagSuppressions;
import io.github.cdklabs.cdknag.RegexAppliesTo;
import java.util.List;
import software.amazon.awscdk.Stack;
import software.constructs.IConstruct;

/**
 * The reasons why a cdk-nag rule does not apply to a construct. They are in the code next to the
 * construct, and in the template.
 */
final class Reasons {
  private Reasons() {}

  /** Suppresses the rule for the construct. */
  static void give(IConstruct thing, String rule, String reason) {
    NagSuppressions.addResourceSuppressions(thing, List.of(because(rule, reason).build()));
  }

  /** Suppresses the rule for every construct of its kind in the stack. */
  static void giveAll(Stack stack, String rule, String reason) {
    NagSuppressions.addStackSuppressions(stack, List.of(because(rule, reason).build()));
  }

  /**
   * Suppresses the wildcard rule. The role's policies permit something on more resources than can
   * be named.
   *
   * @param resource the prefix of the ARNs, as a regular expression
   */
  static void giveForWildcard(IConstruct role, String resource, String reason) {
    NagSuppressions.addResourceSuppressions(
        role,
        List.of(
            because("AwsSolutions-IAM5", reason)
                .appliesTo(
                    List.of(
                        RegexAppliesTo.builder().regex("/^Resource::" + resource + "/").build()))
                .build()));
  }

  private static NagPackSuppression.Builder because(String rule, String reason) {
    return NagPackSuppression.builder().id(rule).reason(reason);
  }
}
