package io.actiongovernance.functions.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Records of streams that are kept for later. */
final class ChangeRecordsTest {
  /** As Lambda puts it into a bucket. */
  private static final String BY_LAMBDA =
      """
      {"Records":[{"eventID":"e-1","eventName":"INSERT","eventVersion":"1.1",\
      "eventSource":"aws:dynamodb","awsRegion":"eu-west-1","dynamodb":{\
      "ApproximateCreationDateTime":1.764337867E9,\
      "Keys":{"pk":{"S":"p"},"sk":{"S":"s"}},\
      "NewImage":{"kind":{"S":"event"},"n":{"N":"7"},"doc":{"B":"AQI="},"all":{"SS":["a","b"]},\
      "is":{"BOOL":true},"none":{"NULL":true},"more":{"M":{"l":{"L":[{"S":"x"}]}}}},\
      "SequenceNumber":"100","SizeBytes":26,"StreamViewType":"NEW_AND_OLD_IMAGES"},\
      "eventSourceARN":"arn:aws:dynamodb:eu-west-1:111122223333:table/x/stream/1"}]}\
      """;

  @Test
  void aRecordThatLambdaHasPutIsRead() {
    DynamodbStreamRecord change = ChangeRecords.read(Json.read(BY_LAMBDA)).getRecords().getFirst();
    assertThat(change.getEventID()).isEqualTo("e-1");
    assertThat(change.getDynamodb().getSequenceNumber()).isEqualTo("100");
    assertThat(change.getDynamodb().getApproximateCreationDateTime())
        .isEqualTo(Date.from(Instant.parse("2025-11-28T13:51:07Z")));
    assertThat(value(change, "all").getSS()).containsExactly("a", "b");
    assertThat(value(change, "doc").getB().array()).containsExactly(1, 2);
    assertThat(Objects.requireNonNull(value(change, "more").getM().get("l")).getL())
        .extracting(one -> one.getS())
        .containsExactly("x");
  }

  private static AttributeValue value(DynamodbStreamRecord change, String name) {
    return Objects.requireNonNull(change.getDynamodb().getNewImage().get(name));
  }

  @Test
  void aRecordThatARelayPutsIsReadAsItWas() {
    DynamodbStreamRecord change =
        Changes.ofObject(Map.of(), Map.of("kind", "receipt", "doc", "{\"a\":1}"));
    change.getDynamodb().setSequenceNumber("7");
    change.getDynamodb().setApproximateCreationDateTime(Date.from(Instant.ofEpochMilli(1_234_567)));
    JsonNode written = Json.read(Json.write(ChangeRecords.write(List.of(change))));
    assertThat(ChangeRecords.read(written).getRecords()).containsExactly(change);
    DynamodbStreamRecord byLambda =
        ChangeRecords.read(Json.read(BY_LAMBDA)).getRecords().getFirst();
    assertThat(ChangeRecords.read(ChangeRecords.write(List.of(byLambda))).getRecords())
        .containsExactly(byLambda);
  }
}
