package io.actiongovernance.localstack.acceptance.channel;

import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Receiver;
import io.actiongovernance.localstack.fixture.Certificates;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.subethamail.smtp.auth.EasyAuthenticationHandlerFactory;
import org.subethamail.smtp.auth.LoginFailedException;
import org.subethamail.smtp.server.SMTPServer;

/** A mail server on this machine, over TLS, that knows one user. Thread-safe. */
final class Mailbox implements AutoCloseable {
  static final String USER = "gov";

  private final String password = Given.unique("password");
  private final List<Mail> mails = new CopyOnWriteArrayList<>();
  private final SMTPServer server;

  /** A mail as it was taken. */
  record Mail(String from, String to, String text) {}

  Mailbox() throws UnknownHostException {
    server =
        SMTPServer.port(0)
            .bindAddress(InetAddress.getByName(Receiver.HOST))
            .serverSocketFactory(Certificates.server(Receiver.HOST))
            .requireAuth()
            .authenticationHandlerFactory(
                new EasyAuthenticationHandlerFactory(
                    (username, given, _) -> {
                      if (!username.equals(USER) || !given.equals(password)) {
                        throw new LoginFailedException();
                      }
                    }))
            .messageHandler(
                (_, from, to, data) ->
                    mails.add(new Mail(from, to, new String(data, StandardCharsets.UTF_8))))
            .build();
    server.start();
  }

  int port() {
    return server.getPortAllocated();
  }

  String password() {
    return password;
  }

  /** Waits until so many have come. */
  List<Mail> await(int count) {
    return Await.until(
        Duration.ofSeconds(40), () -> List.copyOf(mails), come -> come.size() >= count);
  }

  @Override
  public void close() {
    server.stop();
  }
}
