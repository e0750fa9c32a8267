package io.actiongovernance.functions.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is counted of the changes of the tables. */
final class TallyTest {
  private static final Map<String, String> NOTHING = Map.of();
  private static final Map<String, String> PENDING = Map.of("sk", "dlv_1", "status", "pending");
  private static final Map<String, String> SUCCEEDED = Map.of("sk", "dlv_1", "status", "succeeded");

  private static Map<String, String> receipt(String outcome) {
    return Map.of("kind", "receipt", "doc", "{\"outcome\":\"" + outcome + "\"}");
  }

  @Test
  void actionsAreCountedByTheOutcomesOfTheirReceipts() {
    Tally tally =
        Tally.of(
            List.of(
                change(NOTHING, receipt("applied")),
                change(NOTHING, receipt("failed")),
                change(NOTHING, receipt("applied"))));
    assertThat(tally.actions()).isEqualTo(Map.of("applied", 2L, "failed", 1L));
    assertThat(tally.deliveries()).isEmpty();
  }

  @Test
  void aDeliveryIsCountedWhenItEnds() {
    Tally tally =
        Tally.of(
            List.of(
                change(NOTHING, PENDING),
                change(PENDING, PENDING),
                change(PENDING, SUCCEEDED),
                change(SUCCEEDED, SUCCEEDED),
                change(SUCCEEDED, NOTHING)));
    assertThat(tally.deliveries()).isEqualTo(Map.of("succeeded", 1L));
  }

  @Test
  void whatIsNeitherIsNotCounted() {
    Tally tally =
        Tally.of(
            List.of(
                change(NOTHING, Map.of("kind", "plan", "sk", "pl_1", "status", "executed")),
                change(receipt("applied"), receipt("applied"))));
    assertThat(tally.actions()).isEmpty();
    assertThat(tally.deliveries()).isEmpty();
  }

  private static DynamodbStreamRecord change(
      Map<String, String> before, Map<String, String> after) {
    StreamRecord body = new StreamRecord();
    body.setOldImage(image(before));
    body.setNewImage(image(after));
    DynamodbStreamRecord change = new DynamodbStreamRecord();
    change.setDynamodb(body);
    return change;
  }

  private static Map<String, AttributeValue> image(Map<String, String> texts) {
    return texts.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, text -> new AttributeValue(text.getValue())));
  }
}
