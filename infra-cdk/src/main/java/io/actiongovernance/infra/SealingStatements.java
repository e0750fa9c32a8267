package io.actiongovernance.infra;

import static io.actiongovernance.infra.Statements.LEADING_KEYS;
import static io.actiongovernance.infra.Statements.allow;
import static io.actiongovernance.infra.Statements.onItems;

import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.functions.rights.Right;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A role's permissions for the purposes that its function seals and opens for. They cover only the
 * secrets of these purposes, and in KMS only their data keys, by encryption context.
 */
final class SealingStatements {
  /** The keys in every data key's context. KMS accepts neither more keys nor fewer. */
  private static final List<String> CONTEXT = List.of("mode", "purpose", "tenant");

  private SealingStatements() {}

  static List<Map<String, Object>> of(Names names, Rights rights, KeysStack keys) {
    List<Map<String, Object>> statements = new ArrayList<>();
    statements.add(
        allow(
            "Unseal",
            List.of("secretsmanager:GetSecretValue"),
            List.copyOf(keys.arns(rights.opens()).values())));
    Set<Purpose> opens = Rights.stored(rights.opens());
    Set<Purpose> seals = Rights.stored(rights.seals());
    String state = names.tableArn(Table.STATE);
    if (!opens.isEmpty()) {
      statements.add(dataKeys("OpenDataKeys", "kms:Decrypt", keys, opens));
      statements.add(
          onItems(
              "FindDataKeys",
              List.of("dynamodb:GetItem"),
              state,
              Map.of(LEADING_KEYS, List.of("*" + Right.DATA_KEYS))));
    }
    if (!seals.isEmpty()) {
      statements.add(dataKeys("MakeDataKeys", "kms:GenerateDataKey", keys, seals));
      statements.add(
          onItems(
              "KeepDataKeys",
              List.of("dynamodb:PutItem"),
              state,
              Map.of(LEADING_KEYS, List.of("*" + Right.DATA_KEYS))));
    }
    return statements;
  }

  private static Map<String, Object> dataKeys(
      String sid, String action, KeysStack keys, Set<Purpose> purposes) {
    Map<String, Object> statement = allow(sid, List.of(action), List.of(keys.dataKeyArn()));
    Map<String, Object> condition = new TreeMap<>();
    condition.put(
        "StringEquals",
        Map.of(
            "kms:EncryptionContext:purpose",
            purposes.stream().map(Purpose::wire).sorted().toList()));
    condition.put("ForAllValues:StringEquals", Map.of("kms:EncryptionContextKeys", CONTEXT));
    statement.put("Condition", condition);
    return statement;
  }
}
