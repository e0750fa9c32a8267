package io.actiongovernance.localstack;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Table;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicReference;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The local stack with an archive, whose jobs run when they are told to and whose clock may be
 * ahead; of functions that are held to their rights.
 */
final class ArchivingStack implements AutoCloseable {
  static final String BUCKET = "governance-archive";

  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
  private final Set<String> refused = new ConcurrentSkipListSet<>();
  private final EmbeddedStack stack;

  ArchivingStack(Path folder) throws Exception {
    Map<String, String> settings = new HashMap<>(Walk.SETTINGS);
    settings.put(Settings.ARCHIVE_BUCKET, BUCKET);
    Service guarded =
        PerFunction.service(
            (function, rights, wiring) ->
                new GuardedClients(function, rights, "governance", refused).guard(wiring));
    Service withoutSchedule =
        new Service(
            guarded.resources(),
            guarded.api(),
            guarded.timeout(),
            guarded.streams(),
            guarded.stream(),
            guarded.triggers().stream()
                .filter(binding -> !binding.function().endsWith("archive"))
                .toList());
    this.stack =
        EmbeddedStack.start(
            new EmbeddedStack.Options(folder, 0, settings, withoutSchedule, line -> {}, this::now));
  }

  EmbeddedStack stack() {
    return stack;
  }

  /** Has its clock be so much ahead. */
  void ahead(Duration time) {
    ahead.set(time);
  }

  private Instant now() {
    return Instant.now().plus(ahead.get());
  }

  /** What functions did that they have no right to. */
  Set<String> refused() {
    return refused;
  }

  JsonNode run(Trigger job) {
    return run(job, Map.of());
  }

  @SuppressWarnings("unchecked") // Both take what a schedule sends.
  JsonNode run(Trigger job, Map<String, Object> event) {
    var handler =
        (RequestHandler<Map<String, Object>, Object>)
            job.binding()
                .handler()
                .apply(
                    new GuardedClients(
                            job.binding().function(), job.rights(), "governance", refused)
                        .guard(stack.wiring()));
    return Json.tree(handler.handleRequest(event, null));
  }

  /**
   * Deletes what may have left its table, as time to live does, which the store of the local stack
   * is slow to do; yields how many rows that were.
   */
  int timeToLive() {
    DynamoDbClient dynamo = stack.wiring().clients().dynamo();
    String now = Long.toString(now().getEpochSecond());
    int deleted = 0;
    for (Table table : List.of(Table.STATE, Table.RECEIPTS)) {
      String name = table.wireName("governance");
      for (Map<String, AttributeValue> row :
          dynamo
              .scanPaginator(
                  scan ->
                      scan.tableName(name)
                          .filterExpression("archive_expires < :now")
                          .expressionAttributeValues(Map.of(":now", AttributeValue.fromN(now))))
              .items()) {
        Map<String, AttributeValue> at = new HashMap<>(row);
        at.keySet().retainAll(Set.of("pk", "sk"));
        dynamo.deleteItem(delete -> delete.tableName(name).key(at));
        deleted++;
      }
    }
    return deleted;
  }

  @Override
  public void close() {
    stack.close();
  }
}
