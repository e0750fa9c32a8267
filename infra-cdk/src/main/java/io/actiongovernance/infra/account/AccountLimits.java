package io.actiongovernance.infra.account;

import java.util.Optional;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.AccountLimit;

/** The limits of an account in a region, from Lambda and Service Quotas. */
public record AccountLimits(LambdaClient lambda, ServiceQuotas quotas) {
  /**
   * Concurrency limits of Lambda.
   *
   * @param all the number of functions that may run at once
   * @param unreserved the part of this number that no function has reserved
   */
  public record Concurrency(int all, int unreserved) {}

  public Concurrency concurrency() {
    AccountLimit limit = lambda.getAccountSettings(_ -> {}).accountLimit();
    return new Concurrency(limit.concurrentExecutions(), limit.unreservedConcurrentExecutions());
  }

  /**
   * A quota by its name in the console; empty if Service Quotas has no quota of that name, or
   * refuses the call.
   *
   * @param service the service's common name, such as {@code API Gateway}
   */
  public Optional<ServiceQuotas.Quota> quota(String service, String name) {
    return quotas.named(ServiceQuotas.code(service), name);
  }
}
