package io.actiongovernance.infra;

import static io.actiongovernance.infra.Synthesised.PROD;
import static io.actiongovernance.infra.Synthesised.flat;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.Deployed;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.console.Console;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.event.EventRoutes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.runtime.StreamRuntime;
import io.actiongovernance.infra.Synthesised.Resource;
import io.actiongovernance.json.Json;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The API: paths, methods, and what the gateway itself answers. */
final class ApiSpec {
  private static final String METHOD = "AWS::ApiGateway::Method";

  @ParameterizedTest
  @MethodSource("io.actiongovernance.functions.Routes#all")
  void everyRouteHasAMethodAndAFunctionOfItsOwn(Route route) throws Exception {
    Resource function = PROD.function(route.operation());
    assertThat(Class.forName(function.text("/Handler")))
        .isEqualTo(route.streams() ? StreamRuntime.class : Deployed.Api.class);
    assertThat(function.property("/Timeout").asInt()).isEqualTo(route.streams() ? 900 : 29);
    String operation = route.streams() ? "/response-streaming-invocations" : "/invocations";
    assertThat(method(route.path(), route.method().name()).map(ApiSpec::uri))
        .hasValueSatisfying(
            uri ->
                assertThat(uri)
                    .endsWith(
                        ":function:governance-prod-" + route.operation() + ":live" + operation));
  }

  @ParameterizedTest
  @MethodSource("io.actiongovernance.functions.Routes#all")
  void theGatewayMayInvokeAFunctionForItsOwnRouteOnly(Route route) {
    String function = PROD.alias(route.operation());
    Resource permission = PROD.one("AWS::Lambda::Permission", "/FunctionName/Ref", function);
    assertThat(flat(permission.property("/SourceArn")))
        .endsWith("/live/" + route.method().name() + route.path().replaceAll("\\{\\w+}", "*"));
  }

  @ParameterizedTest
  @FieldSource("io.actiongovernance.functions.console.Console#PATHS")
  void theConsoleIsAnsweredByAFunctionThatKnowsNoSecret(String path) throws Exception {
    Resource function = PROD.function(Console.FUNCTION);
    assertThat(Class.forName(function.text("/Handler"))).isEqualTo(Deployed.Packaged.class);
    assertThat(function.property("/Environment/Variables").has("GOVERNANCE_BASE_URL")).isTrue();
    assertThat(Synthesised.statements(PROD.role(Console.FUNCTION)).toString())
        .contains("logs:PutLogEvents")
        .doesNotContain("secretsmanager", "dynamodb", "s3:", "sqs:");
    assertThat(method(path, "GET").map(ApiSpec::uri))
        .hasValueSatisfying(
            uri -> assertThat(uri).endsWith(":function:governance-prod-console:live/invocations"));
  }

  @Test
  void theStreamIsStreamedByARuntimeOfOurOwn() {
    Route route = EventRoutes.STREAM_EVENTS;
    Resource function = PROD.function(route.operation());
    assertThat(function.text("/Environment/Variables/AWS_LAMBDA_EXEC_WRAPPER"))
        .isEqualTo("/var/task/stream-runtime");
    assertThat(function.property("/Environment/Variables").has("GOVERNANCE_PREFIX")).isTrue();
    assertThat(method(route.path(), route.method().name()))
        .hasValueSatisfying(
            made -> {
              assertThat(made.text("/Integration/ResponseTransferMode")).isEqualTo("STREAM");
              assertThat(made.property("/Integration/TimeoutInMillis").asInt()).isEqualTo(900_000);
            });
    assertThat(PROD.all(METHOD))
        .filteredOn(made -> !made.property("/Integration/ResponseTransferMode").isMissingNode())
        .hasSize(1);
  }

  @Test
  void everyOtherPathAndMethodIsAnsweredAsUnknown() {
    Map<String, String> paths = paths();
    assertThat(paths).containsValues("", "/v1", "/{proxy+}", "/v1/plans/{plan_id}/veto");
    for (String path : paths.values()) {
      assertThat(method(path, "ANY").map(ApiSpec::uri))
          .as(path)
          .hasValueSatisfying(
              uri ->
                  assertThat(uri)
                      .endsWith(":function:governance-prod-unknown-path:live/invocations"));
    }
  }

  @Test
  void theApiHasNoOtherMethods() {
    assertThat(PROD.all(METHOD))
        .hasSize(Routes.all().size() + Console.PATHS.size() + paths().size());
  }

  @Test
  void theDeploymentDependsOnAllItsMethodsAndResponses() {
    Resource deployment = PROD.all("AWS::ApiGateway::Deployment").getFirst();
    long parts =
        Synthesised.list(requireNonNull(PROD.templates().get(ApiStack.NAME)).path("Resources"))
            .stream()
            .map(made -> made.path("Type").asText())
            .filter(Set.of(METHOD, "AWS::ApiGateway::GatewayResponse")::contains)
            .count();
    assertThat(deployment.body().path("DependsOn")).hasSize((int) parts);
  }

  @Test
  void bodiesReachTheFunctionsByteForByte() {
    assertThat(PROD.all("AWS::ApiGateway::RestApi").getFirst().text("/BinaryMediaTypes/0"))
        .isEqualTo("*/*");
  }

  @ParameterizedTest
  @EnumSource
  void gatewayResponsesHaveTheContractsErrorForm(GatewayResponse response) {
    Resource made = PROD.one("AWS::ApiGateway::GatewayResponse", "/ResponseType", response.name());
    JsonNode error =
        Json.read(flat(made.property("/ResponseTemplates/application~1json"))).path("error");
    ErrorCode code = ErrorCode.valueOf(error.path("code").textValue().toUpperCase(Locale.ROOT));
    assertThat(made.text("/StatusCode")).isEqualTo(Integer.toString(code.status()));
    assertThat(error.path("type").textValue()).isEqualTo(code.type().wire());
    assertThat(error.path("doc_url").textValue()).endsWith("/docs/errors#" + code.wire());
    assertThat(error.path("request_id").textValue()).startsWith("req_");
    assertThat(error.properties())
        .extracting(Map.Entry::getKey)
        .containsExactlyInAnyOrder(
            "type", "code", "message", "doc_url", "request_id", "param", "details");
  }

  @ParameterizedTest
  @EnumSource
  void gatewayResponsesHaveEveryHeader(GatewayResponse response) {
    Resource made = PROD.one("AWS::ApiGateway::GatewayResponse", "/ResponseType", response.name());
    List<String> headers =
        made.property("/ResponseParameters").properties().stream()
            .map(entry -> entry.getKey().replace("gatewayresponse.header.", ""))
            .toList();
    assertThat(headers)
        .contains(
            "X-Request-Id",
            "Service-Version",
            "X-RateLimit-Limit",
            "X-RateLimit-Remaining",
            "X-RateLimit-Reset",
            "Content-Type",
            "Cache-Control",
            "X-Content-Type-Options",
            "Cross-Origin-Opener-Policy",
            "Cross-Origin-Resource-Policy",
            "Permissions-Policy",
            "Strict-Transport-Security");
    boolean retriable = List.of("429", "503").contains(made.text("/StatusCode"));
    assertThat(headers.contains("Retry-After")).isEqualTo(retriable);
  }

  @Test
  void everyRequestIsLoggedAsOneObjectWithoutItsQueryAndItsHeaders() {
    Resource stage = PROD.all("AWS::ApiGateway::Stage").getFirst();
    JsonNode line = Json.read(stage.text("/AccessLogSetting/Format"));
    assertThat(line.properties()).extracting(Map.Entry::getKey).contains("request_id", "status");
    assertThat(line)
        .allMatch(value -> value.textValue().startsWith("$context."))
        .noneMatch(value -> value.textValue().matches(".*(authorizer|Header|query|apiKey).*"));
    assertThat(stage.property("/MethodSettings/0/DataTraceEnabled").asBoolean()).isFalse();
    assertThat(PROD.all("AWS::Logs::LogGroup"))
        .allMatch(group -> group.property("/RetentionInDays").asInt() == 365);
  }

  /** Metrics of a method are paid, and the alarm on slow approvals looks at those of one alone. */
  @Test
  void onlyApprovingHasMetricsOfItsOwn() {
    Resource stage = PROD.all("AWS::ApiGateway::Stage").getFirst();
    assertThat(stage.property("/MethodSettings"))
        .extracting(
            setting -> setting.path("HttpMethod").asText(),
            setting -> setting.path("ResourcePath").asText(),
            setting -> setting.path("MetricsEnabled").asBoolean())
        .containsExactly(
            tuple("*", "/*", false), tuple("POST", "/~1v1~1plans~1{plan_id}~1approve", true));
    assertThat(PROD.all("AWS::CloudWatch::Alarm"))
        .filteredOn(alarm -> alarm.property("/Dimensions").toString().contains("\"Resource\""))
        .extracting(alarm -> alarm.text("/AlarmName"))
        .containsExactly("governance-prod-slow-approvals");
  }

  @Test
  void noConnectionIsOlderThanTls12() {
    assertThat(PROD.all("AWS::ApiGateway::RestApi").getFirst().text("/SecurityPolicy"))
        .startsWith("SecurityPolicy_TLS13_1_2");
  }

  @Test
  void theFirewallCountsBodiesAndBlocksNone() {
    JsonNode rules = PROD.all("AWS::WAFv2::WebACL").getFirst().property("/Rules");
    assertThat(rules).hasSize(5);
    List<String> counted =
        rules.findValues("RuleActionOverrides").stream()
            .flatMap(overrides -> Synthesised.list(overrides).stream())
            .filter(override -> override.at("/ActionToUse").has("Count"))
            .map(override -> override.path("Name").textValue())
            .toList();
    assertThat(counted)
        .contains("SizeRestrictions_BODY", "CrossSiteScripting_BODY", "Log4JRCE_BODY")
        .allMatch(rule -> rule.endsWith("_BODY") || rule.equals("SizeRestrictions_QUERYSTRING"));
    assertThat(flat(PROD.all("AWS::WAFv2::WebACLAssociation").getFirst().property("/ResourceArn")))
        .endsWith("/stages/${Stage}");
    assertThat(Synthesised.of(Environment.named("dev")).all("AWS::WAFv2::WebACL")).isEmpty();
  }

  @Test
  void aFloodingAddressGetsTheContractsErrorButCanStillHalt() {
    Resource firewall = PROD.all("AWS::WAFv2::WebACL").getFirst();
    JsonNode rule = firewall.property("/Rules/0");
    JsonNode rate = rule.at("/Statement/RateBasedStatement");
    assertThat(rate.path("AggregateKeyType").asText()).isEqualTo("IP");
    // Above 500 a second.
    assertThat(rate.path("Limit").asInt() / rate.path("EvaluationWindowSec").asInt())
        .isEqualTo(600);
    JsonNode response = rule.at("/Action/Block/CustomResponse");
    assertThat(response.path("ResponseCode").asInt()).isEqualTo(429);
    assertThat(response.path("ResponseHeaders"))
        .hasSizeLessThanOrEqualTo(10)
        .extracting(header -> header.path("Name").asText())
        .contains("Retry-After", "X-Request-Id", "X-RateLimit-Remaining", "Service-Version")
        .doesNotContain("Content-Type");
    JsonNode error =
        Json.read(
                flat(
                    firewall.property(
                        "/CustomResponseBodies/"
                            + response.path("CustomResponseBodyKey").asText()
                            + "/Content")))
            .path("error");
    assertThat(error.path("code").asText()).isEqualTo("rate_limited");
    assertThat(error.path("request_id").asText()).startsWith("req_");
    assertThat(error.has("param") && error.has("details") && error.has("doc_url")).isTrue();
    JsonNode spared = rate.at("/ScopeDownStatement/NotStatement/Statement/OrStatement/Statements");
    for (Route route : Routes.all()) {
      String path = route.path(_ -> "x_01m80m2kz0f1q3v5x7y9a2c4e6");
      boolean isSpared =
          Synthesised.list(spared).stream()
              .map(one -> one.at("/AndStatement/Statements"))
              .anyMatch(
                  both ->
                      both.at("/0/ByteMatchStatement/SearchString")
                              .asText()
                              .equals(route.method().name())
                          && ("/live" + path)
                              .matches(both.at("/1/RegexMatchStatement/RegexString").asText()));
      assertThat(isSpared)
          .as(route.operation())
          .isEqualTo(
              Set.of("create-halt", "lift-halt", "veto-plan", "revoke-key")
                  .contains(route.operation()));
    }
  }

  @Test
  void theFirewallLogsBlockedRequestsWithoutCredentialsOrFloods() {
    Resource logging = PROD.all("AWS::WAFv2::LoggingConfiguration").getFirst();
    assertThat(flat(logging.property("/LogDestinationConfigs/0")))
        .endsWith(":log-group:aws-waf-logs-governance-prod");
    assertThat(PROD.one("AWS::Logs::LogGroup", "/LogGroupName", "aws-waf-logs-governance-prod"))
        .isNotNull();
    assertThat(logging.property("/RedactedFields").toString())
        .contains("\"authorization\"", "\"cookie\"", "QueryString");
    JsonNode filter = logging.property("/LoggingFilter");
    assertThat(filter.path("DefaultBehavior").asText()).isEqualTo("DROP");
    assertThat(filter.at("/Filters/0/Behavior").asText()).isEqualTo("DROP");
    String label = PROD.all("AWS::WAFv2::WebACL").getFirst().text("/Rules/0/RuleLabels/0/Name");
    assertThat(flat(filter.at("/Filters/0/Conditions/0/LabelNameCondition/LabelName")))
        .isEqualTo("awswaf:${AWS::AccountId}:webacl:governance-prod:" + label);
    assertThat(filter.at("/Filters/1/Conditions/0/ActionCondition/Action").asText())
        .isEqualTo("BLOCK");
  }

  @Test
  void longQueriesAreBlockedExceptAtSignIn() {
    JsonNode rule =
        Synthesised.list(PROD.all("AWS::WAFv2::WebACL").getFirst().property("/Rules")).stream()
            .filter(one -> one.path("Name").asText().equals("LongQueries"))
            .findFirst()
            .orElseThrow();
    JsonNode both = rule.at("/Statement/AndStatement/Statements");
    assertThat(both.at("/0/SizeConstraintStatement/Size").asInt()).isEqualTo(2_048);
    String signIn =
        both.at("/1/NotStatement/Statement/RegexMatchStatement/RegexString").textValue();
    String provider = "idp_01m80m2kz0f1q3v5x7y9a2c4e6";
    for (Route route : Routes.all()) {
      String path = route.path(_ -> provider);
      boolean signsIn = route.path().startsWith("/v1/sign_in/{idp_id}");
      assertThat(path.matches(signIn)).as(path).isEqualTo(signsIn);
      assertThat(("/live" + path).matches(signIn)).as(path).isEqualTo(signsIn);
    }
  }

  @Test
  void aCustomDomainIsTheOnlyEndpointAndTheBaseUrl() {
    Synthesised named = Synthesised.of(Synthesised.placed());
    Resource made = named.all("AWS::ApiGateway::DomainName").getFirst();
    assertThat(made.text("/DomainName")).isEqualTo("api.example.com");
    assertThat(made.text("/RegionalCertificateArn"))
        .isEqualTo("arn:aws:acm:eu-west-1:111122223333:certificate/1");
    assertThat(made.text("/SecurityPolicy")).startsWith("SecurityPolicy_TLS13_1_2");
    assertThat(
            named
                .all("AWS::ApiGateway::RestApi")
                .getFirst()
                .property("/DisableExecuteApiEndpoint")
                .asBoolean())
        .isTrue();
    assertThat(named.function("approve-plan").text("/Environment/Variables/GOVERNANCE_BASE_URL"))
        .isEqualTo("https://api.example.com");
    assertThat(PROD.all("AWS::ApiGateway::DomainName")).isEmpty();
    assertThat(named.all("AWS::ApiGateway::Deployment").getFirst().id())
        .as("what takes effect with a deployment only")
        .isNotEqualTo(PROD.all("AWS::ApiGateway::Deployment").getFirst().id());
  }

  @Test
  void theDefaultGatewayResponsesAreCovered() {
    assertThat(Arrays.stream(GatewayResponse.values()).map(Enum::name))
        .contains("DEFAULT_4XX", "DEFAULT_5XX", "THROTTLED", "REQUEST_TOO_LARGE");
  }

  /** The paths of the template by the logical identifier of their resource. */
  private static Map<String, String> paths() {
    Map<String, Resource> resources = new HashMap<>();
    PROD.all("AWS::ApiGateway::Resource").forEach(made -> resources.put(made.id(), made));
    Map<String, String> paths = new HashMap<>();
    resources.forEach((id, made) -> paths.put(id, path(made, resources)));
    paths.put("root", "");
    return paths;
  }

  private static String path(Resource resource, Map<String, Resource> all) {
    Resource parent = all.get(PROD.referred(resource.property("/ParentId")));
    return (parent == null ? "" : path(parent, all)) + "/" + resource.text("/PathPart");
  }

  private static Optional<Resource> method(String path, String method) {
    Map<String, String> paths = paths();
    return PROD.all(METHOD).stream()
        .filter(made -> made.text("/HttpMethod").equals(method))
        .filter(
            made ->
                paths.getOrDefault(PROD.referred(made.property("/ResourceId")), "").equals(path))
        .findFirst();
  }

  private static String uri(Resource method) {
    return flat(method.property("/Integration/Uri"));
  }
}
