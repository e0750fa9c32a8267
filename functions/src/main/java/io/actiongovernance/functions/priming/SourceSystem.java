package io.actiongovernance.functions.priming;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Stands for every system that connectors and webhooks call, and for the issuer at which people
 * sign in. It listens at an address that only this machine can reach. All requests get the same
 * response, except those for the issuer's metadata and keys, and those that must get none. TLS
 * connections are closed. Thread-safe.
 */
public final class SourceSystem implements AutoCloseable {
  /** The addresses that it may have, as a CIDR. */
  public static final String ADDRESSES = "127.0.0.1/32";

  /** A path to which no response is sent. */
  public static final String LOST = "/lost";

  private static final String HOST = "127.0.0.1";
  private static final int BACKLOG = 50;
  private static final int TLS_HANDSHAKE = 0x16;
  private static final String ANSWER =
      """
      {"id":"re_1","access_token":"granted","token_type":"Bearer","expires_in":3600}""";

  /** The path of an issuer's metadata. */
  private static final String METADATA = " /.well-known/openid-configuration ";

  /** The path of an issuer's keys. */
  private static final String KEYS = "/keys";

  /** The public key from an example in RFC 7517. */
  private static final String OF_KEYS =
      """
      {"keys":[{"kty":"EC","crv":"P-256","use":"sig","kid":"1",\
      "x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",\
      "y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}]}""";

  private final ServerSocket socket;

  public SourceSystem() {
    this(0);
  }

  /**
   * @param preferred the port to listen on if possible; 0 for any. Several instances may share it,
   *     because all give the same responses
   */
  public SourceSystem(int preferred) {
    this.socket = listening(preferred);
    Thread.ofVirtual().name("source-system").start(this::serve);
  }

  private static ServerSocket listening(int port) {
    try {
      ServerSocket socket = new ServerSocket();
      if (socket.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT)) {
        socket.setOption(StandardSocketOptions.SO_REUSEPORT, port != 0);
      }
      socket.bind(new InetSocketAddress(InetAddress.getByName(HOST), port), BACKLOG);
      return socket;
    } catch (IOException e) {
      if (port == 0) {
        throw new UncheckedIOException(e);
      }
      return listening(0);
    }
  }

  /** The address it listens on, with this scheme. */
  public URI url(String scheme) {
    return URI.create(scheme + "://" + HOST + ":" + port());
  }

  public int port() {
    return socket.getLocalPort();
  }

  private void serve() {
    while (!socket.isClosed()) {
      try (Socket connection = socket.accept()) {
        answer(connection);
      } catch (IOException e) {
        // The client disconnected, or this server was closed, which the client notices.
      }
    }
  }

  private String ofIssuer() {
    String issuer = url("http").toString();
    return """
        {"issuer":"%1$s","authorization_endpoint":"%1$s/authorize","token_endpoint":"%1$s/token",\
        "jwks_uri":"%1$s%2$s"}"""
        .formatted(issuer, KEYS);
  }

  private void answer(Socket connection) throws IOException {
    InputStream in = new BufferedInputStream(connection.getInputStream());
    int first = in.read();
    if (first == TLS_HANDSHAKE) {
      return;
    }
    boolean lost = false;
    String answer = ANSWER;
    int length = 0;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      lost |= line.contains(" " + LOST + " ");
      if (line.contains(METADATA)) {
        answer = ofIssuer();
      } else if (line.contains(" " + KEYS + " ")) {
        answer = OF_KEYS;
      }
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(line.replaceAll("\\D", ""));
      }
    }
    in.readNBytes(length);
    if (lost) {
      return;
    }
    String head =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
            + answer.length()
            + "\r\n\r\n";
    connection.getOutputStream().write((head + answer).getBytes(StandardCharsets.US_ASCII));
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      line.append((char) next);
    }
    return line.toString().strip();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
