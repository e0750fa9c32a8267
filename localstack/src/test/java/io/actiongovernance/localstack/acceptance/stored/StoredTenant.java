package io.actiongovernance.localstack.acceptance.stored;

import static io.actiongovernance.localstack.acceptance.stored.StoredRequests.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import io.actiongovernance.localstack.acceptance.fixture.Upstream.Seen;
import io.actiongovernance.localstack.acceptance.stored.StoredReads.Head;
import io.actiongovernance.localstack.acceptance.stored.StoredReads.Read;
import io.actiongovernance.localstack.acceptance.stored.StoredRequests.Asked;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The tenant of a data folder that a release or this build has filled, on a stack that goes on with
 * it, among neighbours that stand where those of then stood. Thread-safe.
 */
final class StoredTenant implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofSeconds(90);

  private final StoredData stored;
  private final StoredReads.All before;
  private final StoredNeighbours neighbours;
  private final Path data;
  private final EmbeddedStack stack;
  private final HttpClient client = HttpClient.newHttpClient();

  /**
   * Starts the stack.
   *
   * @param data where the folder is unpacked; not there yet
   */
  StoredTenant(StoredData stored, Path data) throws Exception {
    this(stored, data, Service.governance());
  }

  /** Starts a stack on which something else runs. */
  StoredTenant(StoredData stored, Path data, Service service) throws Exception {
    this.stored = stored;
    this.before = Json.convert(stored.part(StoredData.READS), StoredReads.All.class);
    List<String> granted =
        stored.told().thing("granted").valueStream().map(JsonNode::asText).toList();
    this.neighbours =
        new StoredNeighbours(
            stored.told().firstPort(),
            granted.stream().filter(each -> each.startsWith("refresh")).toList());
    neighbours.mcp().closed();
    this.data = stored.unpack(data);
    assertThat(executions()).isDirectoryRecursivelyContaining("glob:**plan-expiry/pl_*.json");
    assertThat(executions()).isDirectoryRecursivelyContaining("glob:**webhook-retry/dlv_*.json");
    try {
      this.stack = stored.start(data, service);
    } catch (Exception | Error e) {
      neighbours.close();
      throw e;
    }
  }

  /** What was read of it then. */
  List<Read> reads() {
    return before.reads();
  }

  List<Head> heads() {
    return before.heads();
  }

  StoredNeighbours neighbours() {
    return neighbours;
  }

  /** Puts a message on a queue, as the build of then did. */
  void send(Queue queue, String body, String group) {
    SqsClient sqs = stack.wiring().clients().sqs();
    String url = sqs.getQueueUrl(it -> it.queueName(queue.wireName("governance"))).queueUrl();
    sqs.sendMessage(
        it -> {
          it.queueUrl(url).messageBody(body);
          if (queue.fifo()) {
            it.messageGroupId(group).messageDeduplicationId(Given.unique("message"));
          }
        });
  }

  /** Where its timers are. */
  Path executions() {
    return data.resolve("executions");
  }

  Upstream upstream() {
    return neighbours.upstream();
  }

  /** The API as the holder of a key sees it that was made then. */
  Api as(String name) {
    return new Api(client, stack.baseUrl(), stored.told().keys().get(name));
  }

  Api admin() {
    return as("admin");
  }

  JsonNode thing(String name) {
    return stored.told().thing(name);
  }

  String id(String name) {
    return stored.told().id(name);
  }

  /** A plan of then. */
  Plan plan(String name) {
    return new Plan(admin(), thing(name));
  }

  Plan executed(Plan plan) {
    return plan.await("executed", LONGEST);
  }

  /** A request that was not answered then, sent again until it is. */
  JsonNode answered(String name) {
    Asked asked = Json.convert(thing(name), Asked.class);
    return Await.until(
            LONGEST, () -> asked.send(as(asked.as())), answer -> answer.status() / 100 == 2)
        .json();
  }

  ObjectNode action(String connector, String tool, String args, String key) {
    ObjectNode action =
        Json.object().put("connector", id(connector)).put("tool", tool).put("idempotency_key", key);
    action.set("args", json(args));
    return action;
  }

  ObjectNode refund(String charge) {
    return action(
        "shop",
        "pay.refund.create",
        "{'charge':'%s','amount':'4.20','currency':'usd'}".formatted(charge),
        "refund-" + charge);
  }

  Answer tryPropose(String operator, ObjectNode... actions) {
    String path = "/v1/operators/" + id(operator) + "/plans";
    return as("proposer").postPatiently(path, Operator.proposal(actions));
  }

  Plan propose(String operator, ObjectNode... actions) {
    return new Plan(admin(), good(tryPropose(operator, actions)));
  }

  /** Posts what must succeed, however busy this machine is. */
  static JsonNode post(Api api, String path, JsonNode body) {
    return good(api.postPatiently(path, body));
  }

  private static JsonNode good(Answer answer) {
    assertThat(answer.status() / 100).as("%s", answer).isEqualTo(2);
    return answer.json();
  }

  JsonNode undo(Plan plan) {
    return admin()
        .postPatiently("/v1/actions/" + plan.actionId(0) + "/undo", Json.object())
        .is(200);
  }

  Seen onlyCall(String path) {
    assertThat(upstream().calls(path)).as(path).hasSize(1);
    return upstream().calls(path).getFirst();
  }

  void resolve(Plan plan, String outcome) {
    String path = "/v1/actions/" + plan.actionId(0) + "/resolve";
    post(admin(), path, json("{'outcome':'%s','reason':'So it is.'}".formatted(outcome)));
  }

  @Override
  public void close() {
    stack.close();
    neighbours.close();
    client.close();
  }
}
