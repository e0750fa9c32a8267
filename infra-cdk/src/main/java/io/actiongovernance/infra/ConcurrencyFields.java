package io.actiongovernance.infra;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Problem;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the {@link Concurrency} of an environment from its file. */
final class ConcurrencyFields {
  /** The fewest reserved invocations: four fifths of them must be at least one. */
  private static final int FEWEST_WAITING = 2;

  private ConcurrencyFields() {}

  static Concurrency read(Fields file, int queues) {
    JsonNode value = file.value("concurrency");
    if (value == null) {
      throw Problem.missing("concurrency");
    }
    if (EnvironmentFile.isNone(file, "concurrency")) {
      return new Concurrency.None();
    }
    if (!value.isObject()) {
      throw Problem.invalid(
          "concurrency", "concurrency must be \"none\", or an object with a scale.");
    }
    Fields bounded = file.fields("concurrency");
    int scale = EnvironmentFile.whole(bounded, "scale", 1, Concurrency.MOST);
    Map<String, Integer> functions = functions(bounded.fieldsOrNull("functions"), queues);
    Map<String, Integer> waiting = waiting(bounded.fieldsOrNull("waiting"));
    bounded.done();
    return new Concurrency.Bounded(scale, functions, waiting);
  }

  private static Map<String, Integer> waiting(@Nullable Fields fields) {
    Map<String, Integer> waiting = new HashMap<>();
    if (fields != null) {
      for (Route route : Routes.all()) {
        Long kept = fields.wholeOrNull(route.operation(), FEWEST_WAITING, Concurrency.MOST);
        if (kept != null) {
          waiting.put(route.operation(), kept.intValue());
        }
      }
      fields.done();
    }
    return waiting;
  }

  private static Map<String, Integer> functions(@Nullable Fields fields, int queues) {
    Map<String, Integer> functions = new HashMap<>();
    if (fields != null) {
      for (Binding binding : Concurrency.polling()) {
        int sources = binding.queues(queues).size();
        Long most =
            fields.wholeOrNull(
                binding.function(), Concurrency.LEAST, (long) Concurrency.MOST * sources);
        if (most != null) {
          functions.put(binding.function(), most.intValue());
        }
      }
      fields.done();
    }
    return functions;
  }
}
