package io.actiongovernance.functions.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import io.actiongovernance.receipt.Receipt;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told of receipts, against what they are. */
final class ReceiptFormTest {
  @Test
  void theFormHasTheFieldsOfTheDocumentInTheirOrder() {
    List<String> told =
        Arrays.stream(ReceiptForm.class.getRecordComponents())
            .map(RecordComponent::getName)
            .map(new SnakeCaseStrategy()::translate)
            .toList();
    assertThat(told).isEqualTo(Receipt.FIELDS);
  }
}
