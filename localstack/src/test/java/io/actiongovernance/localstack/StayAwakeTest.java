package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.route.StayAwake;
import io.actiongovernance.json.Json;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The event of each day, as Lambda's runtime reads it for each kind of function. */
final class StayAwakeTest {
  private static <T> T read(Class<T> type) {
    byte[] event = StayAwake.EVENT.getBytes(StandardCharsets.UTF_8);
    return LambdaEventSerializers.serializerFor(type, StayAwakeTest.class.getClassLoader())
        .fromJson(new ByteArrayInputStream(event));
  }

  @Test
  void aFunctionOfQueuesOrStreamsGetsNoRecords() {
    assertThat(read(SQSEvent.class).getRecords()).isEmpty();
    assertThat(read(DynamodbEvent.class).getRecords()).isEmpty();
  }

  @Test
  @SuppressWarnings("unchecked") // It is an object.
  void otherFunctionsRecogniseTheWarmUpEvent() {
    assertThat(StayAwake.is(read(APIGatewayProxyRequestEvent.class))).isTrue();
    assertThat(StayAwake.is((Map<String, Object>) Json.read(StayAwake.EVENT, Map.class))).isTrue();
    assertThat(StayAwake.answer().getStatusCode()).isEqualTo(204);
  }

  @Test
  void noRequestOrTimerIsMistakenForTheWarmUpEvent() {
    assertThat(Routes.all())
        .noneMatch(
            route -> StayAwake.is(new APIGatewayProxyRequestEvent().withResource(route.path())));
    assertThat(StayAwake.is(new APIGatewayProxyRequestEvent().withResource("/{proxy+}"))).isFalse();
    assertThat(StayAwake.is(Map.of("plan_id", "pl_1"))).isFalse();
    assertThat(StayAwake.is(Map.of("name", "stay-awake"))).isFalse();
  }
}
