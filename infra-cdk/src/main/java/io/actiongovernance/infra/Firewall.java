package io.actiongovernance.infra;

import io.actiongovernance.functions.api.BrowserHeaders;
import io.actiongovernance.functions.route.Route;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import software.amazon.awscdk.Aws;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.apigateway.CfnStage;
import software.amazon.awscdk.services.logs.CfnLogGroup;
import software.amazon.awscdk.services.wafv2.CfnLoggingConfiguration;
import software.amazon.awscdk.services.wafv2.CfnWebACL;
import software.amazon.awscdk.services.wafv2.CfnWebACLAssociation;

/**
 * Rules that apply before each request: AWS's managed rules, and a limit for each address. Rules on
 * bodies only count, because an event may contain anything a customer wrote, including markup and
 * shell commands. The service executes none of it.
 */
final class Firewall {
  private static final String VENDOR = "AWS";

  /** The rules on bodies, which would refuse legitimate events. */
  private static final List<String> ON_BODIES =
      List.of(
          "SizeRestrictions_BODY",
          "EC2MetaDataSSRF_BODY",
          "GenericLFI_BODY",
          "GenericRFI_BODY",
          "CrossSiteScripting_BODY");

  /** The managed rule that {@link #longQueries} replaces. */
  private static final String ON_QUERIES = "SizeRestrictions_QUERYSTRING";

  /** The longest query, in bytes, that the replaced rule permits. */
  private static final int LONGEST_QUERY = 2_048;

  /**
   * The paths of browsers that sign in at an issuer, below any stage. The issuer's parameters may
   * have any length.
   */
  private static final String SIGN_IN = "^(/[^/]+)?/v1/sign_in/idp_[0-9a-z]{26}(/callback)?$";

  private static final List<CfnWebACL.TextTransformationProperty> AS_IT_IS =
      List.of(CfnWebACL.TextTransformationProperty.builder().priority(0).type("NONE").build());

  /**
   * The most requests of one address in a minute, which is 600 a second. This is above the 500 a
   * second that one tenant may send from one address.
   */
  private static final int MOST_OF_AN_ADDRESS = 36_000;

  private static final int MINUTE_SECONDS = 60;

  /** The name of the rule, and of its response. */
  private static final String FLOODS = "Floods";

  private static final String FLOODING = "limits:flooding";

  /** The identifier in the responses to blocked requests, because no gateway has numbered these. */
  private static final String REQUEST_ID = "req_firewall";

  /** The browser headers that matter for a response that is not a document. */
  private static final Set<String> ON_DATA =
      Set.of("Cross-Origin-Resource-Policy", "Strict-Transport-Security", "X-Content-Type-Options");

  /**
   * The headers that contain credentials: keys and sessions. Codes and tickets are not in headers
   * but in queries.
   */
  private static final List<String> CREDENTIALS = List.of("authorization", "cookie");

  private Firewall() {}

  /**
   * @param baseUrl the service root, for the links in its responses
   */
  static void before(
      CfnStage stage, String apiId, String baseUrl, Stack stack, Environment environment) {
    CfnWebACL rules =
        CfnWebACL.Builder.create(stack, "Firewall")
            .name(environment.prefix())
            .scope("REGIONAL")
            .defaultAction(
                CfnWebACL.DefaultActionProperty.builder()
                    .allow(CfnWebACL.AllowActionProperty.builder().build())
                    .build())
            .visibilityConfig(seenAs(environment.prefix()))
            .customResponseBodies(
                Map.of(
                    FLOODS,
                    CfnWebACL.CustomResponseBodyProperty.builder()
                        .contentType("APPLICATION_JSON")
                        .content(GatewayResponse.THROTTLED.body(baseUrl, REQUEST_ID))
                        .build()))
            .rules(
                List.of(
                    floods(0),
                    managed(1, "AWSManagedRulesAmazonIpReputationList", List.of()),
                    managed(
                        2,
                        "AWSManagedRulesKnownBadInputsRuleSet",
                        List.of("Log4JRCE_BODY", "JavaDeserializationRCE_BODY", "ReactJSRCE_BODY")),
                    managed(
                        3,
                        "AWSManagedRulesCommonRuleSet",
                        Stream.concat(ON_BODIES.stream(), Stream.of(ON_QUERIES)).toList()),
                    longQueries(4)))
            .build();
    CfnWebACLAssociation.Builder.create(stack, "FirewallOfStage")
        .webAclArn(rules.getAttrArn())
        .resourceArn(
            "arn:%s:apigateway:%s::/restapis/%s/stages/%s"
                .formatted(Aws.PARTITION, Aws.REGION, apiId, stage.getRef()))
        .build();
    log(rules, stack, environment);
  }

  /**
   * Logs blocked requests, except floods, because their log lines would cost more than they are
   * worth.
   */
  private static void log(CfnWebACL rules, Stack stack, Environment environment) {
    // WAF requires this prefix for the log group's name.
    String name = "aws-waf-logs-" + environment.prefix();
    CfnLogGroup logs =
        CfnLogGroup.Builder.create(stack, "FirewallLogs")
            .logGroupName(name)
            .retentionInDays(environment.logDays())
            .build();
    logs.applyRemovalPolicy(RemovalPolicy.DESTROY);
    String label =
        "awswaf:%s:webacl:%s:%s".formatted(Aws.ACCOUNT_ID, environment.prefix(), FLOODING);
    List<CfnLoggingConfiguration.FieldToMatchProperty> redacted =
        Stream.concat(
                CREDENTIALS.stream()
                    .map(
                        header ->
                            CfnLoggingConfiguration.FieldToMatchProperty.builder()
                                .singleHeader(Map.of("Name", header))
                                .build()),
                Stream.of(
                    CfnLoggingConfiguration.FieldToMatchProperty.builder()
                        .queryString(Map.of())
                        .build()))
            .toList();
    CfnLoggingConfiguration.Builder.create(stack, "FirewallLogging")
        .resourceArn(rules.getAttrArn())
        .logDestinationConfigs(List.of(Names.regional("logs", "log-group:" + name)))
        .redactedFields(redacted)
        .loggingFilter(
            Map.of(
                "DefaultBehavior",
                "DROP",
                "Filters",
                List.of(
                    filter("DROP", Map.of("LabelNameCondition", Map.of("LabelName", label))),
                    filter("KEEP", Map.of("ActionCondition", Map.of("Action", "BLOCK"))))))
        .build()
        .addResourceDependency(logs);
  }

  private static Map<String, Object> filter(String behaviour, Map<String, Object> condition) {
    return Map.of(
        "Behavior", behaviour, "Requirement", "MEETS_ALL", "Conditions", List.of(condition));
  }

  /**
   * Blocks an address that sends a flood of requests, except for requests that stop what operators
   * do.
   */
  private static CfnWebACL.RuleProperty floods(int priority) {
    GatewayResponse response = GatewayResponse.THROTTLED;
    Map<String, String> headers = new TreeMap<>(response.constants());
    headers.put("X-Request-Id", REQUEST_ID);
    headers.put("Retry-After", Integer.toString(MINUTE_SECONDS));
    // WAF accepts ten headers, so the headers that only documents need are omitted.
    BrowserHeaders.of(true).entrySet().stream()
        .filter(header -> ON_DATA.contains(header.getKey()))
        .forEach(header -> headers.put(header.getKey(), header.getValue()));
    CfnWebACL.StatementProperty stopping =
        CfnWebACL.StatementProperty.builder()
            .orStatement(
                CfnWebACL.OrStatementProperty.builder()
                    .statements(EmergencyStop.ROUTES.stream().map(Firewall::requestsOf).toList())
                    .build())
            .build();
    return CfnWebACL.RuleProperty.builder()
        .name(FLOODS)
        .priority(priority)
        .action(
            CfnWebACL.RuleActionProperty.builder()
                .block(
                    CfnWebACL.BlockActionProperty.builder()
                        .customResponse(
                            CfnWebACL.CustomResponseProperty.builder()
                                .responseCode(response.status())
                                .customResponseBodyKey(FLOODS)
                                .responseHeaders(
                                    headers.entrySet().stream().map(Firewall::header).toList())
                                .build())
                        .build())
                .build())
        .ruleLabels(List.of(CfnWebACL.LabelProperty.builder().name(FLOODING).build()))
        .statement(
            CfnWebACL.StatementProperty.builder()
                .rateBasedStatement(
                    CfnWebACL.RateBasedStatementProperty.builder()
                        .aggregateKeyType("IP")
                        .evaluationWindowSec(MINUTE_SECONDS)
                        .limit(MOST_OF_AN_ADDRESS)
                        .scopeDownStatement(not(stopping))
                        .build())
                .build())
        .visibilityConfig(seenAs(FLOODS))
        .build();
  }

  private static CfnWebACL.CustomHTTPHeaderProperty header(Map.Entry<String, String> header) {
    return CfnWebACL.CustomHTTPHeaderProperty.builder()
        .name(header.getKey())
        .value(header.getValue())
        .build();
  }

  private static CfnWebACL.StatementProperty requestsOf(Route route) {
    CfnWebACL.StatementProperty method =
        CfnWebACL.StatementProperty.builder()
            .byteMatchStatement(
                CfnWebACL.ByteMatchStatementProperty.builder()
                    .fieldToMatch(CfnWebACL.FieldToMatchProperty.builder().method(Map.of()).build())
                    .positionalConstraint("EXACTLY")
                    .searchString(route.method().name())
                    .textTransformations(AS_IT_IS)
                    .build())
            .build();
    String path = "^(/[^/]+)?" + route.path().replaceAll("\\{[^}]+}", "[^/]+") + "$";
    return CfnWebACL.StatementProperty.builder()
        .andStatement(
            CfnWebACL.AndStatementProperty.builder().statements(List.of(method, at(path))).build())
        .build();
  }

  private static CfnWebACL.StatementProperty at(String path) {
    return CfnWebACL.StatementProperty.builder()
        .regexMatchStatement(
            CfnWebACL.RegexMatchStatementProperty.builder()
                .fieldToMatch(CfnWebACL.FieldToMatchProperty.builder().uriPath(Map.of()).build())
                .regexString(path)
                .textTransformations(AS_IT_IS)
                .build())
        .build();
  }

  private static CfnWebACL.StatementProperty not(CfnWebACL.StatementProperty statement) {
    return CfnWebACL.StatementProperty.builder()
        .notStatement(CfnWebACL.NotStatementProperty.builder().statement(statement).build())
        .build();
  }

  /**
   * @param counted the rules of the group that only count
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

  /** Blocks queries that are too long, except when people sign in. */
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
                        .statements(List.of(isLong, not(at(SIGN_IN))))
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
