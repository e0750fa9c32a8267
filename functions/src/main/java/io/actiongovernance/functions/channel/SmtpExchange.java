package io.actiongovernance.functions.channel;

import io.actiongovernance.channel.Channel.Line;
import io.actiongovernance.channel.ChannelSecret.Login;
import io.actiongovernance.functions.egress.Failures;
import io.actiongovernance.functions.egress.GuardedSockets;
import io.actiongovernance.webhook.WebhookSender.Reply;
import jakarta.mail.Address;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.Session;
import jakarta.mail.URLName;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.eclipse.angus.mail.smtp.SMTPTransport;
import org.jspecify.annotations.Nullable;

/**
 * Sends one mail over its own connection. The egress guard checks the address, and TLS for the
 * requested server name begins before any data is sent. One deadline limits the whole exchange.
 * Only this class uses the mail library, so functions that send no mail do not load it. Not
 * thread-safe: each mail needs its own object.
 */
final class SmtpExchange {
  /** The port on which TLS begins after STARTTLS. On all others, it begins with the first byte. */
  private static final int SUBMISSION = 587;

  private static final int SENT = 250;
  private static final int LEAST_FAILURE = 400;

  private final GuardedSockets sockets;
  private final Line line;
  private final @Nullable Login login;
  private final Duration within;
  private final boolean startTls;
  private final AtomicReference<@Nullable Socket> open = new AtomicReference<>();
  private volatile boolean gaveUp;

  /**
   * @param startTls whether TLS begins after STARTTLS; otherwise it begins with the first byte
   */
  SmtpExchange(
      GuardedSockets sockets, Line line, @Nullable Login login, Duration within, boolean startTls) {
    this.sockets = sockets;
    this.line = line;
    this.login = login;
    this.within = within;
    this.startTls = startTls;
  }

  static SmtpExchange of(
      GuardedSockets sockets, Line line, @Nullable Login login, Duration within) {
    return new SmtpExchange(sockets, line, login, within, Objects.equals(line.port(), SUBMISSION));
  }

  /** Sends the mail. The reply's status is the mail server's. */
  Reply send(MailMessage mail, Instant now) {
    FutureTask<Reply> exchange = new FutureTask<>(() -> exchange(mail, now));
    Thread.ofVirtual().name("mail").start(exchange);
    try {
      return exchange.get(within.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // Stop waiting wherever the exchange is stuck, even in a name look-up.
      giveUp();
      return new Reply.Failed("it did not answer in time");
    } catch (InterruptedException e) {
      giveUp();
      Thread.currentThread().interrupt();
      return new Reply.Failed("the exchange was interrupted");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private Reply exchange(MailMessage mail, Instant now) {
    SSLSocketFactory secure = sockets.secure(line.host());
    int port = port();
    Session session = Session.getInstance(properties(secure));
    try (Socket socket = sockets.connect(line.host(), port, within)) {
      open.set(socket);
      if (gaveUp) {
        // The caller already reported that nothing was sent, so send nothing.
        return new Reply.Failed("it did not answer in time");
      }
      socket.setSoTimeout(Math.toIntExact(within.toMillis()));
      SMTPTransport transport = new SMTPTransport(session, server(port));
      return over(transport, startTls ? socket : handshaken(secure, socket), session, mail, now);
    } catch (IOException e) {
      return new Reply.Failed(Failures.why(e));
    }
  }

  private Reply over(
      SMTPTransport transport, Socket socket, Session session, MailMessage mail, Instant now) {
    try {
      transport.connect(socket);
      MimeMessage message = message(session, mail, now);
      transport.sendMessage(message, message.getAllRecipients());
      return new Reply.Answered(SENT, null);
    } catch (MessagingException e) {
      return failed(e, transport.getLastReturnCode());
    } finally {
      quit(transport);
    }
  }

  /**
   * Ends the session. The server's reply does not matter, because an accepted mail stays accepted.
   */
  private static void quit(SMTPTransport transport) {
    try {
      transport.close();
    } catch (MessagingException e) {
      // The server has closed the connection already.
    }
  }

  private static Socket handshaken(SSLSocketFactory secure, Socket plain) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            secure.createSocket(plain, plain.getInetAddress().getHostName(), plain.getPort(), true);
    socket.startHandshake();
    return socket;
  }

  private int port() {
    Integer port = line.port();
    if (port == null) {
      throw new IllegalStateException("A channel of mail has a port.");
    }
    return port;
  }

  private URLName server(int port) {
    return new URLName(
        "smtp",
        line.host(),
        port,
        null,
        login == null ? null : login.username(),
        login == null ? null : login.password());
  }

  private Properties properties(SSLSocketFactory secure) {
    Properties properties = new Properties();
    String millis = String.valueOf(within.toMillis());
    properties.put("mail.smtp.ssl.socketFactory", secure);
    properties.put("mail.smtp.ssl.checkserveridentity", "true");
    properties.put("mail.smtp.starttls.enable", String.valueOf(startTls));
    properties.put("mail.smtp.starttls.required", String.valueOf(startTls));
    properties.put("mail.smtp.auth", String.valueOf(login != null));
    properties.put("mail.smtp.auth.mechanisms", "PLAIN LOGIN");
    properties.put("mail.smtp.timeout", millis);
    properties.put("mail.smtp.writetimeout", millis);
    // Deliver to the accepted recipients even if others are refused.
    properties.put("mail.smtp.sendpartial", "true");
    properties.put("mail.smtp.quitwait", "false");
    // Otherwise the library would look up this machine's name.
    properties.put("mail.smtp.localhost", domain());
    return properties;
  }

  private MimeMessage message(Session session, MailMessage mail, Instant now)
      throws MessagingException {
    MimeMessage message = new Identified(session, "<" + mail.id() + "@" + domain() + ">");
    message.setFrom(new InternetAddress(line.from(), true));
    for (String to : line.to()) {
      message.addRecipient(Message.RecipientType.TO, new InternetAddress(to, true));
    }
    message.setSubject(mail.subject(), StandardCharsets.UTF_8.name());
    message.setText(mail.text(), StandardCharsets.UTF_8.name());
    message.setSentDate(Date.from(now));
    message.setHeader("Auto-Submitted", "auto-generated");
    message.saveChanges();
    return message;
  }

  private String domain() {
    String from = String.valueOf(line.from());
    return from.substring(from.lastIndexOf('@') + 1);
  }

  /** A message with a fixed identifier, so that receivers recognize a repeated mail. */
  private static final class Identified extends MimeMessage {
    private final String id;

    Identified(Session session, String id) {
      super(session);
      this.id = id;
    }

    @Override
    protected void updateMessageID() throws MessagingException {
      setHeader("Message-ID", id);
    }
  }

  private static Reply failed(MessagingException e, int code) {
    if (e instanceof SendFailedException some && isSome(some.getValidSentAddresses())) {
      return new Reply.Answered(SENT, null);
    }
    if (code >= LEAST_FAILURE) {
      return new Reply.Answered(code, null);
    }
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException broken) {
        return new Reply.Failed(Failures.why(broken));
      }
    }
    return new Reply.Failed("it did not accept the mail");
  }

  private static boolean isSome(Address @Nullable [] addresses) {
    return addresses != null && addresses.length > 0;
  }

  private void giveUp() {
    gaveUp = true;
    Socket socket = open.get();
    if (socket != null) {
      try {
        socket.close();
      } catch (IOException e) {
        // The socket is not used again in either case.
      }
    }
  }
}
