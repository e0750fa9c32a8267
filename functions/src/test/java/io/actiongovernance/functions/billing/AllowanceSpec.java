package io.actiongovernance.functions.billing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.route.TestApi;
import io.actiongovernance.functions.route.TestApi.Response;
import io.actiongovernance.functions.route.TestApi.TestTenant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The routes of the allowance (contract, section 6). JSON is written with single quotes. */
class AllowanceSpec {
  private static final String ALLOWANCE = "/v1/allowance";

  private final TestApi api = new TestApi();
  private final TestTenant tenant =
      api.tenant(Map.of("name", "Acme", "included_actions", 100, "hard_cap", 7));

  private JsonNode read(String key) {
    Response response = api.get(ALLOWANCE).key(key).send();
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    return response.json();
  }

  private Response patch(String body, String key) {
    return api.request("PATCH", ALLOWANCE).body(body.replace('\'', '"')).key(key).send();
  }

  @Test
  void theAllowanceHasTheFieldsOfTheContract() {
    assertThat(read(tenant.live()).toString())
        .isEqualTo(
            """
            {'object':'allowance','period_start':'2026-11-01T00:00:00.000Z',\
            'period_end':'2026-12-01T00:00:00.000Z','included_actions':100,'used_actions':0,\
            'remaining_actions':100,'hard_cap':7,'status':'within'}"""
                .replace('\'', '"'));
  }

  @Test
  void theCapIsChangedAndRemovedPerMode() {
    assertThat(patch("{'hard_cap':0}", tenant.live()).json().get("status").textValue())
        .isEqualTo("capped");
    assertThat(read(tenant.live()).get("hard_cap").intValue()).isZero();
    assertThat(read(tenant.test()).get("hard_cap").intValue()).isEqualTo(7);
    assertThat(patch("{'hard_cap':null}", tenant.live()).json().get("hard_cap").isNull()).isTrue();
    assertThat(read(tenant.live()).get("hard_cap").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | missing_parameter | hard_cap",
        "{'hard_cap':-1} | invalid_parameter | hard_cap",
        "{'hard_cap':1.5} | invalid_parameter | hard_cap",
        "{'hard_cap':'7'} | invalid_parameter | hard_cap",
        "{'hard_cap':1000000000001} | invalid_parameter | hard_cap",
        "{'hard_cap':1,'included_actions':9} | invalid_parameter | included_actions",
      })
  void aFieldThatBreaksItsRuleIsNamed(String body, String code, String param) {
    Response response = patch(body, tenant.live());
    assertThat(response.status() + " " + response.code() + " " + response.param())
        .isEqualTo("400 " + code + " " + param);
    assertThat(read(tenant.live()).get("hard_cap").intValue()).isEqualTo(7);
  }

  @Test
  void theAllowanceIsNotFoundForAWorkspaceKey() {
    String body = "{\"name\":\"pinned\",\"role\":\"admin\",\"workspace_id\":\"ws-1\"}";
    JsonNode key = api.post("/v1/keys", body).key(tenant.live()).send().json();
    String pinned = key.get("secret").textValue();
    assertThat(api.get(ALLOWANCE).key(pinned).send().code()).isEqualTo("not_found");
    assertThat(patch("{'hard_cap':9}", pinned).code()).isEqualTo("not_found");
  }
}
