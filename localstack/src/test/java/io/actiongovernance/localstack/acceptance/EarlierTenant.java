package io.actiongovernance.localstack.acceptance;

import io.actiongovernance.due.Due;
import io.actiongovernance.functions.aws.Attributes;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Packed;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.TableNames;
import io.actiongovernance.store.Write;
import io.actiongovernance.webhook.Endpoints;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * What a deployment's tenants have left, once more as if all of it had been made earlier: every
 * identifier tells an earlier time. What is due is left out, so that nobody goes on with it, and so
 * are webhook endpoints, whose secrets are sealed for whom they belong to.
 */
final class EarlierTenant {
  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int OF_TIME = 10;
  private static final String ENDPOINTS = "#" + Endpoints.PART;
  private static final Pattern ULID =
      Pattern.compile("(?<![0-9a-z])01[" + DIGITS + "]{24}(?![0-9a-z])");

  private final Duration earlier;

  private EarlierTenant(Duration earlier) {
    this.earlier = earlier;
  }

  /** Puts the rows of plans and receipts beside those there are; answers with how many. */
  static int make(DynamoDbClient dynamo, TableNames names, Duration earlier) {
    EarlierTenant one = new EarlierTenant(earlier);
    DynamoStore tables = new DynamoStore(dynamo, names);
    int made = 0;
    for (Table table : List.of(Table.STATE, Table.RECEIPTS)) {
      for (var row : dynamo.scanPaginator(scan -> scan.tableName(names.of(table))).items()) {
        Item item = Attributes.item(table, row);
        boolean copied = !Due.isIn(item) && !item.key().partition().endsWith(ENDPOINTS);
        if (copied && tables.write(Write.insert(one.shifted(item))).done()) {
          made++;
        }
      }
    }
    return made;
  }

  private Item shifted(Item item) {
    Map<String, Object> attributes = new HashMap<>();
    item.attributes().forEach((name, value) -> attributes.put(name, shifted(value)));
    Key key = item.key();
    return new Item(
        new Key(key.table(), shifted(key.partition()), shifted(key.range())), attributes);
  }

  private Object shifted(Object value) {
    return switch (value) {
      case String text -> shifted(text);
      case Packed packed -> Packed.of(shifted(packed.text()));
      case Set<?> texts ->
          texts.stream().map(text -> shifted((String) text)).collect(Collectors.toSet());
      default -> value;
    };
  }

  private String shifted(String text) {
    Matcher ulids = ULID.matcher(text);
    return ulids.replaceAll(
        found -> {
          String ulid = found.group();
          return time(ulid.substring(0, OF_TIME)) + ulid.substring(OF_TIME);
        });
  }

  private String time(String encoded) {
    long millis = 0;
    for (int at = 0; at < OF_TIME; at++) {
      millis = millis * DIGITS.length() + DIGITS.indexOf(encoded.charAt(at));
    }
    long left = millis - earlier.toMillis();
    StringBuilder text = new StringBuilder();
    for (int at = 0; at < OF_TIME; at++) {
      text.insert(0, DIGITS.charAt((int) (left % DIGITS.length())));
      left /= DIGITS.length();
    }
    return text.toString();
  }
}
