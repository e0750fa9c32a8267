package io.actiongovernance.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Pattern;

/** Numbers and decimal strings, read exactly. */
public final class Decimals {
  private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,100}(\\.[0-9]{1,100})?");

  private Decimals() {}

  /**
   * Returns a number as it is, or the number that a decimal string such as {@code "1000.00"} stands
   * for.
   */
  public static Optional<BigDecimal> parse(JsonNode value) {
    if (value.isNumber()) {
      return Optional.of(value.decimalValue());
    }
    return value.isTextual() && DECIMAL.matcher(value.textValue()).matches()
        ? Optional.of(new BigDecimal(value.textValue()))
        : Optional.empty();
  }
}
