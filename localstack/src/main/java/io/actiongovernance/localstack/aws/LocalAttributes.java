package io.actiongovernance.localstack.aws;

import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.dynamodb.services.local.shared.model.AttributeValue;

/** Converts the SDK's attribute values to DynamoDB Local's own form. */
final class LocalAttributes {
  private LocalAttributes() {}

  static Map<String, AttributeValue> of(
      Map<String, software.amazon.awssdk.services.dynamodb.model.AttributeValue> item) {
    Map<String, AttributeValue> local = new HashMap<>();
    item.forEach((name, value) -> local.put(name, of(value)));
    return local;
  }

  private static AttributeValue of(
      software.amazon.awssdk.services.dynamodb.model.AttributeValue value) {
    AttributeValue local = new AttributeValue();
    return switch (value.type()) {
      case S -> local.withS(value.s());
      case N -> local.withN(value.n());
      case B -> local.withB(value.b().asByteBuffer());
      case SS -> local.withSS(value.ss());
      case NS -> local.withNS(value.ns());
      case BS -> local.withBS(value.bs().stream().map(SdkBytes::asByteBuffer).toList());
      case M -> local.withM(of(value.m()));
      case L -> local.withL(value.l().stream().map(LocalAttributes::of).toList());
      case BOOL -> local.withBOOL(value.bool());
      case NUL -> local.withNULL(value.nul());
      case UNKNOWN_TO_SDK_VERSION ->
          throw new IllegalArgumentException("An attribute of an unknown type: " + value);
    };
  }
}
