package io.actiongovernance.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Fields;

/**
 * The model of an operator as a request states it: the object as sent, which is kept and returned,
 * and its parsed form. Immutable, so long as nobody changes the JSON it holds.
 */
public record SentModel(ObjectNode json, Model model) {
  public static SentModel read(Fields parent, String field) {
    return new SentModel(parent.object(field).deepCopy(), Model.read(parent.fields(field)));
  }
}
