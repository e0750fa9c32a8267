package io.actiongovernance.infra;

import io.github.cdklabs.cdknag.NagPackSuppression;
import io.github.cdklabs.cdknag.NagSuppressions;
import io.github.cdklabs.cdknag.RegexAppliesTo;
import java.util.List;
import software.amazon.awscdk.Stack;
import software.constructs.IConstruct;

/**
 * Why a rule of cdk-nag does not hold for a thing. It is said beside the thing, and kept in the
 * template with it.
 */
final class Reasons {
  private Reasons() {}

  /** The thing breaks the rule, for the reason. */
  static void give(IConstruct thing, String rule, String reason) {
    NagSuppressions.addResourceSuppressions(thing, List.of(because(rule, reason).build()));
  }

  /** Everything of the kind in the stack breaks the rule, for the reason. */
  static void giveAll(Stack stack, String rule, String reason) {
    NagSuppressions.addStackSuppressions(stack, List.of(because(rule, reason).build()));
  }

  /**
   * The policies of the role permit something on more resources than can be named.
   *
   * @param resource what the ARNs begin with, as a regular expression
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
