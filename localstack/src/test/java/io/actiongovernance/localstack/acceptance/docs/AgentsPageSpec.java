package io.actiongovernance.localstack.acceptance.docs;

import static io.actiongovernance.localstack.acceptance.docs.GeneratedClient.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Secrets;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.fixture.Npm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The snippets of {@code docs/agents.md} and {@code docs/agent-frameworks.md}, which are the files
 * of {@code src/test/agents}, against a stack on which the setup of the first page has run.
 * Snippets in Java, TypeScript and plain Python run as they are. {@code src/test/agents-shapes}
 * replaces Python's frameworks: it accepts their documented parameters and speaks to the gateway
 * with the given URL and headers.
 */
@Acceptance
@Isolated // its processes want the processor for themselves
final class AgentsPageSpec {
  private static final Path DOCS = Path.of("../docs");
  private static final String SETUP = "setup.sh";
  private static final Path SNIPPETS = Path.of("src/test/agents").toAbsolutePath();
  private static final Path SHAPES = Path.of("src/test/agents-shapes").toAbsolutePath();

  /** What the SDK's JSON needs; the service has an older one. The build puts it there. */
  private static final Path SCHEMAS = Path.of("target/client/schemas.jar").toAbsolutePath();

  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\n(.*?)^```$");
  private static final Pattern PLAN = Pattern.compile("pl_[0-9a-z]{26}");
  private static final Pattern RECEIPT = Pattern.compile("rc_[0-9a-z]{26}");
  private static final String API =
      "api() { curl -s \"$BASE$1\" -H \"Authorization: Bearer $KEY\" "
          + "-H 'Content-Type: application/json' \"${@:2}\"; }\n";

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  /** An agent that the page's setup has made, and what its snippets find in the environment. */
  private record Agent(Api admin, Map<String, String> environment) {
    /** Approves the plan that a snippet named. */
    void approve(String said) {
      admin.postPatiently("/v1/plans/" + first(PLAN, said) + "/approve", Json.object()).is(200);
    }

    /** Says no to the plan that a snippet named. */
    void veto(String said) {
      ObjectNode reason = Json.object().put("reason", "Paid last week.");
      admin.post("/v1/plans/" + first(PLAN, said) + "/veto", reason).is(200);
    }

    /** The rule that the receipt which a snippet named has. */
    String rule(String said) {
      return admin.get("/v1/receipts/" + first(RECEIPT, said)).is(200).at("/verdict/rule").asText();
    }
  }

  private static String first(Pattern pattern, String said) {
    return pattern.matcher(said).results().findFirst().orElseThrow().group();
  }

  /** Runs the setup of the first page for a tenant of the test's own. */
  private static Agent agent(Given given, Stack stack) throws Exception {
    assumeTrue(stack.makesTenants(), "needs a tenant that has no such names yet");
    for (String tool : List.of("bash", "curl", "jq", "python3")) {
      needs(tool);
    }
    Api api = given.api();
    Map<String, String> environment = new HashMap<>();
    environment.put("BASE", api.baseUrl().toString().replaceAll("/+$", ""));
    environment.put("KEY", String.valueOf(api.key()));
    environment.put("PYTHONDONTWRITEBYTECODE", "1");
    String script = API + snippet(SETUP) + "env | grep -E '^(CN|OP|AGENT|GATEWAY)='";
    run(environment, "bash", "-c", script)
        .lines()
        .map(line -> line.split("=", 2))
        .forEach(pair -> environment.put(pair[0], pair[1]));
    assertThat(environment.get("AGENT")).startsWith("sk_");
    Secrets.add(String.valueOf(environment.get("AGENT")), "key of the page's agent");
    return new Agent(api, environment);
  }

  /** Where a tool is missing the test is skipped; in continuous integration it fails. */
  private static void needs(String tool) {
    boolean there =
        Stream.of(String.valueOf(System.getenv("PATH")).split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
    assertThat(there || !"true".equals(System.getenv("CI"))).as("%s is there", tool).isTrue();
    assumeTrue(there, tool + " is missing");
  }

  private static String snippet(String file) throws Exception {
    return Files.readString(SNIPPETS.resolve(file));
  }

  @Test
  void thePagesShowExactlyTheTestedPrograms() throws Exception {
    List<String> tested;
    try (Stream<Path> files = Files.list(SNIPPETS).filter(Files::isRegularFile)) {
      tested = files.map(file -> file.getFileName().toString()).sorted().toList();
    }
    Map<String, String> named = new HashMap<>();
    for (String file : tested) {
      named.put(snippet(file), file);
    }
    assertThat(shown("agents.md", named)).containsExactly(SETUP);
    assertThat(shown("gateway.md", named)).isEmpty();
    assertThat(shown("agent-frameworks.md", named))
        .isEqualTo(tested.stream().filter(file -> !file.equals(SETUP)).toList());
  }

  /** The files whose text the page shows, sorted, and its programs that no file has. */
  private static List<String> shown(String page, Map<String, String> named) throws Exception {
    return BLOCK
        .matcher(Files.readString(DOCS.resolve(page)))
        .results()
        .filter(block -> !block.group(1).equals("sh") || named.containsKey(block.group(2)))
        .map(block -> named.getOrDefault(block.group(2), "untested: " + block.group(2)))
        .sorted()
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"LangChain4jAgent", "SpringAiAgent"})
  void aJavaFrameworkHandlesAppliedHeldAndRefusedCalls(String program, Given given, Stack stack)
      throws Exception {
    Agent agent = agent(given, stack);
    String said =
        GeneratedClient.java(
            agent.environment(), SCHEMAS, SNIPPETS.resolve(program + ".java").toString());
    assertThat(said)
        .contains("sandbox_effects_count", "sandbox_payment_refund", "governance_plan")
        .contains("5.00", "Ask governance_plan with this plan_id; do not call again")
        .doesNotContain("sandbox_deploy_run");
    assertThat(agent.rule(said)).isEqualTo("no-large-refunds");
    agent.approve(said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"openai_agents.py", "langgraph_agent.py", "crewai_agent.py"})
  void aPythonFrameworkGetsItsDocumentedInput(String file, Given given, Stack stack)
      throws Exception {
    Agent agent = agent(given, stack);
    agent.environment().put("PYTHONPATH", SHAPES.toString());
    String said = run(agent.environment(), "python3", SNIPPETS.resolve(file).toString());
    assertThat(Json.read(said).path("amount").asText()).isEqualTo("5.00");
  }

  @Test
  void plainHttpInPythonWaitsForAPersonAndReadsTheResult(Given given, Stack stack)
      throws Exception {
    Agent agent = agent(given, stack);
    List<String> program = List.of("python3", SNIPPETS.resolve("http_agent.py").toString());
    String counted =
        run(agent.environment(), command(program, "sandbox.effects.count", "{}", "shop"));
    assertThat(counted).isEqualTo("{\"count\":0}");
    assertThat(held(agent, command(program, "sandbox.payment.refund", refund("2", "50.00"))))
        .contains("\"amount\":\"50.00\"");
  }

  @Test
  void plainHttpInJavaUsesTheGeneratedClient(Given given, Stack stack) throws Exception {
    Agent agent = agent(given, stack);
    GeneratedClient client = new GeneratedClient(agent.admin(), folder);
    Path classes =
        client.compile(
            client.java(),
            List.of(SNIPPETS.resolve("HttpAgent.java"), SNIPPETS.resolve("Governed.java")));
    Map<String, String> environment = agent.environment();
    assertThat(GeneratedClient.java(environment, classes, "HttpAgent", "1", "5.00"))
        .contains("\"amount\":\"5.00\"");
    assertThat(held(agent, GeneratedClient.command(classes, "HttpAgent", "2", "50.00")))
        .contains("\"amount\":\"50.00\"");
    assertThat(GeneratedClient.java(environment, classes, "Governed", refund("3", "5.00")))
        .contains("sandbox.payment.refund");
    String held = GeneratedClient.java(environment, classes, "Governed", refund("4", "50.00"));
    agent.approve(held);
    String asked = Json.write(Json.object().put("planId", first(PLAN, held)));
    assertThat(GeneratedClient.java(environment, classes, "Governed", asked)).contains("50.00");
    assertThat(GeneratedClient.java(environment, classes, "Governed", refund("5", "5000.00")))
        .contains("Not done", "no-large-refunds");
  }

  @Test
  void aGovernedPythonFunctionIsAnOrdinaryFunction(Given given, Stack stack) throws Exception {
    Agent agent = agent(given, stack);
    agent.environment().put("PYTHONPATH", SNIPPETS.toString());
    String head = "import inspect, governed\n";
    String said =
        run(
            agent.environment(),
            "python3",
            "-c",
            head
                + "print(governed.refund.__name__, inspect.signature(governed.refund))\n"
                + "print(governed.refund('1', '5.00'))\n"
                + "print(governed.refund(order='2', amount='5000.00'))\n"
                + "print(governed.refund('3', amount='50.00'))\n"
                + "print(governed.refund('4', amount='60.00'))");
    assertThat(said)
        .contains("refund (order: str, amount: str) -> str", "\"amount\":\"5.00\"")
        .contains(
            "Not done: Every action was refused", "no-large-refunds", "Held: waits for approval");
    String plan = first(PLAN, said.substring(said.indexOf("Held")));
    agent.approve(plan);
    assertThat(
            run(
                agent.environment(),
                "python3",
                "-c",
                head + "print(governed.outcome('" + plan + "'))"))
        .contains("\"amount\":\"50.00\"");
    String other = first(PLAN, said.substring(said.lastIndexOf("Held")));
    agent.veto(other);
    assertThat(
            run(
                agent.environment(),
                "python3",
                "-c",
                head + "print(governed.outcome('" + other + "'))"))
        .contains("Not done: Paid last week. (receipt rc_", "Do not call again.");
  }

  @Test
  void aGovernedTypeScriptFunctionIsAnOrdinaryFunction(Given given, Stack stack) throws Exception {
    Agent agent = agent(given, stack);
    run(
        "node",
        Npm.file("typescript/bin/tsc").toString(),
        "--strict",
        "--target",
        "es2022",
        "--module",
        "esnext",
        "--lib",
        "es2022,dom",
        "--outDir",
        folder.toString(),
        SNIPPETS.resolve("governed.ts").toString());
    Files.move(
        folder.resolve("governed.js"),
        folder.resolve("governed.mjs"),
        StandardCopyOption.REPLACE_EXISTING);
    assertThat(typeScript(agent, "refund(" + refund("1", "5.00") + ")")).contains("5.00");
    assertThat(typeScript(agent, "refund(" + refund("2", "5000.00") + ")"))
        .startsWith("Not done: Every action was refused")
        .contains("no-large-refunds");
    String held = typeScript(agent, "refund(" + refund("3", "50.00") + ")");
    assertThat(held).startsWith("Held: waits for approval");
    agent.approve(held);
    assertThat(typeScript(agent, "outcome(service)({plan_id:'" + first(PLAN, held) + "'})"))
        .contains("50.00");
  }

  private String typeScript(Agent agent, String expression) throws Exception {
    String script =
        "import { governed, outcome } from './governed.mjs';\n"
            + "const e = process.env;\n"
            + "const service = { base: e.BASE, operator: e.OP, connector: e.CN, key: e.AGENT };\n"
            + "const refund = governed(service, 'sandbox.payment.refund');\n"
            + "console.log(await %s);\n".formatted(expression);
    Path driver = folder.resolve("driver.mjs");
    Files.writeString(driver, script);
    return run(agent.environment(), "node", driver.toString());
  }

  /** Runs what waits for a person, approves what it names, and answers with the rest it says. */
  private static String held(Agent agent, String[] command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(agent.environment());
    Process process = builder.start();
    try (var said = process.inputReader(StandardCharsets.UTF_8)) {
      String line = said.readLine();
      assertThat(line).startsWith("Waits for approval: gov approve pl_");
      agent.approve(line);
      String rest = String.join("\n", said.readAllLines());
      assertThat(process.waitFor()).as(rest).isZero();
      return rest;
    } finally {
      process.destroy();
    }
  }

  private static String[] command(List<String> program, String... arguments) {
    return Stream.concat(program.stream(), Stream.of(arguments)).toArray(String[]::new);
  }

  private static String refund(String order, String amount) {
    return Json.write(Json.object().put("order", order).put("amount", amount));
  }
}
