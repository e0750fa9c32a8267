package io.actiongovernance.functions.egress;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Connects to servers that tenants name, for protocols other than HTTP. It connects behind the
 * egress guard, to the exact address that the guard checked, and requires a TLS certificate for the
 * requested name. Thread-safe.
 */
public final class GuardedSockets {
  private final EgressGuard guard;
  private final SSLContext tls;
  private final OutboundClient.Lookup lookup;

  public GuardedSockets(EgressGuard guard, SSLContext tls) {
    this(guard, tls, InetAddress::getAllByName);
  }

  public GuardedSockets(EgressGuard guard, SSLContext tls, OutboundClient.Lookup lookup) {
    this.guard = guard;
    this.tls = tls;
    this.lookup = lookup;
  }

  /**
   * Opens a connection on which nothing has been sent yet, not even for TLS. It must be secured
   * before anything is sent. Its address has the requested name.
   *
   * @throws IOException also if the guard refuses the host
   */
  public Socket connect(String host, int port, Duration within) throws IOException {
    IOException failed = new UnknownHostException(host);
    for (InetAddress address : guard.admit(lookup.addresses(host), host, "https")) {
      Socket socket = new Socket();
      try {
        // Set the name, so that no code does a reverse look-up of the address.
        InetAddress named = InetAddress.getByAddress(host, address.getAddress());
        socket.connect(new InetSocketAddress(named, port), Math.toIntExact(within.toMillis()));
        return socket;
      } catch (IOException e) {
        failed = e;
        socket.close();
      }
    }
    throw failed;
  }

  /**
   * A factory that secures a connection to this host, whatever name a caller passes to it later.
   */
  public SSLSocketFactory secure(String host) {
    return new OfHost(tls.getSocketFactory(), host);
  }

  private static final class OfHost extends SSLSocketFactory {
    private final SSLSocketFactory factory;
    private final String host;

    OfHost(SSLSocketFactory factory, String host) {
      this.factory = factory;
      this.host = host;
    }

    @Override
    public Socket createSocket(Socket plain, String ignored, int port, boolean autoClose)
        throws IOException {
      SSLSocket socket = (SSLSocket) factory.createSocket(plain, host, port, autoClose);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      return socket;
    }

    @Override
    public String[] getDefaultCipherSuites() {
      return factory.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
      return factory.getSupportedCipherSuites();
    }

    @Override
    public Socket createSocket(String named, int port) throws IOException {
      throw unguarded();
    }

    @Override
    public Socket createSocket(String named, int port, InetAddress local, int localPort)
        throws IOException {
      throw unguarded();
    }

    @Override
    public Socket createSocket(InetAddress address, int port) throws IOException {
      throw unguarded();
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress local, int localPort)
        throws IOException {
      throw unguarded();
    }

    private static IOException unguarded() {
      return new IOException("Only the guard makes connections.");
    }
  }
}
