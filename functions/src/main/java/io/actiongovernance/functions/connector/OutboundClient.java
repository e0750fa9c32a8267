package io.actiongovernance.functions.connector;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;

/**
 * Makes one HTTP request to a source system or a webhook endpoint: behind the egress guard,
 * connecting to the very address that was judged, without redirects, proxies, cookies or retries,
 * under one deadline for the whole exchange, the look-up of the name included, and reading at most
 * {@value #LONGEST_BODY} bytes. Every request has a connection of its own: none can fail because an
 * old one was closed. Thread-safe.
 */
public final class OutboundClient implements AutoCloseable {
  /** Bytes of an answer that are read. */
  static final int LONGEST_BODY = 1 << 20;

  private static final Timeout CONNECT = Timeout.ofSeconds(5);
  private static final int CONNECTIONS = 500;
  private static final String SENT = "governance.sent";

  private final CloseableHttpClient https;
  private final CloseableHttpClient http;

  /** Looks up the addresses of a name. */
  @FunctionalInterface
  public interface Lookup {
    InetAddress[] addresses(String host) throws UnknownHostException;
  }

  public OutboundClient(EgressGuard guard, SSLContext tls) {
    this(guard, tls, InetAddress::getAllByName);
  }

  public OutboundClient(EgressGuard guard, SSLContext tls, Lookup lookup) {
    // The resolver is not told the scheme, on which the guard's answer depends: so there is a
    // client for each.
    this.https = client(new GuardedResolver(guard, lookup, "https"), tls);
    this.http = client(new GuardedResolver(guard, lookup, "http"), tls);
  }

  private static CloseableHttpClient client(DnsResolver resolver, SSLContext tls) {
    return HttpClients.custom()
        .setConnectionManager(
            PoolingHttpClientConnectionManagerBuilder.create()
                .setDnsResolver(resolver)
                .setTlsSocketStrategy(new DefaultClientTlsStrategy(tls))
                .setDefaultConnectionConfig(
                    ConnectionConfig.custom().setConnectTimeout(CONNECT).build())
                .setMaxConnTotal(CONNECTIONS)
                .setMaxConnPerRoute(CONNECTIONS)
                .build())
        .setConnectionReuseStrategy((request, response, context) -> false)
        .setUserAgent("action-governance")
        .disableRedirectHandling()
        .disableAutomaticRetries()
        .disableCookieManagement()
        .disableAuthCaching()
        .disableContentCompression()
        .addExecInterceptorBefore(
            ChainElement.MAIN_TRANSPORT.name(),
            SENT,
            (request, scope, chain) -> {
              if (scope.clientContext.getAttribute(SENT) instanceof AtomicBoolean sent) {
                sent.set(true);
              }
              return chain.proceed(request, scope);
            })
        .build();
  }

  /** Looks a name up once, and hands out only addresses that may be connected to. */
  private record GuardedResolver(EgressGuard guard, Lookup lookup, String scheme)
      implements DnsResolver {
    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
      return guard.admit(lookup.addresses(host), host, scheme);
    }

    @Override
    public String resolveCanonicalHostname(String host) {
      return host;
    }
  }

  /** Says when enough of an answer has been read. */
  @FunctionalInterface
  interface Enough {
    /**
     * @param bytes of which the first so many are the next of the answer
     */
    boolean after(byte[] bytes, int count);
  }

  /** Makes the request; the whole exchange takes no longer than this. */
  public Exchange exchange(Outbound outbound, Duration within) {
    return exchange(outbound, within, (bytes, count) -> false);
  }

  /** The same for an answer that may go on after what is wanted of it has come. */
  Exchange exchange(Outbound outbound, Duration within, Enough enough) {
    if (within.toMillis() < 1) {
      return new Exchange.NotSent("no time was left to send the request");
    }
    HttpUriRequestBase request = request(outbound, within);
    AtomicBoolean sent = new AtomicBoolean();
    FutureTask<Exchange> exchange = new FutureTask<>(() -> open(outbound, request, sent, enough));
    Thread.ofVirtual().name("exchange").start(exchange);
    try {
      return exchange.get(within.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // Whatever it hangs in, a look-up too, nobody waits for it any longer.
      request.abort();
      return ended("it did not answer in time", sent);
    } catch (InterruptedException e) {
      request.abort();
      Thread.currentThread().interrupt();
      return ended("the request was interrupted", sent);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private static HttpUriRequestBase request(Outbound outbound, Duration within) {
    HttpUriRequestBase request = new HttpUriRequestBase(outbound.method(), outbound.url());
    outbound.headers().forEach(request::setHeader);
    String body = outbound.body();
    if (body != null) {
      request.setEntity(
          new ByteArrayEntity(
              body.getBytes(StandardCharsets.UTF_8), ContentType.create(outbound.contentType())));
    }
    request.setConfig(
        RequestConfig.custom()
            .setResponseTimeout(Timeout.ofMilliseconds(within.toMillis()))
            .build());
    return request;
  }

  private Exchange open(
      Outbound outbound, HttpUriRequestBase request, AtomicBoolean sent, Enough enough) {
    HttpClientContext context = HttpClientContext.create();
    context.setAttribute(SENT, sent);
    boolean plain = "http".equals(outbound.url().getScheme().toLowerCase(Locale.ROOT));
    Exchange answered = null;
    try (ClassicHttpResponse response =
        (plain ? http : https).executeOpen(null, request, context)) {
      answered = read(request, response, enough);
      return answered;
    } catch (IOException | RuntimeException e) {
      if (answered != null) {
        // Only closing failed, which it may where the answer was broken off.
        return answered;
      }
      // The client reports an abort as whatever the aborted step fails with.
      return e instanceof EgressGuard.Refused refused
          ? new Exchange.Forbidden(refused.why())
          : ended(why(e), sent);
    }
  }

  private static Exchange read(
      HttpUriRequestBase request, ClassicHttpResponse response, Enough enough) throws IOException {
    HttpEntity entity = response.getEntity();
    byte[] bytes = entity == null ? new byte[0] : read(request, entity.getContent(), enough);
    Map<String, String> headers = new HashMap<>();
    for (Header header : response.getHeaders()) {
      String value = header.getValue();
      headers.putIfAbsent(header.getName().toLowerCase(Locale.ROOT), value == null ? "" : value);
    }
    boolean tooLong = bytes.length > LONGEST_BODY;
    String body =
        new String(bytes, 0, Math.min(bytes.length, LONGEST_BODY), StandardCharsets.UTF_8);
    return new Exchange.Answered(response.getCode(), headers, body, tooLong);
  }

  private static byte[] read(HttpUriRequestBase request, InputStream content, Enough enough)
      throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    byte[] next = new byte[8192];
    for (int count = content.read(next); count >= 0; count = content.read(next)) {
      read.write(next, 0, Math.min(count, LONGEST_BODY + 1 - read.size()));
      if (read.size() > LONGEST_BODY || enough.after(next, count)) {
        // Closing the response would read on to its end.
        request.abort();
        break;
      }
    }
    return read.toByteArray();
  }

  private static Exchange ended(String why, AtomicBoolean sent) {
    return sent.get() ? new Exchange.Lost(why) : new Exchange.NotSent(why);
  }

  private static String why(Exception e) {
    return switch (e) {
      case UnknownHostException _ -> "its name is not known";
      case ConnectException _ -> "it refused the connection";
      case SSLException _ -> "no secure connection could be made";
      case InterruptedIOException _ -> "it did not answer in time";
      default -> "the connection broke";
    };
  }

  @Override
  public void close() {
    https.close(CloseMode.IMMEDIATE);
    http.close(CloseMode.IMMEDIATE);
  }
}
