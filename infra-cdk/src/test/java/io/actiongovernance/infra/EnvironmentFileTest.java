package io.actiongovernance.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an environment's file says, and what it may not. */
final class EnvironmentFileTest {
  private static final Binding EXECUTOR = Trigger.EXECUTE_ACTION.binding();

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  static List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(EnvironmentFile.FOLDER)) {
      return files
          .map(file -> file.getFileName().toString().replaceFirst("\\.json$", ""))
          .filter(name -> !name.endsWith(".lock"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyFileIsAnEnvironment(String name) {
    assertThat(Environment.named(name).prefix()).isEqualTo("governance-" + name);
  }

  @Test
  void theFilesAreTheDocumentedEnvironments() throws IOException {
    assertThat(names()).containsExactly("10k", "dev", "localstack", "prod", "staging");
  }

  @Test
  void optionalFieldsAreRead() throws IOException {
    ObjectNode file = prod();
    file.putObject("domain")
        .put("name", "api.example.com")
        .put("certificate", "arn:aws:acm:eu-west-1:111122223333:certificate/x");
    file.putObject("emulator")
        .put("endpoint", "http://127.0.0.1:4566")
        .put("objects", "http://127.0.0.1:9000");
    file.putObject("settings").put("GOVERNANCE_STREAM_MAX_SECONDS", "600");
    file.putArray("quotas")
        .addObject()
        .put("service", "Lambda")
        .put("quota", "Concurrent executions")
        .put("value", 7100)
        .put("why", "it is much");
    Environment read = read(file);
    assertThat(read.domain())
        .isEqualTo(
            new Domain("api.example.com", "arn:aws:acm:eu-west-1:111122223333:certificate/x"));
    assertThat(read.emulator())
        .isEqualTo(
            new Emulator(
                URI.create("http://127.0.0.1:4566"), URI.create("http://127.0.0.1:9000"), false));
    file.withObject("/emulator").put("full", true);
    assertThat(read(file).isLean()).isFalse();
    assertThat(read.settings()).isEqualTo(Map.of("GOVERNANCE_STREAM_MAX_SECONDS", "600"));
    assertThat(read.quotas())
        .extracting(Quota::line)
        .containsExactly("Quota to raise: Lambda, Concurrent executions, to 7,100: it is much.");
  }

  @Test
  void anEnvironmentNamesItsAccountAndRegion() throws IOException {
    Environment read = read(placed());
    assertThat(read.place()).isEqualTo(new Place("111122223333", "eu-west-1"));
    read.requirePlace();
    assertThatThrownBy(() -> Environment.named("prod").requirePlace())
        .hasMessage(
            "prod has no account and no region, without which nothing is deployed. Write both into"
                + " prod.json.");
    Environment.named("localstack").requirePlace();
  }

  @Test
  void anEnvironmentThatKeepsDataNeedsABackupOrAWaiver() throws IOException {
    ObjectNode file = placed().put("keeps_data", true);
    assertThatThrownBy(() -> read(file).requireCopies())
        .hasMessage(
            "mine keeps its data, but has no copies in another region or account. Name a vault in"
                + " backup, or state in without_backup what is given up. Both are fields of"
                + " mine.json.");
    ObjectNode copied = file.deepCopy();
    copied
        .putObject("backup")
        .put("vault", "arn:aws:backup:eu-central-1:111122223333:backup-vault:v");
    assertThat(read(copied).backup()).extracting(Backup::keepDays).isEqualTo(35);
    read(copied).requireCopies();
    String givenUp = "a rehearsal: with its region, all of it is lost";
    read(file.deepCopy().put("without_backup", givenUp)).requireCopies();
    assertThatThrownBy(() -> read(copied.put("without_backup", givenUp)))
        .hasMessageEndingWith(
            "without_backup states what is given up without copies, but backup makes copies. Leave"
                + " one of them out.");
    Environment.named("dev").requireCopies();
    Environment.named("prod").on(Emulator.at(URI.create("http://127.0.0.1:4566"))).requireCopies();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          account  | "1234"      | account must be twelve digits, not 1234.
          region   | "Ireland"   | region must be a region, such as eu-west-1, not Ireland.
          emulator | {"endpoint": "http://127.0.0.1:4566"} | An emulator has its own account and region. Leave account and region out.
          domain   | {"name": "a.example", "certificate": "arn:aws:acm:us-east-1:111122223333:certificate/x"} | domain.certificate is in the region us-east-1, but must be in that of the API, eu-west-1.
          backup   | {"vault": "arn:aws:backup:eu-west-1:111122223333:backup-vault:v", "keep_days": 35} | backup.vault is where the tables are. Name a vault in another region or account.
          """)
  void aBadFieldOfAPlacedEnvironmentIsRefused(String field, String value, String sentence)
      throws IOException {
    ObjectNode file = placed();
    file.set(field, Json.read(value));
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(folder.resolve("mine.json") + ": " + sentence);
  }

  @ParameterizedTest
  @CsvSource({"prod,prod-2", "prod-2,prod"})
  void overlappingNamesInOneAccountAndRegionAreRefused(String name, String other)
      throws IOException {
    write(name, placed());
    write(other, placed());
    assertThatThrownBy(
            () -> EnvironmentFile.requireApart(folder, EnvironmentFile.read(folder, name)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Of the names "
                + name
                + " and "
                + other
                + ", one begins with the other and a hyphen, so rights to one environment reach"
                + " into the other. Give one of them another name, or write another account or"
                + " region into its file.");
    write(other, prod());
    assertThatThrownBy(
            () -> EnvironmentFile.requireApart(folder, EnvironmentFile.read(folder, name)))
        .isInstanceOf(IllegalArgumentException.class);
    write(other, placed().put("region", "eu-central-1"));
    EnvironmentFile.requireApart(folder, EnvironmentFile.read(folder, name));
  }

  @Test
  void namesThatDoNotOverlapAreAccepted() throws IOException {
    for (String name : List.of("prod", "prod2", "pro", "a-prod")) {
      write(name, placed());
    }
    EnvironmentFile.requireApart(folder, EnvironmentFile.read(folder, "prod"));
  }

  private void write(String name, ObjectNode file) throws IOException {
    Files.writeString(folder.resolve(name + EnvironmentFile.ENDING), Json.write(file));
  }

  private static ObjectNode placed() throws IOException {
    return prod().put("account", "111122223333").put("region", "eu-west-1");
  }

  @Test
  void streamsHaveTheirOwnBound() throws IOException {
    assertThat(Environment.named("prod").reserved("stream-events")).hasValue(200);
    assertThat(read(prod().put("streams", "none")).reserved("stream-events")).isEmpty();
  }

  @Test
  void aFunctionMayHaveItsOwnConcurrency() throws IOException {
    ObjectNode file = prod();
    file.putObject("concurrency")
        .put("scale", 3)
        .putObject("functions")
        .put(EXECUTOR.function(), 500);
    Environment read = read(file);
    assertThat(read.ofEachSource(EXECUTOR)).hasValue(63);
    assertThat(read.reserved(EXECUTOR.function())).hasValue(8 * 63);
    Binding other = Trigger.PROPOSE.binding();
    assertThat(read.ofEachSource(other)).hasValue(3 * other.concurrency());
    assertThat(read.reserved(other.function())).isEmpty();
  }

  @Test
  void anEventSourceHasAtLeastTwoInvocations() {
    Concurrency least = new Concurrency.Bounded(1, Map.of(), Map.of());
    assertThat(least.of(Trigger.GIVE_UP_ACTION.binding(), 1)).hasValue(2);
    assertThat(least.of(EXECUTOR, 32)).hasValue(2);
  }

  @Test
  void concurrencyNoneBoundsAndReservesNothing() throws IOException {
    Environment read = read(prod().put("concurrency", "none"));
    assertThat(Concurrency.polling())
        .isNotEmpty()
        .allSatisfy(binding -> assertThat(read.ofEachSource(binding)).isEmpty());
    assertThat(read.reserved(EXECUTOR.function())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          colour              | "red"                  | Unknown field colour.
          memory              | null                   | The field memory is required.
          memory              | "1024"                 | memory must be a whole number from 128 to 10240.
          memory              | 127                    | memory must be a whole number from 128 to 10240.
          memory              | 1024.5                 | memory must be a whole number from 128 to 10240.
          keeps_data          | null                   | The field keeps_data is required.
          keeps_data          | "yes"                  | keeps_data must be true or false.
          alarms              | 1                      | alarms must be true or false.
          log_days            | 8                      | log_days must be a number of days that CloudWatch takes, such as 1, 7, 30, 90 or 365.
          queues              | 0                      | queues must be a whole number from 1 to 32.
          queues              | 33                     | queues must be a whole number from 1 to 32.
          streams             | null                   | The field streams is required.
          streams             | "some"                 | streams must be "none", or a number.
          streams             | 0                      | streams must be a whole number from 1 to 100000.
          account             | "111122223333"         | The field region is required.
          region              | "eu-west-1"            | The field account is required.
          account             | 111122223333           | account must be a string.
          backup              | "daily"                | backup must be an object.
          backup              | {"keep_days": 35}      | The field backup.vault is required.
          without_backup      | true                   | without_backup must be a string.
          backup              | {"vault": "v", "keep_days": 35} | backup.vault must be the ARN of a vault of AWS Backup in another region or account: v
          backup              | {"vault": "arn:aws:backup:eu-central-1:111122223333:backup-vault:v", "keep_days": 0} | backup.keep_days must be a whole number from 1 to 36500.
          reports             | ["canary", "halt"]     | reports must name functions, but there is none named canary.
          reports             | ["propose", "sweep", "ingest-event", "execute-action"] | reports must have 0 to 3 elements.
          requests_per_second | 0                      | requests_per_second must be a whole number from 1 to 1000000.
          models              | "amazon.nova-lite"     | models must be an array.
          models              | []                     | models must have 1 to 50 elements.
          models              | [" "]                  | models must be identifiers or ARNs, separated by commas, not [ ].
          concurrency         | null                   | The field concurrency is required.
          concurrency         | 10                     | concurrency must be "none", or an object with a scale.
          concurrency         | "some"                 | concurrency must be "none", or an object with a scale.
          concurrency         | {}                     | The field concurrency.scale is required.
          concurrency         | {"scale": 0}           | concurrency.scale must be a whole number from 1 to 1000.
          concurrency         | {"scale": 1, "all": 2} | Unknown field concurrency.all.
          concurrency         | {"scale": 21}          | concurrency gives an event source of deliver-webhook 1008 simultaneous invocations, but at most 1000 are possible.
          domain              | {"name": "a.example"}  | The field domain.certificate is required.
          domain              | {"name": "a.example", "certificate": "c"} | A domain needs both -c domain=HOST and -c certificate=ARN, of a certificate for HOST.
          emulator            | {"endpoint": "::"}     | emulator.endpoint must be an address, such as http://127.0.0.1:4566.
          settings            | {"GOVERNANCE_EGRESS_CA": "ca.pem"} | Unknown field settings.GOVERNANCE_EGRESS_CA.
          settings            | {"GOVERNANCE_STREAM_MAX_SECONDS": 600} | settings.GOVERNANCE_STREAM_MAX_SECONDS must be a string.
          settings            | {"GOVERNANCE_STREAM_MAX_SECONDS": "0"} | The setting GOVERNANCE_STREAM_MAX_SECONDS has an invalid value: 0
          tables              | "state"                | tables must be an object.
          tables              | {"states": {"generation": 2}} | Unknown field tables.states.
          tables              | {"state": 2}           | tables.state must be an object.
          tables              | {"state": {}}          | The field tables.state.generation is required.
          tables              | {"state": {"generation": 0}} | tables.state.generation must be a whole number from 1 to 99.
          tables              | {"state": {"generation": 2, "from": 1}} | Unknown field tables.state.from.
          quotas              | [{"service": "SQS"}]   | The field quotas[0].quota is required.
          quotas              | ["SQS"]                | quotas[0] must be an object.
          """)
  void aBadFieldIsNamedWithItsFile(String field, String value, String sentence) throws IOException {
    ObjectNode file = prod();
    file.set(field, Json.read(value));
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(folder.resolve("mine.json") + ": " + sentence);
  }

  @Test
  void theGenerationsOfRestoredTablesAreRead() throws IOException {
    ObjectNode file = prod();
    file.set(
        "tables", Json.read("{\"state\": {\"generation\": 2}, \"limits\": {\"generation\": 1}}"));
    assertThat(read(file).tables().text()).isEqualTo("state=2");
    assertThat(read(prod()).tables().text()).isEmpty();
  }

  @Test
  void withoutKeptDataNoTableHasAnotherGeneration() throws IOException {
    ObjectNode file = prod().put("keeps_data", false);
    file.set("tables", Json.read("{\"state\": {\"generation\": 1}}"));
    assertThat(read(file).tables().text()).isEmpty();
    file.set("tables", Json.read("{\"state\": {\"generation\": 2}}"));
    assertThatThrownBy(() -> read(file))
        .hasMessageEndingWith(
            "mine.json: tables names restored tables, but none can be restored if keeps_data is"
                + " false. Leave it out.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ingest-event", "relay-state", "look-for-due", "execute_action"})
  void onlyFunctionsStartedByMessagesCanBeBounded(String function) throws IOException {
    ObjectNode file = prod();
    file.putObject("concurrency").put("scale", 1).putObject("functions").put(function, 5);
    assertThatThrownBy(() -> read(file))
        .hasMessageEndingWith("mine.json: Unknown field concurrency.functions." + function + ".");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1001})
  void aFunctionsConcurrencyIsFrom2To1000(int most) throws IOException {
    ObjectNode file = prod();
    file.putObject("concurrency").put("scale", 1).putObject("functions").put("propose", most);
    assertThatThrownBy(() -> read(file))
        .hasMessageEndingWith(
            "concurrency.functions.propose must be a whole number from 2 to 1000.");
  }

  @Test
  void theExecutorsConcurrencyIsTheSumOfItsEventSources() throws IOException {
    ObjectNode file = prod();
    ObjectNode functions =
        file.putObject("concurrency")
            .put("scale", 1)
            .putObject("functions")
            .put(EXECUTOR.function(), 8_000);
    assertThat(read(file).ofEachSource(EXECUTOR)).hasValue(1_000);
    functions.put(EXECUTOR.function(), 8_001);
    assertThatThrownBy(() -> read(file))
        .hasMessageEndingWith(
            "concurrency.functions.execute-action must be a whole number from 2 to 8000.");
  }

  @ParameterizedTest
  @MethodSource("names")
  void reservationsLeaveAHundredUnreservedInTheAccount(String name) {
    Environment environment = Environment.named(name);
    assertThat(environment.reserved()).isLessThanOrEqualTo(account(environment) - 100);
  }

  /** Else messages are refused, which counts as failures of theirs. */
  @ParameterizedTest
  @MethodSource("names")
  void queuesWaitsAndStreamsFitIntoTheAccountsConcurrency(String name) {
    Environment environment = Environment.named(name);
    int queues =
        Concurrency.polling().stream()
            .mapToInt(
                binding ->
                    environment.ofEachSource(binding).orElse(0)
                        * binding.queues(environment.queues()).size())
            .sum();
    int waiting = environment.concurrency().allWaiting() + environment.streams().orElse(0);
    assertThat(queues + waiting).isLessThan(account(environment));
  }

  private static int account(Environment environment) {
    return environment.quotas().stream()
        .filter(quota -> quota.service().equals("Lambda"))
        .mapToInt(quota -> (int) quota.value())
        .findFirst()
        .orElse(1_000);
  }

  /** So who does not wait is answered, however many do. */
  @ParameterizedTest
  @MethodSource("names")
  void fourFifthsOfAReservationMayWait(String name) {
    Environment environment = Environment.named(name);
    for (Route route : Routes.all()) {
      int kept = environment.reserved(route.operation()).orElse(0);
      int waits = environment.mayWait(route.operation()).orElse(0);
      // A stream waits for nothing but its end, and has a bound of its own.
      assertThat(waits).isEqualTo(route.streams() ? 0 : kept * 4 / 5);
    }
  }

  /** So no reader of plans takes what approving needs. */
  @ParameterizedTest
  @MethodSource("names")
  void everyWaitingRouteHasReservedConcurrency(String name) {
    Environment environment = Environment.named(name);
    Set<String> waiting =
        Set.of("retrieve-plan", "retrieve-action", "propose-plan", "send-mcp-message");
    for (Route route : Routes.all()) {
      boolean kept = environment.reserved(route.operation()).isPresent();
      boolean bounded = environment.concurrency() instanceof Concurrency.Bounded;
      assertThat(kept)
          .as(route.operation())
          .isEqualTo(bounded && (route.streams() || waiting.contains(route.operation())));
    }
  }

  @Test
  void aReservationForAnUnknownFunctionIsRefused() throws IOException {
    ObjectNode file = prod();
    file.putObject("concurrency").put("scale", 3).putObject("waiting").put("retrieve-all", 5);
    assertThatThrownBy(() -> read(file))
        .hasMessageEndingWith("Unknown field concurrency.waiting.retrieve-all.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{\"memory\": 1024, \"memory\": 2048}"})
  void aFileThatIsNoJsonObjectIsNamed(String text) throws IOException {
    Files.writeString(folder.resolve("mine.json"), text);
    assertThatThrownBy(() -> EnvironmentFile.read(folder, "mine"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(folder.resolve("mine.json") + ": The ");
  }

  @Test
  void anUnknownEnvironmentIsRefusedWithTheKnownNames() {
    assertThatThrownBy(() -> Environment.named("production"))
        .hasMessage(
            "There is no environment named production."
                + " Choose one with -c env=10k|dev|localstack|prod|staging");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../prod", "Prod", "eleven-long", "-", ""})
  void anInvalidNameIsRefused(String name) {
    assertThatThrownBy(() -> Environment.named(name))
        .hasMessage(
            "The name of an environment must be up to ten lower-case letters, digits and hyphens: "
                + name);
  }

  @Test
  void tenThousandActionsASecondNeedTheseQuotasRaised() {
    assertThat(Environment.named("10k").quotas())
        .extracting(quota -> quota.service() + " " + quota.value())
        .containsExactly(
            "Lambda 12000", "SQS 10000", "DynamoDB 225000", "DynamoDB 170000", "API Gateway 15000");
    assertThat(Environment.named("10k").quotas())
        .allSatisfy(
            quota ->
                assertThat(quota.line())
                    .startsWith("Quota to raise: " + quota.service() + ", " + quota.name())
                    .endsWith(quota.why() + ".")
                    .doesNotContain("\n"));
  }

  @Test
  void anEnvironmentsRequestRateFitsItsAccountsQuota() {
    Environment large = Environment.named("10k");
    assertThat(large.quotas())
        .filteredOn(quota -> quota.service().equals("API Gateway"))
        .singleElement()
        .satisfies(
            quota -> assertThat(quota.value()).isGreaterThanOrEqualTo(large.requestsPerSecond()));
  }

  @Test
  void onlyProdAnd10kNeedRaisedQuotas() throws IOException {
    assertThat(names())
        .filteredOn(name -> !Environment.named(name).quotas().isEmpty())
        .containsExactlyInAnyOrder("10k", "prod");
  }

  private Environment read(ObjectNode file) throws IOException {
    Files.writeString(folder.resolve("mine.json"), Json.write(file));
    return EnvironmentFile.read(folder, "mine");
  }

  private static ObjectNode prod() throws IOException {
    return (ObjectNode) Json.read(Files.readString(EnvironmentFile.FOLDER.resolve("prod.json")));
  }

  @Test
  void theNumberAndLengthOfModelsAreBounded() {
    Environment prod = Environment.named("prod");
    prod.proposingWith(Collections.nCopies(50, "m".repeat(150)));
    for (List<String> models :
        List.of(List.of("m".repeat(151)), Collections.nCopies(51, "amazon.nova-lite-v1:0"))) {
      assertThatThrownBy(() -> prod.proposingWith(models))
          .hasMessage(
              "models may have at most 50 names, each of at most 150 characters: roles hold no"
                  + " more.");
    }
  }
}
