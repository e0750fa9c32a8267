package io.actiongovernance.localstack.tenant;

import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.RemoteFunction;

/** The function that creates tenants, wherever it is deployed. */
public record TenantFunction(RemoteFunction function) {

  public static final class Refused extends Exception {
    Refused(RemoteFunction.Failed why) {
      super(why.getMessage(), why);
    }
  }

  public NewTenant.Created make(NewTenant tenant) throws Refused {
    try {
      return Json.read(function.invoke(Json.write(tenant)), NewTenant.Created.class);
    } catch (RemoteFunction.Failed e) {
      throw new Refused(e);
    }
  }
}
