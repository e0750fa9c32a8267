package io.actiongovernance.localstack.source;

import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.event.ruler.Machine;

/**
 * Lambda's filter of a table's changes, with the same matcher that AWS uses. It examines the same
 * parts of a change. Not thread-safe.
 */
public final class ChangeFilter {
  private final Machine patterns = Machine.builder().build();

  /**
   * @param patterns a change must match at least one of them; if there are none, all changes pass
   */
  public ChangeFilter(List<String> patterns) {
    try {
      for (String pattern : patterns) {
        this.patterns.addRule(pattern, pattern);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean admits(Record change) {
    if (patterns.isEmpty()) {
      return true;
    }
    String seen = Json.write(Json.object().set("dynamodb", ChangeEvents.body(change.dynamodb())));
    try {
      return !patterns.rulesForJSONEvent(seen).isEmpty();
    } catch (Exception e) { // declared by the method's signature; the change is well-formed
      throw new IllegalStateException("A change could not be matched.", e);
    }
  }
}
