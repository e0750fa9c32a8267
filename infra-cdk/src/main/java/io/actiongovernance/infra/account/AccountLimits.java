package io.actiongovernance.infra.account;

import java.util.Optional;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.AccountLimit;

/** The limits of an account in a region, as Lambda and Service Quotas tell them. */
public record AccountLimits(LambdaClient lambda, ServiceQuotas quotas) {
  /**
   * @param all how many functions may run at once
   * @param unreserved how many of these no function has reserved
   */
  public record Concurrency(int all, int unreserved) {}

  public Concurrency concurrency() {
    AccountLimit limit = lambda.getAccountSettings(_ -> {}).accountLimit();
    return new Concurrency(limit.concurrentExecutions(), limit.unreservedConcurrentExecutions());
  }

  /**
   * A quota by its name in the console; empty if Service Quotas has none of that name, or may not
   * be asked.
   *
   * @param service as people call it: {@code API Gateway}
   */
  public Optional<ServiceQuotas.Quota> quota(String service, String name) {
    return quotas.named(ServiceQuotas.code(service), name);
  }
}
