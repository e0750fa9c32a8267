package io.actiongovernance.functions.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.event.ruler.Machine;

/** Which changes run a relay, by the matcher that AWS filters with. */
final class RelayedChangesTest {
  private static final Map<String, String> NOTHING = Map.of();

  /** What the relays look at, each with values that differ. */
  private static final Map<String, List<String>> LOOKED_AT =
      Map.of(
          "status", List.of("pending", "succeeded", "failed"),
          "disposition", List.of("ALLOW"),
          "dispatched", List.of("1", "2"),
          "waiting_on", List.of("approval", "execution"),
          "by_expiry", List.of("open"),
          "schedule_stopped", List.of("2026-12-31T23:59:07.412Z"));

  @ParameterizedTest
  @EnumSource
  void everyChangeThatIsAFactRunsARelay(ObjectKind kind) throws Exception {
    everyChangeThatSaysSomethingIsAdmitted(
        Map.of("kind", kind.wire(), "sk", "x_1", "doc", "{\"kind\":\"action\"}"));
  }

  @Test
  void everyEndOfADeliveryRunsARelay() throws Exception {
    everyChangeThatSaysSomethingIsAdmitted(Map.of("sk", "dlv_1"));
  }

  private static void everyChangeThatSaysSomethingIsAdmitted(Map<String, String> always)
      throws Exception {
    List<Map<String, String>> images = images(always);
    List<Map<String, String>> before = new ArrayList<>(images);
    before.add(NOTHING);
    int said = 0;
    for (Map<String, String> after : images) {
      boolean says =
          before.stream().anyMatch(image -> saysSomething(Changes.ofObject(image, after)));
      if (says) {
        said++;
        assertThat(admitted(after)).as("%s", after).isTrue();
      }
    }
    assertThat(said).isPositive();
  }

  private static boolean saysSomething(DynamodbStreamRecord change) {
    OutcomeCounts tally = OutcomeCounts.of(List.of(change));
    return !Fact.of(change).isEmpty()
        || !tally.actions().isEmpty()
        || !tally.deliveries().isEmpty();
  }

  /** An item with every choice of what is looked at. */
  private static List<Map<String, String>> images(Map<String, String> always) {
    List<Map<String, String>> images = new ArrayList<>(List.of(always));
    LOOKED_AT.forEach(
        (attribute, values) -> {
          for (Map<String, String> image : List.copyOf(images)) {
            for (String value : values) {
              Map<String, String> more = new HashMap<>(image);
              more.put(attribute, value);
              images.add(more);
            }
          }
        });
    return images;
  }

  @ParameterizedTest
  @ValueSource(strings = {"key", "tenant", "operator", "channel", "action"})
  void objectsWithoutFactsRunNoRelay(String kind) throws Exception {
    assertThat(admitted(Map.of("kind", kind, "sk", "x_1", "status", "active"))).isFalse();
  }

  @Test
  void removalsAndOtherItemsRunNoRelay() throws Exception {
    assertThat(admitted(Map.of("sk", "head", "n", "1"))).isFalse();
    assertThat(admitted(Map.of("sk", "dlv_1", "status", "pending"))).isFalse();
    assertThat(matches("{\"dynamodb\":{\"OldImage\":{\"kind\":{\"S\":\"plan\"}}}}")).isFalse();
  }

  @Test
  void thePatternsFitTheLimitOfAnEventSource() {
    assertThat(RelayedChanges.patterns()).hasSizeBetween(1, 5);
  }

  private static boolean admitted(Map<String, String> after) throws Exception {
    ObjectNode change = Json.object();
    ObjectNode image = change.putObject("dynamodb").putObject("NewImage");
    after.forEach((attribute, value) -> image.putObject(attribute).put("S", value));
    return matches(Json.write(change));
  }

  private static boolean matches(String change) throws Exception {
    Machine machine = Machine.builder().build();
    for (String pattern : RelayedChanges.patterns()) {
      machine.addRule(pattern, pattern);
    }
    return !machine.rulesForJSONEvent(change).isEmpty();
  }
}
