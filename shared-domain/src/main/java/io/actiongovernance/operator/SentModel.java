package io.actiongovernance.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Fields;

/**
 * Who is to propose for an operator, as a request says it: the object as it was sent, which is kept
 * and answered, and what it reads as. Immutable, so long as nobody changes the JSON it holds.
 */
public record SentModel(ObjectNode json, Model model) {
  /** Reads the model in a field of a request, all of its fields. */
  public static SentModel read(Fields parent, String field) {
    return new SentModel(parent.object(field).deepCopy(), Model.read(parent.fields(field)));
  }
}
