package io.actiongovernance.infra;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.constructs.Node;

/**
 * The place of an environment. Nothing is deployed without one, so that a deployment never depends
 * on the current credentials.
 *
 * @param account the account's twelve digits
 * @param region such as {@code eu-west-1}
 */
record Place(String account, String region) {
  private static final Pattern ACCOUNT = Pattern.compile("[0-9]{12}");
  private static final Pattern REGION = Pattern.compile("[a-z]{2}(-[a-z]+)+-[0-9]");

  Place {
    if (!ACCOUNT.matcher(account).matches()) {
      throw new IllegalArgumentException("account must be twelve digits, not " + account + ".");
    }
    if (!REGION.matcher(region).matches()) {
      throw new IllegalArgumentException(
          "region must be a region, such as eu-west-1, not " + region + ".");
    }
  }

  /**
   * The place that the command line specifies; null if none.
   *
   * @throws IllegalArgumentException if it specifies only one of account and region
   */
  static @Nullable Place of(Node app) {
    Object account = app.tryGetContext("account");
    Object region = app.tryGetContext("region");
    if (account == null && region == null) {
      return null;
    }
    if (account == null || region == null) {
      throw new IllegalArgumentException(
          "A place needs both -c account=ACCOUNT and -c region=REGION.");
    }
    return new Place(account.toString(), region.toString());
  }

  /** The place in the form that the CDK's stacks need. */
  software.amazon.awscdk.Environment ofStacks() {
    return software.amazon.awscdk.Environment.builder().account(account).region(region).build();
  }

  /** The AWS partition of the region. */
  String partition() {
    if (region.startsWith("cn-")) {
      return "aws-cn";
    }
    return region.startsWith("us-gov-") ? "aws-us-gov" : "aws";
  }

  /** The ARN of the table of that name, whether or not it exists. */
  String tableArn(String name) {
    return "arn:%s:dynamodb:%s:%s:table/%s".formatted(partition(), region, account, name);
  }
}
