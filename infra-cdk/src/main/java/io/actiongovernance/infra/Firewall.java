package io.actiongovernance.infra;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import software.amazon.awscdk.Aws;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.apigateway.CfnStage;
import software.amazon.awscdk.services.wafv2.CfnWebACL;
import software.amazon.awscdk.services.wafv2.CfnWebACLAssociation;

/**
 * Rules that AWS keeps, before each request. Bodies are counted and not blocked: an event may hold
 * anything a customer wrote, markup and shell commands included, and the service runs none of it.
 */
final class Firewall {
  private static final String VENDOR = "AWS";

  /** The rules that look at bodies, which would refuse honest events. */
  private static final List<String> ON_BODIES =
      List.of(
          "SizeRestrictions_BODY",
          "EC2MetaDataSSRF_BODY",
          "GenericLFI_BODY",
          "GenericRFI_BODY",
          "CrossSiteScripting_BODY");

  /** What {@link #longQueries} stands in the place of. */
  private static final String ON_QUERIES = "SizeRestrictions_QUERYSTRING";

  /** The bytes of a query that it blocks above. */
  private static final int LONGEST_QUERY = 2_048;

  /**
   * Where browsers come and go that sign in at an issuer, below whichever stage: what it sends
   * along is as long as it likes.
   */
  private static final String SIGN_IN = "^(/[^/]+)?/v1/sign_in/idp_[0-9a-z]{26}(/callback)?$";

  private static final List<CfnWebACL.TextTransformationProperty> AS_IT_IS =
      List.of(CfnWebACL.TextTransformationProperty.builder().priority(0).type("NONE").build());

  private Firewall() {}

  static void before(CfnStage stage, String apiId, Stack stack, Environment environment) {
    CfnWebACL rules =
        CfnWebACL.Builder.create(stack, "Firewall")
            .name(environment.prefix())
            .scope("REGIONAL")
            .defaultAction(
                CfnWebACL.DefaultActionProperty.builder()
                    .allow(CfnWebACL.AllowActionProperty.builder().build())
                    .build())
            .visibilityConfig(seenAs(environment.prefix()))
            .rules(
                List.of(
                    managed(0, "AWSManagedRulesAmazonIpReputationList", List.of()),
                    managed(
                        1,
                        "AWSManagedRulesKnownBadInputsRuleSet",
                        List.of("Log4JRCE_BODY", "JavaDeserializationRCE_BODY", "ReactJSRCE_BODY")),
                    managed(
                        2,
                        "AWSManagedRulesCommonRuleSet",
                        Stream.concat(ON_BODIES.stream(), Stream.of(ON_QUERIES)).toList()),
                    longQueries(3)))
            .build();
    CfnWebACLAssociation.Builder.create(stack, "FirewallOfStage")
        .webAclArn(rules.getAttrArn())
        .resourceArn(
            "arn:%s:apigateway:%s::/restapis/%s/stages/%s"
                .formatted(Aws.PARTITION, Aws.REGION, apiId, stage.getRef()))
        .build();
  }

  /**
   * @param counted its rules that only count
   */
  private static CfnWebACL.RuleProperty managed(int priority, String group, List<String> counted) {
    return CfnWebACL.RuleProperty.builder()
        .name(group)
        .priority(priority)
        .overrideAction(CfnWebACL.OverrideActionProperty.builder().none(Map.of()).build())
        .statement(
            CfnWebACL.StatementProperty.builder()
                .managedRuleGroupStatement(
                    CfnWebACL.ManagedRuleGroupStatementProperty.builder()
                        .vendorName(VENDOR)
                        .name(group)
                        .ruleActionOverrides(counted.stream().map(Firewall::count).toList())
                        .build())
                .build())
        .visibilityConfig(seenAs(group))
        .build();
  }

  /** Blocks queries that are too long, but where people sign in. */
  private static CfnWebACL.RuleProperty longQueries(int priority) {
    CfnWebACL.StatementProperty isLong =
        CfnWebACL.StatementProperty.builder()
            .sizeConstraintStatement(
                CfnWebACL.SizeConstraintStatementProperty.builder()
                    .fieldToMatch(
                        CfnWebACL.FieldToMatchProperty.builder().queryString(Map.of()).build())
                    .comparisonOperator("GT")
                    .size(LONGEST_QUERY)
                    .textTransformations(AS_IT_IS)
                    .build())
            .build();
    CfnWebACL.StatementProperty signsIn =
        CfnWebACL.StatementProperty.builder()
            .regexMatchStatement(
                CfnWebACL.RegexMatchStatementProperty.builder()
                    .fieldToMatch(
                        CfnWebACL.FieldToMatchProperty.builder().uriPath(Map.of()).build())
                    .regexString(SIGN_IN)
                    .textTransformations(AS_IT_IS)
                    .build())
            .build();
    CfnWebACL.StatementProperty elsewhere =
        CfnWebACL.StatementProperty.builder()
            .notStatement(CfnWebACL.NotStatementProperty.builder().statement(signsIn).build())
            .build();
    return CfnWebACL.RuleProperty.builder()
        .name("LongQueries")
        .priority(priority)
        .action(
            CfnWebACL.RuleActionProperty.builder()
                .block(CfnWebACL.BlockActionProperty.builder().build())
                .build())
        .statement(
            CfnWebACL.StatementProperty.builder()
                .andStatement(
                    CfnWebACL.AndStatementProperty.builder()
                        .statements(List.of(isLong, elsewhere))
                        .build())
                .build())
        .visibilityConfig(seenAs("LongQueries"))
        .build();
  }

  private static CfnWebACL.RuleActionOverrideProperty count(String rule) {
    return CfnWebACL.RuleActionOverrideProperty.builder()
        .name(rule)
        .actionToUse(
            CfnWebACL.RuleActionProperty.builder()
                .count(CfnWebACL.CountActionProperty.builder().build())
                .build())
        .build();
  }

  private static CfnWebACL.VisibilityConfigProperty seenAs(String metric) {
    return CfnWebACL.VisibilityConfigProperty.builder()
        .metricName(metric)
        .cloudWatchMetricsEnabled(true)
        .sampledRequestsEnabled(true)
        .build();
  }
}
