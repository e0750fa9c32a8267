package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.LostActions;
import io.actiongovernance.kernel.LostClaims;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.page.Page;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code recover-claims}: repairs lost claims of idempotency keys, or lost actions, one step at a
 * time. The command {@code infra-cdk/recover} invokes it, never HTTP, while everything else is
 * stopped. It takes one of
 *
 * <ul>
 *   <li>{@code {"shard":0,"until":"…","from":null,"apply":false}}: open work in one of the {@value
 *       Due#SHARDS} shards of due work;
 *   <li>{@code {"partition":"t_…#live","since":"…","from":null,"apply":false}}: records of one
 *       tenant and mode since the second to which the table was restored;
 *   <li>{@code {"claims":["t_…#live#effect#…"],"apply":false}}: at most {@value #MOST_CLAIMS}
 *       claims, of which it repairs those whose actions are lost.
 * </ul>
 *
 * It returns {@code {"found":[{"kind","partition","plan_id","action_id"}],"next"}}, where {@code
 * next} is the {@code from} of the next step, and null after the last. Without {@code apply} it
 * changes nothing. Bad input throws {@link Problem}. Thread-safe.
 */
public final class RecoverClaimsFunction
    implements RequestHandler<Map<String, Object>, Map<String, Object>> {
  public static final int MOST_CLAIMS = 50;

  private static final int LONGEST = 2_000;

  private final LostClaims lostClaims;
  private final LostActions lostActions;

  public RecoverClaimsFunction(Wiring wiring) {
    this.lostClaims = wiring.loop().executing().lostClaims();
    this.lostActions = wiring.loop().executing().lostActions();
  }

  @Override
  public Map<String, Object> handleRequest(Map<String, Object> input, @Nullable Context context) {
    Fields fields = new Fields((ObjectNode) Json.tree(input), "", true);
    String partition = fields.textOrNull("partition", 1, LONGEST);
    String from = fields.textOrNull("from", 1, LONGEST);
    List<String> claims = fields.textsOrNull("claims", 1, MOST_CLAIMS, LONGEST);
    boolean apply = fields.flag("apply", false);
    if (claims != null) {
      fields.done();
      claims.forEach(RecoverClaimsFunction::requireClaim);
      return answer(new Page<>(lostActions.end(claims, apply), null));
    }
    if (partition == null) {
      int shard = (int) fields.whole("shard", 0, DueIndex.SHARDS - 1L);
      Instant until = instant(fields, "until");
      fields.done();
      return answer(lostClaims.open(shard, from, until, apply));
    }
    Instant since = instant(fields, "since");
    fields.done();
    return answer(lostClaims.recorded(parse(partition), since, from, apply));
  }

  private static Instant instant(Fields fields, String name) {
    try {
      return Instant.parse(fields.text(name, 1, 100));
    } catch (DateTimeParseException e) {
      throw Problem.invalid(name, name + " must be a time, such as 2026-11-26T10:00:00Z.");
    }
  }

  private static Partition parse(String text) {
    try {
      return Partition.parse(text);
    } catch (RuntimeException e) { // for whatever reason it is not one
      throw Problem.invalid("partition", "partition must be a partition, such as t_…#live.");
    }
  }

  private static void requireClaim(String key) {
    if (Partition.of(key).isEmpty()) {
      throw Problem.invalid("claims", key + " is not a claim, such as t_…#live#effect#….");
    }
  }

  private static Map<String, Object> answer(Page<LostClaims.LostClaim> page) {
    Map<String, Object> answer = new HashMap<>();
    answer.put("found", page.items().stream().map(RecoverClaimsFunction::found).toList());
    answer.put("next", page.next());
    return answer;
  }

  private static Map<String, Object> found(LostClaims.LostClaim found) {
    Map<String, Object> line = new HashMap<>();
    line.put("kind", found.kind().name().toLowerCase(Locale.ROOT));
    line.put("partition", found.partition().key());
    line.put("plan_id", found.plan().value());
    line.put("action_id", found.action() == null ? null : found.action().value());
    return line;
  }
}
