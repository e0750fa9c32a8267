package io.actiongovernance.functions.day;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Stands for every system that connectors and webhooks speak to, at an address of this machine that
 * no other can reach. Answers each request alike, but for those whose reply is lost; who wants TLS
 * is hung up on. Thread-safe.
 */
public final class SourceSystem implements AutoCloseable, Bodies.Outside {
  /** Where it may be reached, as a CIDR. */
  public static final String ADDRESSES = "127.0.0.1/32";

  /** A path from which no reply ever comes. */
  static final String LOST = "/lost";

  private static final String HOST = "127.0.0.1";
  private static final int TLS_HANDSHAKE = 0x16;
  private static final String ANSWER =
      """
      {"id":"re_1","access_token":"granted","token_type":"Bearer","expires_in":3600}""";

  private final ServerSocket socket;

  public SourceSystem() {
    this(0);
  }

  /**
   * @param preferred where it listens if nobody else does; 0 for anywhere
   */
  public SourceSystem(int preferred) {
    this.socket = listening(preferred);
    Thread.ofVirtual().name("source-system").start(this::serve);
  }

  private static ServerSocket listening(int port) {
    try {
      return new ServerSocket(port, 1, InetAddress.getByName(HOST));
    } catch (IOException e) {
      if (port == 0) {
        throw new UncheckedIOException(e);
      }
      return listening(0);
    }
  }

  @Override
  public URI url(String scheme) {
    return URI.create(scheme + "://" + HOST + ":" + socket.getLocalPort());
  }

  private void serve() {
    while (!socket.isClosed()) {
      try (Socket connection = socket.accept()) {
        answer(connection);
      } catch (IOException e) {
        // The client has hung up, or this is closed: who asked finds out by itself.
      }
    }
  }

  private static void answer(Socket connection) throws IOException {
    InputStream in = new BufferedInputStream(connection.getInputStream());
    int first = in.read();
    if (first == TLS_HANDSHAKE) {
      return;
    }
    boolean lost = false;
    int length = 0;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      lost |= line.contains(" " + LOST + " ");
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
            + ANSWER.length()
            + "\r\n\r\n";
    connection.getOutputStream().write((head + ANSWER).getBytes(StandardCharsets.US_ASCII));
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
