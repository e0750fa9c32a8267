package io.actiongovernance.functions.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What changes of the tables say, and what they do not. */
final class FactTest {
  private static final Map<String, String> NOTHING = Map.of();

  @Test
  void aNewEnvelopeIsIngestedAndNamesItself() {
    Optional<Fact> fact = Fact.of(change(NOTHING, Map.of("kind", "event", "payload", "secret")));
    assertThat(fact.map(Fact::type)).hasValue(FactType.ENVELOPE_INGESTED);
    assertThat(fact.orElseThrow().detail()).contains("\"id\":\"x_1\"").doesNotContain("secret");
  }

  @Test
  void aPlanIsProposedWhenNewAndDisposedWhenItsStatusChanges() {
    Map<String, String> open = Map.of("kind", "plan", "status", "proposed");
    Map<String, String> executed = Map.of("kind", "plan", "status", "executed");
    assertThat(type(NOTHING, open)).hasValue(FactType.PLAN_PROPOSED);
    assertThat(type(open, executed)).hasValue(FactType.PLAN_DISPOSED);
    assertThat(type(executed, executed)).isEmpty();
    assertThat(Fact.of(change(open, executed)).orElseThrow().detail())
        .contains("\"changed\":{\"status\":\"executed\"}");
  }

  @Test
  void anActionIsDisposedOnce() {
    Map<String, String> open = Map.of("kind", "action");
    Map<String, String> disposed = Map.of("kind", "action", "disposition", "ALLOW");
    Map<String, String> undone = Map.of("kind", "action", "disposition", "ALLOW", "undone", "true");
    assertThat(type(NOTHING, open)).isEmpty();
    assertThat(type(open, disposed)).hasValue(FactType.ACTION_DISPOSED);
    assertThat(type(disposed, undone)).isEmpty();
  }

  @Test
  void aConnectorsChangeOfStatusIsAFactAndItsInstallationIsNot() {
    Map<String, String> connected = Map.of("kind", "connector", "status", "connected");
    Map<String, String> degraded = Map.of("kind", "connector", "status", "degraded");
    assertThat(type(NOTHING, connected)).isEmpty();
    assertThat(type(connected, degraded)).hasValue(FactType.CONNECTOR_STATUS_CHANGED);
  }

  @Test
  void removalsAndItemsThatAreNoObjectsSayNothing() {
    assertThat(type(Map.of("kind", "event"), NOTHING)).isEmpty();
    assertThat(type(NOTHING, Map.of("n", "1"))).isEmpty();
    assertThat(type(NOTHING, Map.of("kind", "key"))).isEmpty();
  }

  @Test
  void theSameChangeGivesTheSameFactId() {
    DynamodbStreamRecord change = change(NOTHING, Map.of("kind", "receipt"));
    assertThat(Fact.of(change).map(Fact::factId)).isEqualTo(Fact.of(change).map(Fact::factId));
    assertThat(Fact.of(change).orElseThrow().factId()).isEqualTo("e-1:receipt.written");
  }

  private static Optional<FactType> type(Map<String, String> before, Map<String, String> after) {
    return Fact.of(change(before, after)).map(Fact::type);
  }

  private static DynamodbStreamRecord change(
      Map<String, String> before, Map<String, String> after) {
    StreamRecord body = new StreamRecord();
    if (!before.isEmpty()) {
      body.setOldImage(image(before));
    }
    if (!after.isEmpty()) {
      body.setNewImage(image(after));
    }
    DynamodbStreamRecord change = new DynamodbStreamRecord();
    change.setEventID("e-1");
    change.setDynamodb(body);
    return change;
  }

  private static Map<String, AttributeValue> image(Map<String, String> texts) {
    Map<String, AttributeValue> image = new HashMap<>();
    image.put("id", new AttributeValue("x_1"));
    image.put("partition", new AttributeValue("t_1#live#x"));
    texts.forEach((name, text) -> image.put(name, new AttributeValue(text)));
    return image;
  }
}
