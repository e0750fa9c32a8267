package io.actiongovernance.localstack.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How the service is found by the outputs of its stacks. */
final class DeployedServiceTest {
  private static final URI ENDPOINT = URI.create("http://127.0.0.1:4566");

  @Test
  void itIsWhereTheOutputsSay() throws Exception {
    DeployedService service =
        DeployedService.at(
            ENDPOINT, Map.of("BaseUrl", "http://127.0.0.1:4566/x", "CreateTenantFunction", "f"));
    assertThat(service.baseUrl()).isEqualTo(URI.create("http://127.0.0.1:4566/x"));
    assertThat(service.tenants().name()).isEqualTo("f");
  }

  @Test
  void anOutputThatIsMissingFailsTheDeploymentAndSaysWhatToDo() {
    assertThatThrownBy(() -> DeployedService.at(ENDPOINT, Map.of("CreateTenantFunction", "f")))
        .isInstanceOf(Deployment.Failed.class)
        .hasMessage(
            "No stack has the output BaseUrl. Start LocalStack anew and deploy again: it does not"
                + " change functions that it has.");
  }
}
