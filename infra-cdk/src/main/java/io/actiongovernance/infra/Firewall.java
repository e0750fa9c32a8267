package io.actiongovernance.infra;

import java.util.List;
import java.util.Map;
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
                    managed(2, "AWSManagedRulesCommonRuleSet", ON_BODIES)))
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
