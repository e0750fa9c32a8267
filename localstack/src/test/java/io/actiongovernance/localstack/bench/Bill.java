package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.EnumMap;
import java.util.Map;

/** How much of everything that is billed something takes. Not thread-safe. */
final class Bill {
  private final Map<Billed, Double> amounts = new EnumMap<>(Billed.class);

  Bill add(Billed billed, double amount) {
    amounts.merge(billed, amount, Double::sum);
    return this;
  }

  double amount(Billed billed) {
    return amounts.getOrDefault(billed, 0.0);
  }

  /** What a million times that costs, in USD. */
  double millionTimes(Prices prices) {
    return amounts.entrySet().stream()
        .mapToDouble(one -> one.getValue() * prices.ofMillion(one.getKey()))
        .sum();
  }

  /** What the requests of a pattern come to. */
  static Bill of(JsonNode pattern, String column) {
    Bill bill = new Bill();
    for (JsonNode request : pattern.path("requests")) {
      bill.add(
          Billed.parse(request.path("billed").textValue()), request.path(column).doubleValue());
    }
    return bill;
  }
}
