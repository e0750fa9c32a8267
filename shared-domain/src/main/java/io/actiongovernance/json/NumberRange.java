package io.actiongovernance.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;

/** Checks the numbers of a text in their written form, before they become values. */
final class NumberRange {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Json.MAX_DEPTH)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private NumberRange() {}

  /** Checks all numbers. Ignores invalid JSON, because the actual reader reports it. */
  static void check(String text) throws Json.NumberOutOfRange {
    try (JsonParser parser = FACTORY.createParser(text)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token.isNumeric() && !fits(parser.getText())) {
          throw new Json.NumberOutOfRange(path(parser.getParsingContext().pathAsPointer()));
        }
      }
    } catch (IOException e) {
      return;
    }
  }

  /** Returns whether the contract accepts a number written like this. */
  static boolean fits(String number) {
    int exponentAt = Math.max(number.indexOf('e'), number.indexOf('E'));
    String mantissa = exponentAt < 0 ? number : number.substring(0, exponentAt);
    if (mantissa.chars().filter(Character::isDigit).count() > Json.MAX_DIGITS) {
      return false;
    }
    if (exponentAt < 0) {
      return true;
    }
    String exponent = number.substring(exponentAt + 1).replaceFirst("^[+-]?0*", "");
    return exponent.isEmpty()
        || (exponent.length() <= 3 && Integer.parseInt(exponent) <= Json.MAX_EXPONENT);
  }

  /** Converts a pointer to a field name: {@code /actions/0/value} is {@code actions[0].value}. */
  private static String path(JsonPointer pointer) {
    StringBuilder path = new StringBuilder();
    for (JsonPointer at = pointer; at != null && !at.matches(); at = at.tail()) {
      if (at.mayMatchElement() && at.getMatchingIndex() >= 0) {
        path.append('[').append(at.getMatchingIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(at.getMatchingProperty());
      }
    }
    return path.toString();
  }
}
