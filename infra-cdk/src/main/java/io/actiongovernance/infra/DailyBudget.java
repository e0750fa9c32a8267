package io.actiongovernance.infra;

import java.util.List;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.budgets.CfnBudget;
import software.amazon.awscdk.services.sns.CfnTopic;

/**
 * The account's daily cost beyond which people are notified, some hours late, whatever caused the
 * cost.
 */
final class DailyBudget {
  private DailyBudget() {}

  /**
   * @param most the budget in USD a day
   * @param told the topic to notify
   */
  static void make(Stack stack, String name, int most, CfnTopic told) {
    CfnBudget.Builder.create(stack, "Budget")
        .budget(
            CfnBudget.BudgetDataProperty.builder()
                .budgetName(name)
                .budgetType("COST")
                .timeUnit("DAILY")
                .budgetLimit(CfnBudget.SpendProperty.builder().amount(most).unit("USD").build())
                .build())
        .notificationsWithSubscribers(
            List.of(
                CfnBudget.NotificationWithSubscribersProperty.builder()
                    .notification(
                        CfnBudget.NotificationProperty.builder()
                            .notificationType("ACTUAL")
                            .comparisonOperator("GREATER_THAN")
                            .threshold(100)
                            .thresholdType("PERCENTAGE")
                            .build())
                    .subscribers(
                        List.of(
                            CfnBudget.SubscriberProperty.builder()
                                .subscriptionType("SNS")
                                .address(told.getRef())
                                .build()))
                    .build()))
        .build();
  }
}
