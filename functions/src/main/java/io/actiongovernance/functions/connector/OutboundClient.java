package io.actiongovernance.functions.connector;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
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
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;

/**
 * Makes one HTTP request to a source system: behind the egress guard, connecting to the very
 * address that was judged, without redirects, proxies, cookies or retries, under one deadline for
 * the whole exchange, and reading at most {@value #LONGEST_BODY} bytes. Every request has a
 * connection of its own: none can fail because an old one was closed. Thread-safe.
 */
public final class OutboundClient implements AutoCloseable {
  /** Bytes of an answer that are read. */
  static final int LONGEST_BODY = 1 << 20;

  private static final Timeout CONNECT = Timeout.ofSeconds(5);
  private static final int CONNECTIONS = 500;
  private static final String SENT = "governance.sent";

  private final CloseableHttpClient https;
  private final CloseableHttpClient http;
  private final ScheduledExecutorService deadlines;

  public OutboundClient(EgressGuard guard, SSLContext tls) {
    // The resolver is not told the scheme, on which the guard's answer depends: so there is a
    // client for each.
    this.https = client(guard, "https", tls);
    this.http = client(guard, "http", tls);
    this.deadlines =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("deadlines").factory());
  }

  private static CloseableHttpClient client(EgressGuard guard, String scheme, SSLContext tls) {
    return HttpClients.custom()
        .setConnectionManager(
            PoolingHttpClientConnectionManagerBuilder.create()
                .setDnsResolver(new GuardedResolver(guard, scheme))
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
              scope.clientContext.setAttribute(SENT, true);
              return chain.proceed(request, scope);
            })
        .build();
  }

  /** Looks a name up once, and hands out only addresses that may be connected to. */
  private record GuardedResolver(EgressGuard guard, String scheme) implements DnsResolver {
    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
      return guard.admit(InetAddress.getAllByName(host), host, scheme);
    }

    @Override
    public String resolveCanonicalHostname(String host) {
      return host;
    }
  }

  /** Makes the request; the whole exchange takes no longer than this. */
  Exchange exchange(Outbound outbound, Duration within) {
    if (within.toMillis() < 1) {
      return new Exchange.NotSent("no time was left to send the request");
    }
    HttpUriRequestBase request = new HttpUriRequestBase(outbound.method(), outbound.url());
    outbound.headers().forEach(request::setHeader);
    String body = outbound.body();
    if (body != null) {
      request.setEntity(new StringEntity(body, ContentType.APPLICATION_JSON));
    }
    request.setConfig(
        RequestConfig.custom()
            .setResponseTimeout(Timeout.ofMilliseconds(within.toMillis()))
            .build());
    HttpClientContext context = HttpClientContext.create();
    Future<?> deadline =
        deadlines.schedule(request::abort, within.toMillis(), TimeUnit.MILLISECONDS);
    boolean plain = "http".equals(outbound.url().getScheme().toLowerCase(Locale.ROOT));
    try (ClassicHttpResponse response =
        (plain ? http : https).executeOpen(null, request, context)) {
      return read(request, response);
    } catch (IOException | RuntimeException e) {
      // The client reports an abort as whatever the aborted step fails with.
      return failed(e, context.getAttribute(SENT) != null, request.isAborted());
    } finally {
      deadline.cancel(false);
    }
  }

  private static Exchange read(HttpUriRequestBase request, ClassicHttpResponse response)
      throws IOException {
    HttpEntity entity = response.getEntity();
    byte[] bytes = new byte[0];
    if (entity != null) {
      InputStream content = entity.getContent();
      bytes = content.readNBytes(LONGEST_BODY + 1);
      if (bytes.length > LONGEST_BODY) {
        // Closing the response would read on to its end.
        request.abort();
      }
    }
    Header retryAfter = response.getFirstHeader("Retry-After");
    boolean tooLong = bytes.length > LONGEST_BODY;
    String body =
        new String(bytes, 0, Math.min(bytes.length, LONGEST_BODY), StandardCharsets.UTF_8);
    return new Exchange.Answered(
        response.getCode(), retryAfter == null ? null : retryAfter.getValue(), body, tooLong);
  }

  private static Exchange failed(Exception e, boolean sent, boolean outOfTime) {
    if (e instanceof EgressGuard.Refused refused) {
      return new Exchange.Forbidden(refused.why());
    }
    String why =
        outOfTime
            ? "it did not answer in time"
            : switch (e) {
              case UnknownHostException _ -> "its name is not known";
              case ConnectException _ -> "it refused the connection";
              case SSLException _ -> "no secure connection could be made";
              case InterruptedIOException _ -> "it did not answer in time";
              default -> "the connection broke";
            };
    return sent ? new Exchange.Lost(why) : new Exchange.NotSent(why);
  }

  @Override
  public void close() {
    deadlines.shutdownNow();
    https.close(CloseMode.IMMEDIATE);
    http.close(CloseMode.IMMEDIATE);
  }
}
