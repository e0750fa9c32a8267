package io.actiongovernance.infra;

import static io.actiongovernance.infra.Statements.ordered;

import io.actiongovernance.json.Json;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.Aws;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.apigateway.CfnAccount;
import software.amazon.awscdk.services.apigateway.CfnStage;
import software.amazon.awscdk.services.iam.CfnRole;
import software.amazon.awscdk.services.logs.CfnLogGroup;

/**
 * API Gateway's logs: one line of JSON per request, and the gateway's own failures. Neither
 * contains a header, a body or a query string, because these may hold cursors and filters.
 */
final class GatewayLogs {
  /** The fields of a line, and their source in the gateway. */
  private static final Map<String, Object> FIELDS =
      ordered(
          "request_id", "$context.requestId",
          "function_request_id", "$context.awsEndpointRequestId",
          "trace_id", "$context.xrayTraceId",
          "time", "$context.requestTime",
          "source_ip", "$context.identity.sourceIp",
          "user_agent", "$context.identity.userAgent",
          "tls", "$context.tlsVersion",
          "method", "$context.httpMethod",
          "route", "$context.resourcePath",
          "path", "$context.path",
          "status", "$context.status",
          "bytes", "$context.responseLength",
          "milliseconds", "$context.responseLatency",
          "function_milliseconds", "$context.integrationLatency",
          "function_status", "$context.integrationStatus",
          "function_error", "$context.integrationErrorMessage",
          "gateway_error", "$context.error.responseType",
          "firewall", "$context.wafResponseCode");

  private final Stack stack;
  private final Environment environment;
  private final CfnLogGroup access;

  GatewayLogs(Stack stack, Environment environment, String apiId) {
    this.stack = stack;
    this.environment = environment;
    this.access = group("AccessLogs", "/aws/apigateway/" + environment.prefix() + "/access");
    // Otherwise the gateway would create the group itself, and keep it forever.
    group("FailureLogs", "API-Gateway-Execution-Logs_" + apiId + "/" + ApiStack.STAGE);
  }

  CfnStage.AccessLogSettingProperty setting() {
    return CfnStage.AccessLogSettingProperty.builder()
        .destinationArn(access.getAttrArn())
        .format(Json.write(FIELDS))
        .build();
  }

  /**
   * The permission for API Gateway to write logs. It is a setting of the account and region, which
   * all deployments there share, so it stays when one of them is deleted.
   */
  CfnAccount permission() {
    CfnRole role =
        CfnRole.Builder.create(stack, "GatewayLogsRole")
            .assumeRolePolicyDocument(Statements.assumedBy("apigateway.amazonaws.com"))
            .managedPolicyArns(
                List.of(
                    "arn:%s:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs"
                        .formatted(Aws.PARTITION)))
            .build();
    Reasons.give(
        role,
        "AwsSolutions-IAM4",
        "API Gateway has one role for the logs of all APIs of an account and region. AWS says with"
            + " this policy what it needs.");
    role.applyRemovalPolicy(RemovalPolicy.RETAIN);
    CfnAccount account =
        CfnAccount.Builder.create(stack, "GatewayLogsPermission")
            .cloudWatchRoleArn(role.getAttrArn())
            .build();
    account.applyRemovalPolicy(RemovalPolicy.RETAIN);
    return account;
  }

  private CfnLogGroup group(String id, String name) {
    CfnLogGroup group =
        CfnLogGroup.Builder.create(stack, id)
            .logGroupName(name)
            .retentionInDays(environment.logDays())
            .build();
    group.applyRemovalPolicy(RemovalPolicy.DESTROY);
    return group;
  }
}
