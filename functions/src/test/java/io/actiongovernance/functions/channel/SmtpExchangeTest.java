package io.actiongovernance.functions.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.channel.Channel.Line;
import io.actiongovernance.channel.ChannelSecret.Login;
import io.actiongovernance.channel.ChannelType;
import io.actiongovernance.channel.Notification;
import io.actiongovernance.channel.Notification.Said;
import io.actiongovernance.functions.egress.EgressGuard;
import io.actiongovernance.functions.egress.GuardedSockets;
import io.actiongovernance.webhook.WebhookSender.Reply;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.subethamail.smtp.MessageContext;
import org.subethamail.smtp.MessageHandler;
import org.subethamail.smtp.RejectException;
import org.subethamail.smtp.auth.EasyAuthenticationHandlerFactory;
import org.subethamail.smtp.auth.LoginFailedException;
import org.subethamail.smtp.server.SMTPServer;

/** Mails over SMTP, to a server that is not ours (contract for people, section 5). */
final class SmtpExchangeTest {
  private static final String HOST = "mail.example";
  private static final Login LOGIN = new Login("gov@mail.example", "s3cret: with spaces");
  private static final Duration WITHIN = Duration.ofSeconds(20);
  private static final HeldCertificate AUTHORITY =
      new HeldCertificate.Builder().commonName("tests").certificateAuthority(0).build();

  private final List<byte[]> mails = new CopyOnWriteArrayList<>();
  private final List<String> recipients = new CopyOnWriteArrayList<>();
  private final List<String> logins = new CopyOnWriteArrayList<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private static SSLContext server(String host) {
    HeldCertificate certificate =
        new HeldCertificate.Builder()
            .commonName(host)
            .addSubjectAlternativeName(host)
            .signedBy(AUTHORITY)
            .build();
    return new HandshakeCertificates.Builder()
        .heldCertificate(certificate, AUTHORITY.certificate())
        .build()
        .sslContext();
  }

  private static SSLContext trusting() {
    return new HandshakeCertificates.Builder()
        .addTrustedCertificate(AUTHORITY.certificate())
        .build()
        .sslContext();
  }

  private final class Mailbox implements MessageHandler {
    @Override
    public void from(String from) {}

    @Override
    public void recipient(String to) throws RejectException {
      if (to.startsWith("nobody")) {
        throw new RejectException(550, "No such mailbox");
      }
      recipients.add(to);
    }

    @Override
    public String data(InputStream data) throws IOException {
      mails.add(data.readAllBytes());
      return "taken";
    }

    @Override
    public void done() {}
  }

  private SMTPServer.Builder mailServer() {
    return SMTPServer.port(0)
        .bindAddress(InetAddress.getLoopbackAddress())
        .messageHandlerFactory(_ -> new Mailbox())
        .authenticationHandlerFactory(new EasyAuthenticationHandlerFactory(this::login));
  }

  private void login(String username, String password, MessageContext context)
      throws LoginFailedException {
    logins.add(username + " " + password);
    if (!username.equals(LOGIN.username()) || !password.equals(LOGIN.password())) {
      throw new LoginFailedException();
    }
  }

  private int started(SMTPServer server) {
    server.start();
    open.add(server::stop);
    return server.getPortAllocated();
  }

  private int implicit(String host) {
    return started(mailServer().requireAuth().serverSocketFactory(server(host)).build());
  }

  private int startTls(String host) {
    return started(
        mailServer()
            .requireAuth()
            .enableTLS()
            .requireTLS()
            .startTlsSocketFactory(server(host))
            .build());
  }

  private static GuardedSockets sockets(String... allowed) {
    return new GuardedSockets(
        new EgressGuard(List.of(allowed)),
        trusting(),
        _ -> new InetAddress[] {InetAddress.getByName("127.0.0.1")});
  }

  private static Line line(int port, String... to) {
    return new Line(ChannelType.EMAIL, HOST, port, "gov@acme.example", List.of(to));
  }

  private static MailMessage mail(String text) {
    return MailMessage.of(
        new Notification(
            "Approval requested",
            List.of(new Said("What", text, true)),
            URI.create("https://gov.acme.example/console?plan=pl_1")),
        "dlv_1");
  }

  private static Reply send(int port, boolean startTls, @Nullable Login login, String... to) {
    String[] whom = to.length == 0 ? new String[] {"dana@acme.example"} : to;
    return new SmtpExchange(sockets("127.0.0.0/8"), line(port, whom), login, WITHIN, startTls)
        .send(
            mail("Refund ünï 🙂\r\nBcc: eve@evil.example"), Instant.parse("2026-11-26T03:00:00Z"));
  }

  private MimeMessage received() throws Exception {
    assertThat(mails).hasSize(1);
    return new MimeMessage(
        Session.getInstance(new Properties()), new ByteArrayInputStream(mails.getFirst()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMailIsSentUnchangedOverBothKindsOfTls(boolean startTls) throws Exception {
    int port = startTls ? startTls(HOST) : implicit(HOST);
    Reply reply = send(port, startTls, LOGIN, "dana@acme.example", "o'brien@acme.example");
    assertThat(reply).isEqualTo(new Reply.Answered(250, null));
    assertThat(recipients).containsExactly("dana@acme.example", "o'brien@acme.example");
    assertThat(logins).containsOnly(LOGIN.username() + " " + LOGIN.password());
    MimeMessage mail = received();
    assertThat(mail.getSubject())
        .isEqualTo("Approval requested: Refund ünï 🙂 Bcc: eve@evil[.]example");
    assertThat(mail.getAllRecipients()).extracting(Object::toString).isEqualTo(recipients);
    assertThat(mail.getHeader("Bcc")).isNull();
    assertThat(mail.getHeader("From")).containsExactly("gov@acme.example");
    assertThat(mail.getHeader("Auto-Submitted")).containsExactly("auto-generated");
    assertThat(mail.getHeader("Message-ID")).containsExactly("<dlv_1@acme.example>");
    assertThat(mail.getContentType()).isEqualToIgnoringCase("text/plain; charset=UTF-8");
    assertThat(String.valueOf(mail.getContent()).replace("\r\n", "\n"))
        .isEqualTo(mail("Refund ünï 🙂\r\nBcc: eve@evil.example").text());
  }

  @Test
  void aServerWithoutTlsReceivesNothing() {
    int port = started(mailServer().build());
    assertThat(send(port, true, LOGIN).problem()).isNotNull();
    assertThat(send(port, false, LOGIN).problem()).isEqualTo("no secure connection could be made");
    assertThat(logins).isEmpty();
    assertThat(mails).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aServerWithAnotherHostsCertificateReceivesNothing(boolean startTls) {
    int port = startTls ? startTls("other.example") : implicit("other.example");
    assertThat(send(port, startTls, LOGIN).problem())
        .isEqualTo("no secure connection could be made");
    assertThat(logins).isEmpty();
    assertThat(mails).isEmpty();
  }

  @Test
  void aRefusedLoginIsReportedByItsCode() {
    Reply reply = send(implicit(HOST), false, new Login("gov", "wrong"));
    assertThat(reply).isEqualTo(new Reply.Answered(535, null));
    assertThat(reply.problem()).isEqualTo("it answered 535");
    assertThat(mails).isEmpty();
  }

  @Test
  void aMailReachesOnlyTheRecipientsThatExist() {
    int port = implicit(HOST);
    assertThat(send(port, false, LOGIN, "nobody@acme.example", "dana@acme.example").problem())
        .isNull();
    assertThat(recipients).containsExactly("dana@acme.example");
    assertThat(send(port, false, LOGIN, "nobody@acme.example"))
        .isEqualTo(new Reply.Answered(550, null));
    assertThat(mails).hasSize(1);
  }

  @Test
  void aNameThatLeadsInsideTheNetworkIsNotConnectedTo() {
    int port = implicit(HOST);
    Reply reply =
        new SmtpExchange(sockets(), line(port, "dana@acme.example"), LOGIN, WITHIN, false)
            .send(mail("Refund"), Instant.EPOCH);
    assertThat(reply.problem()).isEqualTo("The address of mail.example may not be reached.");
    assertThat(logins).isEmpty();
  }

  @Test
  void aSilentServerIsGivenUpInTime() throws IOException {
    ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    open.add(silent);
    for (boolean startTls : new boolean[] {true, false}) {
      long began = System.nanoTime();
      Reply reply =
          new SmtpExchange(
                  sockets("127.0.0.0/8"),
                  line(silent.getLocalPort(), "dana@acme.example"),
                  LOGIN,
                  Duration.ofSeconds(1),
                  startTls)
              .send(mail("Refund"), Instant.EPOCH);
      assertThat(reply.problem()).isEqualTo("it did not answer in time");
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
    }
  }

  @Test
  void aRefusedConnectionIsReported() throws IOException {
    int port;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    assertThat(Optional.ofNullable(send(port, false, null).problem()))
        .contains("it refused the connection");
  }
}
