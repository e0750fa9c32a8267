package io.actiongovernance.infra;

import static io.actiongovernance.infra.Synthesised.PROD;
import static io.actiongovernance.infra.Synthesised.flat;
import static io.actiongovernance.infra.Synthesised.oneOrMore;
import static io.actiongovernance.infra.Synthesised.statements;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.access.KeyRoutes;
import io.actiongovernance.functions.action.ActionRoutes;
import io.actiongovernance.functions.connector.ConnectorRoutes;
import io.actiongovernance.functions.console.Console;
import io.actiongovernance.functions.identity.IdentityRoutes;
import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.receipt.ReceiptRoutes;
import io.actiongovernance.functions.rights.Needs;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.rights.TableAccess;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.trigger.FailedChanges;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.infra.Synthesised.Resource;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.TimerKind;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Least privilege: what the roles of the synthesised templates permit. */
final class RightsSpec {
  /** The statements whose resources are no exact names, with their reasons. */
  private static final Set<String> INEXACT =
      Arrays.stream(Inexact.values()).map(Inexact::sid).collect(Collectors.toSet());

  /** A role of the account, by which API Gateway writes the logs of all APIs there are. */
  private static final String GATEWAY = "GatewayLogsRole";

  /** Those of no function and no timer. */
  private static final Set<String> OTHERS =
      Set.of(GATEWAY, "StayAwakeRole", "RolloutRole", "CanaryRole", "DeriveKeysRole");

  /** Who may append to the ledger. A new name here is a decision about the kernel. */
  private static final List<String> KERNEL =
      List.of(
          "amend-plan",
          "approve-plan",
          "archive-operator",
          "create-halt",
          "execute-action",
          "expire-plan",
          "give-up-action",
          "lift-halt",
          "propose",
          "propose-plan",
          "recover-claims",
          "resolve-action",
          "resume",
          "send-mcp-message",
          "sweep",
          "undo-action",
          "veto-plan",
          "withdraw-plan",
          "withdraw-vote");

  @Test
  void everyFunctionHasARoleOfItsOwn() {
    List<String> roles =
        PROD.all("AWS::Lambda::Function").stream()
            .map(function -> function.text("/Role/Fn::GetAtt/0"))
            .toList();
    assertThat(roles).doesNotHaveDuplicates();
    // The canary's, which is no part of what it looks at, and that of who derives keys are not
    // among them.
    assertThat(roles()).hasSize(roles.size() - 2 + machines());
  }

  /** IAM refuses a policy that says one twice, and with it the deployment. */
  @Test
  void statementNamesAreUniqueInAPolicy() {
    assertThat(PROD.all("AWS::IAM::Role"))
        .allSatisfy(
            role ->
                assertThat(statements(role))
                    .extracting(statement -> statement.path("Sid").asText())
                    .doesNotHaveDuplicates());
  }

  @Test
  void noActionIsAWildcard() {
    each(
        (role, statement) ->
            assertThat(actions(statement)).as(role).noneMatch(action -> action.contains("*")));
  }

  @Test
  void onlyResourcesThatCannotBeNamedAreWildcards() {
    each(
        (role, statement) -> {
          if (!INEXACT.contains(statement.path("Sid").textValue())) {
            assertThat(resources(statement)).as(role).noneMatch(arn -> arn.contains("*"));
          }
        });
  }

  @Test
  void aFunctionWritesToItsOwnLogsOnly() {
    functions()
        .keySet()
        .forEach(
            name ->
                assertThat(
                        statements(PROD.role(name)).stream()
                            .filter(statement -> actions(statement).contains("logs:PutLogEvents"))
                            .flatMap(statement -> resources(statement).stream()))
                    .singleElement()
                    .asString()
                    .endsWith(":log-group:/aws/lambda/governance-prod-" + name + ":*"));
  }

  @Test
  void aRolesTableRightsAreExactlyThoseItsFunctionNeeds() {
    functions()
        .forEach(
            (name, rights) -> {
              for (Table table : Table.values()) {
                Set<String> wanted = new TreeSet<>();
                for (TableAccess operation : TableAccess.values()) {
                  if (rights.permit(operation, table)) {
                    operation.actions().forEach(action -> wanted.add("dynamodb:" + action));
                  }
                }
                assertThat(permitted(name, table)).as(name + " on " + table).isEqualTo(wanted);
              }
            });
  }

  @Test
  void onlyTheKernelInsertsReceipts() {
    assertThat(
            functions().keySet().stream()
                .filter(name -> permitted(name, Table.RECEIPTS).contains("dynamodb:PutItem")))
        .containsExactlyInAnyOrderElementsOf(KERNEL);
    assertThat(LedgerPolicy.kernel()).containsExactlyInAnyOrderElementsOf(KERNEL);
  }

  @Test
  void configuringFunctionsInsertOnlyConfigReceipts() {
    List<String> configuring =
        functions().entrySet().stream()
            .filter(each -> Needs.receiptsConfig(each.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    assertThat(configuring)
        .contains("put-guardrails", "update-connector", "create-key", "update-allowance")
        .noneMatch(name -> name.startsWith("list-") || name.startsWith("retrieve-"));
    for (String name : configuring) {
      assertThat(
              statements(PROD.role(name)).stream()
                  .filter(statement -> actions(statement).contains("dynamodb:PutItem"))
                  .filter(statement -> resources(statement).getFirst().endsWith("-receipts"))
                  .filter(statement -> statement.has("Condition")))
          .singleElement()
          .matches(statement -> isOnItemsLike(statement, "*#config-receipt"));
    }
    assertThat(LedgerPolicy.configuring()).containsExactlyInAnyOrderElementsOf(configuring);
  }

  @Test
  void noRolePermitsToChangeOrDeleteAReceipt() {
    functions()
        .keySet()
        .forEach(
            name ->
                assertThat(permitted(name, Table.RECEIPTS))
                    .as(name)
                    .doesNotContain("dynamodb:UpdateItem", "dynamodb:DeleteItem"));
  }

  @Test
  void noRolePermitsScans() {
    each(
        (role, statement) ->
            assertThat(actions(statement)).as(role).doesNotContain("dynamodb:Scan"));
  }

  @Test
  void aRouteThatReadsOnlyNotesTheUseOfItsKeyOrSession() {
    for (Route route :
        List.of(
            ActionRoutes.LIST_ACTIONS,
            ReceiptRoutes.RETRIEVE_RECEIPT,
            ConnectorRoutes.LIST_CONNECTORS,
            KeyRoutes.LIST_KEYS,
            PlanRoutes.LIST_PLANS,
            PlanRoutes.RETRIEVE_PLAN)) {
      List<JsonNode> writing =
          statements(PROD.role(route.operation())).stream()
              .filter(statement -> actions(statement).contains("dynamodb:UpdateItem"))
              .filter(statement -> resources(statement).getFirst().endsWith("-state"))
              .toList();
      assertThat(writing)
          .singleElement()
          .matches(statement -> isOnItemsLike(statement, "secret#*", "*#session"))
          .matches(statement -> touches(statement).equals(List.of("pk", "sk", "used")));
    }
  }

  @Test
  void aRelayReadsNoItemsButWebhookEndpointsAndChannels() {
    for (Trigger relay :
        List.of(Trigger.RELAY_STATE, Trigger.RELAY_EVENTS, Trigger.RELAY_RECEIPTS)) {
      assertThat(
              statements(PROD.role(relay.binding().function())).stream()
                  .filter(statement -> resources(statement).getFirst().matches(".*:table/[^/]*"))
                  .filter(statement -> !actions(statement).equals(List.of("dynamodb:UpdateItem"))))
          .singleElement()
          .matches(statement -> actions(statement).equals(List.of("dynamodb:Query")))
          .matches(statement -> isOnItemsLike(statement, "*#webhook-endpoint", "*#channel"));
    }
  }

  @Test
  void theEventsRelayWritesOnlyItsHandedOnMark() {
    assertThat(
            statements(PROD.role(Trigger.RELAY_EVENTS.binding().function())).stream()
                .filter(statement -> actions(statement).contains("dynamodb:UpdateItem")))
        .singleElement()
        .matches(statement -> actions(statement).equals(List.of("dynamodb:UpdateItem")))
        .matches(statement -> resources(statement).getFirst().endsWith("-events"))
        .matches(statement -> isOnItemsLike(statement, "*#envelopes-handed-on#*"));
  }

  private static List<String> touches(JsonNode statement) {
    return oneOrMore(statement.at("/Condition/ForAllValues:StringLike/dynamodb:Attributes"))
        .stream()
        .map(JsonNode::textValue)
        .toList();
  }

  /** What a browser comes back to with GET, which is no reading. */
  private static final Set<Route> COMING_BACK =
      Set.of(ConnectorRoutes.COMPLETE_AUTHORIZATION, IdentityRoutes.COMPLETE_SIGN_IN);

  /** A route that only reads asks for nothing but the use of its key to be written. */
  @Test
  void noRouteThatReadsInsertsReceipts() {
    for (Route route : Routes.all()) {
      if (route.method() == Route.Method.GET && !COMING_BACK.contains(route)) {
        assertThat(permitted(route.operation(), Table.RECEIPTS))
            .as(route.operation())
            .doesNotContain("dynamodb:PutItem");
      }
    }
  }

  private static boolean isOnItemsLike(JsonNode statement, String... partitions) {
    JsonNode keys = statement.at("/Condition/ForAllValues:StringLike/dynamodb:LeadingKeys");
    return oneOrMore(keys).stream().map(JsonNode::textValue).toList().equals(List.of(partitions));
  }

  @Test
  void onlyExportFunctionsWriteAndReadExportFiles() {
    assertThat(touching("s3:PutObject", "")).containsExactly("run-export");
    assertThat(touching("s3:GetObject", ""))
        .containsExactlyInAnyOrder("create-export", "list-exports", "retrieve-export");
    each(
        (role, statement) ->
            assertThat(actions(statement).stream().filter(action -> action.startsWith("s3:")))
                .as(role)
                .isSubsetOf(
                    "s3:PutObject", "s3:AbortMultipartUpload", "s3:GetObject", "s3:ListBucket"));
  }

  /** Who calls keeps what comes back, and who reads it can do nothing else with it. */
  @Test
  void onlyTheExecutorWritesResultsAndOnlyRouteAndGatewayReadThem() {
    assertThat(touching("s3:PutObject", "results/")).containsExactly("execute-action");
    assertThat(touching("s3:GetObject", "results/"))
        .containsExactlyInAnyOrder("retrieve-result", "send-mcp-message");
    functions()
        .forEach(
            (name, rights) ->
                assertThat(rights.tables().getOrDefault(Table.RESULTS, Set.of()))
                    .as(name)
                    .isEqualTo(
                        switch (name) {
                          case "execute-action" -> Set.of(TableAccess.PUT);
                          case "retrieve-result", "send-mcp-message" -> Set.of(TableAccess.READ);
                          default -> Set.of();
                        }));
  }

  /** Items of all tenants are in it. */
  @Test
  void givenUpChangesAreWrittenByRelaysAndReadByOneFunction() {
    assertThat(ofChanges("s3:GetObject")).containsExactly("relay-again");
    assertThat(ofChanges("s3:PutObject"))
        .containsExactlyInAnyOrder(
            "relay-state", "relay-events", "relay-receipts", "relay-outcomes", "export-spans");
  }

  private static List<String> ofChanges(String action) {
    return those(
        action,
        arn ->
            arn.contains(":s3:::governance-prod-changes-")
                && !arn.endsWith("/" + FailedChanges.TRIED + "*"));
  }

  private static List<String> touching(String action, String folder) {
    return those(
        action, arn -> arn.matches("arn:.*:s3:::governance-prod-exports-[^/]*/" + folder + "\\*"));
  }

  /** The functions that may do this with a resource like that. */
  private static List<String> those(String action, Predicate<String> resource) {
    return functions().keySet().stream()
        .filter(
            name ->
                statements(PROD.role(name)).stream()
                    .filter(statement -> actions(statement).contains(action))
                    .flatMap(statement -> resources(statement).stream())
                    .anyMatch(resource))
        .toList();
  }

  /** One that is replaced, or that leaks, is of one purpose; and nobody has another's. */
  @Test
  void aRoleReadsOnlyTheKeysOfItsPurposes() {
    functions()
        .forEach(
            (name, rights) ->
                assertThat(secrets(name))
                    .as(name)
                    .containsExactlyInAnyOrderElementsOf(
                        rights.opens().stream()
                            .map(purpose -> Names.logical(purpose.wire()) + "Key")
                            .toList()));
    assertThat(functions().keySet().stream().filter(name -> secrets(name).isEmpty()))
        .contains(
            // What anybody may ask for, what stops, what is read by its identifier,
            "docs",
            "openapi",
            RoutesStack.UNKNOWN,
            Console.FUNCTION,
            "revoke-key",
            "retrieve-plan",
            // and what looks after that others work.
            "create-tenant",
            "recover-claims",
            "give-up-action",
            "look-for-due",
            "relay-state",
            "relay-events",
            "relay-receipts",
            "relay-outcomes",
            "export-spans",
            "sweep");
    assertThat(Arrays.stream(Trigger.values()).filter(one -> !one.rights().opens().isEmpty()))
        .containsExactly(Trigger.PROPOSE, Trigger.EXECUTE_ACTION, Trigger.DELIVER_WEBHOOK);
  }

  @Test
  void listsHaveOnlyTheCursorKey() {
    assertThat(functions().keySet().stream().filter(name -> name.startsWith("list-")))
        .isNotEmpty()
        .allSatisfy(name -> assertThat(secrets(name)).isEqualTo(List.of("CursorKey")));
  }

  /** A new name here is a decision about who can call in the name of a tenant. */
  @Test
  void onlyCallingAndConfiguringFunctionsOpenCredentials() {
    assertThat(
            functions().entrySet().stream()
                .filter(one -> one.getValue().opens().contains(Purpose.CREDENTIALS))
                .map(Map.Entry::getKey))
        .containsExactlyInAnyOrder(
            "install-connector",
            "update-connector",
            "test-connector",
            "authorize-connector",
            "begin-authorization",
            "complete-authorization",
            "create-identity-provider",
            "update-identity-provider",
            "complete-sign-in",
            "propose",
            "execute-action");
  }

  @Test
  void onlyKeyDerivationReadsTheMasterKey() {
    assertThat(
            PROD.all("AWS::IAM::Role").stream()
                .filter(
                    role ->
                        statements(role).stream()
                            .anyMatch(
                                statement ->
                                    statement.path("Resource").toString().contains("MasterKey")))
                .map(Resource::id))
        .containsExactly("DeriveKeysRole");
  }

  /** KMS opens a data key for roles with its purpose, and makes one for roles that seal for it. */
  @Test
  void aRoleUsesDataKeysOnlyForItsPurposes() {
    functions()
        .forEach(
            (name, rights) -> {
              assertThat(ofDataKeys(name, "kms:Decrypt"))
                  .as(name)
                  .isEqualTo(wire(Rights.stored(rights.opens())));
              assertThat(ofDataKeys(name, "kms:GenerateDataKey"))
                  .as(name)
                  .isEqualTo(wire(Rights.stored(rights.seals())));
              assertThat(
                      statements(PROD.role(name)).stream()
                          .filter(one -> actions(one).toString().contains("kms:"))
                          .flatMap(one -> resources(one).stream()))
                  .as(name)
                  .allMatch(arn -> arn.contains("DataKey"));
            });
    assertThat(ofDataKeys("retrieve-result", "kms:Decrypt")).containsExactly("result");
    assertThat(ofDataKeys("retrieve-result", "kms:GenerateDataKey")).isEmpty();
    assertThat(ofDataKeys("list-plans", "kms:Decrypt")).isEmpty();
  }

  private static Set<String> wire(Set<Purpose> purposes) {
    return purposes.stream().map(Purpose::wire).collect(Collectors.toCollection(TreeSet::new));
  }

  /** The purposes for whose data keys the role permits it; whatever else a context says, none. */
  private static Set<String> ofDataKeys(String function, String action) {
    Set<String> purposes = new TreeSet<>();
    for (JsonNode statement : statements(PROD.role(function))) {
      if (actions(statement).contains(action)) {
        JsonNode condition = statement.path("Condition");
        assertThat(oneOrMore(condition.at("/ForAllValues:StringEquals/kms:EncryptionContextKeys")))
            .extracting(JsonNode::textValue)
            .containsExactly("mode", "purpose", "tenant");
        oneOrMore(condition.at("/StringEquals/kms:EncryptionContext:purpose"))
            .forEach(purpose -> purposes.add(purpose.textValue()));
      }
    }
    return purposes;
  }

  /** The logical identifiers of the secrets that a function's role reads. */
  private static List<String> secrets(String function) {
    return statements(PROD.role(function)).stream()
        .filter(statement -> actions(statement).contains("secretsmanager:GetSecretValue"))
        .flatMap(statement -> resources(statement).stream())
        .map(arn -> arn.replaceAll(".*OutputRef(\\w+?Key)[0-9A-F]{8}}$", "$1"))
        .toList();
  }

  /** A function without a key is configured as such, and fails if it seals. */
  @Test
  void aFunctionWithoutKeysIsConfiguredWithNone() {
    functions()
        .keySet()
        .forEach(
            name -> {
              JsonNode variables = PROD.function(name).property("/Environment/Variables");
              boolean none = secrets(name).isEmpty();
              assertThat(variables.has("GOVERNANCE_KEY_SECRETS")).as(name).isEqualTo(!none);
              assertThat(variables.path("GOVERNANCE_MASTER_KEY").asText("-"))
                  .as(name)
                  .isEqualTo(none ? "none" : "-");
              assertThat(variables.has("GOVERNANCE_DATA_KEY"))
                  .as(name)
                  .isEqualTo(!ofDataKeys(name, "kms:Decrypt").isEmpty());
            });
  }

  /** So nobody who only reads touches locks, allowance or slots. */
  @Test
  void rateCountersAreSeparateItems() {
    JsonNode callers = statement("retrieve-key", "ChargeCallers");
    assertThat(callers.at("/Condition/ForAllValues:StringLike/dynamodb:LeadingKeys/0").asText())
        .isEqualTo("*#rate");
    JsonNode addresses = statement(RoutesStack.UNKNOWN, "ChargeAddresses");
    assertThat(addresses.at("/Condition/ForAllValues:StringLike/dynamodb:LeadingKeys/0").asText())
        .isEqualTo("address#*");
    assertThat(statements(PROD.role(RoutesStack.UNKNOWN)))
        .extracting(statement -> statement.path("Sid").asText())
        .containsExactly("OwnLogs", "ChargeAddresses", "Trace");
  }

  /** What takes events in, which anybody's systems call, cannot read what else there is. */
  @Test
  void callersAreLookedUpInCallerItemsOnly() {
    for (String name :
        List.of(
            "ingest-event",
            "list-events",
            "retrieve-event",
            "retrieve-receipt",
            "retrieve-allowance",
            "list-listings",
            "retrieve-listing")) {
      assertThat(permitted(name, Table.STATE)).as(name).isEmpty();
      assertThat(
              oneOrMore(
                  statement(name, "KnowCallers")
                      .at("/Condition/ForAllValues:StringLike/dynamodb:LeadingKeys")))
          .extracting(JsonNode::textValue)
          .containsExactly("secret#*", "*#tenant", "*#key", "*#session", "*#person");
    }
  }

  private static JsonNode statement(String function, String sid) {
    return statements(PROD.role(function)).stream()
        .filter(one -> one.path("Sid").asText().equals(sid))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theMasterKeyItselfIsInNoTemplate() {
    assertThat(PROD.templates().values())
        .noneMatch(template -> template.toString().contains("{{resolve:"));
  }

  @Test
  void roleAndFunctionNamesFitInTheLongestRegion() {
    assertThat(functions().keySet())
        .allMatch(name -> ("governance-staging-" + name + "-ap-southeast-2").length() <= 64);
  }

  @Test
  void onlyFunctionsThatNeedTimersStartAndStopThem() {
    functions()
        .forEach(
            (name, rights) -> {
              for (TimerKind kind : TimerKind.values()) {
                String machine = "governance-prod-" + kind.wire();
                boolean needed = rights.times().contains(kind);
                assertThat(permits(name, "states:StartExecution", ":stateMachine:" + machine))
                    .as(name)
                    .isEqualTo(needed);
                assertThat(permits(name, "states:StopExecution", ":execution:" + machine + ":*"))
                    .as(name)
                    .isEqualTo(needed);
              }
            });
  }

  @Test
  void onlyTheProposerInvokesTheEnvironmentsModels() {
    functions()
        .forEach(
            (name, rights) ->
                assertThat(invokes(name))
                    .as(name)
                    .hasSize(name.equals("propose") ? Environment.named("prod").models().size() : 0)
                    .allMatch(arn -> arn.contains(":foundation-model/")));
  }

  private static List<String> invokes(String function) {
    return statements(PROD.role(function)).stream()
        .filter(statement -> actions(statement).contains("bedrock:InvokeModel"))
        .flatMap(statement -> resources(statement).stream())
        .toList();
  }

  private static boolean permits(String function, String action, String ending) {
    return statements(PROD.role(function)).stream()
        .filter(statement -> actions(statement).contains(action))
        .anyMatch(statement -> resources(statement).stream().anyMatch(arn -> arn.endsWith(ending)));
  }

  /** How many state machines there are: each has a role too. */
  private static int machines() {
    return PROD.all("AWS::StepFunctions::StateMachine").size();
  }

  /** All functions and their rights, by name. */
  private static Map<String, Rights> functions() {
    Map<String, Rights> all = new LinkedHashMap<>();
    Routes.all().stream().forEach(route -> all.put(route.operation(), route.rights()));
    Arrays.stream(Trigger.values())
        .forEach(trigger -> all.put(trigger.binding().function(), trigger.rights()));
    all.put(RoutesStack.UNKNOWN, Needs.ofUnknownPaths());
    all.put(Console.FUNCTION, Rights.NONE);
    return all;
  }

  private static List<Resource> roles() {
    return PROD.all("AWS::IAM::Role").stream().filter(role -> !OTHERS.contains(role.id())).toList();
  }

  private interface Check {
    void check(String role, JsonNode statement);
  }

  private static void each(Check check) {
    List<Resource> roles = roles();
    assertThat(roles).hasSize(functions().size() + machines());
    roles.forEach(role -> statements(role).forEach(statement -> check.check(role.id(), statement)));
  }

  /** The unconditional actions of a function on a table. */
  private static Set<String> permitted(String function, Table table) {
    Set<String> all = new TreeSet<>();
    statements(PROD.role(function)).stream()
        .filter(statement -> !statement.has("Condition"))
        .filter(
            statement ->
                resources(statement).getFirst().endsWith(":table/governance-prod-" + wire(table)))
        .forEach(statement -> all.addAll(actions(statement)));
    return all;
  }

  private static String wire(Table table) {
    return table.wireName("").substring(1);
  }

  private static List<String> actions(JsonNode statement) {
    return oneOrMore(statement.path("Action")).stream().map(JsonNode::textValue).toList();
  }

  private static List<String> resources(JsonNode statement) {
    JsonNode resource = statement.path("Resource");
    return (resource.isArray() ? Synthesised.list(resource) : List.of(resource))
        .stream().map(arn -> flat(arn)).toList();
  }
}
