package io.actiongovernance.localstack.aws;

import io.actiongovernance.access.InMemoryKeyService;
import io.actiongovernance.access.KeyService;
import io.actiongovernance.access.KeyServiceContract;
import io.actiongovernance.functions.aws.KmsKeyService;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.SecureRandom;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import software.amazon.awssdk.services.kms.KmsClient;

/** What functions ask KMS by, over the KMS of the local stack. */
final class KmsFrontTest implements KeyServiceContract {
  private static Server server;
  private static KmsClient client;

  @BeforeAll
  static void start() throws Exception {
    server = new Server(new InetSocketAddress(Aws.LOOPBACK, 0));
    server.setHandler(
        new KmsFront(new InMemoryKeyService(new byte[32], new SecureRandom())));
    server.start();
    int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
    client =
        Aws.client(
            KmsClient.builder(), URI.create("http://" + Aws.LOOPBACK + ":" + port), Aws.LOCAL);
  }

  @AfterAll
  static void stop() throws Exception {
    client.close();
    server.stop();
  }

  @Override
  public KeyService service() {
    return new KmsKeyService(() -> client, Aws.arn("kms", "key/data-keys"));
  }
}
